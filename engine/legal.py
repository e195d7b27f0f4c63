"""The legal moves of one position: to iterate, to test with `in`, to count. Finds none itself."""

from collections.abc import Iterator

from engine.errors import InvalidMove
from engine.move import Move, from_code, to_code


class LegalMoves:
    """The legal moves of a position, as they were when they were asked for.

    `codes` are the moves in their two-byte form, for those who send them on.
    """

    __slots__ = ("codes",)

    def __init__(self, codes: tuple[int, ...]) -> None:
        self.codes = codes

    def __iter__(self) -> Iterator[Move]:
        return map(from_code, self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __contains__(self, move: object) -> bool:
        try:
            return isinstance(move, Move) and to_code(move) in self.codes
        except InvalidMove:
            return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LegalMoves) and self.codes == other.codes

    def __hash__(self) -> int:
        return hash(self.codes)

    def __repr__(self) -> str:
        return f"LegalMoves({list(self)})"

    def count(self) -> int:
        """How many there are."""
        return len(self.codes)


NO_MOVES = LegalMoves(())
