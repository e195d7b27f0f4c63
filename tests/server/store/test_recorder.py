"""What sessions earn on a real Redis: each thing once, whoever dies or is forgotten meanwhile."""

import contextlib
from typing import Any

import pytest

from engine.move import RESIGN
from server.core import daily
from server.core.boards import Order
from server.core.messages import Origin
from server.core.ports import Unavailable
from server.core.recording import Verdict
from server.core.statistics import Played, of
from server.store import keys
from server.store.forgetting import forget
from server.store.recorder import Recorder, keep_sweeping
from tests.server.lines import won
from tests.server.store.conftest import MakeWorker, Worker
from tests.server.store.dying import DyingLink, Killed, dumped, restore
from tests.server.store.earning import SEALED, WAY, deal, names_of_boards, place_of, play, sign_in


async def everything(worker: Worker) -> dict[str, Any]:
    """All that is kept of boards and players, without what only says when."""
    found: dict[str, Any] = {}
    for name in sorted(await worker.link.call("KEYS", "yukon:*")):
        text = name.decode()
        if name == keys.CANARY:
            continue
        if ":session:" in text:
            days = (await worker.link.call("PTTL", name)) / daily.DAY_MS
            found[f"days of {text}"] = round(days)
            if not text.endswith(":rows"):
                continue
        kind = await worker.link.call("TYPE", name)
        if kind == b"zset":
            scored = await worker.link.call("ZRANGE", name, 0, -1, "WITHSCORES")
            has_order = text.endswith((":counted", ":games"))
            found[text] = scored[::2] if has_order else scored
        elif kind == b"hash":
            listed = await worker.link.call("HGETALL", name)
            found[text] = dict(zip(listed[::2], listed[1::2], strict=True))
        elif kind == b"set":
            found[text] = await worker.link.call("SMEMBERS", name)
    return found


async def test_a_won_ranked_game_is_on_every_board_and_counts_once(
    worker: Worker, recorder: Recorder
) -> None:
    await sign_in(worker, "ann")
    await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
    here = await play(worker, "s1", WAY)
    assert here.game.is_won
    for _ in range(3):
        await recorder.ended("s1")
    ended = here.dealt_at_ms + here.game.last_ms
    year, week, _ = daily.today(ended).isocalendar()
    boards = {"R:all", f"R:day:{daily.today(ended)}", f"R:week:{year}-W{week:02}"}
    assert {name.rsplit(":", 1)[0] for name in await names_of_boards(worker)} >= {
        f"{name}" for name in boards | {f"code:{SEALED}"}
    }
    for board in boards | {f"code:{SEALED}"}:
        for order in Order:
            assert await place_of(recorder, board, order) == ["s1"]
    statistics = await recorder.histories.statistics("ann")
    game = here.game
    played = Played(True, game.ranked_score, game.time_ms or 0, game.moves, ended)
    assert statistics == {"R": of([played])}
    assert (await worker.sessions.take_ending(0))[0] == []
    assert await worker.link.call("ZCARD", keys.UNTOUCHED) == 0


@pytest.mark.parametrize(
    "origin,codes",
    [
        (Origin.TYPED, (0, 0)),  # the row on the board of the code gives way
        (Origin.RANKED, (1, 0)),  # the rows on the boards of the ruleset do
        (Origin.DAILY, (1, 0)),  # and a day gets its mark
    ],
)
async def test_a_worker_that_dies_anywhere_leaves_nothing_out_and_nothing_twice(
    worker: Worker, make_worker: MakeWorker, origin: Origin, codes: tuple[int, int]
) -> None:
    """Killed after each command that recording sends; the sweeper of another one completes it."""
    await sign_in(worker, "ann")
    recorder = Recorder(worker.link, worker.sessions)
    day = daily.today(await recorder.dailies.now_ms())
    await recorder.dailies.claim("ann", "R", day, "new")
    for session, number in zip(("old", "new"), codes, strict=True):
        code, way = won(number)
        await deal(
            worker,
            recorder,
            session,
            code,
            origin if session == "new" else min(origin, Origin.RANKED),
        )
        await play(worker, session, way if session == "new" else [*way[:-1], RESIGN])
        if session == "old":
            await recorder.ended("old")
    before = await dumped(worker)
    other = await make_worker("w2")

    async def with_lives(lives: int) -> tuple[int, dict[str, Any]]:
        await restore(worker, before)
        dying: Any = DyingLink(worker.link, lives)
        worker.sessions._link = worker.sessions.ending._link = dying
        with contextlib.suppress(Killed):
            await Recorder(dying, worker.sessions).ended("new")
        worker.sessions._link = worker.sessions.ending._link = worker.link
        await Recorder(other.link, other.sessions).sweep(0)
        return dying.calls, await everything(worker)

    calls, wanted = await with_lives(1000)
    assert 12 < calls < 100
    assert len(wanted["yukon:player:{ann}:counted"]) == 2
    assert "yukon:ending" not in wanted
    assert ("yukon:player:{ann}:marks:R" in wanted) is (origin is Origin.DAILY)
    for lives in range(calls):
        _, found = await with_lives(lives)
        assert found == wanted, f"killed after {lives} commands"


async def test_a_session_that_did_not_end_after_all_is_only_taken_out(
    worker: Worker, recorder: Recorder
) -> None:
    await sign_in(worker, "ann")
    await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
    await play(worker, "s1", WAY[:5])
    await worker.sessions.ending.after("s1", 0)
    await worker.sessions.ending.after("never was", 0)
    await recorder.sweep(0)
    assert (await worker.sessions.take_ending(0))[0] == []
    assert await names_of_boards(worker) == set()
    assert await recorder.histories.statistics("ann") == {}
    # It is still looked at when it was left alone.
    assert await worker.link.call("ZCARD", keys.UNTOUCHED) == 1


async def test_a_lane_that_its_race_closed_has_what_its_log_says(
    worker: Worker, recorder: Recorder
) -> None:
    await sign_in(worker, "ann")
    await deal(worker, recorder, "r.1-0", SEALED, Origin.RACE, room="r")
    here = await play(worker, "r.1-0", WAY[:20])
    closed = here.dealt_at_ms + here.game.last_ms + 5000
    await worker.link.call("HSET", keys.session("r.1-0"), "closed", closed)
    await worker.link.call("HSET", keys.session("r.1-0"), "race", "1:0")
    await worker.sessions.ending.after("r.1-0", 0)
    await recorder.sweep(0)
    page = await recorder.boards.page("R:all", Order.BEST, closed)
    (row,) = page.rows
    assert (row.score, row.moves, row.won) == (here.game.ranked_score, here.game.moves, False)
    assert (row.time, row.ended) == (closed - here.dealt_at_ms, closed)
    assert (row.code, row.replay) == (None, None)
    await worker.link.call("HSET", keys.session("r.1-0"), "opened", closed)
    (row,) = (await recorder.boards.page("R:all", Order.BEST, closed)).rows
    assert (row.code, row.replay) == (SEALED, "r.1-0")


async def test_a_player_who_is_forgotten_meanwhile_leaves_nothing(
    worker: Worker, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forgotten between any two steps of recording, or while it goes on: nothing is left."""
    count = recorder.histories.count

    async def forget_and_count(verdict: Verdict) -> bool:
        assert await forget(worker.link, "ann")
        return await count(verdict)

    monkeypatch.setattr(recorder.histories, "count", forget_and_count)
    await sign_in(worker, "ann")
    await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
    await play(worker, "s1", WAY)
    await recorder.ended("s1")
    assert await names_of_boards(worker) == set()
    assert await worker.link.call("KEYS", "yukon:player:*") == []
    assert await worker.link.call("TTL", keys.session("s1")) > 0


async def test_what_was_played_while_its_player_was_forgotten_is_forgotten_too(
    worker: Worker, recorder: Recorder
) -> None:
    await sign_in(worker, "ann")
    await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
    assert await forget(worker.link, "ann")
    await play(worker, "s1", WAY)  # their worker has not heard of it yet
    assert await worker.link.call("KEYS", "yukon:player:*") == [keys.games("ann")]
    await recorder.sweep(0)
    assert await worker.link.call("KEYS", "yukon:player:*") == []


async def test_a_key_that_holds_something_else_is_told_once_and_stops_no_sweep(
    worker: Worker, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    await sign_in(worker, "ann")
    for session in ("s1", "s2"):
        await deal(worker, recorder, session, SEALED, Origin.RANKED)
        await play(worker, session, WAY)
    await worker.link.call("DEL", keys.log("s1"))
    await worker.link.call("RPUSH", keys.log("s1"), "x")
    await recorder.sweep(0)
    await recorder.sweep(0)
    assert [record.__dict__["session"] for record in caplog.records] == ["s1"]
    assert (await recorder.histories.statistics("ann"))["R"].wins == 1


async def test_sweeping_goes_on_whatever_happens() -> None:
    class Failing:
        def __init__(self) -> None:
            self.sweeps = 0

        async def sweep(self) -> None:
            self.sweeps += 1
            if self.sweeps == 1:
                raise Unavailable
            if self.sweeps == 2:
                raise ValueError
            raise GeneratorExit

    failing: Any = Failing()
    with pytest.raises(GeneratorExit):
        await keep_sweeping(failing, 0)
    assert failing.sweeps == 3
