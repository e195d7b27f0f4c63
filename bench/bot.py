"""A bot for Yukon in one module: signs in, opens a session, plays, and checks every event.

Start from here to write a bot or another client: it speaks only what docs/protocol.md says. It
must not reach into the server's own modules: it stays an outside witness of the wire contract.
"""

import argparse
import asyncio
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import msgpack

from engine.diff import Diff
from engine.diff import State as GameState
from engine.game import Game
from engine.move import FINISH, PAUSE, RESIGN, RESUME, UNDO, Move, from_code, to_code
from engine.view import MovedView, view_diff

PROTOCOL = 1

HELLO, NEW, OPEN, MOVE, UNDO_KIND, FINISH_KIND = 1, 2, 3, 4, 5, 6
PAUSE_KIND, RESUME_KIND, RESIGN_KIND, TURN_UP_KIND, SNAPSHOT_KIND, LEAVE, PING = range(7, 14)
WELCOME, SNAPSHOT, EVENT, REFUSAL, PONG, CONFIRMED, LEFT, NOTICE = range(64, 72)

RANDOM_DEAL, TYPED_CODE, RANKED, DAILY = range(4)

CAN_UNDO, FINISHABLE, BLOCKED, PAUSED, WON, GIVEN_UP = 1, 2, 4, 8, 16, 32
ENDED = WON | GIVEN_UP

TURNED_UP, TURNED_DOWN, WASTE_CARD = 128, 160, 192

_SPECIAL_KINDS = {
    UNDO: UNDO_KIND,
    FINISH: FINISH_KIND,
    PAUSE: PAUSE_KIND,
    RESUME: RESUME_KIND,
    RESIGN: RESIGN_KIND,
}


class Refused(Exception):
    """The server refused: `code` is stable, `again` tells whether trying again can help."""

    def __init__(self, code: str, reason: str, again: bool) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code
        self.again = again


class Mismatch(Exception):
    """The server said something else than the bot's own engine did."""


def command_frame(move: Move, version: int) -> bytes:
    """Return the frame that asks for `move` on the position with that version."""
    special = _SPECIAL_KINDS.get(move)
    if special is not None:
        return msgpack.packb([special, version])
    if move.source == 255:
        return msgpack.packb([TURN_UP_KIND, version, move.target])
    return msgpack.packb([MOVE, version, *move])


def flags_of(game: Game) -> int:
    """Return the flags byte of docs/protocol.md for the game as it stands."""
    state = game.state
    return (
        CAN_UNDO * game.can_undo
        + FINISHABLE * game.is_finishable
        + BLOCKED * game.is_blocked
        + PAUSED * (state is GameState.PAUSED)
        + WON * (state is GameState.WON)
        + GIVEN_UP * (state is GameState.GIVEN_UP)
    )


def changes_of(diff: Diff) -> bytes:
    """Return the changes bytes of an event: the command, then what followed it, in order."""
    changes = bytearray(diff.command)
    for number, step in enumerate(view_diff(diff).steps):
        if isinstance(step, MovedView):
            if number > 0 or diff.command.source == 255:
                changes += bytes((step.source, step.count, step.target))
            if step.target == 25 and step.source == 24 and step.cards is not None:
                changes += bytes((WASTE_CARD, step.cards[0]))
        elif step.card is not None:
            changes += bytes((TURNED_UP + step.column, step.card))
        else:
            changes.append(TURNED_DOWN + step.column)
    return bytes(changes)


def legal_of(game: Game) -> bytes:
    """Return the legal moves of the game as the two-byte codes of an event."""
    return b"".join(to_code(move).to_bytes(2, "big") for move in game.legal_moves)


def expected_event(game: Game, diff: Diff) -> list[Any]:
    """Return the event, without its clock, that a server must send after `diff` was played."""
    return [
        EVENT,
        game.version,
        flags_of(game),
        game.score,
        game.moves,
        changes_of(diff),
        legal_of(game),
    ]


def legal_moves(codes: bytes) -> list[Move]:
    """Decode the legal moves of an event or a snapshot."""
    return [from_code(int.from_bytes(codes[at : at + 2], "big")) for at in range(0, len(codes), 2)]


Policy = Callable[[Sequence[Move], random.Random], Move]


def choose_random(legal: Sequence[Move], chance: random.Random) -> Move:
    """The weakest policy: any legal move."""
    return legal[chance.randrange(len(legal))]


def choose_homeward(legal: Sequence[Move], chance: random.Random) -> Move:
    """A stronger policy: finish, else a card home, else within the columns, else anything."""
    if FINISH in legal:
        return FINISH
    home = [move for move in legal if 16 <= move.target < 24]
    if home:
        return home[0]
    inside = [move for move in legal if move.source < 16] or legal
    return inside[chance.randrange(len(inside))]


@dataclass
class Bot:
    """One player on one socket; with a typed code it checks every event against its own engine."""

    address: str
    http: aiohttp.ClientSession
    patience: float = 30.0
    """Seconds to wait for an answer before TimeoutError."""
    seed: int = 0
    version: int = 0
    flags: int = 0
    reconnects: int = 0
    confirmed: int = 0
    session: str = ""
    legal: list[Move] = field(default_factory=list)
    game: Game | None = None
    token: str = ""
    socket: aiohttp.ClientWebSocketResponse | None = None
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    async def sign_in(self) -> None:
        """Become a player: ask for a bearer token."""
        async with self.http.post(f"{self.address}/api/player", json={"token": True}) as answer:
            answer.raise_for_status()
            self.token = (await answer.json())["token"]

    async def connect(self) -> None:
        """Open the socket and greet the server."""
        self.socket = await self.http.ws_connect(
            f"{self.address}/ws",
            headers={"Authorization": f"Bearer {self.token}"},
            max_msg_size=1 << 20,
        )
        await self.ask(msgpack.packb([HELLO, PROTOCOL, [], "yukon bot"]), WELCOME)

    async def new_game(
        self, text: str, origin: int = TYPED_CODE, request: bytes | None = None
    ) -> None:
        """Open a new session: a game code, or a ruleset letter with another origin.

        The same request again, after a reconnect, opens the session that it made.
        """
        frame = msgpack.packb([NEW, request or os.urandom(12), origin, text])
        message = await self.ask(frame, SNAPSHOT)
        while message[1] == self.session and message[3] & ENDED:
            message = await self.hear(SNAPSHOT)  # that one told the code of the game before
        self._take_snapshot(message)
        self.game = Game(text) if origin == TYPED_CODE else None

    async def open_session(self, session: str) -> None:
        """Go on with a session that exists."""
        self._take_snapshot(await self.ask(msgpack.packb([OPEN, session, None]), SNAPSHOT))

    async def play(self, move: Move) -> None:
        """Play one move or other command and check what the server made of it.

        Raises Refused when the server refuses it, Mismatch when its event is not the engine's.
        """
        self._take_event(move, await self.ask(command_frame(move, self.version), EVENT))

    async def play_surely(self, move: Move, seconds: float = 60.0) -> None:
        """Play a command exactly once, whatever happens to the server meanwhile.

        The pending command is sent again with its version, after a reconnect and `open` where the
        socket was lost: the server confirms it when it was in the log already. Raises TimeoutError
        when that does not work in so many seconds, and what `play` raises.
        """
        version, is_lost = self.version, False
        async with asyncio.timeout(seconds):
            while True:
                try:
                    if is_lost:
                        await self._reconnect(version)
                        is_lost = False
                    answer = await self.ask(command_frame(move, version), EVENT, CONFIRMED)
                    if answer[0] == EVENT:
                        self._take_event(move, answer)
                    else:
                        await self._take_confirmed(move, answer)
                except Refused as refused:
                    if not refused.again:
                        raise
                except (OSError, aiohttp.ClientError):
                    is_lost = True
                else:
                    return
                await asyncio.sleep(self.chance.uniform(0, 0.2))

    async def play_on(self, policy: Policy, most: int, pause: float = 0.0) -> bool:
        """Play at most so many moves, `pause` seconds before each; True when the game is won."""
        for _ in range(most):
            if self.flags & ENDED or not self.legal:
                break
            await asyncio.sleep(pause)
            await self.play(policy(self.legal, self.chance))
        return bool(self.flags & WON)

    async def ask(self, frame: bytes, *wanted: int) -> list[Any]:
        """Send a frame and wait for a message of a wanted kind; a refusal is raised.

        Raises ConnectionError when the socket closes first, TimeoutError when nothing comes.
        """
        assert self.socket is not None, "connect first"
        await self.socket.send_bytes(frame)
        return await self.hear(*wanted)

    async def hear(self, *wanted: int) -> list[Any]:
        """Wait for a message of a wanted kind; as `ask`."""
        async with asyncio.timeout(self.patience):
            while True:
                message = await self._receive()
                if message[0] == REFUSAL:
                    raise Refused(message[3], message[4], message[5])
                if message[0] in wanted:
                    return message

    async def _receive(self) -> list[Any]:
        assert self.socket is not None, "connect first"
        frame = await self.socket.receive()
        if frame.type is not aiohttp.WSMsgType.BINARY:
            raise ConnectionError(f"closed with {self.socket.close_code}")
        message: list[Any] = msgpack.unpackb(frame.data)
        return message

    async def close(self) -> None:
        """Close the socket."""
        if self.socket is not None:
            await self.socket.close()

    async def _reconnect(self, version: int) -> None:
        """Come back to the session, which holds the pending command or does not."""
        self.reconnects += 1
        await self.close()
        await self.connect()
        await self.open_session(self.session)
        if self.version not in (version, version + 1):
            raise Mismatch(f"{self.session}: was at {version}, came back to {self.version}")

    async def _take_confirmed(self, move: Move, confirmed: list[Any]) -> None:
        """The command is in the log, its event is lost: the snapshot tells what it did."""
        while True:
            snapshot = await self.ask(msgpack.packb([SNAPSHOT_KIND]), SNAPSHOT)
            if snapshot[2] >= confirmed[1]:
                break
        self._take_snapshot(snapshot)
        self.confirmed += 1
        if self.game is not None:
            self.game.play(move, self.game.last_ms)
            seen = (self.game.version, flags_of(self.game), legal_of(self.game))
            if seen != (snapshot[2], snapshot[3], snapshot[14]):
                raise Mismatch(f"{self.session}: got {snapshot}, wanted {seen}")

    def _take_event(self, move: Move, event: list[Any]) -> None:
        if self.game is not None:
            diff = self.game.play(move, self.game.last_ms)
            wanted = expected_event(self.game, diff)
            if event[:7] != wanted:
                raise Mismatch(f"{self.session}: got {event}, wanted {wanted}")
        self.version, self.flags = event[1], event[2]
        self.legal = legal_moves(event[6])

    def _take_snapshot(self, message: list[Any]) -> None:
        self.session, self.version, self.flags = message[1:4]
        self.legal = legal_moves(message[14])


async def main(address: str, code: str, pause: float) -> None:
    """Play one game of a code with the homeward policy and say how it went."""
    async with aiohttp.ClientSession() as http:
        bot = Bot(address, http)
        await bot.sign_in()
        await bot.connect()
        await bot.new_game(code)
        won = await bot.play_on(choose_homeward, 500, pause)
        print(f"{code}: {'won' if won else 'not won'} after {bot.version} commands")
        await bot.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m bench.bot", description=__doc__.splitlines()[0]
    )
    parser.add_argument("address", help="the server's, as http://127.0.0.1:8080")
    parser.add_argument("code", nargs="?", default="YU1-C-AAAAAAB")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds a move")
    given = parser.parse_args()
    asyncio.run(main(given.address, given.code, given.pause))
