"""How far the store's clock is from this worker's, as its answers tell; it reads no clock."""

from typing import Final

_FORGETS: Final = 1.05


class StoreClock:
    """The store's time in terms of the worker's. All times are Unix milliseconds.

    The store's answer was made somewhere between question and answer, so the middle is wrong by
    half of that at most. Answers that took much longer than the best one teach nothing; the best
    is slowly forgotten, so that the estimate follows.
    """

    def __init__(self) -> None:
        self._ahead = 0.0
        self._best = float("inf")

    def note(self, asked: float, answered: float, stored: float) -> None:
        """Learn from one answer: `stored` was the store's time between `asked` and `answered`."""
        took = max(0.0, answered - asked)
        if took <= 2 * self._best:
            self._ahead = stored - (asked + answered) / 2
        self._best = min(max(took, 0.05), self._best * _FORGETS)

    def at(self, local: float) -> int:
        """The store's time when the worker's is `local`."""
        return int(local + self._ahead)
