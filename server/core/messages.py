"""The numbers and shapes of docs/protocol.md; it neither packs nor decides."""

from enum import IntEnum, IntFlag, StrEnum
from typing import Final, NamedTuple

from engine.move import Move

PROTOCOL: Final = 1
LARGEST_FRAME: Final = 4096
"""Bytes of a client's frame that are read; a larger one is refused unread."""
LARGEST_VERSION: Final = 2**31 - 1
LARGEST_PING: Final = 2**53 - 1
CLIENT_LENGTH: Final = 40
SESSION_LENGTH: Final = 64
TEXT_LENGTH: Final = 100
REQUEST_BYTES: Final = range(8, 17)


class Kind(IntEnum):
    """First element of every frame; 20 to 39 are the rooms' commands."""

    UNREADABLE = 0
    HELLO = 1
    NEW = 2
    OPEN = 3
    MOVE = 4
    UNDO = 5
    FINISH = 6
    PAUSE = 7
    RESUME = 8
    RESIGN = 9
    TURN_UP = 10
    SNAPSHOT = 11
    LEAVE = 12
    PING = 13
    WATCH = 14

    WELCOME = 64
    STATE = 65
    EVENT = 66
    REFUSAL = 67
    PONG = 68
    CONFIRMED = 69
    LEFT = 70
    NOTICE = 71
    LEADERBOARD = 72


class Origin(IntEnum):
    """Where a session's cards come from."""

    RANDOM = 0
    TYPED = 1
    RANKED = 2
    DAILY = 3
    RACE = 4


class Flag(IntFlag):
    """Bits of a session's flags."""

    CAN_UNDO = 1
    FINISHABLE = 2
    BLOCKED = 4
    PAUSED = 8
    WON = 16
    GIVEN_UP = 32


class Close(IntEnum):
    """Close codes: below 4500 come back, from 4500 stop."""

    STOPPING = 4000
    TOO_SLOW = 4001
    NO_HELLO = 4002
    TOO_FAST = 4003
    UNAVAILABLE = 4004
    TOO_OLD = 4500
    MALFORMED = 4501
    NOT_SIGNED_IN = 4502
    WRONG_ORIGIN = 4503
    BANNED = 4504


class Notice(StrEnum):
    """Codes of a notice."""

    STOPPING = "stopping"
    NAME = "name"


class Hello(NamedTuple):
    """The first command of a socket."""

    protocol: int
    capabilities: tuple[str, ...]
    client: str


class New(NamedTuple):
    """Deal a game: `text` is a ruleset letter, or a game code for a typed one."""

    request: bytes
    origin: int
    text: str


class Open(NamedTuple):
    """Show a session; `version` is what the client holds, None for nothing."""

    session: str
    version: int | None


class Play(NamedTuple):
    """Any command that changes a session, made on `version`."""

    kind: int
    version: int
    action: Move


class Ask(NamedTuple):
    """A command without fields: snapshot or leave."""

    kind: int


class Ping(NamedTuple):
    """The client's clock, any unit."""

    clock: int


class Watch(NamedTuple):
    """Hear of a leaderboard from now on, or of none."""

    board: str | None


Command = Hello | New | Open | Play | Ask | Ping | Watch
Reference = int | bytes | None
"""What a refusal points at: the command's version, its request id, or nothing."""
