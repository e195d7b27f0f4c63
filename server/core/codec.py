"""Frames to commands, with strict limits; it decides nothing about a game and knows no session."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import msgpack

from engine.move import FINISH, PAUSE, RESIGN, RESUME, UNDO, Move, turn_up
from server.core import messages as m
from server.core import roomcommands
from server.core.fields import Fields, Odd, request_id, text, whole
from server.core.refusals import Code, Unreadable
from server.core.roomcommands import RoomCommand

_unpack: Final = partial(
    msgpack.unpackb,
    use_list=False,
    max_str_len=1024,
    max_bin_len=256,
    max_array_len=32,
    max_map_len=32,
    max_ext_len=0,
)
_SPECIAL: Final = 255
_BYTE: Final = range(256)

Command = m.Command | RoomCommand
Reader = Callable[[Fields], Command]


def decode(frame: bytes) -> Command:
    """The command in a frame. Raises Unreadable, whatever the bytes are."""
    if len(frame) > m.LARGEST_FRAME:
        raise Unreadable(m.Kind.UNREADABLE, Code.TOO_LARGE)
    try:
        fields = _unpack(frame)
    except ValueError:  # all of msgpack's errors, too deep and not UTF-8 among them
        raise Unreadable(m.Kind.UNREADABLE, Code.MALFORMED) from None
    if type(fields) is not tuple or not fields or type(fields[0]) is not int:
        raise Unreadable(m.Kind.UNREADABLE, Code.MALFORMED, "A message is an array with its kind.")
    kind = fields[0]
    reader = READERS.get(kind)
    if reader is None:
        known = kind if 0 <= kind < 256 else m.Kind.UNREADABLE
        raise Unreadable(known, Code.UNKNOWN_KIND)
    try:
        return reader(fields)
    except (IndexError, ValueError):  # fields that are not there
        raise Unreadable(kind, Code.MALFORMED, "This message is too short.") from None
    except Odd as odd:
        raise Unreadable(kind, Code.MALFORMED, f"This message is wrong: {odd}.") from None


def _hello(fields: Fields) -> m.Command:
    capabilities = fields[2]
    if type(capabilities) is not tuple:
        raise Odd("the capabilities are an array")
    return m.Hello(
        whole(fields[1], 0, 65535, "the protocol"),
        tuple(text(one, m.CLIENT_LENGTH, "a capability") for one in capabilities),
        text(fields[3], m.CLIENT_LENGTH, "the client"),
    )


def _new(fields: Fields) -> m.Command:
    return m.New(
        request_id(fields[1]),
        whole(fields[2], 0, 255, "the origin"),
        text(fields[3], m.TEXT_LENGTH, "the ruleset or code"),
    )


def _open(fields: Fields) -> m.Command:
    held = fields[2]
    return m.Open(
        text(fields[1], m.SESSION_LENGTH, "the session"),
        None if held is None else whole(held, 0, m.LARGEST_VERSION, "the version"),
    )


def _move(fields: Fields) -> m.Command:
    _, version, source, count, target = fields[:5]
    if not (
        type(version) is int
        and 0 <= version <= m.LARGEST_VERSION
        and type(source) is int
        and type(count) is int
        and type(target) is int
        and source in _BYTE
        and count in _BYTE
        and target in _BYTE
    ):
        raise Odd("a move is a version, a pile, a count and a pile")
    if source == _SPECIAL:
        raise Odd("this command has a kind of its own")
    return m.Play(m.Kind.MOVE, version, Move(source, count, target))


def _special(kind: int, action: Move) -> Reader:
    def read(fields: Fields) -> m.Command:
        return m.Play(kind, whole(fields[1], 0, m.LARGEST_VERSION, "the version"), action)

    return read


def _turn_up(fields: Fields) -> m.Command:
    version = whole(fields[1], 0, m.LARGEST_VERSION, "the version")
    return m.Play(m.Kind.TURN_UP, version, turn_up(whole(fields[2], 0, 15, "the column")))


def _ask(kind: int) -> Reader:
    command = m.Ask(kind)

    def read(fields: Sequence[object]) -> m.Command:  # noqa: ARG001 - further fields are ignored
        return command

    return read


def _ping(fields: Fields) -> m.Command:
    return m.Ping(whole(fields[1], -m.LARGEST_PING, m.LARGEST_PING, "the clock"))


def _watch(fields: Fields) -> m.Command:
    board = fields[1]
    return m.Watch(None if board is None else text(board, m.TEXT_LENGTH, "the board"))


READERS: Final[dict[int, Reader]] = {
    m.Kind.HELLO: _hello,
    m.Kind.NEW: _new,
    m.Kind.OPEN: _open,
    m.Kind.MOVE: _move,
    m.Kind.UNDO: _special(m.Kind.UNDO, UNDO),
    m.Kind.FINISH: _special(m.Kind.FINISH, FINISH),
    m.Kind.PAUSE: _special(m.Kind.PAUSE, PAUSE),
    m.Kind.RESUME: _special(m.Kind.RESUME, RESUME),
    m.Kind.RESIGN: _special(m.Kind.RESIGN, RESIGN),
    m.Kind.TURN_UP: _turn_up,
    m.Kind.SNAPSHOT: _ask(m.Kind.SNAPSHOT),
    m.Kind.LEAVE: _ask(m.Kind.LEAVE),
    m.Kind.PING: _ping,
    m.Kind.WATCH: _watch,
    **roomcommands.READERS,
}
"""How each kind is read."""
