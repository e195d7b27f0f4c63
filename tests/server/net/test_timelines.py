"""How ghosts went is made once, one race at a time, kept within bounds, and not too long."""

import asyncio
import json
from collections import Counter
from typing import Any, cast

import pytest

from engine.game import Game
from engine.move import PAUSE, RESIGN, RESUME, UNDO
from server.core.boardports import Brief
from server.core.ghosts import Race, Recorded
from server.core.heads import head_of
from server.core.lanes import progress_of
from server.core.ports import SessionStore, StoredSession, Unavailable
from server.core.standings import Outcome
from server.net import timelines
from server.net.api import ApiRefusal
from server.net.timelines import Ghost, Timelines

CODE = "YU1-C-AAAAAAB"


def recorded(game: Game, session: str) -> StoredSession:
    """A finished lane's session."""
    code, log = str(game.code), game.log
    figures = game.state, game.score, game.ranked_score, game.moves
    return StoredSession(
        *(session, code, "anna", 2, "room", "1", 0, game.last_ms, head_of(code, log), *figures),
        log=log,
    )


def moved(times: int) -> Game:
    """A game in which a move is done and taken back, a second each; the undo changes no count."""
    game = Game(CODE)
    move = next(iter(game.legal_moves))
    for number in range(times):
        game.play(UNDO if number % 2 else move, number * 1000)
    game.play(RESIGN, times * 1000)
    return game


class Logs:
    """A store of sessions that counts how often each is read."""

    def __init__(self, *sessions: StoredSession) -> None:
        self.sessions = {stored.session_id: stored for stored in sessions}
        self.reads = Counter[str]()
        self.most_at_once = self.at_once = 0
        self.is_up = True

    async def load(self, session_id: str) -> StoredSession | None:
        """Read one, with a turn for others."""
        self.reads[session_id] += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        if not self.is_up:
            raise Unavailable
        return self.sessions.get(session_id)

    def made_by(self) -> Timelines:
        """What makes answers from them."""
        return Timelines(cast(SessionStore, self))


def race_of(logs: Logs) -> tuple[Race, list[Ghost]]:
    """A race of which these are the lanes."""
    lanes = tuple(
        Recorded(seat + 1, seat, f"n{seat}", "anna", session, Outcome.GAVE_UP, None, 0, 0)
        for seat, session in enumerate(logs.sessions)
    )
    brief = Brief("", CODE, "anna", 2, "1", 0, "given_up", 0, 0, 0, None, 0)
    return Race(1, CODE, None, 5000, lanes), [Ghost(lane, brief) for lane in lanes]


def read(made: Any) -> Any:
    return json.loads(made.content)


async def test_who_asks_at_once_or_later_waits_for_the_same_one() -> None:
    logs = Logs(recorded(moved(3), "a"), recorded(moved(4), "b"))
    made_by = logs.made_by()
    race, field = race_of(logs)
    first, *others = await asyncio.gather(*(made_by.of("room", race, field) for _ in range(9)))
    assert all(other is first for other in (*others, await made_by.of("room", race, field)))
    assert logs.reads == {"a": 1, "b": 1}
    assert made_by.kept_bytes == len(first.content) + len(first.packed or b"")
    answer = read(first)
    assert [answer[name] for name in ("room", "race", "code", "limit")] == ["room", 1, CODE, None]
    assert [ghost["name"] for ghost in answer["ghosts"]] == ["n0", "n1"]
    # Without a ghost it is another answer.
    assert [one["name"] for one in read(await made_by.of("room", race, field[1:]))["ghosts"]] == [
        "n1"
    ]


async def test_one_is_made_at_a_time() -> None:
    logs = Logs(recorded(moved(3), "a"))
    race, field = race_of(logs)
    made_by = logs.made_by()
    await asyncio.gather(*(made_by.of(room, race, field) for room in "abcdef"))
    assert (logs.reads["a"], logs.most_at_once) == (6, 1)


async def test_what_was_asked_for_last_is_kept_within_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logs = Logs(recorded(moved(40), "a"))
    race, field = race_of(logs)
    made_by = logs.made_by()
    await made_by.of("a", race, field)
    monkeypatch.setattr(timelines, "MOST_KEPT_BYTES", 2 * made_by.kept_bytes)
    for room in ("b", "a", "c", "a", "c"):  # the third one has b give way
        await made_by.of(room, race, field)
        assert made_by.kept_bytes <= timelines.MOST_KEPT_BYTES
    assert logs.reads["a"] == 3
    monkeypatch.setattr(timelines, "MOST_KEPT_BYTES", 10)
    await made_by.of("d", race, field)
    assert made_by.kept_bytes == 0


async def test_a_step_is_told_where_something_changed_and_not_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Game(CODE)
    game.play(PAUSE, 1000)
    game.play(RESUME, 2000)
    game.play(next(iter(game.legal_moves)), 3000)
    after = progress_of(game)
    game.play(RESIGN, 4000)
    logs = Logs(recorded(game, "a"), recorded(moved(200), "b"))
    race, field = race_of(logs)
    short, long = read(await logs.made_by().of("room", race, field))["ghosts"]
    assert short["steps"] == [[0, *progress_of(Game(CODE))], [2000, *after]]
    assert (short["ms"], long["ms"], len(long["steps"])) == (3000, 200_000, 101)
    monkeypatch.setattr("server.core.ghosts.MOST_STEPS", 50)
    _, thin = read(await logs.made_by().of("room", race, field))["ghosts"]
    assert len(thin["steps"]) == 50
    assert (thin["steps"][0], thin["steps"][-1]) == (long["steps"][0], long["steps"][-1])


async def test_what_failed_is_tried_anew_and_what_is_gone_is_left_out() -> None:
    logs = Logs(recorded(moved(3), "a"), recorded(moved(3), "b"))
    race, field = race_of(logs)
    made_by = logs.made_by()
    logs.is_up = False
    with pytest.raises(Unavailable):
        await made_by.of("room", race, field)
    logs.is_up = True
    logs.sessions["a"] = logs.sessions["a"]._replace(log=b"nonsense")
    assert [ghost["name"] for ghost in read(await made_by.of("room", race, field))["ghosts"]] == [
        "n1"
    ]
    logs.sessions.clear()
    with pytest.raises(ApiRefusal):
        await made_by.of("other", race, field)
