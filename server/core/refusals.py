"""Every way the server says no: stable codes, sentences, whether to try again; it sends none."""

from enum import StrEnum
from typing import Final

from engine.errors import Reason
from server.core.messages import Reference


class Code(StrEnum):
    """The server's own codes; a rule's code is the engine's Reason."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    UNKNOWN_KIND = "unknown_kind"
    HELLO_FIRST = "hello_first"
    TOO_OLD = "too_old"
    BAD_CODE = "bad_code"
    NO_SUCH_SESSION = "no_such_session"
    NO_SESSION = "no_session"
    STALE = "stale"
    UNAVAILABLE = "unavailable"
    TOO_FAST = "too_fast"
    TOO_LONG = "too_long"
    BANNED = "banned"
    NOT_IN_RACE = "not_in_race"

    NO_SUCH_ROOM = "no_such_room"
    NO_ROOM = "no_room"
    ROOM_FULL = "room_full"
    ROOM_LOCKED = "room_locked"
    TOO_MANY = "too_many"
    REMOVED = "removed"
    NOT_SEATED = "not_seated"
    NOT_HOST = "not_host"
    NOT_ALL_READY = "not_all_ready"
    NOT_YOURSELF = "not_yourself"
    NO_SUCH_SEAT = "no_such_seat"
    BAD_NAME = "bad_name"
    BAD_SETTINGS = "bad_settings"
    BAD_CURSOR = "bad_cursor"
    NO_SUCH_BOARD = "no_such_board"
    NOT_DUE = "not_due"
    RACE_STARTED = "race_started"
    RACE_FINISHED = "race_finished"
    RACE_NOT_FINISHED = "race_not_finished"
    RACE_OVER = "race_over"
    NO_GHOSTS = "no_ghosts"
    ALREADY_RACED = "already_raced"


SENTENCES: Final[dict[Code, str]] = {
    Code.MALFORMED: "This message could not be read.",
    Code.TOO_LARGE: "This message is too large.",
    Code.UNKNOWN_KIND: "The server does not know this command.",
    Code.HELLO_FIRST: "The first message of a connection is a hello.",
    Code.TOO_OLD: "This page is too old for the server. Load it again.",
    Code.BAD_CODE: "This is not a game code.",
    Code.NO_SUCH_SESSION: "There is no such game, or it is not yours.",
    Code.NO_SESSION: "No game is open on this connection.",
    Code.STALE: "The game has moved on meanwhile.",
    Code.UNAVAILABLE: "The server cannot save anything right now. Try again in a moment.",
    Code.TOO_FAST: "Too many commands at once. Wait a moment.",
    Code.TOO_LONG: "This game is as long as a game can be. It can only be given up now.",
    Code.BANNED: "The host of this server does not let you play here.",
    Code.NOT_IN_RACE: "This is not possible in a race.",
    Code.NO_SUCH_ROOM: "There is no such room, or it was closed.",
    Code.NO_ROOM: "No room is open on this connection.",
    Code.ROOM_FULL: "All seats of this room are taken.",
    Code.ROOM_LOCKED: "The host has locked this room.",
    Code.TOO_MANY: "As many watch this room as it can take. Try again later.",
    Code.REMOVED: "The host has removed you from this room.",
    Code.NOT_SEATED: "Only players with a seat can do this.",
    Code.NOT_HOST: "Only the host can do this.",
    Code.NOT_ALL_READY: "Not everybody is ready yet.",
    Code.NOT_YOURSELF: "A host cannot remove themselves; leave the room instead.",
    Code.NO_SUCH_SEAT: "Nobody sits there.",
    Code.BAD_NAME: "This is not a name that can be shown.",
    Code.BAD_SETTINGS: "These are not settings that a race can have.",
    Code.BAD_CURSOR: "This page of the leaderboard cannot be found again. Start from the top.",
    Code.NO_SUCH_BOARD: "There is no such leaderboard.",
    Code.NOT_DUE: "The time for this has not come.",
    Code.RACE_STARTED: "The race has started already.",
    Code.RACE_FINISHED: "The race is over. A rematch starts the next one.",
    Code.RACE_NOT_FINISHED: "The race is not over yet.",
    Code.RACE_OVER: "The race is over, so nothing counts any more.",
    Code.NO_GHOSTS: "Of this race nothing is left to race against.",
    Code.ALREADY_RACED: "You were in this race yourself.",
}
HELPS_AGAIN: Final = frozenset({Code.UNAVAILABLE, Code.TOO_FAST})


class Refused(Exception):
    """A command that is answered with no; `reference` is its version or request id."""

    def __init__(
        self, code: Code | Reason, reason: str | None = None, *, reference: Reference = None
    ) -> None:
        self.code = code
        self.reason = sentence(code) if reason is None else reason
        self.reference = reference
        super().__init__(code.value)


class Unreadable(Refused):
    """A frame that is no command; `kind` is 0 where even that could not be read."""

    def __init__(self, kind: int, code: Code, reason: str | None = None) -> None:
        super().__init__(code, reason)
        self.kind = kind


def sentence(code: Code | Reason) -> str:
    """The reason for people."""
    return SENTENCES[code] if isinstance(code, Code) else code.sentence


def helps_again(code: Code | Reason) -> bool:
    """Whether the same command may be accepted a moment later."""
    return code in HELPS_AGAIN
