"""What is damaged in Redis is left out of pages about many, and told to the host once."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from server.core.boards import Order
from server.core.daily import Mark, streaks
from server.core.messages import Origin
from server.core.recording import Place
from server.core.statistics import Played, Statistics
from server.store import keys
from server.store.boards import Boards
from server.store.histories import Histories
from server.store.players import Players
from server.store.reading import tell_damaged
from tests.server.results import NOON, WIN
from tests.server.store.conftest import Worker
from tests.server.store.test_boards import deal, record, rows

FIELDS: list[tuple[str, Any]] = [
    ("shown", "won"),
    ("shown", "won 1 2 many"),
    ("code", "YU1-C-AAA"),
    ("code", b"\xff"),
    ("player", b"\xff\xfe"),
    ("origin", "random"),
    ("dealt_at", "noon"),
    ("dealt_at", 10**30),
    ("closed", "yes"),
]


@pytest.fixture(autouse=True)
def _nothing_was_told() -> Iterator[None]:
    tell_damaged.cache_clear()
    yield
    tell_damaged.cache_clear()


@pytest.fixture
async def store(worker: Worker) -> Boards:
    """A board of three, each with a game in the history of `ann` too."""
    boards = Boards(worker.link)
    for number in (1, 2, 3):
        session, player = f"s{number}", f"p{number}"
        await deal(worker, session, player, Origin.RANDOM)
        await worker.link.call("ZADD", keys.games("ann"), number, session)
        await Players(worker.link).create(player, b"s" * 32, 1)
        await Players(worker.link).set_name(player, f"Player {number}")
        await record(boards, replace(WIN, session=session, player=player, moves=number))
    return boards


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.__dict__["what"] for record in caplog.records if record.name == "yukon.store"]


async def played(worker: Worker) -> list[str]:
    found = await Histories(worker.link).games("ann", None, 30, NOON)
    assert found is not None
    return [game.session for game in found[0]]


@pytest.mark.parametrize("field,value", FIELDS)
async def test_a_damaged_session_keeps_its_row_and_shows_nothing(
    worker: Worker, store: Boards, caplog: pytest.LogCaptureFixture, field: str, value: Any
) -> None:
    await worker.link.call("HSET", keys.session("s2"), field, value)
    for _ in range(3):
        first, second, third = await rows(store)
        assert (first.replay, second.replay, third.replay) == ("s1", None, "s3")
        assert (second.place, second.player, second.code) == (2, "p2", None)
        around = await store.around("C:all", Order.BEST, "p2", NOON)
        assert (around.place, len(around.rows)) == (2, 3)
        assert await played(worker) == ["s3", "s1"]
    assert told(caplog) == ["session s2"]
    assert "AAA" not in caplog.text


async def test_keys_that_hold_something_else_break_no_page(
    worker: Worker, store: Boards, caplog: pytest.LogCaptureFixture
) -> None:
    for key in (keys.session("s1"), keys.log("s2"), keys.player("p3")):
        await worker.link.call("DEL", key)
        await worker.link.call("RPUSH", key, "x")
    for _ in range(2):
        assert [(row.name, row.replay) for row in await rows(store)] == [
            ("Player 1", None),
            ("Player 2", "s2"),
            (None, "s3"),
        ]
        assert await played(worker) == ["s3"]
    assert sorted(told(caplog)) == ["log of session s2", "player p3", "session s1"]


async def test_a_name_that_is_no_text_is_none(
    worker: Worker, store: Boards, caplog: pytest.LogCaptureFixture
) -> None:
    await worker.link.call("HSET", keys.player("p1"), "name", b"\xff")
    assert [row.name for row in await rows(store)] == [None, "Player 2", "Player 3"]
    assert told(caplog) == ["player p1"]


async def test_a_row_that_cannot_be_read_leaves_its_place_free(
    worker: Worker, store: Boards, caplog: pytest.LogCaptureFixture
) -> None:
    board = keys.board(*Place("C:all", Order.BEST))
    await worker.link.call("ZADD", board, 0, "no member of a board", "-inf", b"\xff")
    page = await store.page("C:all", Order.BEST, NOON)
    assert page.total == 5
    assert [(row.place, row.player) for row in page.rows] == [(3, "p1"), (4, "p2"), (5, "p3")]
    assert len(told(caplog)) == 2


GOOD = Statistics(games=1, best_score=5, recent=(Played(False, 5, 9, 1, 7),)).to_fields()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        json.dumps({**GOOD, "games": "many"}),
        json.dumps({**GOOD, "wins": True}),
        json.dumps({**GOOD, "wins": None}),
        json.dumps({**GOOD, "games": 10**400}),
        json.dumps({**GOOD, "losses": 1}),
        json.dumps({**GOOD, "recent": [[False, 5, 9, 1]]}),
        json.dumps({**GOOD, "recent": [[0, 5, 9, 1, 7]]}),
        json.dumps({**GOOD, "recent": [[False, 5, None, 1, 7]]}),
    ],
)
async def test_damaged_statistics_leave_those_of_other_rulesets(
    worker: Worker, caplog: pytest.LogCaptureFixture, text: bytes | str
) -> None:
    fields = ("C", json.dumps(GOOD), "R", text)
    await worker.link.call("HSET", keys.statistics("ann"), *fields)
    for _ in range(2):
        (known,) = (await Histories(worker.link).statistics("ann")).items()
        assert known == ("C", Statistics.from_fields(GOOD))
    assert told(caplog) == ["statistics of player ann"]


MARK: dict[str, Any] = {"won": True, "ranked": 625, "moves": 100, "time": 1}


@pytest.mark.parametrize(
    "day,text",
    [
        (b"\xff", json.dumps(MARK)),
        ("yesterday", json.dumps(MARK)),
        ("0001-01-01", json.dumps(MARK)),
        ("2026-11-30", "won"),
        ("2026-11-30", "[]"),
        ("2026-11-30", json.dumps({**MARK, "won": 1})),
        ("2026-11-30", json.dumps({**MARK, "ranked": None})),
        ("2026-11-30", json.dumps({**MARK, "more": 1})),
    ],
)
async def test_damaged_marks_leave_the_other_days(
    worker: Worker, caplog: pytest.LogCaptureFixture, day: bytes | str, text: str
) -> None:
    fields = ("2026-11-29", json.dumps(MARK), day, text)
    await worker.link.call("HSET", keys.marks("ann", "C"), *fields)
    for _ in range(2):
        marks = await Histories(worker.link).marks("ann", "C")
        assert marks == {date(2026, 11, 29): Mark(**MARK)}
        assert streaks(marks, date(2026, 11, 30)).won == 1
    assert told(caplog) == ["marks of player ann in C"]


async def test_a_history_goes_on_after_what_is_no_session(worker: Worker, store: Boards) -> None:
    await worker.link.call("ZADD", keys.games("ann"), 2.5, b"\xff")
    histories = Histories(worker.link)
    read, cursor = [], None
    for _ in range(4):
        found = await histories.games("ann", cursor, 2, NOON)
        assert found is not None
        games, cursor = found
        read.append([game.session for game in games])
        if cursor is None:
            break
    assert read == [["s3"], ["s2"], ["s1"]]
