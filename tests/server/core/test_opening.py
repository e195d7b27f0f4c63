"""When the code and the replay of a session may be shown to others."""

from datetime import UTC, datetime

import pytest

from server.core.boardports import Brief
from server.core.messages import Origin
from server.core.opening import code_is_open, has_ended, may_show

OPEN = "YU1-C-AAAAAAB"
SEALED = "YU1-C-" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DEALT = int(datetime(2026, 11, 30, 23, tzinfo=UTC).timestamp() * 1000)
SOON = DEALT + 3_599_999
NEXT_DAY = DEALT + 3_600_000


def brief(code: str, origin: Origin, state: str = "playing", **changes: object) -> Brief:
    fields: dict[str, object] = {
        "session_id": "s",
        "code": code,
        "player": "p",
        "origin": origin,
        "race": "",
        "dealt_at_ms": DEALT,
        "state": state,
        "score": 0,
        "ranked": 0,
        "moves": 1,
        "closed_at_ms": None,
        "opened_at_ms": None,
    }
    return Brief(**{**fields, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("code,origin", [(OPEN, Origin.RANDOM), (SEALED, Origin.TYPED)])
def test_an_open_code_is_open_and_its_replay_after_the_end(code: str, origin: Origin) -> None:
    assert code_is_open(brief(code, origin), SOON)
    assert not may_show(brief(code, origin), SOON)
    for state in ("paused", "blocked"):
        assert not may_show(brief(code, origin, state), NEXT_DAY)
    for state in ("won", "given_up"):
        assert may_show(brief(code, origin, state), SOON)


def test_a_ranked_game_opens_with_its_end() -> None:
    assert not code_is_open(brief(SEALED, Origin.RANKED, "blocked"), NEXT_DAY)
    assert code_is_open(brief(SEALED, Origin.RANKED, "won"), SOON)
    assert may_show(brief(SEALED, Origin.RANKED, "given_up"), SOON)


def test_a_daily_deal_opens_with_the_end_of_its_day() -> None:
    won = brief(SEALED, Origin.DAILY, "won")
    assert not code_is_open(won, SOON)
    assert not may_show(won, SOON)
    assert may_show(won, NEXT_DAY)
    running = brief(SEALED, Origin.DAILY)
    assert code_is_open(running, NEXT_DAY)
    assert not may_show(running, NEXT_DAY)


def test_a_race_opens_as_a_whole() -> None:
    for origin, code in ((Origin.RACE, SEALED), (Origin.TYPED, OPEN)):
        won = brief(code, origin, "won", race="1:0")
        assert code_is_open(won, SOON) is (origin is Origin.TYPED)
        assert not may_show(won, SOON)
        assert may_show(won._replace(opened_at_ms=SOON), SOON)
    closed = brief(SEALED, Origin.RACE, race="1:0", closed_at_ms=SOON)
    assert has_ended(closed)
    assert not may_show(closed, NEXT_DAY)
    assert may_show(closed._replace(opened_at_ms=SOON), SOON)
