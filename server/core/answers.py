"""Answers to frames, packed once for all who see them; of a game only what its views show."""

from struct import Struct
from typing import Final, cast

import msgpack

from engine.cards import STOCK
from engine.diff import Counters, State
from engine.legal import LegalMoves
from engine.move import FINISH_CODE, SPECIAL
from engine.view import DiffView, MovedView, View
from server.core.messages import PROTOCOL, Flag, Kind, Notice, Reference
from server.core.refusals import Code, Refused, helps_again, sentence

_pack: Final = msgpack.Packer(autoreset=True).pack
_TURNED_UP: Final = 128
_TURNED_DOWN: Final = 160
_NOW_ON_WASTE: Final = 192
_EVENT: Final = int(Kind.EVENT)
_STATE_FLAGS: Final = {
    State.PLAYING: 0,
    State.PAUSED: int(Flag.PAUSED),
    State.BLOCKED: int(Flag.BLOCKED),
    State.WON: int(Flag.WON),
    State.GIVEN_UP: int(Flag.GIVEN_UP),
}
# Members of a Flag are slow to combine, and this is done for every move.
_CAN_UNDO: Final = int(Flag.CAN_UNDO)
_FINISHABLE: Final = int(Flag.FINISHABLE)
_BIG_ENDIAN: Final = tuple(Struct(f">{count}H") for count in range(256))
CAPABILITIES: Final[tuple[str, ...]] = ("rooms",)


def welcome(player: str, name: str | None, now_ms: int, client: str | None = None) -> bytes:
    """The answer to hello; `now_ms` is the server's Unix time, `client` the hash of its pages."""
    offers = CAPABILITIES if client is None else (*CAPABILITIES, f"client:{client}")
    return _pack((Kind.WELCOME, PROTOCOL, player, name, now_ms, offers))


def packed(message: tuple[object, ...]) -> bytes:
    """A message of a room (see roommessages.py) as its frame."""
    return _pack(message)


def refusal(kind: int, refused: Refused) -> bytes:
    """A no to a command of `kind`."""
    again = helps_again(refused.code)
    return _pack((Kind.REFUSAL, kind, refused.reference, refused.code.value, refused.reason, again))


def no(kind: int, code: Code, reference: Reference = None) -> bytes:
    """A no of the server, in the code's own words."""
    return _pack((Kind.REFUSAL, kind, reference, code.value, sentence(code), helps_again(code)))


def pong(clock: int, now_ms: int) -> bytes:
    """The answer to ping."""
    return _pack((Kind.PONG, clock, now_ms))


def confirmed(version: int) -> bytes:
    """The command was in the log already; `version` is the one it made."""
    return _pack((Kind.CONFIRMED, version))


def left() -> bytes:
    """The answer to leave."""
    return _pack((Kind.LEFT,))


def notice(code: Notice, text: str | None = None) -> bytes:
    """Something that no command asked for."""
    return _pack((Kind.NOTICE, code.value) if text is None else (Kind.NOTICE, code.value, text))


def leaderboard(name: str | None, total: int) -> bytes:
    """How many rows the leaderboard has that a socket watches."""
    return _pack((Kind.LEADERBOARD, name, total))


def event(
    after: Counters, changes: bytes, legal: LegalMoves, *, can_undo: bool, elapsed_ms: int | None
) -> bytes:
    """What one command changed in a session; `elapsed_ms` where it paused, resumed or ended it."""
    codes = legal.codes
    version, moves, score, _, state = after
    flags = flags_of(state, can_undo=can_undo, finishable=FINISH_CODE in codes)
    written = _BIG_ENDIAN[len(codes)].pack(*codes)
    if elapsed_ms is None:
        return _pack((_EVENT, version, flags, score, moves, changes, written))
    return _pack((_EVENT, version, flags, score, moves, changes, written, elapsed_ms))


def changes_of(diff: DiffView) -> bytes:
    """The command and what followed from it, as the contract writes them."""
    command = diff.command
    source, count, target = command
    out = bytearray(command)
    steps = iter(diff.steps)
    if source != SPECIAL:
        first = cast(MovedView, next(steps))  # the command is its own first change
        if source == STOCK and first.cards is not None:
            out += bytes((_NOW_ON_WASTE, *first.cards))
    for step in steps:
        if isinstance(step, MovedView):
            source, count, target, _ = step
            out += bytes((source, count, target))
        elif step.card is not None:
            out += bytes((_TURNED_UP + step.column, step.card))
        else:
            out.append(_TURNED_DOWN + step.column)
    return bytes(out)


def legal_codes(legal: LegalMoves) -> bytes:
    """The legal moves as two bytes each."""
    codes = legal.codes
    return _BIG_ENDIAN[len(codes)].pack(*codes)


def flags_of(state: State, *, can_undo: bool, finishable: bool) -> int:
    """The bits of a session's flags."""
    return _STATE_FLAGS[state] | (can_undo and _CAN_UNDO) | (finishable and _FINISHABLE)


def snapshot(
    session_id: str,
    origin: int,
    elapsed_ms: int,
    view: View,
    *,
    is_sealed: bool,
    counts: bool = False,
    day: str | None = None,
    first: bool = False,
) -> bytes:
    """A whole session as its player may see it; of a sealed code it tells the commitment.

    `counts`: whether it may enter the boards of its ruleset; `day`: whose deal it is; `first`:
    whether its sealed cards were new to its player, which makes a daily deal the try of the day.
    """
    return _pack(
        (
            Kind.STATE,
            session_id,
            view.version,
            flags_of(view.state, can_undo=view.can_undo, finishable=view.finishable),
            view.score,
            view.moves,
            view.ruleset,
            view.code,
            bytes.fromhex(view.commitment) if is_sealed and view.commitment else None,
            elapsed_ms,
            tuple(bytes((column.down, *column.up)) for column in view.columns),
            tuple(bytes(pile) for pile in view.foundations),
            view.stock,
            bytes(view.waste),
            legal_codes(view.legal),
            view.ranked_score,
            origin,
            counts,
            day,
            first,
        )
    )
