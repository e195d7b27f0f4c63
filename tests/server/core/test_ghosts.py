"""Ghosts: what was recorded, played back exactly, and the places of who raced later."""

import json
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from engine.game import Game
from engine.log import RECORD
from engine.move import PAUSE, RESIGN, RESUME, UNDO
from engine.ruleset import RULESETS
from server.core import ghosts
from server.core.ghosts import LATER, Race, Recorded, Step
from server.core.heads import head_of
from server.core.lanes import progress_of
from server.core.ports import StoredSession
from server.core.standings import Outcome

CODES = [f"YU1-{letter}-AAAAAAB" for letter in RULESETS]
MINUTE = 60_000
PLAYS = Path(__file__).parents[2] / "engine" / "vectors" / "plays.jsonl"


def stored(game: Game, **changes: object) -> StoredSession:
    """A session with the log of a game, dealt at instant 0."""
    code, log = str(game.code), game.log
    figures = game.state, game.score, game.ranked_score, game.moves
    session = StoredSession(
        *("session", code, "carl", 1, "", "", 0, game.last_ms, head_of(code, log), *figures),
        log=log,
    )
    return session._replace(**changes)  # type: ignore[arg-type]


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game of any ruleset, with undos, pauses and perhaps an end."""
    game = Game(draw(st.sampled_from(CODES)))
    ms = 0
    for _ in range(draw(st.integers(0, 25))):
        ms += draw(st.integers(0, 3000))
        wished = draw(st.integers(0, 9))
        if game.is_paused:
            game.play(RESUME, ms)
        elif wished == 0:
            game.play(PAUSE, ms)
        elif wished == 1 and game.can_undo:
            game.play(UNDO, ms)
        elif moves := list(game.legal_moves):
            game.play(draw(st.sampled_from(moves)), ms)
        if game.is_over:
            return game
    if draw(st.booleans()) and not (game.is_over or game.is_paused):
        game.play(RESIGN, ms + 1)
    return game


def result_of(session: StoredSession, limit: int | None) -> Recorded | None:
    """What a late game has come to."""
    attempt = ghosts.Attempt(session, limit)
    for _ in attempt.steps():
        pass
    return attempt.result()


@given(games())
def test_the_last_step_is_what_the_log_comes_to(game: Game) -> None:
    *_, last = ghosts.timeline(str(game.code), game.log)
    assert last.progress == progress_of(game)
    assert last.ms == game.elapsed(game.last_ms)


@given(games(), st.integers(0, 80_000))
def test_at_every_instant_a_ghost_is_as_far_as_its_log_was(game: Game, at: int) -> None:
    steps = list(ghosts.timeline(str(game.code), game.log))
    assert all(one.ms <= other.ms for one, other in pairwise(steps))
    shown = [step for step in steps if step.ms <= at][-1]
    prefixes = (
        Game.from_log(str(game.code), game.log[:length])
        for length in range(0, len(game.log) + 1, RECORD)
    )
    then = [prefix for prefix in prefixes if prefix.elapsed(prefix.last_ms) <= at][-1]
    assert shown.progress == progress_of(then)


@given(st.integers(1, 300), st.integers(2, 40))
def test_of_too_many_steps_an_even_choice_is_left(count: int, most: int) -> None:
    start = progress_of(Game(CODES[0]))
    steps = [Step(ms, start) for ms in range(count)]
    left = [ms for ms, _ in ghosts.thinned(steps, most)]
    assert len(left) == min(count, most)
    assert (left[0], left[-1]) == (0, count - 1)
    gaps = {other - one for one, other in pairwise(left)}
    assert not gaps or (min(gaps) >= 1 and max(gaps) - min(gaps) <= 1)


@cache
def won() -> Game:
    """A game that is won, with a second for each command."""
    plays = (json.loads(line) for line in PLAYS.read_text().splitlines())
    play = next(one for one in plays if one["code"][4] == "C" and one["checks"][-1]["won"])
    game = Game(play["code"])
    for number, text in enumerate(play["moves"].split(), 1):
        game.play(text, number * 1000)
    return game


def lane(place: int, outcome: Outcome, ms: int | None, ranked: int, moves: int) -> Recorded:
    """A lane of a race; seats are the other way round than places."""
    seat = 9 - place
    return Recorded(place, seat, f"n{seat}", f"p{seat}", f"s{seat}", outcome, ms, ranked, moves)


FIELD = (
    lane(1, Outcome.WON, 50_000, 625, 120),
    lane(2, Outcome.WON, 60_000, 625, 110),
    lane(3, Outcome.LEFT, None, 90, 30),
    lane(4, Outcome.OUT_OF_TIME, None, 50, 20),
)
LATE = lane(0, Outcome.GAVE_UP, None, 70, 10)._replace(seat=LATER)


def order(later: Recorded) -> list[int]:
    rows = ghosts.placed(FIELD, later)
    assert [row.place for row in rows] == [1, 2, 3, 4, 5]
    assert [row for row in rows if row.seat != LATER] == [
        ghost._replace(place=row.place)
        for ghost, row in zip(FIELD, [row for row in rows if row.seat != LATER], strict=True)
    ]
    return [row.seat for row in rows]


def test_who_races_later_stands_among_the_ghosts_by_the_order_of_races() -> None:
    assert order(LATE) == [8, 7, 6, LATER, 5]
    assert order(LATE._replace(outcome=Outcome.OUT_OF_TIME, ranked=91)) == [8, 7, LATER, 6, 5]
    assert order(LATE._replace(ranked=0)) == [8, 7, 6, 5, LATER]
    won_in = LATE._replace(outcome=Outcome.WON, ranked=625, moves=115)
    assert order(won_in._replace(ms=49_999)) == [LATER, 8, 7, 6, 5]
    assert order(won_in._replace(ms=60_000)) == [8, 7, LATER, 6, 5]
    assert order(won_in._replace(ms=60_000, moves=109)) == [8, LATER, 7, 6, 5]


def test_a_ghost_that_was_as_good_stays_before() -> None:
    assert order(LATE._replace(ranked=50, moves=20)) == [8, 7, 6, 5, LATER]
    same = LATE._replace(outcome=Outcome.WON, ms=60_000, ranked=625, moves=110)
    assert order(same) == [8, 7, LATER, 6, 5]


def test_a_game_that_is_played_has_no_result_yet() -> None:
    game = Game(CODES[0])
    assert result_of(stored(game, now_ms=10**9), None) is None
    assert result_of(stored(game, now_ms=5 * MINUTE - 1), 5 * MINUTE) is None


def test_the_time_limit_of_the_race_holds_for_who_races_later() -> None:
    game = won()
    ended = game.last_ms
    result = result_of(stored(game), None)
    assert result == result_of(stored(game), ended + 1)
    assert result is not None
    assert (result.outcome, result.ms, result.moves) == (Outcome.WON, ended, game.moves)
    for limit in (ended, 20_500, 1):
        late = result_of(stored(game, now_ms=ended + MINUTE), limit)
        assert late is not None
        until = [step for step in ghosts.timeline(str(game.code), game.log) if step.ms < limit]
        progress = until[-1].progress
        assert late[5:] == (Outcome.OUT_OF_TIME, None, progress.ranked, progress.moves)


def test_a_pause_takes_no_time() -> None:
    game = Game(CODES[0])
    game.play(PAUSE, 1000)
    game.play(RESUME, 1000 + 60 * MINUTE)
    now = 1000 + 62 * MINUTE
    assert result_of(stored(game, now_ms=now), 5 * MINUTE) is None
    game.play(RESIGN, now)
    result = result_of(stored(game), 5 * MINUTE)
    assert result is not None
    assert result.outcome is Outcome.GAVE_UP


def test_a_record_is_read_with_and_without_players() -> None:
    place = {"place": 1, "seat": 3, "outcome": "left", "ms": None, "ranked": 5, "moves": 1}
    place |= {"name": "Anna", "session": "room.2-3"}
    record = {"race": 2, "code": CODES[0], "limit": 5, "started": 1000, "finished": 4000}
    texts = [json.dumps(record | {"places": [place | more]}) for more in ({}, {"player": "anna"})]
    old, new = (ghosts.find([text], 2) for text in texts)
    assert old is not None
    assert new is not None
    assert (old.limit, old.lasted, old.lanes[0].player) == (5 * MINUTE, 3000, "")
    assert new.lanes == (old.lanes[0]._replace(player="anna"),)
    assert ghosts.find(texts, 3) is None
    assert Race.read(json.dumps(record | {"places": [], "limit": 0})).limit is None


def test_a_ghost_ends_by_its_last_command_when_it_left_or_with_the_race() -> None:
    race = Race(1, CODES[0], None, 90_000, FIELD)
    session = stored(Game(CODES[0]), closed_at_ms=70_000)
    assert [ghosts.ended_ms(race, one, session, 60_000) for one in FIELD] == [
        *(60_000, 60_000, 70_000, 90_000)
    ]


def test_a_player_has_one_session_for_the_ghosts_of_a_race() -> None:
    named = {
        ghosts.session_of(*who)
        for who in (("room", 1, "anna"), ("room", 2, "anna"), ("room", 1, "bert"), ("roo", 1, "x"))
    }
    assert len(named) == 4
    assert ghosts.session_of("room", 1, "anna") in named
    assert all(re.fullmatch(r"[\w-]{16}", session, re.ASCII) for session in named)
