"""Makes the golden messages: `python -m tests.contract.golden`. From two games and an evening.

It is the only thing that writes the files beside it; the tests hold the program to them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgpack

from engine.errors import Reason
from engine.game import Game
from engine.move import DRAW, PAUSE, RESIGN, RESUME, UNDO, Move, turn_up
from server.core import answers
from server.core.heads import head_of
from server.core.messages import Kind, Notice, Play
from server.core.ports import StoredSession
from server.core.refusals import Code, Refused
from server.core.session import Accepted, Session
from tests.contract import evening

HERE = Path(__file__).parent
CLASSIC = "YU1-C-AAAAAAB"
OPEN = "YU1-O-AAAAAAB"
PATIENCE = "YU1-P-AAAAAAB"
SEALED = "YU1-T-" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NOW = 1_800_000_000_000
REQUEST = bytes(range(16))

COMMANDS: dict[str, tuple[Any, ...]] = {
    "hello": (1, 1, (), "web"),
    "hello of a later client": (1, 2, ("ghosts",), "later 2.0", "a field of the future"),
    "new random deal": (2, REQUEST, 0, "C"),
    "new typed code": (2, REQUEST[:8], 1, "yu1 c aaaaaab"),
    "new ranked game": (2, REQUEST, 2, "T"),
    "new daily deal": (2, REQUEST, 3, "C"),
    "open": (3, "AbCdEfGhIjKlMn-_", None),
    "open again": (3, "AbCdEfGhIjKlMn-_", 117),
    "move": (4, 17, 2, 3, 5),
    "move to a foundation": (4, 300, 6, 1, 19),
    "draw": (4, 0, 24, 1, 25),
    "undo": (5, 18),
    "finish": (6, 90),
    "pause": (7, 70000),
    "resume": (8, 70001),
    "resign": (9, 3),
    "turn up": (10, 5, 6),
    "snapshot": (11,),
    "leave": (12,),
    "ping": (13, 123456789012),
    "watch a leaderboard": (14, "C:day:2026-11-30"),
    "watch no leaderboard": (14, None),
    **evening.COMMANDS,
}

MALFORMED: dict[str, tuple[str, str]] = {
    "nothing": ("", "malformed"),
    "a byte that MessagePack never uses": ("c1", "malformed"),
    "an array cut short": ("9304", "malformed"),
    "two messages in a frame": ("910b910b", "malformed"),
    "a map": ("80", "malformed"),
    "an empty array": ("90", "malformed"),
    "a kind that is a text": ("91a178", "malformed"),
    "a kind that is true": ("91c3", "malformed"),
    "an unknown kind": ("9113", "unknown_kind"),
    "arrays in arrays": ("91" * 100, "malformed"),
    "a text that is not UTF-8": ("9301a1ff90", "malformed"),
    "a move without a target": ("9404000101", "malformed"),
    "a move on a negative version": ("9504ff010102", "malformed"),
    "a move of a huge version": ("9504cf8000000000000000010102", "malformed"),
    "a move whose version is a float": ("9504ca00000000010102", "malformed"),
    "a move that is another command": ("950400ccff0500", "malformed"),
    "a request id that is too short": ("940202c403010203" + "a143", "malformed"),
    **evening.MALFORMED,
}


def session(code: str, origin: int = 1) -> Session:
    """A session nothing was played in."""
    game = Game(code)
    return Session(
        StoredSession(
            session_id="AbCdEfGhIjKlMn-_",
            code=code,
            player="0123456789abcdef0123",
            origin=origin,
            room="",
            race="",
            dealt_at_ms=NOW,
            now_ms=NOW,
            head=head_of(code, b""),
            state="playing",
            score=game.score,
            ranked=game.ranked_score,
            moves=0,
            log=b"",
        )
    )


def played(here: Session, action: Move, ms: int) -> bytes:
    """Decide and settle a command as a worker does."""
    decision = here.decide(Play(Kind.MOVE, here.version, action), NOW + ms)
    assert isinstance(decision, Accepted), decision
    return here.settle(decision, ms)


def messages() -> Iterator[tuple[str, bytes]]:
    """Every message of the server."""
    yield "welcome", answers.welcome("0123456789abcdef0123", None, NOW)
    yield "welcome with a name", answers.welcome("0123456789abcdef0123", "Zoé", NOW)
    yield (
        "welcome of a server with a client",
        answers.welcome("0123456789abcdef0123", None, NOW, "5f2a90c41be7d386"),
    )
    classic = session(CLASSIC)
    yield "snapshot after the deal", classic.snapshot(NOW + 1500)
    turning = first_that_turns(classic.game)
    yield "event of a move that turns a card up", played(classic, turning, 2000)
    yield "event of its undo", played(classic, UNDO, 3000)
    yield "event of a pause", played(classic, PAUSE, 4000)
    yield "snapshot while paused", classic.snapshot(NOW + 9000)
    yield "event of a resume", played(classic, RESUME, 10_000)
    yield "event of giving up", played(classic, RESIGN, 12_000)
    yield "snapshot after giving up", classic.snapshot(NOW + 99_000)
    patience = session(PATIENCE)
    yield "event of a draw", played(patience, DRAW, 1000)
    yield "event of another draw", played(patience, DRAW, 1500)
    yield "event of its undo, a card back on the stock", played(patience, UNDO, 2000)
    yield "snapshot with stock and waste", patience.snapshot(NOW + 2500)
    by_click = session(OPEN)
    column = uncover(by_click)
    yield "event of turning up by click", played(by_click, turn_up(column), 5000)
    yield "snapshot of a ranked game", session(SEALED, origin=2).snapshot(NOW)
    yield "snapshot of a daily deal", session(SEALED, origin=3).snapshot(NOW)
    yield "snapshot of Double Yukon", session("YU1-D-AAAAAAB", origin=0).snapshot(NOW)
    no_by_rule = Refused(Reason.WRONG_COLOUR, reference=17)
    yield "refusal of a rule", answers.refusal(Kind.MOVE, no_by_rule)
    yield "refusal that is stale", answers.no(Kind.UNDO, Code.STALE, 18)
    yield "refusal of a new game", answers.no(Kind.NEW, Code.TOO_FAST, REQUEST)
    yield "refusal of an unreadable frame", answers.no(Kind.UNREADABLE, Code.MALFORMED)
    yield "refusal that may be tried again", answers.no(Kind.MOVE, Code.UNAVAILABLE, 17)
    yield "pong", answers.pong(123456789012, NOW)
    yield "confirmed", answers.confirmed(18)
    yield "left", answers.left()
    yield "leaderboard", answers.leaderboard("C:day:2026-11-30", 1234)
    yield "no leaderboard", answers.leaderboard(None, 0)
    yield "notice that the server stops", answers.notice(Notice.STOPPING)
    yield "notice of a new name", answers.notice(Notice.NAME, "Zoé")
    yield from evening.messages()


def first_that_turns(game: Game) -> Move:
    """The first legal move that uncovers a face-down card."""
    position = game.position
    return next(
        move
        for move in game.legal_moves
        if move.source < 16
        and 0 < position.down[move.source] == len(position.columns[move.source]) - move.count
    )


def uncover(here: Session) -> int:
    """Play until a column ends with a face-down card, and give its number."""
    move = first_that_turns(here.game)
    played(here, move, 1000)
    return move.source


def as_json(value: Any) -> Any:
    """A decoded message as the files have it."""
    if isinstance(value, bytes):
        return {"bin": value.hex()}
    if isinstance(value, (list, tuple)):
        return [as_json(one) for one in value]
    return value


def from_json(value: Any) -> Any:
    """The other way."""
    if isinstance(value, dict):
        return bytes.fromhex(value["bin"])
    if isinstance(value, list):
        return [from_json(one) for one in value]
    return value


def files() -> dict[str, list[dict[str, Any]]]:
    """What the files have to hold."""
    commands = {name: msgpack.packb(message) for name, message in COMMANDS.items()}
    return {
        "commands.json": [row(name, frame) for name, frame in commands.items()],
        "messages.json": [row(name, frame) for name, frame in messages()],
        "malformed.json": [
            {"name": name, "hex": text, "code": code} for name, (text, code) in MALFORMED.items()
        ],
    }


def row(name: str, frame: bytes) -> dict[str, Any]:
    return {"name": name, "hex": frame.hex(), "message": as_json(msgpack.unpackb(frame))}


def main() -> None:
    """Write the files."""
    for name, rows in files().items():
        lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in rows)
        (HERE / name).write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
