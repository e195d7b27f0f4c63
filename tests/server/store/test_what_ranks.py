"""Which sessions get a row on which boards, on a real Redis, and that abuse gets none."""

import asyncio
from collections.abc import Sequence

from engine.game import Game
from engine.move import PAUSE, RESIGN, RESUME, UNDO, Move
from server.core import daily
from server.core.boards import Order
from server.core.messages import Origin
from server.store import keys
from server.store.players import Players
from server.store.recorder import Recorder
from tests.server.lines import line
from tests.server.store.conftest import Worker
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
