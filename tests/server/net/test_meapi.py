"""A player's own statistics and games over HTTP."""

from typing import Any

from engine.move import PAUSE, RESIGN, RESUME
from server.core import boards
from server.store import keys
from tests.server.lines import line, won
from tests.server.net.conftest import Get
from tests.server.net.ranking import (
    RANDOM,
    TYPED,
    play,
    recorded,
    start,
    win,
)
from tests.server.net.worker import Player, Tab, Worker

CODE, WAY = won(0)


class TestMe:
    async def test_statistics_are_those_of_the_games(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        assert (await get("/api/me/statistics", player)) == {"rulesets": []}
        sessions = [await win(tab)]
        await start(tab, TYPED, CODE)
        await play(tab, [*WAY[:4], RESIGN])
        sessions.append(tab.session)
        await recorded(worker, *sessions)
        (row,) = (await get("/api/me/statistics", player))["rulesets"]
        won_game, lost_game = row.pop("recent")
        assert (won_game["won"], won_game["score"]) == (True, boards.full_score("R"))
        assert (lost_game["won"], lost_game["moves"]) == (False, 4)
        assert row == {
            "letter": "R",
            "games": 2,
            "wins": 1,
            "win_rate": 0.5,
            "streak": 0,
            "longest_streak": 1,
            "best_time": won_game["time"],
            "mean_time": won_game["time"],
            "fewest_moves": won_game["moves"],
            "best_score": won_game["score"],
        }

    async def test_games_are_listed_the_newest_first(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        sessions = []
        for number in range(31):
            await start(tab, TYPED, "YU1-R-AAAAAAB")
            await play(tab, won_first(number))
            sessions.append(tab.session)
        await start(tab, RANDOM, "C")  # looked at and never begun
        await recorded(worker, sessions[3])
        first = await get("/api/me/games", player)
        assert [game["session"] for game in first["games"]] == sessions[:0:-1]
        second = await get(f"/api/me/games?cursor={first['next']}", player)
        assert [game["session"] for game in second["games"]] == sessions[:1]
        assert second["next"] is None
        states = {game["session"]: game for game in first["games"]}
        given_up, paused, playing = (states[sessions[at]] for at in (3, 2, 1))
        assert (given_up["state"], given_up["replay"]) == ("given_up", True)
        assert (paused["state"], paused["replay"]) == ("paused", False)
        assert playing == {
            "session": sessions[1],
            "letter": "R",
            "code": "YU1-R-AAAAAAB",
            "origin": TYPED,
            "state": "playing",
            "score": playing["score"],
            "moves": 1,
            "time": playing["time"],
            "dealt": playing["dealt"],
            "touched": playing["touched"],
            "replay": False,
        }
        assert given_up["time"] == given_up["touched"] - given_up["dealt"]
        await get("/api/me/games?cursor=nothing", player, 400)
        await get("/api/me/games", status=401)

    async def test_a_paused_clock_stands_in_the_list_too(
        self, worker: Worker, player: Player, tab: Tab, get: Get
    ) -> None:
        await start(tab, TYPED, CODE)
        await play(tab, [WAY[0], PAUSE, RESUME, PAUSE])
        session = keys.session(tab.session)
        dealt = int(await worker.application.link.call("HGET", session, "dealt_at"))
        await worker.application.link.call("HSET", session, "dealt_at", dealt - 3_600_000)
        (game,) = (await get("/api/me/games", player))["games"]
        snapshot = await (await player.connect(worker)).ask(3, tab.session, None)
        assert snapshot[9] == game["time"] < 60_000


def won_first(number: int) -> list[Any]:
    first = line("YU1-R-AAAAAAB")[0]
    return [first, *{2: [PAUSE], 3: [RESIGN]}.get(number, [])]
