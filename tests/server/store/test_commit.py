"""The commit: what is written, what is refused, and that a refusal writes nothing."""

import asyncio

import pytest

from server.core.heads import first_head, head_of, next_head
from server.core.ports import Committed, Missing, NewSession, Stale, StoredSession
from server.store import keys
from server.store.errors import Damaged
from server.store.sessions import Lifetimes, Sessions
from tests.server.store.conftest import ACTION, CODE, MakeWorker, Played, Worker, deal, play


async def stored(worker: Worker, session_id: str = "s1") -> StoredSession:
    session = await worker.sessions.load(session_id)
    assert session is not None
    return session


async def test_a_commit_is_one_record_with_the_time_of_redis(worker: Worker) -> None:
    played = await deal(worker)
    done = await worker.sessions.commit(played.commit())
    session = await stored(worker)
    assert isinstance(done, Committed)
    assert session.log == ACTION + done.ms.to_bytes(5, "big")
    assert 0 <= done.ms <= session.now_ms - session.dealt_at_ms
    assert session.head == next_head(first_head(CODE), ACTION)
    assert (session.state, session.score, session.ranked, session.moves) == ("playing", 5, 5, 1)


async def test_the_bytes_of_a_record_may_be_any(worker: Worker) -> None:
    played = await deal(worker)
    for action in (b"\x00\x00\x00", b"\xff\x01\x00", b"\r\n$", b"\x80\x00\xff"):
        assert isinstance(await worker.sessions.commit(played.commit(action)), Committed)
        played = played.after(action)
    session = await stored(worker)
    assert session.version == 4
    assert head_of(CODE, session.log) == session.head == played.head


async def test_of_two_workers_at_the_same_version_one_wins(worker: Worker, other: Worker) -> None:
    played = await deal(worker)
    for version in range(50):
        mine, theirs = bytes((1, version, 2)), bytes((2, version, 1))
        answers = await asyncio.gather(
            worker.sessions.commit(played.commit(mine)),
            other.sessions.commit(played.commit(theirs)),
        )
        won = [isinstance(answer, Committed) for answer in answers]
        assert sorted(won) == [False, True]
        played = played.after(mine if won[0] else theirs)
        lost = answers[won.index(False)]
        assert lost == Stale(played.version, played.head)
    session = await stored(worker)
    assert session.version == 50
    assert session.head == head_of(CODE, session.log)


async def test_a_history_replaced_under_a_cache_is_not_added_to(
    worker: Worker, other: Worker
) -> None:
    cached = await play(worker, await deal(worker), 3)
    # A failover brings back an older state, and others play on from there to the same version.
    await worker.link.call("DEL", keys.session("s1"), keys.log("s1"))
    theirs = await deal(other)
    for action in (b"\x01\x01\x02", b"\x02\x01\x03", b"\x03\x01\x04"):
        await other.sessions.commit(theirs.commit(action))
        theirs = theirs.after(action)
    before = await stored(other)
    assert before.version == cached.version
    assert await worker.sessions.commit(cached.commit()) == Stale(3, theirs.head)
    assert (await stored(other)).log == before.log


async def test_a_lower_version_after_a_failover_is_told(worker: Worker) -> None:
    earlier = await play(worker, await deal(worker), 2)
    held = await stored(worker)
    later = await play(worker, earlier, 3)
    await worker.link.call("SET", keys.log("s1"), held.log)
    await worker.link.call("HSET", keys.session("s1"), "head", held.head)
    assert await worker.sessions.commit(later.commit()) == Stale(2, earlier.head)


async def test_time_never_steps_back(worker: Worker) -> None:
    played = await play(worker, await deal(worker), 1)
    ahead = 3_600_000
    await worker.link.call("SETRANGE", keys.log("s1"), 3, ahead.to_bytes(5, "big"))
    assert await worker.sessions.commit(played.commit()) == Committed(ahead)
    assert await worker.sessions.commit(played.after().commit()) == Committed(ahead)


async def test_a_deal_in_the_future_starts_at_nought(worker: Worker) -> None:
    now = (await worker.link.call("TIME"))[0]
    await worker.sessions.create(
        NewSession("s1", CODE, "ann", 1, dealt_at_ms=(int(now) + 600) * 1000)
    )
    assert await worker.sessions.commit(Played.dealt("s1").commit()) == Committed(0)


async def test_forty_bits_of_time_fit(worker: Worker) -> None:
    played = await play(worker, await deal(worker), 1)
    largest = 2**40 - 1
    await worker.link.call("SETRANGE", keys.log("s1"), 3, largest.to_bytes(5, "big"))
    assert await worker.sessions.commit(played.commit()) == Committed(largest)
    assert (await stored(worker)).log[-5:] == b"\xff" * 5


@pytest.mark.parametrize("actions", [0, 2])
@pytest.mark.parametrize("gone", ["log", "hash", "both"])
async def test_what_is_missing_is_an_error_and_stays_missing(
    worker: Worker, actions: int, gone: str
) -> None:
    played = await play(worker, await deal(worker), actions)
    names = {"log": [keys.log("s1")], "hash": [keys.session("s1")]}
    names["both"] = names["log"] + names["hash"]
    await worker.link.call("DEL", *names[gone])
    with pytest.raises(Missing):
        await worker.sessions.commit(played.commit())
    assert await worker.link.call("EXISTS", *names[gone]) == 0


async def test_a_session_never_dealt_is_missing(worker: Worker) -> None:
    with pytest.raises(Missing):
        await worker.sessions.commit(Played.dealt("nobody").commit())


async def test_a_log_of_broken_length_is_not_added_to(worker: Worker) -> None:
    played = await play(worker, await deal(worker), 2)
    await worker.link.call("APPEND", keys.log("s1"), b"\x00\x00\x00")
    assert await worker.sessions.commit(played.commit()) == Stale(2, played.head)
    await worker.link.call("SETRANGE", keys.log("s1"), 24, b"")
    with pytest.raises(Missing):
        await worker.sessions.load("s1")


async def test_each_command_renews_the_lifetimes_and_the_end_has_its_own(
    make_worker: MakeWorker,
) -> None:
    lifetimes = Lifetimes(dealt=200, unfinished=1000, finished=500)
    worker = await make_worker("w1", lifetimes=lifetimes)
    both = (keys.session("s1"), keys.log("s1"))

    async def left() -> list[int]:
        return [await worker.link.call("TTL", key) for key in both]

    played = await deal(worker)
    assert all(190 < seconds <= 200 for seconds in await left())
    played = await play(worker, played, 1)
    assert all(990 < seconds <= 1000 for seconds in await left())
    for key in both:
        await worker.link.call("EXPIRE", key, 800)
    played = await play(worker, played, 1)
    assert all(990 < seconds <= 1000 for seconds in await left())
    await worker.sessions.commit(played.commit(ends=True))
    assert all(490 < seconds <= 500 for seconds in await left())


async def test_a_script_that_redis_forgot_is_sent_again(worker: Worker) -> None:
    played = await play(worker, await deal(worker), 1)
    await worker.link.call("SCRIPT", "FLUSH")
    await play(worker, played, 1)


async def test_a_key_of_another_kind_is_refused(worker: Worker) -> None:
    played = await deal(worker)
    await worker.link.call("DEL", keys.session("s1"))
    await worker.link.call("SET", keys.session("s1"), "text")
    with pytest.raises(Damaged):
        await worker.sessions.commit(played.commit())


async def test_a_thousand_sessions_commit_together(worker: Worker) -> None:
    played = await asyncio.gather(*(deal(worker, f"s{number}") for number in range(1000)))
    for _ in range(5):
        answers = await asyncio.gather(*(worker.sessions.commit(each.commit()) for each in played))
        assert all(isinstance(answer, Committed) for answer in answers)
        played = [each.after() for each in played]
    for number in (0, 500, 999):
        assert (await stored(worker, f"s{number}")).version == 5


async def test_each_commit_is_told_to_the_metrics(worker: Worker) -> None:
    told: list[tuple[float, str]] = []
    sessions = Sessions(
        worker.link, "w9", on_commit=lambda seconds, outcome: told.append((seconds, outcome))
    )
    played = await deal(worker)
    await sessions.commit(played.commit())
    await sessions.commit(played.commit())
    with pytest.raises(Missing):
        await sessions.commit(Played.dealt("nobody").commit())
    assert [outcome for _, outcome in told] == ["committed", "stale", "missing"]
    assert all(seconds > 0 for seconds, _ in told)
