"""What a log earns, and what a list tells of a session without playing it."""

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.game import Game
from engine.move import PAUSE, RESIGN, RESUME, Move
from server.core.boardports import Brief
from server.core.boards import Order, is_board
from server.core.daily import Mark
from server.core.heads import head_of
from server.core.messages import Origin
from server.core.ports import StoredSession
from server.core.recording import OLDEST_MS, Place, judge
from server.core.statistics import UNTOUCHED_MS, Fate, Played
from server.core.summary import clock, summary
from tests.server.lines import line, won

CODE, WAY = won(0)
DEALT = int(datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp() * 1000)
OPEN = "YU1-R-AAAAAAB"


def stored(
    moves: Sequence[Move], origin: Origin = Origin.RANKED, code: str = CODE, **more: object
) -> StoredSession:
    """A session in which a command was played every second."""
    game = Game(code)
    for number, move in enumerate(moves, 1):
        game.play(move, number * 1000)
    fields: dict[str, object] = {
        "session_id": "s1",
        "code": code,
        "player": "ann",
        "origin": int(origin),
        "room": "",
        "race": "",
        "dealt_at_ms": DEALT,
        "now_ms": DEALT + 3_600_000,
        "head": head_of(code, game.log),
        "state": game.state.value,
        "score": game.score,
        "ranked": game.ranked_score,
        "moves": game.moves,
        "log": game.log,
    }
    return StoredSession(**{**fields, **more})  # type: ignore[arg-type]


def test_a_win_earns_rows_a_game_and_a_mark() -> None:
    verdict = judge(stored(WAY, Origin.DAILY), first=True, attempt=True)
    time = len(WAY) * 1000
    moves, score = verdict.result.moves, verdict.result.ranked
    assert verdict.fate is Fate.WON
    assert verdict.letter == "R"
    assert verdict.played == Played(True, score, time, moves, DEALT + time)
    assert verdict.mark == (date(2026, 11, 30), Mark(True, score, moves, time))
    assert verdict.again_ms is None
    boards = {
        f"code:{CODE}",
        "R:day:2026-11-30",
        "R:week:2026-W49",
        "R:all",
        "daily:R:2026-11-30",
    }
    assert {row.place for row in verdict.rows} == {
        Place(board, order) for board in boards for order in Order
    }
    assert all(Place.read(str(row.place)) == row.place for row in verdict.rows)
    assert all(is_board(board) for board in boards)


def test_without_being_first_it_stays_on_the_board_of_its_code() -> None:
    for first, attempt in ((False, True), (True, False)):
        verdict = judge(stored(WAY, Origin.DAILY), first=first, attempt=attempt)
        assert {row.place.board for row in verdict.rows} == {f"code:{CODE}"}


def test_a_game_that_goes_on_is_looked_at_a_day_after_its_last_command() -> None:
    verdict = judge(stored(WAY[:9]), first=True, attempt=False)
    assert (verdict.fate, verdict.rows, verdict.played) == (Fate.OPEN, (), None)
    assert verdict.again_ms == DEALT + 9000 + UNTOUCHED_MS


def test_a_game_left_alone_is_played_and_ranks_nowhere() -> None:
    now = DEALT + 9000 + UNTOUCHED_MS
    verdict = judge(stored(WAY[:9], now_ms=now), first=True, attempt=False)
    assert (verdict.fate, verdict.rows) == (Fate.NOT_WON, ())
    assert verdict.played is not None
    assert (verdict.played.time, verdict.played.ended) == (9000, now)


def test_a_closed_lane_ended_when_its_race_did() -> None:
    closed = DEALT + 60_000
    lane = stored(WAY[:9], Origin.RACE, race="1:0", closed_at_ms=closed)
    verdict = judge(lane, first=True, attempt=False)
    assert verdict.played is not None
    assert (verdict.played.won, verdict.played.time, verdict.played.ended) == (
        False,
        60_000,
        closed,
    )
    assert {row.place.order for row in verdict.rows} == {Order.BEST}
    untouched = stored([], Origin.RACE, race="1:0", closed_at_ms=closed)
    verdict = judge(untouched, first=True, attempt=False)
    assert (verdict.fate, verdict.rows, verdict.played) == (Fate.UNPLAYED, (), None)


def test_a_game_given_up_without_a_move_is_no_game() -> None:
    verdict = judge(stored([RESIGN]), first=True, attempt=False)
    assert (verdict.fate, verdict.rows, verdict.played) == (Fate.UNPLAYED, (), None)


def test_a_game_of_long_ago_counts_no_more() -> None:
    verdict = judge(stored(WAY, now_ms=DEALT + OLDEST_MS), first=True, attempt=False)
    assert verdict.fate is Fate.WON
    assert verdict.played is None


def test_a_log_that_is_no_game_earns_nothing() -> None:
    broken = stored(WAY[:9])._replace(log=stored(WAY[:9]).log[8:])
    with pytest.raises(EngineError):
        judge(broken, first=True, attempt=False)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "C",
        "C:",
        "C:year:2026",
        "c:all",
        "Q:all",
        "C:day:2026-1-1",
        "code:",
        "daily:C:x",
        "daily",
    ],
)
def test_other_names_are_no_boards(name: str) -> None:
    assert not is_board(name)


@settings(deadline=None)
@given(
    pauses=st.lists(st.integers(0, 12), max_size=4, unique=True),
    resigns=st.booleans(),
    later=st.integers(0, 10**7),
)
def test_the_clock_of_a_list_is_the_clock_of_the_game(
    pauses: list[int], resigns: bool, later: int
) -> None:
    moves: list[Move] = []
    for number, move in enumerate(line(OPEN)[:12]):
        if number in pauses:
            moves += [PAUSE, RESUME]
        moves.append(move)
    moves += [PAUSE] if 12 in pauses else [RESIGN] if resigns else []
    session = stored(moves, Origin.RANDOM, OPEN)
    game = Game.from_log(OPEN, session.log)
    brief = Brief(*(getattr(session, name) for name in Brief._fields))
    now = DEALT + game.last_ms + later
    told = summary(brief, session.log, now)
    assert told.time == game.elapsed(now - DEALT)
    assert told.touched == DEALT + game.last_ms
    assert (told.state, told.moves, told.code) == (game.state.value, game.moves, OPEN)
    assert told.replay is game.is_over
    assert clock(b"", 5) == 5


def test_a_list_says_of_a_closed_lane_that_it_is_over() -> None:
    session = stored(WAY[:9], Origin.RACE, race="1:0", closed_at_ms=DEALT + 60_000)
    brief = Brief(*(getattr(session, name) for name in Brief._fields))
    told = summary(brief, session.log, DEALT + 90_000)
    assert (told.state, told.time, told.code, told.replay) == ("over", 60_000, None, False)
    told = summary(brief._replace(opened_at_ms=DEALT + 61_000), session.log, DEALT + 90_000)
    assert (told.code, told.replay) == (CODE, True)


@pytest.mark.parametrize(
    "ended,windows",
    [
        ("2026-12-31T23:59:59.999", {"day:2026-12-31", "week:2026-W53", "all"}),
        ("2027-01-01T00:00:00.000", {"day:2027-01-01", "week:2026-W53", "all"}),
        ("2027-01-03T23:59:59.999", {"day:2027-01-03", "week:2026-W53", "all"}),
        ("2027-01-04T00:00:00.000", {"day:2027-01-04", "week:2027-W01", "all"}),
    ],
)
def test_a_row_is_in_the_windows_of_the_instant_at_which_the_game_ended(
    ended: str, windows: set[str]
) -> None:
    """Whenever it was begun, and whenever somebody comes to record it."""
    at = int(datetime.fromisoformat(ended).replace(tzinfo=UTC).timestamp() * 1000)
    dealt = at - len(WAY) * 1000
    for late in (0, 10 * 86_400_000):
        verdict = judge(stored(WAY, dealt_at_ms=dealt, now_ms=at + late), first=True, attempt=False)
        boards = {row.place.board for row in verdict.rows}
        assert boards == {f"code:{CODE}", *(f"R:{window}" for window in windows)}
