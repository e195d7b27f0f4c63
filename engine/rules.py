"""What may be played and what then happens by itself; the only copy of the rules. Keeps no game.

`why_illegal` is the rules. `legal_codes` finds the same moves fast, from the cards that moves can
land on, and is proved equal to it by the tests. The rulesets themselves are data, in
`engine.ruleset`, and can be had from here.
"""

from typing import cast

from engine.cards import FIRST_FOUNDATION, HIDDEN, KING, RANK, STOCK, WASTE
from engine.diff import Moved, Step, Turned
from engine.errors import Reason
from engine.finish import finish_order
from engine.move import (
    DRAW,
    FINISH,
    FINISH_CODE,
    PAUSE,
    RESIGN,
    RESUME,
    SINGLE_CODE,
    SPECIAL,
    TURN_UP,
    TURN_UP_CODE,
    UNDO,
    Move,
    from_code,
    to_code,
)
from engine.position import Position
from engine.ruleset import (
    RULESETS,
    Automatic,
    Layout,
    Ruleset,
    Suits,
    TurnUp,
    register,
    registered,
    ruleset,
)

__all__ = [
    "RULESETS",
    "Automatic",
    "Layout",
    "Ruleset",
    "Suits",
    "TurnUp",
    "after_move",
    "finish_order",
    "is_command",
    "is_finishable",
    "legal_codes",
    "legal_moves",
    "register",
    "registered",
    "ruleset",
    "settle_aces",
    "why_illegal",
]

_COMMANDS = frozenset({FINISH, UNDO, PAUSE, RESUME, RESIGN})
_DRAW_CODE = to_code(DRAW)
# Looking up a member of an enum costs more than asking whether it is the one.
_TURNS_UP_ITSELF = TurnUp.AUTOMATIC
_NOTHING = Automatic.NOTHING


def is_command(move: Move) -> bool:
    """Whether a move with source 255 stands for anything; redo, reserved, does not yet."""
    return move in _COMMANDS or (move[0] == SPECIAL and move[1] == TURN_UP)


def why_illegal(position: Position, move: Move) -> Reason | None:
    """Why the rules do not allow a move of cards, a turning up or a finish here; None: they do.

    Any three ints may be asked about. The most helpful reason comes first: what is wrong with the
    piles, then with the cards to be taken, then with where they shall go. Undo, pause, resume and
    resign are questions to a game, not to a position, and are unreadable here.
    """
    source, count, target = move
    if source == SPECIAL:
        return _why_not_special(position, move)
    rules = position.ruleset
    if source == STOCK and target == WASTE:
        if not position.stock:
            return Reason.NOTHING_TO_DRAW
        return None if count == 1 else Reason.SINGLE_CARDS_ONLY
    if source not in rules.piles or target not in rules.piles or target >= STOCK:
        return Reason.NO_SUCH_PILE
    pile = position.piles[source]
    if FIRST_FOUNDATION <= source < STOCK and not rules.take_back:
        return Reason.NO_TAKE_BACK
    if not pile:
        return Reason.EMPTY_PILE
    if not 1 <= count <= len(pile):
        return Reason.NOT_THAT_MANY
    if source == STOCK or (source < FIRST_FOUNDATION and count > len(pile) - position.down[source]):
        return Reason.FACE_DOWN
    if source == target:
        return Reason.SAME_PILE
    if count > 1 and (source >= FIRST_FOUNDATION or target >= FIRST_FOUNDATION):
        return Reason.SINGLE_CARDS_ONLY
    if target >= FIRST_FOUNDATION:
        fits = source not in range(FIRST_FOUNDATION, STOCK)
        return None if fits and position.foundation_for(pile[-1]) == target else Reason.WANTS_NEXT
    return _why_not_on_column(position, pile[-count], count, target)


def _why_not_on_column(position: Position, card: int, count: int, target: int) -> Reason | None:
    """Why a group with this bottom card may not go on a column."""
    rules = position.ruleset
    column = position.columns[target]
    if column and position.down[target] == len(column):
        return Reason.TARGET_FACE_DOWN
    if rules.group_limit is not None and count > rules.group_limit:
        return Reason.OVER_GROUP_LIMIT
    if not column:
        return None if RANK[card] == KING else Reason.WANTS_KING
    below = column[-1]
    if card in rules.fits[below]:
        return None
    if RANK[card] - RANK[below] not in rules.steps:
        return Reason.WRONG_RANK
    return Reason.WRONG_COLOUR if rules.suits is Suits.OTHER_COLOUR else Reason.WRONG_SUIT


def _why_not_special(position: Position, move: Move) -> Reason | None:
    """Why a finish or a turning up is not allowed."""
    if move == FINISH:
        return None if is_finishable(position) else Reason.NOT_FINISHABLE
    if move[1] != TURN_UP:
        return Reason.UNREADABLE
    column = move[2]
    if not 0 <= column < len(position.columns):
        return Reason.NO_SUCH_PILE
    length = len(position.columns[column])
    return None if length and position.down[column] == length else Reason.NOTHING_TO_TURN_UP


def is_finishable(position: Position) -> bool:
    """Whether everything is face up, stock and waste are empty, and foundation moves alone win."""
    return finish_order(position) is not None


def legal_moves(position: Position) -> list[Move]:
    """Every move of cards, turning up and finish that may be played here."""
    return [from_code(code) for code in legal_codes(position)]


def legal_codes(position: Position) -> list[int]:
    """The legal moves in their two-byte form, each once, in an order that the cards determine.

    For each column that cards can land on it asks where the few cards are that fit there.
    """
    rules = position.ruleset
    columns = position.columns
    down = position.down
    place = position.place
    fits = rules.fits
    homes = rules.homes
    heights = bytes(map(len, position.foundations))
    limit = rules.group_limit or rules.cards
    take_back = rules.take_back
    codes: list[int] = []
    for target, column in enumerate(columns):
        if column:
            last = column[-1]
            if down[target] == len(column):
                codes.append(TURN_UP_CODE | target)
                continue
            for foundation in homes[last]:
                if heights[foundation] == RANK[last]:
                    codes.append(SINGLE_CODE | target << 5 | FIRST_FOUNDATION + foundation)
                    break
            wanted = fits[last]
        else:
            wanted = rules.kings
        for card in wanted:
            source = place[card]
            if source < FIRST_FOUNDATION:
                if source != target:
                    pile = columns[source]
                    count = len(pile) - pile.index(card)
                    if count <= limit:
                        codes.append(count << 8 | source << 4 | target)
            elif (
                source != HIDDEN
                and (take_back or source == WASTE)
                and position.piles[source][-1] == card
            ):
                codes.append(SINGLE_CODE | source << 5 | target)
    if rules.has_stock:
        _add_stock_codes(position, codes)
    if not position.face_down and is_finishable(position):
        codes.append(FINISH_CODE)
    return codes


def _add_stock_codes(position: Position, codes: list[int]) -> None:
    """Add the draw, and the waste's top card going home."""
    if position.stock:
        codes.append(_DRAW_CODE)
    if position.waste:
        foundation = position.foundation_for(position.waste[-1])
        if foundation is not None:
            codes.append(SINGLE_CODE | WASTE << 5 | foundation)


def after_move(position: Position, source: int, steps: list[Step]) -> None:
    """Do what happens by itself after cards left a pile or a card was turned up.

    The card that became the last of the column turns up, aces go up, or the rest of the game,
    as the ruleset says. What is done is added to `steps`.
    """
    rules = position.ruleset
    if source < FIRST_FOUNDATION and rules.turn_up is _TURNS_UP_ITSELF:
        _turn_up_last(position, source, steps)
    automatic = rules.automatic
    if automatic is _NOTHING:
        return
    if automatic is Automatic.ACES:
        settle_aces(position, steps)
    elif not position.face_down:
        finish(position, steps)


def finish(position: Position, steps: list[Step]) -> None:
    """Send everything up where the position is finishable, lowest column first."""
    for column in finish_order(position) or ():
        _send_up(position, column, steps)


def settle_aces(position: Position, steps: list[Step]) -> None:
    """Send up every ace that is the last card of its column, until none is left."""
    column = 0
    while column < len(position.columns):
        cards = position.columns[column]
        if cards and RANK[cards[-1]] == 0 and position.down[column] < len(cards):
            _send_up(position, column, steps)
            if position.ruleset.turn_up is TurnUp.AUTOMATIC:
                _turn_up_last(position, column, steps)
            column = 0
        else:
            column += 1


def _turn_up_last(position: Position, column: int, steps: list[Step]) -> None:
    length = len(position.columns[column])
    if length and position.down[column] == length:
        steps.append(Turned(column, position.turn_up(column), up=True))


def _send_up(position: Position, column: int, steps: list[Step]) -> None:
    # The caller knows that there is one.
    foundation = cast(int, position.foundation_for(position.columns[column][-1]))
    cards = position.shift(column, 1, foundation)
    steps.append(Moved(column, 1, foundation, tuple(cards)))
