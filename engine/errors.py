"""Every way a request can be wrong, each with a stable name and a sentence for people."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Reason(StrEnum):
    """Why a request was refused. The value is a name for machines that never changes."""

    UNREADABLE = "unreadable"
    NO_SUCH_PILE = "no_such_pile"
    EMPTY_PILE = "empty_pile"
    NOT_THAT_MANY = "not_that_many"
    FACE_DOWN = "face_down"
    OVER_GROUP_LIMIT = "over_group_limit"
    SAME_PILE = "same_pile"
    WRONG_RANK = "wrong_rank"
    WRONG_COLOUR = "wrong_colour"
    WRONG_SUIT = "wrong_suit"
    WANTS_KING = "wants_king"
    TARGET_FACE_DOWN = "target_face_down"
    WANTS_NEXT = "wants_next"
    SINGLE_CARDS_ONLY = "single_cards_only"
    NO_TAKE_BACK = "no_take_back"
    NOTHING_TO_DRAW = "nothing_to_draw"
    NOTHING_TO_TURN_UP = "nothing_to_turn_up"
    NOT_FINISHABLE = "not_finishable"
    NOTHING_TO_UNDO = "nothing_to_undo"
    PAUSED = "paused"
    NOT_PAUSED = "not_paused"
    GAME_OVER = "game_over"

    @property
    def sentence(self) -> str:
        """One plain sentence for somebody who does not know the game yet."""
        return _SENTENCES[self]


_SENTENCES: Final[Mapping[Reason, str]] = {
    Reason.UNREADABLE: "This is not a command that the game knows.",
    Reason.NO_SUCH_PILE: "There is no such place for cards in this game.",
    Reason.EMPTY_PILE: "There is no card to take.",
    Reason.NOT_THAT_MANY: "There are not that many cards to take.",
    Reason.FACE_DOWN: "A card that lies face down cannot be moved.",
    Reason.OVER_GROUP_LIMIT: "That is more cards than may be moved together in this game.",
    Reason.SAME_PILE: "The cards are there already.",
    Reason.WRONG_RANK: (
        "The rank does not fit: columns go down by one, or up by one where the game allows it."
    ),
    Reason.WRONG_COLOUR: "The colour does not fit: black goes on red and red on black.",
    Reason.WRONG_SUIT: "The suit does not fit the card below.",
    Reason.WANTS_KING: "Only a king may go to an empty column.",
    Reason.TARGET_FACE_DOWN: "Turn up the last card of that column before anything goes on it.",
    Reason.WANTS_NEXT: (
        "A foundation takes only the next card of its suit, from the ace to the king."
    ),
    Reason.SINGLE_CARDS_ONLY: (
        "Only one card at a time goes to a foundation, or comes from one or from the waste."
    ),
    Reason.NO_TAKE_BACK: "Cards on a foundation stay there in this game.",
    Reason.NOTHING_TO_DRAW: "There is no card left to draw.",
    Reason.NOTHING_TO_TURN_UP: "That column does not end with a face-down card.",
    Reason.NOT_FINISHABLE: (
        "The game cannot be finished yet: not every card can go to its foundation from here."
    ),
    Reason.NOTHING_TO_UNDO: "There is no move that can be undone.",
    Reason.PAUSED: "The game is paused: resume it first.",
    Reason.NOT_PAUSED: "The game is not paused.",
    Reason.GAME_OVER: "The game is over.",
}


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
