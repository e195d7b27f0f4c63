"""What can be asked of a room, what happens to it, and what follows for Redis: all plain data."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from server.core.room import Lane, Room
from server.core.standings import Outcome


class What(StrEnum):
    """The rows of the table: commands of players first, then what the server sees happen."""

    JOIN = "join"
    WATCH = "watch"
    READY = "ready"
    START = "start"
    CHANGE = "change"
    REMOVE = "remove"
    LOCK = "lock"
    LEAVE = "leave"
    RENAME = "rename"
    REMATCH = "rematch"

    GO = "go"
    ALL_ENDED = "all_ended"
    TIME_LIMIT = "time_limit"
    EMPTY = "empty"
    HOST_AWAY = "host_away"


HAPPENINGS = (What.GO, What.ALL_ENDED, What.TIME_LIMIT, What.EMPTY, What.HOST_AWAY)
"""In the order they are looked for: a finish counts before the limit of the same instant."""


class Role(StrEnum):
    """Who asks. A guest has no seat, whether watching or not; removed: by the host, for good."""

    HOST = "host"
    SEATED = "seated"
    GUEST = "guest"
    REMOVED = "removed"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Wish:
    """Settings as a host asks for them. `code` in any writing, which then decides the ruleset."""

    letter: str
    code: str | None
    limit: int


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat, or come back to one's own; `name` is shown to the others."""

    what: ClassVar[What] = What.JOIN
    name: str


@dataclass(frozen=True, slots=True)
class Watch:
    """See what rivals see, without a seat."""

    what: ClassVar[What] = What.WATCH


@dataclass(frozen=True, slots=True)
class Ready:
    """Set or take back the ready mark."""

    what: ClassVar[What] = What.READY
    ready: bool


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the countdown; `force`: also when some are not ready."""

    what: ClassVar[What] = What.START
    force: bool


@dataclass(frozen=True, slots=True)
class Change:
    """Other settings. `entropy`: random bytes for a sealed deal, in case one is drawn."""

    what: ClassVar[What] = What.CHANGE
    wish: Wish
    entropy: bytes


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a seat from its player, who may not come back."""

    what: ClassVar[What] = What.REMOVE
    seat: int


@dataclass(frozen=True, slots=True)
class Lock:
    """Keep newcomers out, or let them in again."""

    what: ClassVar[What] = What.LOCK
    locked: bool


@dataclass(frozen=True, slots=True)
class Leave:
    """Give the seat up; in a race the place reached is kept."""

    what: ClassVar[What] = What.LEAVE


@dataclass(frozen=True, slots=True)
class Rename:
    """The player is called otherwise by now: so is their seat, if they have one."""

    what: ClassVar[What] = What.RENAME
    name: str


@dataclass(frozen=True, slots=True)
class Rematch:
    """To the lobby of the race after `race`, with the same cards or with new sealed ones."""

    what: ClassVar[What] = What.REMATCH
    race: int
    same: bool
    entropy: bytes


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that the server sees: one of HAPPENINGS."""

    what: What


Command = Join | Watch | Ready | Start | Change | Remove | Lock | Leave | Rename | Rematch


@dataclass(frozen=True, slots=True)
class DealLanes:
    """Make a session for every lane, dealt at `at`, and open the gate for their moves."""

    race: int
    code: str
    sealed: bool
    lanes: tuple[Lane, ...]
    at: int
    ends: int | None


@dataclass(frozen=True, slots=True)
class SettleLane:
    """Write the finish of a lane, unless it has one."""

    race: int
    lane: Lane
    outcome: Outcome
    ms: int


@dataclass(frozen=True, slots=True)
class CloseGate:
    """No move counts any more; `open_lanes` had not ended, so their sessions end here."""

    race: int
    open_lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Archive:
    """Keep a race of the evening (its result as JSON) and forget what its lanes had reached."""

    race: int
    seats: tuple[int, ...]
    record: str


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Tell every socket of a player that the room is closed to them."""

    player: str


Effect = DealLanes | SettleLane | CloseGate | Archive | Dismiss


@dataclass(frozen=True, slots=True)
class Decision:
    """The room after a command or happening, and what must be committed together with it."""

    room: Room
    effects: tuple[Effect, ...] = ()
