"""Every way a request can be wrong, each with a stable name and a sentence for people."""

from enum import StrEnum
from typing import Self


class Reason(StrEnum):
    """Why a request was refused. The value is a name for machines that never changes."""

    sentence: str
    """One plain sentence for somebody who does not know the game yet."""

    def __new__(cls, value: str, sentence: str) -> Self:
        """A member that knows its sentence."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        return member

    UNREADABLE = "unreadable", "This is not a command that the game knows."
    NO_SUCH_PILE = "no_such_pile", "There is no such place for cards in this game."
    EMPTY_PILE = "empty_pile", "There is no card to take."
    NOT_THAT_MANY = "not_that_many", "There are not that many cards to take."
    FACE_DOWN = "face_down", "A card that lies face down cannot be moved."
    OVER_GROUP_LIMIT = (
        "over_group_limit",
        "That is more cards than may be moved together in this game.",
    )
    SAME_PILE = "same_pile", "The cards are on that column already."
    WRONG_RANK = (
        "wrong_rank",
        "The rank does not fit: a card goes on the next higher one, or lower where the game says.",
    )
    WRONG_COLOUR = "wrong_colour", "The colour does not fit: black goes on red and red on black."
    WRONG_SUIT = "wrong_suit", "The suit does not fit the card below."
    WANTS_KING = "wants_king", "Only a king may go to an empty column."
    TARGET_FACE_DOWN = (
        "target_face_down",
        "Turn up the last card of that column before anything goes on it.",
    )
    WANTS_NEXT = (
        "wants_next",
        "A foundation takes only the next card of its suit, from the ace to the king.",
    )
    SINGLE_CARDS_ONLY = (
        "single_cards_only",
        "Cards go to foundations, and come from all piles but columns, one at a time.",
    )
    NO_TAKE_BACK = "no_take_back", "Cards on a foundation stay there in this game."
    NOTHING_TO_DRAW = "nothing_to_draw", "There is no card left to draw."
    NOTHING_TO_TURN_UP = "nothing_to_turn_up", "That column does not end with a face-down card."
    NOT_FINISHABLE = (
        "not_finishable",
        "The game cannot be finished yet: not every card can go to its foundation from here.",
    )
    NOTHING_TO_UNDO = "nothing_to_undo", "There is no move that can be undone."
    PAUSED = "paused", "The game is paused: resume it first."
    NOT_PAUSED = "not_paused", "The game is not paused."
    GAME_OVER = "game_over", "The game is over."


class EngineError(ValueError):
    """Anything that the engine refuses; nothing has changed when it is raised."""


class InvalidMove(EngineError):
    """A text or a triple of numbers that is no command at all; `reason` is always unreadable."""

    reason = Reason.UNREADABLE


class IllegalMove(EngineError):
    """A command that the rules do not allow now.

    `reason` says why, `move` is the command as text and `position` the masked text of the position.
    """

    def __init__(self, reason: Reason, move: str, position: str) -> None:
        super().__init__(f"{move}: {reason.value}: {reason.sentence} Position: {position}")
        self.reason = reason
        self.move = move
        self.position = position


class InvalidCode(EngineError):
    """A text that is no game code, or names a ruleset that does not exist."""


class InvalidPosition(EngineError):
    """A text that is no position of its ruleset.

    `column` is the column's number as people count, from 1, and `character` the place in the text,
    from 1; None where the fault is in no column or has no single place (a missing card).
    """

    def __init__(
        self, message: str, column: int | None = None, character: int | None = None
    ) -> None:
        where = [f"column {column}"] if column is not None else []
        where += [f"character {character}"] if character is not None else []
        super().__init__(f"{', '.join(where)}: {message}" if where else message)
        self.column = column
        self.character = character


class InvalidLog(EngineError):
    """A log that no game can have written; `record` is the number of the record, from 1."""

    def __init__(self, record: int, message: str) -> None:
        super().__init__(f"record {record}: {message}")
        self.record = record


class InvalidReplay(EngineError):
    """A text that is no replay; `line` is the number of the line, from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
