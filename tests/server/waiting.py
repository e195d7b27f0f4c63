"""Waiting for something to become true, bounded and without guessed pauses, as tests here do."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_for(what: str, probe: Callable[[], T | None], seconds: float = 30.0) -> T:
    """The first truthy answer of `probe`; fails with `what` when there is none in time.

    An OSError of the probe counts as "not yet", since most probes knock at a door.
    """
    deadline = time.monotonic() + seconds
    problem = ""
    while time.monotonic() < deadline:
        try:
            answer = probe()
        except OSError as error:
            problem, answer = f" ({error})", None
        if answer:
            return answer
        time.sleep(0.01)
    raise AssertionError(f"in {seconds:.0f} s there was still no: {what}{problem}")
