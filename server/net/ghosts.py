"""Lets late friends race the ghosts of a finished race: deals them its cards, tells how it went.

The game is a session like any other; how far each ghost was when comes over HTTP, all at once, and
where the late friend stands in the end as an answer to the same command.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

from aiohttp import web

from engine.code import parse
from engine.errors import EngineError
from engine.game import Game
from server.core import answers, ghosts, racesteps, roommessages
from server.core.ghosts import Race, Recorded
from server.core.messages import Origin
from server.core.opening import may_show
from server.core.ports import Missing, NewSession, PlayerStore, SessionStore, StoredSession
from server.core.refusals import Code, Refused
from server.core.room import Room, State
from server.core.roomcode import InvalidRoomName, read_name
from server.core.roomcommands import AskGhosts
from server.core.roomports import Loaded, RoomStore
from server.core.throttle import Credits, Limits
from server.net.api import NOT_FOUND, TOO_FAST, ApiRefusal
from server.net.connection import Connection
from server.net.hub import Hub
from server.net.pages import Asset, answer, asset
from server.net.security import Security

MOST_KEPT_BYTES: Final = 4_000_000
"""How much of what was asked for is kept, as it is sent; then it is made anew."""
_AT_ONCE: Final = 64
"""Steps that are made before other players get their turn."""
# A race that is over never changes; of a player who is forgotten the ghost is gone soon.
_CACHING: Final = "public, max-age=60"
_NOT_OPEN: Final = ApiRefusal(403, "not_open", "This race is not over yet.")

log: Final = logging.getLogger("yukon.rooms")


class Ghost(NamedTuple):
    """A lane of a finished race with its recording."""

    lane: Recorded
    stored: StoredSession


class Ghosts:
    """Answers the command `ghosts` and the address of how they went."""

    def __init__(
        self,
        hub: Hub,
        rooms: RoomStore,
        sessions: SessionStore,
        players: PlayerStore,
        spend: Callable[[Connection], None],
        security: Security,
        limits: Limits,
    ) -> None:
        """`spend` counts one more game of a socket's player, or raises Refused."""
        self._hub = hub
        self._rooms = rooms
        self._sessions = sessions
        self._players = players
        self._spend = spend
        self._security = security
        self._asked = Credits(limits.replays)
        self._kept: dict[tuple[object, ...], Asset] = {}
        self._kept_bytes = 0
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
        loaded = await self._room(connection.room.id)
        room, player = loaded.room, connection.player
        if player in room.removed:
            raise Refused(Code.REMOVED)
        if _plays(room, player):
            raise Refused(Code.RACE_STARTED)
        race = await self._finished(loaded, command.race)
        field = await self._field(race)
        if player in {lane.player for lane in race.lanes} | {one.stored.player for one in field}:
            raise Refused(Code.ALREADY_RACED)
        if not field:
            raise Refused(Code.NO_GHOSTS)
        session = ghosts.session_of(room.id, race.number, player)
        try:
            rows = await self._deal_or_find(connection, race, session, field)
            connection.send(
                answers.packed(roommessages.ghosts(race.number, session, rows, connection.name))
            )
            if rows is None:
                await self._hub.show(connection, session)
        except Missing:
            raise Refused(Code.NO_SUCH_SESSION) from None
        return "answered"

    async def _deal_or_find(
        self, connection: Connection, race: Race, session: str, field: Sequence[Ghost]
    ) -> tuple[Recorded, ...] | None:
        """The places when the session of this player has ended, None while it is played."""
        stored = await self._sessions.load(session, connection.player)
        if stored is not None:
            try:
                later = ghosts.result_of(stored, race.limit)
            except EngineError as error:
                raise Missing(session) from error
            return later and ghosts.placed((ghost.lane for ghost in field), later)
        self._spend(connection)
        game = Game(parse(race.code))
        await self._sessions.create(
            NewSession(
                session,
                race.code,
                connection.player,
                # Everybody may know these cards by now, so the game counts as one of a typed code.
                int(Origin.TYPED),
                game.state.value,
                game.score,
                game.ranked_score,
            )
        )
        log.info(
            "ghosts raced", extra={"session": session, "race": race.number, "lanes": len(field)}
        )
        return None

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
        field = await self._field(race)
        if not field:
            raise NOT_FOUND
        key = (loaded.room.id, race.number, *(ghost.lane.seat for ghost in field))
        built = self._kept.get(key)
        if built is None:
            built = await _build(loaded.room.id, race, field)
            self._keep(key, built)
        return answer(request, built, _CACHING)

    def _keep(self, key: tuple[object, ...], built: Asset) -> None:
        if self._kept_bytes > MOST_KEPT_BYTES:
            self._kept.clear()
            self._kept_bytes = 0
        self._kept[key] = built
        self._kept_bytes += len(built.content) + len(built.packed or b"")

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

    async def _field(self, race: Race) -> list[Ghost]:
        """The lanes that can be played back: their log is there, and their player too."""
        found = await asyncio.gather(*(self._ghost(lane) for lane in race.lanes))
        return [ghost for ghost in found if ghost is not None]

    async def _ghost(self, lane: Recorded) -> Ghost | None:
        try:
            stored = await self._sessions.load(lane.session)
        except Missing:
            return None
        if stored is None or not may_show(stored, stored.now_ms):
            return None
        try:
            player = await self._players.get(stored.player)
        except Missing:
            return Ghost(lane, stored)  # their record is damaged; the game is not
        return None if player is None else Ghost(lane, stored)


def _plays(room: Room, player: str) -> bool:
    """Whether a player is about to get a board of the room, or has one to play."""
    if room.race.state is State.COUNTDOWN:
        return room.seat_of(player) is not None
    return room.lane_played_by(player) is not None


async def _build(room_id: str, race: Race, field: Sequence[Ghost]) -> Asset:
    """Play the lanes of a race again, a few commands at a time. Raises ApiRefusal."""
    told = []
    for lane, stored in field:
        steps: list[tuple[int | bool, ...]] = []
        try:
            for ms, progress in ghosts.timeline(stored.code, stored.log):
                steps.append((ms, *progress))
                if len(steps) % _AT_ONCE == 0:
                    await asyncio.sleep(0)
        except EngineError:
            log.exception("a stored log is no game", extra={"session": stored.session_id})
            continue
        told.append(
            {
                "seat": lane.seat,
                "name": lane.name,
                "outcome": lane.outcome.value,
                "ms": ghosts.ended_ms(race, lane, stored, steps[-1][0]),
                "steps": steps,
            }
        )
    if not told:
        raise NOT_FOUND
    body = {
        "room": room_id,
        "race": race.number,
        "code": race.code,
        "limit": race.limit,
        "ghosts": told,
    }
    return await asyncio.to_thread(_pack, body)


def _pack(body: dict[str, object]) -> Asset:
    return asset("ghosts.json", json.dumps(body, separators=(",", ":")).encode())
