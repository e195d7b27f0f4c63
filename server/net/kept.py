"""Keeps what was made at a cost and may be asked for again: the latest, within a weight."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Values by key, those that were asked for last."""

    def __init__(self) -> None:
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self.weight = 0
        """What all of them weigh together, in the unit that they were kept by."""

    def get(self, key: K) -> V | None:
        """The value, which counts as asked for now."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][0]

    def keep(self, key: K, value: V, weight: int, most: int) -> None:
        """Keep a value unless it is there; let go of the oldest while all weigh over `most`."""
        if key in self._values:
            return  # two asked for it at once
        self._values[key] = value, weight
        self.weight += weight
        while self.weight > most:
            self.weight -= self._values.popitem(last=False)[1][1]
