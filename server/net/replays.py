"""Replays over HTTP: a finished game for whoever watches it again or checks it; changes nothing."""

import asyncio
import json
import logging
import time
from typing import Final, NamedTuple

from aiohttp import hdrs, web

from engine.errors import EngineError
from server.core.opening import may_show
from server.core.ports import Missing, PlayerStore, SessionStore, StoredSession
from server.core.replays import Replay
from server.core.throttle import Credits, Limits
from server.net.api import NOT_FOUND, TOO_FAST, ApiRefusal
from server.net.kept import Kept
from server.net.pages import Asset, answer, asset
from server.net.security import Security
from server.net.turns import in_turns

MOST_KEPT_BYTES: Final = 4_000_000
"""How much of the replays asked for last is kept, as it is sent."""
# The game never changes; its player's name may, and is gone soon after they are.
_CACHING: Final = "public, max-age=60"
_TEXT_CACHING: Final = "public, max-age=86400"
_NOT_OPEN: Final = ApiRefusal(
    403, "not_open", "This game is not over, or its cards are still a secret."
)

log = logging.getLogger("yukon.replays")


class Built(NamedTuple):
    """A replay in both of its forms, ready to be sent."""

    data: Asset
    text: Asset

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return sum(each.size for each in self)


class Replays:
    """The addresses of replays."""

    def __init__(
        self, sessions: SessionStore, players: PlayerStore, security: Security, limits: Limits
    ) -> None:
        self._sessions = sessions
        self._players = players
        self._security = security
        self._asked = Credits(limits.replays)
        self._kept: Kept[tuple[str, bytes, str | None], Built] = Kept()

    @property
    def kept_bytes(self) -> int:
        """What those that are kept weigh."""
        return self._kept.weight

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Serve every address of this class."""
        router.add_get("/api/replay/{session}", self._data)
        router.add_get("/api/replay/{session}/text", self._text)

    async def _data(self, request: web.Request) -> web.StreamResponse:
        return answer(request, (await self._built(request)).data, _CACHING)

    async def _text(self, request: web.Request) -> web.StreamResponse:
        response = answer(request, (await self._built(request)).text, _TEXT_CACHING)
        name = request.match_info["session"]
        response.headers[hdrs.CONTENT_DISPOSITION] = f'attachment; filename="yukon-{name}.txt"'
        return response

    async def _built(self, request: web.Request) -> Built:
        """The replay that a request names. Raises ApiRefusal and Unavailable."""
        if not self._asked.spend(self._security.address(request), time.monotonic()):
            raise TOO_FAST
        try:
            stored = await self._sessions.load(request.match_info["session"])
        except Missing:
            stored = None
        if stored is None:
            raise NOT_FOUND
        if not may_show(stored, stored.now_ms):
            raise _NOT_OPEN
        name = await self._name_of(stored.player)
        key = (stored.session_id, stored.head, name)
        built = self._kept.get(key)
        if built is None:
            built = await _build(stored, name)
            self._kept.keep(key, built, built.size, MOST_KEPT_BYTES)
        return built

    async def _name_of(self, player_id: str) -> str | None:
        try:
            player = await self._players.get(player_id)
        except Missing:
            return None  # their record is damaged; the game is not
        return None if player is None else player.name


async def _build(stored: StoredSession, name: str | None) -> Built:
    """Play a session again, a few commands at a time."""
    try:
        replay = Replay(stored)
        start = replay.start().hex()
        events = [(ms, event.hex()) async for ms, event in in_turns(replay.events())]
    except EngineError:
        log.exception("a stored log is no game", extra={"session": stored.session_id})
        raise NOT_FOUND from None
    body = {
        **replay.summary(),
        "player": {"id": stored.player, "name": name},
        "start": start,
        "events": events,
    }
    return await asyncio.to_thread(_pack, body, replay)


def _pack(body: dict[str, object], replay: Replay) -> Built:
    data = json.dumps(body, separators=(",", ":"))
    return Built(asset("replay.json", data.encode()), asset("replay.txt", replay.text().encode()))
