"""Makes players for those who have none yet, within what one address may ask for."""

import logging
import time
from collections.abc import Callable
from typing import Final, Protocol

from aiohttp import web

from server.core.ports import Player, PlayerStore
from server.core.throttle import Credits, Limits
from server.net.security import Security

log = logging.getLogger("yukon.newcomers")

NEW: Final = "new"


class Credentials(Protocol):
    """A new player's secrets; only their hash is stored."""

    @property
    def player_id(self) -> str:
        """Known to everybody."""

    @property
    def token(self) -> str:
        """Known to the player alone."""

    @property
    def secret_hash(self) -> bytes:
        """What is stored."""


class Newcomers:
    """The only maker of players, over HTTP and at the socket's door."""

    def __init__(
        self,
        players: PlayerStore,
        new_credentials: Callable[[], Credentials],
        security: Security,
        limits: Limits,
    ) -> None:
        self._players = players
        self._new_credentials = new_credentials
        self._security = security
        self._credits = Credits(limits.players)

    async def make(self, request: web.Request) -> tuple[Player, str] | None:
        """A stored player and the token; None for an address that made too many of them.

        Raises Unavailable.
        """
        if not self._credits.spend(self._security.address(request), time.monotonic()):
            return None
        made = self._new_credentials()
        now_ms = int(time.time() * 1000)
        await self._players.create(made.player_id, made.secret_hash, now_ms)
        log.info("player made", extra={"player": made.player_id})
        return Player(made.player_id, None, now_ms, is_banned=False), made.token


def wants_player(request: web.Request) -> bool:
    """Whether a socket's handshake asks for a player in case it brings none."""
    return request.query.get("player") == NEW
