"""Sessions: dealt once, read whole, watched by workers, and never lost at their end."""

import asyncio
import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.heads import first_head
from server.core.ports import NewSession, SessionEvent
from server.store import keys
from server.store.bus import read_event
from server.store.errors import Damaged
from server.store.sessions import Sessions
from tests.server.store.conftest import (
    ACTION,
    CODE,
    MakeWorker,
    Worker,
    deal,
    eventually,
    play,
)

REQUEST = b"12345678"


def wanted(session_id: str, player: str = "ann", code: str = CODE) -> NewSession:
    return NewSession(session_id, code, player, origin=0, request_id=REQUEST)


async def test_a_new_session_is_dealt_now_and_read_whole(worker: Worker) -> None:
    created = await worker.sessions.create(
        NewSession("room.s1", CODE, "ann", 2, score=10, ranked=10, room="room", race="3")
    )
    session = await worker.sessions.load("room.s1")
    assert session is not None
    assert created.is_new
    assert created.dealt_at_ms == session.dealt_at_ms <= session.now_ms
    assert session == session._replace(
        session_id="room.s1",
        code=CODE,
        player="ann",
        origin=2,
        room="room",
        race="3",
        head=first_head(CODE),
        state="playing",
        score=10,
        ranked=10,
        moves=0,
        log=b"",
    )
    assert session.version == 0


async def test_the_same_request_deals_once(worker: Worker, other: Worker) -> None:
    first = await worker.sessions.create(wanted("s1"))
    again = await other.sessions.create(wanted("s2", code="YU1-C-7777777"))
    assert again == first._replace(is_new=False)
    assert await worker.sessions.load("s2") is None
    session = await worker.sessions.load("s1")
    assert session is not None
    assert session.code == CODE
    assert 590 < await worker.link.call("TTL", keys.request("ann", REQUEST)) <= 600


async def test_a_request_sent_twice_at_once_deals_once(worker: Worker, other: Worker) -> None:
    made = await asyncio.gather(
        *(each.sessions.create(wanted(f"s{n}")) for n in range(20) for each in (worker, other))
    )
    assert len({each.session_id for each in made}) == 1
    assert sum(each.is_new for each in made) == 1


async def test_a_request_whose_worker_died_half_way_deals_at_the_next_try(worker: Worker) -> None:
    await worker.link.call("SET", keys.request("ann", REQUEST), "s1")
    created = await worker.sessions.create(wanted("s2"))
    assert (created.session_id, created.is_new) == ("s1", True)


async def test_another_player_may_use_the_same_request_id(worker: Worker) -> None:
    await worker.sessions.create(wanted("s1"))
    assert (await worker.sessions.create(wanted("s2", player="bob"))).is_new


async def test_a_deal_at_a_given_instant(worker: Worker) -> None:
    at = 1_800_000_000_123
    created = await worker.sessions.create(NewSession("s1", CODE, "ann", 1, dealt_at_ms=at))
    session = await worker.sessions.load("s1")
    assert session is not None
    assert session.dealt_at_ms == created.dealt_at_ms == at


async def test_nobody_knows_a_session_that_never_was(worker: Worker) -> None:
    assert await worker.sessions.load("nobody") is None
    assert not await worker.sessions.watch("nobody")
    assert await worker.link.call("EXISTS", keys.session("nobody")) == 0


async def test_for_a_stranger_no_history_is_gone_through(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(worker, await deal(worker), 2)
    stored = await worker.sessions.load("s1", "ann")
    assert stored == (await worker.sessions.load("s1"))._replace(now_ms=stored.now_ms)  # type: ignore[union-attr]
    monkeypatch.setattr("server.store.sessions.head_of", None)
    assert await worker.sessions.load("s1", "bob") is None


@pytest.mark.parametrize(
    "damage",
    [
        ("SETRANGE", keys.log("s1"), 0, b"\x09"),
        ("HSET", keys.session("s1"), "head", b"12345678"),
        ("HSET", keys.session("s1"), "shown", "playing many 0 0"),
        ("HSET", keys.session("s1"), "shown", "playing"),
        ("HDEL", keys.session("s1"), "player"),
        ("APPEND", keys.log("s1"), b"\x00"),
    ],
)
async def test_what_the_server_did_not_write_is_not_played_on(
    worker: Worker, damage: tuple[bytes | str | int, ...]
) -> None:
    await play(worker, await deal(worker), 2)
    await worker.link.call(*damage)
    with pytest.raises(Damaged):
        await worker.sessions.load("s1")


async def test_an_event_reaches_only_other_workers_with_viewers(
    worker: Worker, other: Worker, make_worker: MakeWorker
) -> None:
    third = await make_worker("w3")
    played = await deal(worker)
    assert await worker.sessions.watch("s1")
    assert await other.sessions.watch("s1")
    done = await worker.sessions.commit(played.commit(event=b"what changed"))
    await other.until(lambda: len(other.heard) == 1)
    after = played.after()
    record = ACTION + done.ms.to_bytes(5, "big")  # type: ignore[union-attr]
    assert other.heard == [SessionEvent("s1", 1, after.head, record, b"what changed")]
    # Messages of one connection stay in order: had w1 or w3 been told, they would know by now.
    await other.sessions.commit(after.commit())
    await worker.until(lambda: len(worker.heard) == 1)
    assert worker.heard[0].version == 2
    assert third.heard == []
    assert len(other.heard) == 1


async def test_a_worker_whose_last_viewer_left_is_not_told(worker: Worker, other: Worker) -> None:
    played = await deal(worker)
    await other.sessions.watch("s1")
    played = await play(worker, played, 1)
    await other.until(lambda: len(other.heard) == 1)
    await other.sessions.unwatch("s1")
    await worker.sessions.watch("s1")
    await play(worker, played, 1)
    assert await worker.link.call("HGET", keys.session("s1"), "viewers") == b"w1"
    assert len(other.heard) == 1


async def test_a_worker_that_is_gone_is_forgotten(worker: Worker, other: Worker) -> None:
    played = await deal(worker)
    await other.sessions.watch("s1")
    await worker.sessions.watch("s1")
    assert await worker.link.call("HGET", keys.session("s1"), "viewers") == b"w2 w1"
    await other.bus.close()

    async def is_deaf() -> bool:
        answer: list[object] = await worker.link.call("PUBSUB", "NUMSUB", keys.worker_channel("w2"))
        return answer[1] == 0

    await eventually(is_deaf)
    await play(worker, played, 1)
    assert await worker.link.call("HGET", keys.session("s1"), "viewers") == b"w1"


async def test_only_the_session_of_a_player_is_watched_for_them(worker: Worker) -> None:
    await deal(worker)
    players = ("bob", "ann", "eve")
    found = await asyncio.gather(*(worker.sessions.watch("s1", player) for player in players))
    assert found == [False, True, False]
    assert await worker.link.call("HGET", keys.session("s1"), "viewers") == b"w1"
    await worker.link.call("HSET", keys.session("s1"), "viewers", "")
    await worker.sessions.rewatch()
    assert await worker.link.call("HGET", keys.session("s1"), "viewers") == b"w1"


async def test_watching_twice_is_watching_once(worker: Worker) -> None:
    await deal(worker)
    for _ in range(3):
        await worker.sessions.watch("s1")
    assert await worker.link.call("HGET", keys.session("s1"), "viewers") == b"w1"


async def test_the_list_of_watching_workers_stays_short(worker: Worker) -> None:
    await deal(worker)
    for number in range(70):
        assert await Sessions(worker.link, f"old{number}").watch("s1")
    viewers = (await worker.link.call("HGET", keys.session("s1"), "viewers")).split()
    assert len(viewers) == 64
    assert viewers[-1] == b"old69"


async def test_a_session_is_in_ending_before_it_ends(worker: Worker, other: Worker) -> None:
    played = await deal(worker)
    await worker.sessions.commit(played.commit(ends=True))
    # The worker is killed here; the sweeper of another one finds what is left to do.
    taken, claim = await other.sessions.take_ending(older_than_ms=0)
    assert taken == ["s1"]
    assert (await worker.sessions.take_ending(older_than_ms=60_000))[0] == []
    await other.sessions.ended("s1", claim)
    assert await worker.link.call("ZCARD", keys.ENDING) == 0


async def test_a_result_recorded_in_time_is_not_swept(worker: Worker, other: Worker) -> None:
    played = await deal(worker)
    await worker.sessions.commit(played.commit(ends=True))
    assert (await other.sessions.take_ending(older_than_ms=60_000))[0] == []
    await worker.sessions.ended("s1")
    assert (await other.sessions.take_ending(older_than_ms=0))[0] == []


async def test_a_sweeper_does_not_take_out_a_later_ending(worker: Worker, other: Worker) -> None:
    played = await deal(worker)
    await worker.sessions.ending.after("s1", 0)  # the commit after it was lost
    taken, claim = await other.sessions.take_ending(older_than_ms=0)
    assert taken == ["s1"]
    await worker.sessions.commit(played.commit(ends=True))
    await other.sessions.ended("s1", claim)  # the sweeper saw a session that still ran
    assert await worker.link.call("ZCARD", keys.ENDING) == 1


async def test_a_refused_end_leaves_the_session_as_it_was(worker: Worker) -> None:
    played = await deal(worker)
    await play(worker, played, 1)
    await worker.sessions.commit(played.commit(ends=True))
    session = await worker.sessions.load("s1")
    assert session is not None
    assert (session.state, session.version) == ("playing", 1)


async def test_a_workers_id_is_a_word(worker: Worker) -> None:
    for wrong in ("", "two words", "a\n", "x" * 41):
        with pytest.raises(ValueError, match="worker"):
            Sessions(worker.link, wrong)


@pytest.mark.parametrize("session_id", ["", "a b", "a}", "a\n", "é", "x" * 101, "a:log"])
async def test_what_cannot_be_a_sessions_id_is_unknown(worker: Worker, session_id: str) -> None:
    assert await worker.sessions.load(session_id) is None
    assert not await worker.sessions.watch(session_id)
    with pytest.raises(ValueError, match="session"):
        await worker.sessions.create(NewSession(session_id, CODE, "ann", 1))


@given(st.binary(max_size=60))
def test_any_bytes_between_workers_are_read_or_refused(message: bytes) -> None:
    with contextlib.suppress(struct.error, ValueError):
        event = read_event(message)
        assert len(event.head) == len(event.record) == 8
        assert message.endswith(event.head + event.record + event.event)


@pytest.mark.parametrize("session_id", ["a", "room.s1", "x" * 100])
async def test_the_script_writes_what_a_worker_reads(
    worker: Worker, other: Worker, session_id: str
) -> None:
    played = await deal(worker, session_id)
    await other.sessions.watch(session_id)
    played = await play(worker, played, 299)
    await worker.sessions.commit(played.commit(event=bytes(range(256))))
    await other.until(lambda: len(other.heard) == 300)
    last = other.heard[-1]
    assert (last.session_id, last.version, last.head) == (session_id, 300, played.after().head)
    assert last.event == bytes(range(256))
    session = await worker.sessions.load(session_id)
    assert session is not None
    assert session.log == b"".join(event.record for event in other.heard)
