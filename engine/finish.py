"""Whether foundation moves alone win from a position, and in which order. Moves no card."""

from collections.abc import Sequence

from engine.cards import RANK, SUIT
from engine.position import Position


def finish_order(position: Position) -> list[int] | None:
    """The columns whose last cards go up, one after the other, until the game is won.

    Of all winning orders the one that takes the lowest column first. None while cards are face
    down or in the stock or waste, or foundation moves alone do not win, or the game is won.
    The test is exact.
    """
    if position.face_down or position.stock or position.waste or position.is_won:
        return None
    if position.ruleset.layout.decks == 1:
        return _one_deck(position)
    return _Search(position).order()


def _one_deck(position: Position) -> list[int] | None:
    """With one deck a card that can go up loses nothing by it, so the greedy order is exact."""
    columns = position.columns
    heights = [len(foundation) for foundation in position.foundations]
    left = [len(column) for column in columns]
    order: list[int] = []
    column = 0
    while column < len(columns):
        if left[column]:
            card = columns[column][left[column] - 1]
            if RANK[card] == heights[SUIT[card]]:
                heights[SUIT[card]] += 1
                left[column] -= 1
                order.append(column)
                column = 0
                continue
        column += 1
    return None if any(left) else order


class _Search:
    """The search for two decks, where it matters which of two equal cards goes up first.

    A card is played at once when nothing can be lost by it: its twin is up already, or both
    foundations of the suit wait for one of the two. Otherwise every choice is tried, and a
    state, told by the lengths of the columns, is never tried twice.
    """

    def __init__(self, position: Position) -> None:
        self.columns: Sequence[Sequence[int]] = position.columns
        self.left = [len(column) for column in self.columns]
        heights = [len(foundation) for foundation in position.foundations]
        self.heights = [sorted(heights[first : first + 2]) for first in range(0, 8, 2)]
        self.hopeless: set[tuple[int, ...]] = set()

    def order(self) -> list[int] | None:
        """The winning order that takes the lowest column first."""
        if not self.wins():
            return None
        order: list[int] = []
        while any(self.left):
            column = next(column for column in self.playable() if self.wins_with(column))
            self.play(column)
            order.append(column)
        return order

    def wins_with(self, column: int) -> bool:
        """Whether everything can still go up when the column's last card goes first."""
        if self.is_safe(column):
            return True
        self.play(column)
        won = self.wins()
        self.take_back(column)
        return won

    def wins(self) -> bool:
        """Whether everything can go up from here; the state is afterwards as before."""
        start = tuple(self.left)
        if start in self.hopeless:
            return False
        played = self.play_safe()
        won = not any(self.left)
        if not won:
            won = any(self.wins_with(column) for column in self.playable())
        if not won:
            self.hopeless.add(start)
        for column in reversed(played):
            self.take_back(column)
        return won

    def play_safe(self) -> list[int]:
        """Play what is safe until nothing is, and return the columns in order."""
        played: list[int] = []
        while safe := [column for column in self.playable() if self.is_safe(column)]:
            self.play(safe[0])
            played.append(safe[0])
        return played

    def playable(self) -> list[int]:
        """The columns whose last card may go up now, lowest first."""
        return [
            column
            for column, left in enumerate(self.left)
            if left and RANK[card := self.columns[column][left - 1]] in self.heights[SUIT[card]]
        ]

    def is_safe(self, column: int) -> bool:
        """Whether playing the column's last card, which may go up, can never be a mistake."""
        card = self.columns[column][self.left[column] - 1]
        low, high = self.heights[SUIT[card]]
        return low == high or RANK[card] == low

    def play(self, column: int) -> None:
        """Play the last card of a column."""
        self.left[column] -= 1
        card = self.columns[column][self.left[column]]
        heights = self.heights[SUIT[card]]
        heights[heights.index(RANK[card])] += 1
        heights.sort()

    def take_back(self, column: int) -> None:
        """Take back what was last played from a column."""
        card = self.columns[column][self.left[column]]
        self.left[column] += 1
        heights = self.heights[SUIT[card]]
        heights[heights.index(RANK[card] + 1)] -= 1
        heights.sort()
