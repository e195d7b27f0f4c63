"""What the sockets need of rooms in the store: its values and its messages, no code of it."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from server.core.raceacts import Command
from server.core.room import Facts, Room, read_lane_name
from server.core.roomcode import RoomName


class Loaded(NamedTuple):
    """All of a room at one instant of the store's clock, Unix milliseconds."""

    room: Room
    facts: Facts
    now: int


class Heard(NamedTuple):
    """What a message on a room's topic says.

    `version`: the room has this version now, and `dismissed` are out. `lane` (race, seat) moved.
    With neither, somebody came or went.
    """

    version: int | None = None
    dismissed: tuple[str, ...] = ()
    lane: tuple[int, int] | None = None
    progress: str = ""
    finish: str = ""


def topic(room_id: str) -> str:
    """The topic on which the workers hear of a room."""
    return f"room:{room_id}"


def read_message(message: bytes) -> Heard:
    """Read a message of a room's topic. Raises ValueError for one that is none."""
    kind, *words = message.decode().split(" ")
    if kind == "r":
        return Heard(version=int(words[0]), dismissed=tuple(words[1:]))
    if kind == "l":
        return Heard(lane=read_lane_name(words[0]), progress=words[1], finish=words[2])
    if kind == "c":
        return Heard()
    raise ValueError(f"not a message of a room: {kind!r}")


class RoomStore(Protocol):
    """The rooms. All methods raise Unavailable; then the room tells what happened."""

    async def now(self) -> int:
        """Unix milliseconds by the clock of the store."""

    async def create(
        self, draw: Callable[[], Room], player: str, request_id: bytes | None = None
    ) -> Room:
        """Make a room, once for the same request of the same player."""

    async def find(self, name: RoomName) -> str | None:
        """The id of the room of a name; None when no room has this code now."""

    async def load(self, room_id: str) -> Loaded | None:
        """Read a room, None when there is none."""

    async def carry_out(self, room_id: str, player: str, command: Command) -> Loaded:
        """Do what a player asks for, once. Raises Refused."""

    async def look(self, room_id: str) -> Loaded:
        """Do whatever is due in a room. Raises Refused (`no_such_room`)."""

    async def evening(self, room_id: str) -> list[str]:
        """The finished races that a rematch followed, as JSON texts, oldest first."""

    async def hold(self, room_id: str, players: Iterable[str]) -> None:
        """Note that these players are connected for LEASE_MS."""

    async def let_go(self, room_id: str, player: str) -> None:
        """Note that a player has no socket here any more."""

    async def sweep(self) -> float | None:
        """Look at the rooms that are due; the milliseconds until the next one is, if any."""


class Topics(Protocol):
    """Where workers hear of rooms."""

    async def listen(self, topic: str, handler: Callable[[bytes], None]) -> None:
        """Call `handler` with each payload from now on. Raises Unavailable."""

    def unlisten(self, topic: str, handler: Callable[[bytes], None]) -> None:
        """End a `listen`."""
