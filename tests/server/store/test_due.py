"""Schedules: due at an instant, claimed by one worker, never lost with it."""

import asyncio

from server.store import keys
from server.store.due import Due
from tests.server.store.conftest import Worker, eventually


async def now_ms(worker: Worker) -> int:
    seconds, microseconds = await worker.link.call("TIME")
    return int(seconds) * 1000 + int(microseconds) // 1000


async def test_a_thing_is_claimed_once_whoever_asks(worker: Worker, other: Worker) -> None:
    due = [Due(each.link, keys.DUE) for each in (worker, other)]
    past = await now_ms(worker) - 1000
    for number in range(200):
        await due[0].no_later(f"go:{number}", past)
    claimed = await asyncio.gather(*(due[n % 2].claim(60_000, most=7) for n in range(60)))
    assert sorted(what for each in claimed for what in each.what) == sorted(
        f"go:{number}" for number in range(200)
    )
    assert all(len(each.what) <= 7 for each in claimed)


async def test_nothing_is_claimed_before_its_time(worker: Worker) -> None:
    due = Due(worker.link, keys.DUE)
    at = await due.after("go", 60_000)
    assert 0 < at - await now_ms(worker) <= 60_000
    claimed = await due.claim(1000)
    assert claimed.what == []
    assert claimed.next_ms is not None
    assert 0 < claimed.next_ms <= 60_000


async def test_things_come_in_the_order_of_their_instants(worker: Worker) -> None:
    due = Due(worker.link, keys.DUE)
    past = await now_ms(worker) - 10_000
    for what, at in (("c", 3), ("a", 1), ("b", 2)):
        await due.no_later(what, past + at)
    assert (await due.claim(1000)).what == ["a", "b", "c"]


async def test_an_empty_schedule_says_that_nothing_comes(worker: Worker) -> None:
    claimed = await Due(worker.link, keys.DUE).claim(1000)
    assert (claimed.what, claimed.next_ms) == ([], None)


async def test_what_a_killed_worker_claimed_is_due_again(worker: Worker, other: Worker) -> None:
    mine, theirs = Due(worker.link, keys.DUE), Due(other.link, keys.DUE)
    await mine.after("go", 0)
    assert (await mine.claim(50)).what == ["go"]
    # The worker is killed here and never says that it is done.

    async def is_due_again() -> bool:
        return (await theirs.claim(60_000)).what == ["go"]

    assert not await is_due_again()
    await eventually(is_due_again)


async def test_what_is_done_is_over(worker: Worker) -> None:
    due = Due(worker.link, keys.DUE)
    await due.after("go", 0)
    claimed = await due.claim(0)
    assert await due.done("go", claimed.claim)
    assert not await due.done("go", claimed.claim)
    assert (await due.claim(0)).what == []


async def test_what_was_scheduled_anew_is_not_done(worker: Worker) -> None:
    due = Due(worker.link, keys.DUE)
    await due.after("go", 0)
    claimed = await due.claim(1000)
    await due.after("go", 0)
    assert not await due.done("go", claimed.claim)
    assert (await due.claim(1000)).what == ["go"]


async def test_a_late_worker_does_not_end_the_claim_of_the_next(
    worker: Worker, other: Worker
) -> None:
    mine, theirs = Due(worker.link, keys.DUE), Due(other.link, keys.DUE)
    await mine.after("go", 0)
    late = await mine.claim(0)
    claimed = await theirs.claim(60_000)
    assert claimed.what == ["go"]
    assert not await mine.done("go", late.claim)
    assert await theirs.done("go", claimed.claim)


async def test_what_is_cancelled_does_not_come(worker: Worker) -> None:
    due = Due(worker.link, keys.DUE)
    await due.after("go", 0)
    assert await due.cancel("go")
    assert not await due.cancel("go")
    assert (await due.claim(1000)).what == []
