"""What a running worker shows when the clock passes midnight, and the end of an ISO year."""

import aiohttp
import pytest

from engine.code import commitment, parse
from server.core import daily
from server.core.clock import StoreClock
from server.store.dailies import Dailies
from tests.server.lines import won
from tests.server.net.conftest import StartWorker
from tests.server.net.ranking import DAILY, ask, play, recorded, set_daily, start, win
from tests.server.net.worker import Player

CODE, WAY = won(0)
NEXT, _ = won(1)
NEW_YEAR = daily.starts(daily.read_day("2100-01-01"))
"""A Friday: its week is the 53rd of the year before until Sunday is over."""


class Clock:
    """The store's clock as the server sees it.

    Redis keeps the real one, by which a game that is dealt so late takes no time at all.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, now: int) -> None:
        self.now = now

        async def now_ms(_: Dailies) -> int:
            return self.now

        monkeypatch.setattr(Dailies, "now_ms", now_ms)
        monkeypatch.setattr(StoreClock, "at", lambda _, local: self.now)


async def test_a_day_and_a_year_end_while_the_worker_runs(
    start_worker: StartWorker, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, NEW_YEAR - 1)
    worker = await start_worker()
    anna, bert = [await Player.make(worker, http) for _ in range(2)]
    tab, late = await anna.connect(worker), await bert.connect(worker)

    async def get(path: str, player: Player | None = None) -> dict[str, object]:
        status, body = await ask(worker, f"/api/{path}", http, player)
        assert status == 200, body
        assert isinstance(body, dict)
        return body

    async def board(name: str) -> list[object]:
        page = await get(f"boards/{name}/best")
        rows = page["rows"]
        assert isinstance(rows, list)
        return [page["window"], page["ends"], page["total"], *(row["code"] for row in rows)]

    # The last millisecond of the year.
    assert await set_daily(worker, CODE) == "2099-12-31"
    assert await set_daily(worker, NEXT, 1) == "2100-01-01"
    await recorded(worker, await win(tab, DAILY))
    snapshot = await start(late, DAILY, "R")
    begun, version = late.session, await play(late, WAY[:3])
    assert snapshot[17:19] == [True, "2099-12-31"]
    assert await board("R/day") == ["day:2099-12-31", NEW_YEAR, 1, None]
    monday = NEW_YEAR + 3 * daily.DAY_MS
    assert await board("R/week") == ["week:2099-W53", monday, 1, None]
    status, _ = await ask(worker, "/api/boards/daily/R/2100-01-01/best", http)
    assert status == 404

    clock.now = NEW_YEAR
    assert await board("R/day") == ["day:2100-01-01", NEW_YEAR + daily.DAY_MS, 0]
    assert await board("R/week") == ["week:2099-W53", monday, 1, CODE]
    assert await board("daily/R/2099-12-31") == ["2099-12-31", NEW_YEAR, 1, CODE]
    assert (await get("daily/R/2099-12-31"))["code"] == CODE
    assert (await get("daily/R/2100-01-01"))["code"] is None
    today = await get("daily", anna)
    assert today["day"] == "2100-01-01"
    rows = today["rulesets"]
    assert isinstance(rows, list)
    assert [row["mine"] for row in rows] == [None] * len(rows)
    calendar = await get("daily/R/calendar", anna)
    assert calendar["month"] == "2100-01"
    assert calendar["streaks"] == {"played": 1, "longest_played": 1, "won": 1, "longest_won": 1}

    # Yesterday's attempt can be played on and counts no more; today's deal is another one.
    snapshot = await late.ask(11)
    assert snapshot[1:3] == [begun, version]
    assert snapshot[7] == CODE
    assert snapshot[17:20] == [False, "2099-12-31", True]
    snapshot = await start(late, DAILY, "R")
    assert late.session != begun
    assert (snapshot[7], snapshot[8].hex()) == (None, commitment(parse(NEXT)))
    assert snapshot[17:19] == [True, "2100-01-01"]

    clock.now = monday - 1
    assert (await board("R/week"))[:3] == ["week:2099-W53", monday, 1]
    clock.now = monday
    assert await board("R/week") == ["week:2100-W01", monday + 7 * daily.DAY_MS, 0]
    assert (await board("R/all"))[2:] == [1, CODE]
    assert (await get("daily/R/calendar", anna))["streaks"] == {
        "played": 0,
        "longest_played": 1,
        "won": 0,
        "longest_won": 1,
    }
