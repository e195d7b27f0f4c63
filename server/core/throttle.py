"""Credit limits: how much of something may be done in how much time; it keeps no clock of its own.

The numbers here are the ones docs/protocol.md tells.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Limit:
    """So many a second on average, and so many at once."""

    rate: float
    burst: float

    def __post_init__(self) -> None:
        if not (self.rate > 0 and self.burst >= 1):
            raise ValueError("a limit lets at least one through")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker lets through. `connection`, `player` and `address` count commands.

    `refused` counts the commands of one connection that were refused as too fast: when it is used
    up the connection is closed. `malformed` is the same for frames that are no command.
    """

    connection: Limit = Limit(30, 60)
    player: Limit = Limit(60, 120)
    address: Limit = Limit(600, 1200)
    refused: Limit = Limit(5, 100)
    malformed: Limit = Limit(0.2, 10)
    sockets: Limit = Limit(5, 100)
    new_games: Limit = Limit(0.5, 30)
    address_games: Limit = Limit(2, 300)
    players: Limit = Limit(0.1, 60)
    requests: Limit = Limit(20, 200)
    names: Limit = Limit(0.1, 10)
    rooms: Limit = Limit(0.1, 10)
    room_codes: Limit = Limit(1, 60)
    pictures: Limit = Limit(1, 60)
    replays: Limit = Limit(2, 60)
    transfers: Limit = Limit(0.05, 10)


UNLIMITED: Final = Limit(1e12, 1e12)
NO_LIMITS: Final = Limits(**dict.fromkeys(Limits.__slots__, UNLIMITED))


class Credit:
    """One credit that fills up with time. A spend that is not covered takes nothing."""

    __slots__ = ("_each", "_full_at", "_span")

    def __init__(self, limit: Limit) -> None:
        self._each = 1 / limit.rate
        self._span = limit.burst / limit.rate
        self._full_at = 0.0

    def spend(self, now: float, amount: float = 1.0) -> bool:
        """Take `amount` at `now` (seconds of any steady clock); False when it is not there."""
        full_at = self._full_at
        if full_at < now:
            full_at = now
        full_at += amount * self._each
        if full_at - now > self._span + 1e-9:
            return False
        self._full_at = full_at
        return True

    def is_full(self, now: float) -> bool:
        """Whether nothing is owed, so that forgetting this credit changes nothing."""
        return self._full_at <= now


class Credits:
    """One credit for each key (a player, an address); full ones are forgotten."""

    def __init__(self, limit: Limit, *, sweep_at: int = 4096) -> None:
        self._limit = limit
        self._credits: dict[str, Credit] = {}
        self._smallest_sweep = sweep_at
        self._sweep_at = sweep_at

    def __len__(self) -> int:
        return len(self._credits)

    def of(self, key: str, now: float) -> Credit:
        """The credit of `key`; keep it no longer than what it belongs to."""
        credit = self._credits.get(key)
        if credit is None:
            if len(self._credits) >= self._sweep_at:
                self._sweep(now)
            credit = self._credits[key] = Credit(self._limit)
        return credit

    def spend(self, key: str, now: float, amount: float = 1.0) -> bool:
        """As Credit.spend, for `key`."""
        return self.of(key, now).spend(now, amount)

    def _sweep(self, now: float) -> None:
        self._credits = {key: one for key, one in self._credits.items() if not one.is_full(now)}
        self._sweep_at = max(self._smallest_sweep, 2 * len(self._credits))
