"""What sessions earn on a real Redis: each thing once, whoever dies meanwhile, and nothing else."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import Game
from engine.move import PAUSE, RESIGN, RESUME, UNDO, Move
from server.core import daily
from server.core.boards import Order
from server.core.messages import Origin
from server.core.ports import Unavailable
from server.core.recording import Verdict
from server.core.statistics import UNTOUCHED_MS, Played, Statistics, of
from server.store import keys
from server.store.forgetting import forget
from server.store.players import Players
from server.store.recorder import Recorder, keep_sweeping
from tests.server.lines import line, won
from tests.server.store.conftest import MakeWorker, Worker
from tests.server.store.dying import DyingLink, Killed, dumped, restore
from tests.server.store.earning import (
    NOW,
    OPEN,
    SEALED,
    WAY,
    deal,
    names_of_boards,
    place_of,
    play,
    sign_in,
)


@pytest.fixture
def recorder(worker: Worker) -> Recorder:
    return Recorder(worker.link, worker.sessions)


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


class TestUntouched:
    async def age(self, worker: Worker, session: str, by_ms: int) -> None:
        """Let a session be so much older."""
        dealt = int(await worker.link.call("HGET", keys.session(session), "dealt_at"))
        await worker.link.call("HSET", keys.session(session), "dealt_at", dealt - by_ms)
        await worker.link.call("ZINCRBY", keys.UNTOUCHED, -by_ms * 1000, session)

    async def test_a_game_left_alone_counts_as_not_won_and_never_again(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        await play(worker, "s1", WAY[:5])
        await recorder.sweep()
        assert await recorder.histories.statistics("ann") == {}
        await self.age(worker, "s1", UNTOUCHED_MS)
        await recorder.sweep()
        counted = await recorder.histories.statistics("ann")
        assert (counted["R"].games, counted["R"].wins) == (1, 0)
        assert await worker.link.call("ZCARD", keys.UNTOUCHED) == 0
        # It stands on no board, and whoever goes on and wins has the row, but no second game.
        assert await names_of_boards(worker) == set()
        await play(worker, "s1", WAY[5:])
        await recorder.ended("s1")
        assert await place_of(recorder, "R:all") == ["s1"]
        assert await recorder.histories.statistics("ann") == counted

    async def test_a_game_that_was_touched_meanwhile_is_looked_at_later(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        await play(worker, "s1", WAY[:5])
        await worker.link.call("ZADD", keys.UNTOUCHED, 1, "s1")
        await recorder.sweep()
        assert await recorder.histories.statistics("ann") == {}
        score = float(await worker.link.call("ZSCORE", keys.UNTOUCHED, "s1"))
        stored = await worker.sessions.load("s1")
        assert stored is not None
        touched = stored.dealt_at_ms + Game.from_log(stored.code, stored.log).last_ms
        assert score == (touched + UNTOUCHED_MS) * 1000

    async def test_a_game_nobody_began_is_no_game(self, worker: Worker, recorder: Recorder) -> None:
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        await worker.link.call("ZADD", keys.UNTOUCHED, 1, "s1")
        await recorder.sweep()
        await play(worker, "s1", [RESIGN])
        await recorder.ended("s1")
        assert await recorder.histories.statistics("ann") == {}
        assert await names_of_boards(worker) == set()


class TestWhatRanks:
    async def boards(
        self,
        worker: Worker,
        recorder: Recorder,
        origin: Origin,
        way: Sequence[Move] = WAY,
        code: str = SEALED,
        session: str = "s1",
    ) -> set[str]:
        """The boards on which a session got a row."""
        await sign_in(worker, "ann")
        await deal(worker, recorder, session, code, origin)
        await play(worker, session, way)
        await recorder.ended(session)
        listed = await worker.link.call("ZRANGE", keys.session_rows(session), 0, -1)
        return {name.decode().partition("/")[2].split(":")[0] for name in listed}

    async def test_random_and_typed_cards_count_on_the_board_of_their_code(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        way = line(OPEN)
        assert await self.boards(worker, recorder, Origin.RANDOM, [*way[:9], RESIGN], OPEN) == {
            "code"
        }
        assert await self.boards(worker, recorder, Origin.TYPED, session="s2") == {"code"}

    async def test_a_paused_game_has_no_row_and_counts(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        way = [*WAY[:9], PAUSE, RESUME, *WAY[9:]]
        assert await self.boards(worker, recorder, Origin.RANKED, way) == set()
        assert (await recorder.histories.statistics("ann"))["R"].wins == 1

    async def test_the_second_attempt_at_the_same_cards_is_not_global(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        assert await self.boards(
            worker, recorder, Origin.TYPED, [*WAY[:2], RESIGN], session="s1"
        ) == {"code"}
        # Their race, of which the player knows the cards.
        assert await self.boards(worker, recorder, Origin.RACE, session="s2") == {"code"}

    async def test_cards_that_were_only_looked_at_are_known(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RACE)
        assert await self.boards(worker, recorder, Origin.RACE, session="s2") == {"code"}

    async def test_of_a_daily_deal_the_first_attempt_counts(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        now = await recorder.dailies.now_ms()
        day = daily.today(now)
        assert await recorder.dailies.claim("ann", "R", day, "s1") == "s1"
        assert await recorder.dailies.claim("ann", "R", day, "s2") == "s1"
        assert await self.boards(worker, recorder, Origin.DAILY) == {"code", "R", "daily"}
        practice = [*WAY[:3], RESIGN]
        assert (
            await self.boards(worker, recorder, Origin.DAILY, practice, session="s2") == set()
        )  # the row on the board of the code is the first one's
        marks = await recorder.histories.marks("ann", "R")
        assert list(marks) == [day]
        assert marks[day].won
        assert await place_of(recorder, f"daily:R:{day}") == ["s1"]

    async def test_a_daily_deal_that_ended_after_its_day_counts_nowhere_but_at_home(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        await sign_in(worker, "ann")
        now = await recorder.dailies.now_ms()
        yesterday = daily.today(now - daily.DAY_MS)
        await recorder.dailies.claim("ann", "R", yesterday, "s1")
        dealt = daily.ends(yesterday) - 1
        await deal(worker, recorder, "s1", SEALED, Origin.DAILY, dealt_at_ms=dealt)
        await play(worker, "s1", WAY)
        await recorder.ended("s1")
        listed = await worker.link.call("ZRANGE", keys.session_rows("s1"), 0, -1)
        assert {name.decode().partition("/")[2].split(":")[0] for name in listed} == {"code"}
        assert await recorder.histories.marks("ann", "R") == {}
        assert (await recorder.histories.statistics("ann"))["R"].wins == 1


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


class TestAbuse:
    async def test_a_forged_log_earns_nothing(self, worker: Worker, recorder: Recorder) -> None:
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        here = await play(worker, "s1", WAY)
        log = bytearray(here.game.log)
        log[0:3] = bytes((0, 1, 1))
        await worker.link.call("SET", keys.log("s1"), bytes(log))
        await recorder.sweep(0)
        assert await names_of_boards(worker) == set()
        assert await recorder.histories.statistics("ann") == {}
        assert (await worker.sessions.take_ending(0))[0] == []

    async def test_what_is_shown_of_a_session_earns_nothing(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        await play(worker, "s1", WAY[:4])
        await worker.link.call("HSET", keys.session("s1"), "shown", "won 625 625 10")
        await worker.sessions.ending.after("s1", 0)
        await recorder.sweep(0)
        assert await names_of_boards(worker) == set()

    async def test_taking_back_and_placing_again_farms_nothing(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        home = next(at for at, move in enumerate(WAY) if 16 <= move.target < 24)
        way = [*WAY[: home + 1], *([UNDO, WAY[home]] * 5), RESIGN]
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        here = await play(worker, "s1", way)
        await recorder.ended("s1")
        once = Game(SEALED)
        for move in WAY[: home + 1]:
            once.play(move, 0)
        (row,) = (await recorder.boards.page("R:all", Order.BEST, NOW)).rows
        assert row.score == once.ranked_score == here.game.ranked_score

    async def test_a_forgotten_player_earns_nothing(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        await play(worker, "s1", WAY)
        await recorder.ended("s1")
        assert await names_of_boards(worker) == set()
        assert await recorder.histories.statistics("ann") == {}

    async def test_a_banned_player_has_no_row(self, worker: Worker, recorder: Recorder) -> None:
        await sign_in(worker, "ann")
        await Players(worker.link).set_banned("ann", banned=True)
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        await play(worker, "s1", WAY)
        await recorder.ended("s1")
        assert await names_of_boards(worker) == set()

    async def test_two_workers_at_once_record_once(
        self, worker: Worker, recorder: Recorder, other: Worker
    ) -> None:
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        await play(worker, "s1", WAY)
        second = Recorder(other.link, other.sessions)
        await asyncio.gather(*(each.ended("s1") for each in (recorder, second) * 5))
        assert (await recorder.histories.statistics("ann"))["R"].games == 1
        assert await place_of(recorder, "R:all") == ["s1"]


@settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    games=st.lists(
        st.tuples(st.sampled_from([0, 1, 2, 9, len(WAY)]), st.booleans(), st.booleans()),
        max_size=8,
    )
)
async def test_statistics_are_those_of_the_whole_history(
    worker: Worker, recorder: Recorder, games: list[tuple[int, bool, bool]]
) -> None:
    """Games given up, left open or won, one after the other or recorded all at once."""
    await worker.link.call("FLUSHALL")
    await sign_in(worker, "ann")
    history: dict[str, Played] = {}
    for number, (length, resigns, at_once) in enumerate(games):
        session = f"s{number}"
        await deal(worker, recorder, session, SEALED, Origin.RANKED)
        way = [*WAY[:length], *([RESIGN] if resigns and length < len(WAY) else [])]
        here = await play(worker, session, way)
        game = here.game
        if game.is_over and length > 0:
            history[session] = Played(
                game.is_won,
                game.ranked_score,
                game.elapsed(game.last_ms),
                game.moves,
                here.dealt_at_ms + game.last_ms,
            )
        if at_once:
            await recorder.ended(session)
    await recorder.sweep(0)
    order = await worker.link.call("ZRANGE", keys.counted("ann"), 0, -1)
    assert {session.decode() for session in order} == set(history)
    found = (await recorder.histories.statistics("ann")).get("R", Statistics())
    assert found == of(history[session.decode()] for session in order)


async def test_statistics_that_are_damaged_are_left_alone(
    worker: Worker, recorder: Recorder
) -> None:
    await sign_in(worker, "ann")
    await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
    await play(worker, "s1", WAY)
    await worker.link.call("HSET", keys.statistics("ann"), "R", "{}")
    await recorder.ended("s1")
    assert await worker.link.call("HGET", keys.statistics("ann"), "R") == b"{}"


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
