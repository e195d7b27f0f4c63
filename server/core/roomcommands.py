"""The commands of rooms as they come in, kinds 20 to 32: how each is read; it carries out none."""

from collections.abc import Callable
from typing import Final, NamedTuple

from server.core import messages as m
from server.core import raceacts as acts
from server.core.fields import Fields, Odd, flag, request_id, text, whole
from server.core.room import MOST_SEATS
from server.core.roommessages import RoomKind

_MOST_MINUTES: Final = 2**16 - 1


class Make(NamedTuple):
    """A new room, whose maker is its host."""

    request: bytes
    name: str
    wish: acts.Wish


class Join(NamedTuple):
    """Show a room, named by its id or code, with a seat in it or watching."""

    request: bytes
    room: str
    name: str | None
    seat: bool


class Act(NamedTuple):
    """Something done in the room that the socket shows, and answered by `done`."""

    kind: int
    command: acts.Ready | acts.Start | acts.Remove | acts.Lock


class Change(NamedTuple):
    """Other settings of the room that the socket shows."""

    wish: acts.Wish


class Rematch(NamedTuple):
    """The lobby of the race after `race`, with the same cards or new ones."""

    race: int
    same: bool


class AskRoom(NamedTuple):
    """A command without fields: leave, room or evening."""

    kind: int


class AskBoard(NamedTuple):
    """How a lane's game ended."""

    race: int
    seat: int


class AskGhosts(NamedTuple):
    """Race the ghosts of a finished race, or hear where that ended."""

    race: int


RoomCommand = Make | Join | Act | Change | Rematch | AskRoom | AskBoard | AskGhosts


def _wish(value: object) -> acts.Wish:
    if type(value) is not tuple:
        raise Odd("the settings are an array")
    code = value[1]
    return acts.Wish(
        text(value[0], m.TEXT_LENGTH, "the ruleset"),
        None if code is None else text(code, m.TEXT_LENGTH, "the game code"),
        whole(value[2], 0, _MOST_MINUTES, "the limit"),
    )


def _make(fields: Fields) -> RoomCommand:
    return Make(
        request_id(fields[1]), text(fields[2], m.TEXT_LENGTH, "the nickname"), _wish(fields[3])
    )


def _join(fields: Fields) -> RoomCommand:
    name = fields[3]
    return Join(
        request_id(fields[1]),
        text(fields[2], m.TEXT_LENGTH, "the room"),
        None if name is None else text(name, m.TEXT_LENGTH, "the nickname"),
        flag(fields[4], "the wish for a seat"),
    )


def _ready(fields: Fields) -> RoomCommand:
    return Act(RoomKind.READY, acts.Ready(flag(fields[1], "the ready mark")))


def _start(fields: Fields) -> RoomCommand:
    return Act(RoomKind.START, acts.Start(flag(fields[1], "whether to force it")))


def _remove(fields: Fields) -> RoomCommand:
    return Act(RoomKind.REMOVE, acts.Remove(_seat(fields[1])))


def _lock(fields: Fields) -> RoomCommand:
    return Act(RoomKind.LOCK, acts.Lock(flag(fields[1], "the lock")))


def _change(fields: Fields) -> RoomCommand:
    return Change(_wish(fields[1]))


def _rematch(fields: Fields) -> RoomCommand:
    return Rematch(_race(fields[1]), flag(fields[2], "the wish for the same cards"))


def _board(fields: Fields) -> RoomCommand:
    return AskBoard(_race(fields[1]), _seat(fields[2]))


def _ghosts(fields: Fields) -> RoomCommand:
    return AskGhosts(_race(fields[1]))


def _ask(kind: int) -> Callable[[Fields], RoomCommand]:
    command = AskRoom(kind)

    def read(fields: Fields) -> RoomCommand:  # noqa: ARG001 - further fields are ignored
        return command

    return read


def _race(value: object) -> int:
    return whole(value, 1, m.LARGEST_VERSION, "the race")


def _seat(value: object) -> int:
    return whole(value, 0, MOST_SEATS - 1, "the seat")


READERS: Final[dict[int, Callable[[Fields], RoomCommand]]] = {
    RoomKind.MAKE: _make,
    RoomKind.JOIN: _join,
    RoomKind.READY: _ready,
    RoomKind.START: _start,
    RoomKind.CHANGE: _change,
    RoomKind.REMOVE: _remove,
    RoomKind.LOCK: _lock,
    RoomKind.LEAVE: _ask(RoomKind.LEAVE),
    RoomKind.REMATCH: _rematch,
    RoomKind.ASK_ROOM: _ask(RoomKind.ASK_ROOM),
    RoomKind.ASK_BOARD: _board,
    RoomKind.ASK_EVENING: _ask(RoomKind.ASK_EVENING),
    RoomKind.ASK_GHOSTS: _ghosts,
}
