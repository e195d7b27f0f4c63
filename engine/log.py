"""The bytes of the accepted commands and their times. Does not know what they do to cards."""

from collections.abc import Iterator
from struct import Struct
from typing import Final

from engine.errors import EngineError, InvalidLog
from engine.move import PAUSE, RESUME, SPECIAL, Move

RECORD: Final = 8
"""Bytes of a record: source, count, target, then 5 bytes of milliseconds, big-endian."""
LAST_MS: Final = 2**40 - 1
"""The latest time that a record can hold, in milliseconds since the deal (34 years)."""

_RECORD: Final = Struct(">BBBBI")


class Log:
    """Records in the order they were accepted; their times, since the deal, never run backwards."""

    __slots__ = ("_bytes", "_pauses", "is_paused", "last_ms")

    def __init__(self) -> None:
        self._bytes = bytearray()
        # The places of the pauses and resumes, by turns.
        self._pauses: list[int] = []
        # Whether the last pause has not been resumed.
        self.is_paused = False
        # The time of the last record, 0 without one.
        self.last_ms = 0

    def __len__(self) -> int:
        return len(self._bytes) // RECORD

    def __bytes__(self) -> bytes:
        return bytes(self._bytes)

    def append(self, move: Move, ms: int) -> None:
        """Add a record; raises ValueError for a time before the last one or after LAST_MS."""
        if not self.last_ms <= ms <= LAST_MS:
            raise _impossible(ms, self.last_ms)
        self._bytes += _RECORD.pack(*move, ms >> 32, ms & 0xFFFFFFFF)
        self.last_ms = ms
        if move[0] == SPECIAL and move in (PAUSE, RESUME):
            self._pauses.append(len(self) - 1)
            self.is_paused = not self.is_paused

    def pop(self) -> Move:
        """Take the last record off and return its command. Raises EngineError without one."""
        if not self._bytes:
            raise EngineError("no command has been accepted yet")
        source, count, target = self._bytes[-RECORD : 3 - RECORD]
        del self._bytes[-RECORD:]
        self.last_ms = self._ms_of(len(self) - 1)
        move = Move(source, count, target)
        if move in (PAUSE, RESUME):
            self._pauses.pop()
            self.is_paused = not self.is_paused
        return move

    def stamp(self, ms: int) -> None:
        """Replace the time of the last record. EngineError without one, ValueError as `append`."""
        if not self._bytes:
            raise EngineError("no command has been accepted yet")
        earliest = self._ms_of(len(self) - 2)
        if not earliest <= ms <= LAST_MS:
            raise _impossible(ms, earliest)
        self._bytes[-5:] = ms.to_bytes(5, "big")
        self.last_ms = ms

    def without_pauses(self, ms: int) -> int:
        """How much of the time until `ms` since the deal was not spent paused."""
        times = [self._ms_of(place) for place in self._pauses]
        if self.is_paused:
            times.append(ms)
        return ms - (sum(times[1::2]) - sum(times[::2]))

    def _ms_of(self, place: int) -> int:
        """The time of a record; 0 for the place before the first one."""
        end = (place + 1) * RECORD
        return int.from_bytes(self._bytes[max(0, end - 5) : end], "big")


def _impossible(ms: int, earliest: int) -> ValueError:
    return ValueError(f"{ms} ms is before the last record, at {earliest} ms, or too late")


def records(log: bytes) -> Iterator[tuple[int, Move, int]]:
    """The number (from 1), command and time of each record of a log.

    Raises InvalidLog for a record that is cut short or earlier than the one before it.
    """
    whole, rest = divmod(len(log), RECORD)
    last_ms = 0
    for number, record in enumerate(_RECORD.iter_unpack(log[: whole * RECORD]), 1):
        source, count, target, high, low = record
        ms = high << 32 | low
        if ms < last_ms:
            raise InvalidLog(number, f"time runs backwards, from {last_ms} to {ms} ms")
        last_ms = ms
        yield number, Move(source, count, target), ms
    if rest:
        raise InvalidLog(whole + 1, f"it is cut short, {rest} bytes instead of {RECORD}")
