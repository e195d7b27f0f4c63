"""Lets late friends race the ghosts of a finished race: deals them its cards, tells how it went.

The game is a session like any other; how far each ghost was when comes over HTTP, all at once, and
where the late friend stands in the end as an answer to the same command. Who may and which ghosts
are left is decided from sessions without their logs.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from aiohttp import web

from engine.code import parse
from engine.errors import EngineError
from engine.game import Game
from server.core import answers, ghosts, racesteps, roommessages
from server.core.boardports import Brief
from server.core.ghosts import Race, Recorded
from server.core.messages import Origin
from server.core.opening import has_ended, may_show
from server.core.ports import Missing, NewSession, PlayerStore, SessionStore
from server.core.refusals import Code, Refused
from server.core.room import Room, State
from server.core.roomcode import InvalidRoomName, read_name
from server.core.roomcommands import AskGhosts
from server.core.roomports import Loaded, RoomStore
from server.core.throttle import Credits, Limits
from server.net.api import NOT_FOUND, TOO_FAST, ApiRefusal
from server.net.connection import Connection
from server.net.hub import Hub
from server.net.kept import Kept
from server.net.pages import answer
from server.net.security import Security
from server.net.timelines import Ghost, Timelines
from server.net.turns import in_turns

MOST_RESULTS: Final = 1_000
"""How many results of late games are kept, those that were asked for last."""
_DOUBT_MS: Final = 1_000
"""This worker's idea of the store's clock is not further behind."""
# A race that is over never changes; of a player who is forgotten the ghost is gone soon.
_CACHING: Final = "public, max-age=60"
_NOT_OPEN: Final = ApiRefusal(403, "not_open", "This race is not over yet.")

log: Final = logging.getLogger("yukon.rooms")

Briefs = Callable[[Sequence[str]], Awaitable[Sequence[Brief | None]]]


class Ghosts:
    """Answers the command `ghosts` and the address of how they went."""

    def __init__(
        self,
        hub: Hub,
        rooms: RoomStore,
        sessions: SessionStore,
        briefs: Briefs,
        players: PlayerStore,
        spend: Callable[[Connection], None],
        security: Security,
        limits: Limits,
    ) -> None:
        """`spend` counts one more game of a socket's player, or raises Refused.

        `briefs` reads sessions without their logs, None for those that are gone.
        """
        self._hub = hub
        self._rooms = rooms
        self._sessions = sessions
        self._briefs = briefs
        self._players = players
        self._spend = spend
        self._security = security
        self._looks = Credits(limits.replays)
        self._address_looks = Credits(limits.replays)
        self._asked = Credits(limits.replays)
        self._results: Kept[tuple[str, bytes], Recorded] = Kept()
        self.timelines = Timelines(sessions)
        self.handlers: dict[type, Callable[[Connection, Any], Awaitable[str]]] = {
            AskGhosts: self._race
        }

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Serve the address of this class."""
        router.add_get(r"/api/ghosts/{room}/{race:[1-9]\d{0,8}}", self._tell)

    # -- over the socket

    async def _race(self, connection: Connection, command: AskGhosts) -> str:
        """Deal the cards of a race to who was not in it, or go on; tell the places at the end."""
        if connection.room is None:
            raise Refused(Code.NO_ROOM)
        self._look(connection)
        room_id = connection.room.id
        loaded = await self._allowed(room_id, connection.player)
        race = await self._finished(loaded, command.race)
        if connection.player in {lane.player for lane in race.lanes}:
            raise Refused(Code.ALREADY_RACED)
        session = ghosts.session_of(room_id, race.number, connection.player)
        try:
            rows = await self._deal_or_find(connection, race, session)
            if rows is None:
                # Reading took its time: the next race may have begun, whose board goes before.
                await self._allowed(room_id, connection.player)
            connection.send(
                answers.packed(roommessages.ghosts(race.number, session, rows, connection.name))
            )
            if rows is None:
                await self._hub.show(connection, session)
        except Missing:
            raise Refused(Code.NO_SUCH_SESSION) from None
        return "answered"

    def _look(self, connection: Connection) -> None:
        """Count what this command may cost. Raises Refused (`too_fast`)."""
        now = connection.heard_at
        if not self._looks.spend(connection.player, now):
            raise Refused(Code.TOO_FAST)
        if not self._address_looks.spend(connection.address, now):
            raise Refused(Code.TOO_FAST)

    async def _allowed(self, room_id: str, player: str) -> Loaded:
        """The room, while this player may race ghosts there. Raises Refused."""
        loaded = await self._room(room_id)
        if player in loaded.room.removed:
            raise Refused(Code.REMOVED)
        if _plays(loaded.room, player):
            raise Refused(Code.RACE_STARTED)
        return loaded

    async def _deal_or_find(
        self, connection: Connection, race: Race, session: str
    ) -> tuple[Recorded, ...] | None:
        """The places when the session of this player has ended, None while it is played."""
        player = connection.player
        own, *lanes = await self._briefs((session, *(lane.session for lane in race.lanes)))
        later = None
        if own is not None and own.player == player:
            later = await self._result(own, race)
            if later is None:
                return None
        field = await self._field(race, lanes)
        if player in {ghost.brief.player for ghost in field}:
            raise Refused(Code.ALREADY_RACED)
        if not field:
            raise Refused(Code.NO_GHOSTS)
        if later is not None:
            return ghosts.placed((ghost.lane for ghost in field), later)
        self._spend(connection)
        await self._deal(session, race, player)
        log.info(
            "ghosts raced", extra={"session": session, "race": race.number, "lanes": len(field)}
        )
        return None

    async def _deal(self, session: str, race: Race, player: str) -> None:
        game = Game(parse(race.code))
        await self._sessions.create(
            NewSession(
                session,
                race.code,
                player,
                # Everybody may know these cards by now, so the game counts as one of a typed code.
                int(Origin.TYPED),
                game.state.value,
                game.score,
                game.ranked_score,
                untouched_seconds=ghosts.UNTOUCHED_SECONDS,
            )
        )

    async def _result(self, own: Brief, race: Race) -> Recorded | None:
        """What a late game has come to, None while it is played. Raises Missing, Unavailable."""
        now_ms = self._hub.now_ms() + _DOUBT_MS
        if not (has_ended(own) or ghosts.may_be_over(own.dealt_at_ms, now_ms, race.limit)):
            return None
        if known := self._results.get((own.session_id, own.head)):
            return known
        stored = await self._sessions.load(own.session_id, own.player)
        if stored is None:
            raise Missing(own.session_id)
        try:
            attempt = ghosts.Attempt(stored, race.limit)
            async for _ in in_turns(attempt.steps()):
                pass
        except EngineError as error:
            raise Missing(own.session_id) from error
        later = attempt.result()
        if later is not None:
            self._results.keep((own.session_id, stored.head), later, 1, MOST_RESULTS)
        return later

    # -- over HTTP

    async def _tell(self, request: web.Request) -> web.StreamResponse:
        """How far each ghost was when. Raises ApiRefusal and Unavailable."""
        if not self._asked.spend(self._security.address(request), time.monotonic()):
            raise TOO_FAST
        try:
            name = read_name(request.match_info["room"])
            if name.is_code:
                raise NOT_FOUND  # six letters can be guessed
            loaded = await self._room(name.text)
            race = await self._finished(loaded, int(request.match_info["race"]))
        except InvalidRoomName:
            raise NOT_FOUND from None
        except Refused as refused:
            is_open = refused.code is not Code.RACE_NOT_FINISHED
            raise (NOT_FOUND if is_open else _NOT_OPEN) from None
        lanes = await self._briefs([lane.session for lane in race.lanes])
        field = await self._field(race, lanes)
        if not field:
            raise NOT_FOUND
        built = await self.timelines.of(loaded.room.id, race, field)
        return answer(request, built, _CACHING)

    # -- what is kept of a race

    async def _room(self, room_id: str) -> Loaded:
        loaded = await self._rooms.load(room_id)
        if loaded is None:
            raise Refused(Code.NO_SUCH_ROOM)
        return loaded

    async def _finished(self, loaded: Loaded, number: int) -> Race:
        """A finished race of a room. Raises Refused (`race_not_finished`, `no_ghosts`)."""
        room, facts, _ = loaded
        if number > room.race.number:
            raise Refused(Code.RACE_NOT_FINISHED)
        if number == room.race.number:
            if room.race.state is not State.FINISHED:
                raise Refused(Code.RACE_NOT_FINISHED)
            return Race.read(racesteps.record(room, facts))
        race = ghosts.find(await self._rooms.evening(room.id), number)
        if race is None:
            raise Refused(Code.NO_GHOSTS)
        return race

    async def _field(self, race: Race, lanes: Sequence[Brief | None]) -> list[Ghost]:
        """The lanes that can be played back: their game is there, and their player too."""
        found = await asyncio.gather(*map(self._ghost, race.lanes, lanes))
        return [ghost for ghost in found if ghost is not None]

    async def _ghost(self, lane: Recorded, brief: Brief | None) -> Ghost | None:
        if brief is None or not may_show(brief, self._hub.now_ms()):
            return None
        try:
            player = await self._players.get(brief.player)
        except Missing:
            return Ghost(lane, brief)  # their record is damaged; the game is not
        return None if player is None else Ghost(lane, brief)


def _plays(room: Room, player: str) -> bool:
    """Whether a player is about to get a board of the room, or has one to play."""
    if room.race.state is State.COUNTDOWN:
        return room.seat_of(player) is not None
    return room.lane_played_by(player) is not None
