"""Runs the browser client's own tests, `node --test` over tests/client/*.test.js, inside pytest."""

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def scripts() -> list[Path]:
    """Every script of tests for Node.js, by name."""
    return [path for path in sorted(HERE.rglob("*.test.js")) if "node_modules" not in path.parts]


def test_there_are_scripts_to_run() -> None:
    assert scripts()


@pytest.mark.timeout(300)
def test_the_units_of_the_client(node_path: str) -> None:
    names = [str(path.relative_to(ROOT)) for path in scripts()]
    environment = {name: value for name, value in os.environ.items() if name != "NODE_OPTIONS"}
    run = subprocess.run(
        [node_path, "--test", "--test-reporter=spec", *names],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    if run.returncode:
        pytest.fail(f"node --test failed:\n{run.stdout}\n{run.stderr}", pytrace=False)
