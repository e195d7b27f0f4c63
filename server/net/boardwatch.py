"""Tells sockets when something entered the leaderboard that they watch; it reads no row."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol

from server.core import answers
from server.core.boardports import BoardStore
from server.core.boards import is_board
from server.core.messages import Watch
from server.core.ports import Unavailable
from server.core.refusals import Code, Refused
from server.net.connection import Connection

EVERY_SECONDS: Final = 1.0
"""How often a socket hears of its board at most."""


class Ear(Protocol):
    """What hears the topics of boards: the bus."""

    def listen(self, topic: str, handler: Callable[[bytes], None]) -> Coroutine[Any, Any, None]:
        """Call a handler with each message of a topic. Raises Unavailable."""

    def unlisten(self, topic: str, handler: Callable[[bytes], None]) -> None:
        """Call it no more."""


class _Board:
    """A board with viewers at this worker; it tells them how many rows there are."""

    def __init__(self, name: str, boards: BoardStore, ear: Ear, topic: str) -> None:
        self.name = name
        self.viewers: set[Connection] = set()
        self.listening = asyncio.ensure_future(ear.listen(topic, self.hear))
        """Done when nothing is missed any more."""
        self._boards = boards
        self._told_at = 0.0
        self._has_news = False
        self._telling: asyncio.Task[None] | None = None

    def hear(self, message: bytes = b"") -> None:  # noqa: ARG002 - it says no more than that
        """Tell the viewers at once, or a second after they were told last."""
        self._has_news = True
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    def stop(self) -> None:
        """Tell nobody any more."""
        if self._telling is not None:
            self._telling.cancel()

    async def _tell(self) -> None:
        while self._has_news:
            await asyncio.sleep(max(0.0, self._told_at + EVERY_SECONDS - time.monotonic()))
            self._told_at = time.monotonic()
            self._has_news = False
            with contextlib.suppress(Unavailable):
                payload = answers.leaderboard(self.name, await self._boards.total(self.name))
                for connection in self.viewers:
                    if not connection.is_full:
                        connection.send(payload)


class BoardWatch:
    """All watched boards of this worker. `topic` names the topic of a board."""

    def __init__(self, boards: BoardStore, ear: Ear, topic: Callable[[str], str]) -> None:
        self._boards = boards
        self._ear = ear
        self._topic = topic
        self._watched: dict[str, _Board] = {}
        self._of: dict[Connection, _Board] = {}

    def __len__(self) -> int:
        return len(self._watched)

    async def watch(self, connection: Connection, command: Watch) -> str:
        """Let a socket watch a board, or none any more. Raises Refused and Unavailable."""
        name = command.board
        if name is None:
            self.leave(connection)
            connection.send(answers.leaderboard(None, 0))
            return "answered"
        if not is_board(name):
            raise Refused(Code.NO_SUCH_BOARD)
        self.leave(connection)
        board = self._watched.get(name) or self._begin(name)
        board.viewers.add(connection)
        self._of[connection] = board
        try:
            await asyncio.shield(board.listening)
            total = await self._boards.total(name)
        except BaseException:
            self.leave(connection)
            raise
        connection.send(answers.leaderboard(name, total))
        if connection.gone:
            self.leave(connection)
        return "answered"

    def leave(self, connection: Connection) -> None:
        """Take a socket away from the board it watches, if it watches one."""
        board = self._of.pop(connection, None)
        if board is None:
            return
        board.viewers.discard(connection)
        if not board.viewers:
            del self._watched[board.name]
            self._ear.unlisten(self._topic(board.name), board.hear)
            board.stop()

    def resync(self) -> None:
        """Messages may have been lost: tell every socket how its board is now."""
        for board in self._watched.values():
            board.hear()

    def _begin(self, name: str) -> _Board:
        board = _Board(name, self._boards, self._ear, self._topic(name))
        self._watched[name] = board
        return board
