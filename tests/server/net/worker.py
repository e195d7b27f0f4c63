"""A whole worker on a free port of this machine, and players with real sockets, for tests."""

import asyncio
import itertools
import os
import socket
from collections.abc import Iterable
from typing import Any, Self

import aiohttp
import msgpack
from aiohttp import web

from engine.game import Game
from engine.move import Move
from server.app import Application
from server.core.throttle import NO_LIMITS, Limit, Limits
from server.net.websocket import Sockets
from server.settings import Settings

HELLO = (1, 1, (), "test")
SECONDS = 30.0
_numbers = itertools.count()

Message = list[Any]


def limited(**limits: Limit) -> Limits:
    """No limits but these."""
    return Limits(**{**{name: getattr(NO_LIMITS, name) for name in Limits.__slots__}, **limits})


class Worker:
    """One worker, in an `async with` block."""

    def __init__(
        self,
        redis_url: str,
        *,
        limits: Limits = NO_LIMITS,
        settings: Settings | None = None,
        **sockets: float,
    ) -> None:
        self.application = Application(settings or Settings(), redis_url, limits)
        for name, value in sockets.items():
            assert hasattr(self.application.sockets, f"_{name}")
            setattr(self.application.sockets, f"_{name}", value)
        self.runner = web.AppRunner(
            self.application.web, access_log=None, handle_signals=False, shutdown_timeout=1
        )
        self.url = ""

    @property
    def sockets(self) -> Sockets:
        return self.application.sockets

    async def __aenter__(self) -> Self:
        await self.application.start()
        await self.runner.setup()
        listener = socket.create_server(("127.0.0.1", 0))
        await web.SockSite(self.runner, listener).start()
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    async def stop(self) -> None:
        await self.application.stop()
        await self.runner.cleanup()


class Player:
    """A bot: a token, and any number of sockets at any worker."""

    def __init__(self, player_id: str, token: str, http: aiohttp.ClientSession) -> None:
        self.id = player_id
        self.token = token
        self.http = http

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @classmethod
    async def make(cls, worker: Worker, http: aiohttp.ClientSession) -> "Player":
        async with http.post(f"{worker.url}/api/player", json={"token": True}) as answer:
            assert answer.status == 201, await answer.text()
            made = await answer.json()
        return cls(made["id"], made["token"], http)

    async def connect(self, worker: Worker, *, hello: bool = True, **options: Any) -> "Tab":
        ws = await self.http.ws_connect(
            f"{worker.url}/ws", headers=self.headers, max_msg_size=0, **options
        )
        tab = Tab(ws)
        if hello:
            welcome = await tab.ask(*HELLO)
            assert welcome[:3] == [64, 1, self.id]
        return tab


class Tab:
    """One socket, and the session it shows as its own engine has it."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws
        self.session = ""
        self.game: Game | None = None

    async def send(self, *message: Any) -> None:
        await self.ws.send_bytes(msgpack.packb(message))

    async def hear(self) -> Message:
        """The next message."""
        async with asyncio.timeout(SECONDS):
            frame = await self.ws.receive()
        assert frame.type is aiohttp.WSMsgType.BINARY, (frame, self.ws.close_code)
        message = msgpack.unpackb(frame.data)
        assert isinstance(message, list)
        return message

    async def closed(self) -> int | None:
        """Read whatever comes until the socket is closed; its code."""
        async with asyncio.timeout(SECONDS):
            while (frame := await self.ws.receive()).type is aiohttp.WSMsgType.BINARY:
                pass
        # The server may be gone before our own goodbye: what it said counts.
        return frame.data if frame.type is aiohttp.WSMsgType.CLOSE else self.ws.close_code

    async def ask(self, *message: Any) -> Message:
        await self.send(*message)
        return await self.hear()

    async def deal(self, code: str) -> Message:
        """A new session of a typed code, played along by this tab's own engine."""
        snapshot = await self.ask(2, request_id(), 1, code)
        assert snapshot[0] == 65, snapshot
        self.session = snapshot[1]
        self.game = Game(code)
        return snapshot

    async def play(self, move: Move) -> Message:
        """Play a move that is legal, and check everything that the event says."""
        assert self.game is not None
        event = await self.ask(4, self.game.version, *move)
        self.follow(event, move)
        return event

    def follow(self, event: Message, move: Move) -> None:
        """Hold an event against this tab's own engine."""
        assert self.game is not None
        assert event[0] == 66, event
        self.game.play(move, self.game.last_ms)
        assert event[1] == self.game.version
        assert event[3:5] == [self.game.score, self.game.moves]
        assert event[5][:3] == bytes(move)
        assert event[6] == codes(self.game)

    async def check(self) -> Message:
        """Ask for a snapshot and hold it against this tab's own engine."""
        assert self.game is not None
        snapshot = await self.ask(11)
        assert snapshot[:3] == [65, self.session, self.game.version]
        assert snapshot[4:6] == [self.game.score, self.game.moves]
        assert snapshot[10] == [
            bytes((down, *column[down:]))
            for column, down in zip(
                self.game.position.columns, self.game.position.down, strict=True
            )
        ]
        assert snapshot[14] == codes(self.game)
        return snapshot


def codes(game: Game) -> bytes:
    """The legal moves as the wire has them."""
    return b"".join(code.to_bytes(2) for code in game.legal_moves.codes)


def request_id() -> bytes:
    """A request id that no other has."""
    return b"%08d" % next(_numbers) + os.urandom(4)


def forwards(game: Game) -> Iterable[Move]:
    """The legal moves, those home first: a way through a game that ends some day."""
    return sorted(game.legal_moves, key=lambda move: (move.target < 16, tuple(move)))
