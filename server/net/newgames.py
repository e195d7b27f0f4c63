"""Deals new games to sockets: random, typed and ranked ones, and the daily deal with its rules."""

import logging
from typing import Final

from engine.code import GameCode, parse
from engine.game import Game
from server.core import daily
from server.core.boardports import DailyStore
from server.core.deals import Deals, read_letter
from server.core.messages import New, Origin
from server.core.opening import has_ended
from server.core.ports import Missing, NewSession, SessionStore
from server.core.refusals import Code, Refused
from server.core.throttle import Credits, Limits
from server.net.connection import Connection
from server.net.hub import Hub

log: Final = logging.getLogger("yukon.dispatch")


class NewGames:
    """Answers the command `new`."""

    def __init__(
        self, hub: Hub, store: SessionStore, dailies: DailyStore, deals: Deals, limits: Limits
    ) -> None:
        self._hub = hub
        self._store = store
        self._dailies = dailies
        self._deals = deals
        self._credits = Credits(limits.new_games)
        self._address_credits = Credits(limits.address_games)

    async def new(self, connection: Connection, command: New) -> str:
        """Deal a game and show it. Raises Refused and Unavailable."""
        try:
            if command.origin == Origin.DAILY:
                session = await self._daily(connection, command)
            else:
                code = self._deals.code_for(command.origin, command.text)
                self.spend(connection)
                session = await self._deal(connection, command, self._deals.session_id(), code)
            await self._hub.show(connection, session)
        except Missing:
            raise Refused(Code.NO_SUCH_SESSION) from None
        return "answered"

    async def _daily(self, connection: Connection, command: New) -> str:
        """Today's deal: the attempt that counts until that has ended, and practice after it.

        The day is that of the store's clock, and the game begins at that very instant, so that it
        never belongs to another day than its cards.
        """
        letter = read_letter(command.text)
        self.spend(connection)
        now = await self._dailies.now_ms()
        day = daily.today(now)
        drawn = await self._dailies.draw(daily.name(letter, day), str(self._deals.sealed(letter)))
        own = self._deals.session_id()
        counts = await self._dailies.claim(connection.player, letter, day, own)
        stored = None if counts == own else await self._store.load(counts)
        if stored is not None:
            if not has_ended(stored):
                return counts
            counts = own
        return await self._deal(connection, command, counts, parse(drawn), now)

    async def _deal(
        self,
        connection: Connection,
        command: New,
        session: str,
        code: GameCode,
        dealt_at_ms: int | None = None,
    ) -> str:
        """Make a session, or find the one that this request made before."""
        game = Game(code)
        created = await self._store.create(
            NewSession(
                session,
                str(code),
                connection.player,
                command.origin,
                game.state.value,
                game.score,
                game.ranked_score,
                request_id=command.request,
                dealt_at_ms=dealt_at_ms,
            )
        )
        if created.is_new:
            log.info(
                "session dealt",
                extra={
                    "session": created.session_id,
                    "player": connection.player,
                    "ruleset": code.letter,
                    "origin": command.origin,
                },
            )
        return created.session_id

    def spend(self, connection: Connection) -> None:
        """Count one more game of a player and an address. Raises Refused (`too_fast`)."""
        now = connection.heard_at
        if not self._credits.spend(connection.player, now):
            raise Refused(Code.TOO_FAST)
        if not self._address_credits.spend(connection.address, now):
            raise Refused(Code.TOO_FAST)
