"""Players who race over real sockets, for tests: each remembers every byte it was sent."""

import asyncio
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import aiohttp
import msgpack
import redis

from engine.game import Game
from engine.move import Move, from_code
from server.app import Application
from server.store import keys
from tests.server.net.plays import won_plays
from tests.server.net.worker import SECONDS, Message, Player, Worker, request_id

MAKE, JOIN, READY, START, CHANGE, REMOVE, LOCK, LEAVE, REMATCH, ROOM_, BOARD_, EVENING_ = range(
    20, 32
)
ROOM, LANES, STANDINGS, CLOSED, JOINED, BOARD, EVENING, DONE = range(80, 88)
STATE, EVENT, REFUSAL, CONFIRMED = 65, 66, 67, 69
LOBBY, COUNTDOWN, RUNNING, FINISHED = range(4)
SEALED: tuple[str, str | None, int] = ("C", None, 5)
OPEN_CODE = "YU1-O-AAAAAAB"
TYPED: tuple[str, str | None, int] = ("O", OPEN_CODE, 0)

Wanted = Callable[[Message], bool]


class Racer:
    """One socket of a player in a room, and what it knows from what it was sent."""

    def __init__(self, player: Player, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.player = player
        self.ws = ws
        self.frames: list[bytes] = []
        self.room: Message = []
        self.lanes: dict[int, Message] = {}
        self.standings: list[Message] = []
        self.snapshot: Message = []
        self.legal = b""
        self.version = 0
        self.session = ""
        self.seat: int | None = None

    @classmethod
    async def connect(cls, player: Player, worker: Worker) -> "Racer":
        ws = await player.http.ws_connect(f"{worker.url}/ws", headers=player.headers)
        racer = cls(player, ws)
        await racer.send(1, 1, (), "racer")
        await racer.until(64)
        return racer

    @classmethod
    async def make(cls, worker: Worker, http: aiohttp.ClientSession) -> "Racer":
        return await cls.connect(await Player.make(worker, http), worker)

    async def send(self, *message: Any) -> None:
        await self.ws.send_bytes(msgpack.packb(message))

    async def hear(self) -> Message:
        """The next message, noted."""
        async with asyncio.timeout(SECONDS):
            frame = await self.ws.receive()
        assert frame.type is aiohttp.WSMsgType.BINARY, (frame, self.ws.close_code)
        self.frames.append(frame.data)
        message: Message = msgpack.unpackb(frame.data)
        self._note(message)
        return message

    async def until(self, kind: int, wanted: Wanted = bool) -> Message:
        """The next message of a kind that is as wanted."""
        while True:
            message = await self.hear()
            if message[0] == kind and wanted(message):
                return message

    async def ask(self, *message: Any, answer: int = DONE) -> Message:
        """Send a command and wait for its answer or refusal."""
        await self.send(*message)
        while True:
            heard = await self.hear()
            if heard[0] == answer or (heard[0] == REFUSAL and heard[1] == message[0]):
                return heard

    def _note(self, message: Message) -> None:
        match message[0]:
            case 80:
                if self.room and self.room[6] != message[6]:
                    self.lanes = {}
                self.room = message
            case 81:
                self.lanes |= {row[0]: row for row in message[2]}
            case 82:
                self.standings.append(message)
            case 84:
                self.seat = message[3]
            case 65:
                self.snapshot = message
                self.session, self.version, self.legal = message[1], message[2], message[14]
            case 66:
                self.version, self.legal = message[1], message[6]

    # -- in a room

    async def open_room(self, name: str, settings: tuple[Any, ...] = SEALED) -> str:
        """Make a room; its id."""
        joined = await self.ask(MAKE, request_id(), name, settings, answer=JOINED)
        assert joined[0] == JOINED, joined
        await self.until(ROOM)
        room_id: str = joined[2]
        return room_id

    async def join(self, room: str, name: str | None = None, *, seat: bool = True) -> Message:
        """Join by id or code; the answer."""
        answer = await self.ask(JOIN, request_id(), room, name, seat, answer=JOINED)
        if answer[0] == JOINED:
            await self.until(ROOM)
            await self.until(LANES)
        return answer

    async def in_state(self, state: int, race: int = 1) -> None:
        """Wait until the room says that the race is in a state."""
        while not self.room or (self.room[6], self.room[7]) != (race, state):
            await self.hear()

    async def dealt(self, race: int = 1) -> Message:
        """Wait for the snapshot of a race's board; it."""
        while not self.snapshot or f".{race}-" not in self.snapshot[1]:
            await self.hear()
        return self.snapshot

    @property
    def moves(self) -> list[Move]:
        """The legal moves that the server said."""
        return [
            from_code(int.from_bytes(self.legal[at : at + 2]))
            for at in range(0, len(self.legal), 2)
        ]

    async def play(self, move: Move | None = None) -> Message:
        """Play a legal move; its event or refusal."""
        chosen = self.moves[0] if move is None else move
        return await self.command(*frame_of(chosen, self.version))

    async def command(self, *message: Any) -> Message:
        """Send a command of the session; its event, confirmation or refusal."""
        await self.send(*message)
        while True:
            heard = await self.hear()
            if heard[0] in (EVENT, CONFIRMED, REFUSAL):
                return heard

    async def resign(self) -> Message:
        return await self.command(9, self.version)


Two = tuple[Worker, Worker]


async def pair(
    workers: Two, http: aiohttp.ClientSession, settings: tuple[Any, ...] = SEALED
) -> tuple[Racer, Racer, str]:
    """Anna with a room at one worker, Bert with a seat in it at the other."""
    anna, bert = [await Racer.make(worker, http) for worker in workers]
    room_id = await anna.open_room("Anna", settings)
    assert (await bert.join(room_id, "Bert"))[0] == JOINED
    while len(anna.room[17]) < 2:
        await anna.hear()
    return anna, bert, room_id


async def run(*racers: Racer, race: int = 1) -> None:
    """Let the host, who is first, start the race, until everybody has a board."""
    assert (await racers[0].ask(START, True))[0] == DONE
    for racer in racers:
        await racer.in_state(RUNNING, race)
        await racer.dealt(race)


async def finish(*racers: Racer, race: int = 1) -> None:
    """Let everybody give up, until the standings are there."""
    for racer in racers:
        await racer.resign()
    for racer in racers:
        await racer.in_state(FINISHED, race)
        while len(racer.standings) < race:
            await racer.hear()


def back(redis_url: str, room_id: str, milliseconds: int, *fields: str) -> None:
    """Put instants of a race back, as if that much time had passed, and have the room looked at."""
    with redis.Redis.from_url(redis_url) as store:
        key = keys.room(room_id)
        document = json.loads(store.hget(key, "doc"))
        for field in fields:
            document["race"][field] -= milliseconds
        store.hset(key, "doc", json.dumps(document))
        if "ends" in fields:
            store.hset(key, "ends", document["race"]["ends"])
        due_now(redis_url, room_id)


def due_now(redis_url: str, room_id: str) -> None:
    """Have the room looked at by the next sweep."""
    with redis.Redis.from_url(redis_url) as store:
        store.zadd(keys.DUE, {f"room:{room_id}": 1})


def away(redis_url: str, room_id: str, player: str, milliseconds: int) -> None:
    """This player was last connected so long ago."""
    with redis.Redis.from_url(redis_url) as store:
        seconds, micro = store.time()
        at = seconds * 1000 + micro // 1000 - milliseconds
        store.hset(keys.room(room_id), f"c:{player}", at)


async def kill(application: Application) -> None:
    """End a worker as a kill does: no goodbye, nothing finished, every connection cut."""
    for task in application._tasks:
        task.cancel()
    application.hub._beside.cancel()
    application.tables._beside.cancel()
    application.link._wire.abort()  # type: ignore[attr-defined]
    await application.link.close()
    for connection in list(application.sockets._open):
        connection.transport.abort()
    await application.bus.close()
    application.stop = _nothing  # type: ignore[method-assign]


async def _nothing() -> None:
    """Killed already."""


def frame_of(move: Move, version: int) -> tuple[int, ...]:
    """The command that asks for a move."""
    if move.source != 255:
        return (4, version, *move)
    kind = {1: 6, 2: 5, 5: 9, 7: 10}[move.count]
    return (kind, version, move.target) if kind == 10 else (kind, version)


@cache
def winning_line() -> tuple[str, tuple[Move, ...]]:
    """A Classic code, and moves that win it."""
    ((code, texts),) = won_plays("C")
    game = Game(code)
    moves = []
    for text in texts:
        moves.append(game.read(text))
        game.play(moves[-1], 0)
    assert game.is_won
    return code, tuple(moves)
