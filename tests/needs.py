"""Finds the browser and Node.js for tests; where one is missing it skips, or fails with CI=true.

def test_board(chromium_path): ...      # fixtures of conftest.py
node = needs.node()                     # or called by name
"""

import os
import shutil
from typing import NoReturn

import pytest

CHROMIUM_ARGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""What Chromium needs to run as root, without a screen and without talking to anyone."""


def missing(reason: str) -> NoReturn:
    """Skip the running test with one line; with CI=true fail it: nothing is left out unseen."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason}; with CI=true that is a failure", pytrace=False)
    pytest.skip(reason)


def chromium() -> str:
    """The path of a Chromium or Chrome."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    missing("no browser here: install chromium to run the browser tests")


def node() -> str:
    """The path of Node.js."""
    return shutil.which("node") or missing("no Node.js here: install it to run the client's tests")
