"""Work beside everything else: what fails is seen by the host and begins again."""

import asyncio
import contextlib
import logging

import pytest

from server.net.beside import keep_up

log = logging.getLogger("yukon.test")


async def test_work_that_fails_begins_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("server.net.beside._AGAIN_SECONDS", 0)
    begun = 0
    works = asyncio.Event()

    async def work() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise ValueError("not today")
        works.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(keep_up(work, log))
    async with asyncio.timeout(30):
        await works.wait()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert task.cancelled()
    assert [record.exc_info is not None for record in caplog.records] == [True, True]
