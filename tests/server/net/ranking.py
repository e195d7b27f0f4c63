"""Players who earn something, for tests: deals that are known to the test and won over a socket."""

from collections.abc import Iterable
from typing import Any

import aiohttp

from engine.code import GameCode, parse
from engine.move import Move
from server.core import daily
from server.store import keys
from tests.server.lines import won
from tests.server.net.plays import KINDS
from tests.server.net.worker import Message, Player, Tab, Worker, request_id
from tests.server.store.conftest import eventually

RANDOM, TYPED, RANKED, DAILY = range(4)
ENDED = 16 | 32


def draw(worker: Worker, *codes: str) -> None:
    """Let the worker draw these sealed codes next, and the last one again and again."""
    waiting = list(codes)

    def sealed(letter: str) -> GameCode:
        code = parse(waiting.pop(0) if len(waiting) > 1 else waiting[0])
        assert code.letter == letter
        return code

    worker.application._deals.sealed = sealed  # type: ignore[method-assign]


async def set_daily(worker: Worker, code: str, days: int = 0) -> str:
    """Make this the deal of today, or of a day so far from it; its day."""
    dailies = worker.application.recorder.dailies
    day = daily.today(await dailies.now_ms() + days * daily.DAY_MS)
    name = daily.name(parse(code).letter, day)
    await worker.application.link.call("SET", keys.daily(name), code)
    return day.isoformat()


async def start(tab: Tab, origin: int, text: str) -> Message:
    """Deal a game."""
    snapshot = await tab.ask(2, request_id(), origin, text)
    while snapshot[0] == 65 and snapshot[3] & ENDED:  # of the game before, which told its code
        snapshot = await tab.hear()
    assert snapshot[0] == 65, snapshot
    tab.session = snapshot[1]
    return snapshot


async def play(tab: Tab, moves: Iterable[Move], version: int = 0) -> int:
    """Play commands that are legal; the version after them."""
    for move in moves:
        kind = KINDS.get(move)
        frame = (4, version, *move) if kind is None else (kind, version)
        await tab.send(*frame)
        while (message := await tab.hear())[0] == 65:
            pass
        assert message[0] == 66, message
        version = int(message[1])
    return version


async def win(tab: Tab, origin: int = TYPED, number: int = 0) -> str:
    """Deal and win the deal of a number; the session."""
    code, way = won(number)
    await start(tab, origin, code if origin == TYPED else "R")
    await play(tab, way)
    return tab.session


async def ask(
    worker: Worker, path: str, http: aiohttp.ClientSession, player: Player | None = None
) -> tuple[int, Any]:
    """GET an address; its status and what it says."""
    headers = {} if player is None else player.headers
    async with http.get(f"{worker.url}{path}", headers=headers) as answer:
        return answer.status, await answer.json()


async def recorded(worker: Worker, *sessions: str) -> None:
    """Wait until what these sessions earned is written down."""
    link = worker.application.link

    async def is_recorded() -> bool:
        scores = [await link.call("ZSCORE", keys.ENDING, session) for session in sessions]
        return scores == [None] * len(sessions)

    await eventually(is_recorded)
