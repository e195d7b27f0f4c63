"""What every test shares: hypothesis profiles, and the tools of the machine as fixtures."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright

from tests import needs

# `ci` is modest and always tries the same examples; `dev` looks elsewhere each time; `thorough`
# is for a long evening: HYPOTHESIS_PROFILE=thorough make test ARGS=tests/engine
settings.register_profile(
    "ci",
    max_examples=30,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("dev", max_examples=30, stateful_step_count=40, deadline=None)
settings.register_profile("thorough", max_examples=2000, stateful_step_count=120, deadline=None)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") == "true" else "dev")
)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser to drive, started with `needs.CHROMIUM_ARGS`."""
    return needs.chromium()


@pytest.fixture(scope="session")
def node_path() -> str:
    """Node.js."""
    return needs.node()


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    """A running browser. It ends with the module: no asyncio test can run while it is there."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=chromium_path, args=list(needs.CHROMIUM_ARGS)
        )
        yield launched
        launched.close()
