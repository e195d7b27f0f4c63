"""One more device for a player over HTTP: a secret made on the old one is used on the new one.

The secret stands behind the # of a link, which no browser sends to a server, and nothing happens
before a button is pressed there: a preview of the link signs nobody in.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import hdrs, web

from server.core.ports import Player, PlayerStore
from server.core.refusals import Code, sentence
from server.core.throttle import Credits, Limits
from server.net import qr
from server.net.api import NOT_SIGNED_IN, TOO_FAST, ApiRefusal, body_of
from server.net.identity import set_cookie
from server.net.security import Security

_NO_STORE: Final = {hdrs.CACHE_CONTROL: "no-store"}
_BAD_TRANSFER: Final = ApiRefusal(
    403, "bad_transfer", "This link was used, or its time is over. Make a new one where you play."
)

log = logging.getLogger("yukon.api")

SignedIn = Callable[[web.Request], Awaitable[Player]]
"""Whose a request is; raises ApiRefusal when it is nobody's."""


class Transfers:
    """The addresses for moving a player."""

    def __init__(
        self, players: PlayerStore, signed_in: SignedIn, security: Security, limits: Limits
    ) -> None:
        self._players = players
        self._signed_in = signed_in
        self._security = security
        self._opened = Credits(limits.transfers)
        self._tried = Credits(limits.transfers)
        self._drawn = Credits(limits.pictures)

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Serve every address of this class."""
        router.add_post("/api/me/transfer", self._open)
        router.add_post("/api/transfer", self._take)

    async def _open(self, request: web.Request) -> web.StreamResponse:
        player = await self._signed_in(request)
        site = self._security.site(request)
        now = time.monotonic()
        if not self._opened.spend(player.player_id, now):
            raise TOO_FAST
        if not self._drawn.spend(self._security.address(request), now):
            raise TOO_FAST
        transfer = await self._players.open_transfer(player.player_id)
        if transfer is None:
            raise NOT_SIGNED_IN
        path = f"/transfer#{transfer.secret}"
        # It takes as long as a thousand moves: those go on meanwhile.
        picture = await asyncio.to_thread(qr.svg, site + path)
        answer = {"path": path, "qr": picture.decode(), "expires": transfer.ends_ms}
        return web.json_response(answer, headers=_NO_STORE)

    async def _take(self, request: web.Request) -> web.StreamResponse:
        secret = (await body_of(request)).get("secret")
        if not isinstance(secret, str):
            raise ApiRefusal(400, "malformed", "A secret is a text.")
        if not self._tried.spend(self._security.address(request), time.monotonic()):
            raise TOO_FAST
        taken = await self._players.take_transfer(secret)
        if taken is None:
            raise _BAD_TRANSFER
        player, token = taken
        if not token:
            raise ApiRefusal(403, Code.BANNED.value, sentence(Code.BANNED))
        log.info("device added", extra={"player": player.player_id})
        answer = {"id": player.player_id, "name": player.name}
        response = web.json_response(answer, headers=_NO_STORE)
        set_cookie(response, token, secure=self._security.is_secure(request))
        return response
