"""Schedules in Redis: what must happen at an instant, claimed once whichever worker asks.

It does not do what is due. A claim is a lease: what its worker does not report as done before the
lease is over is due again, so that nothing is lost with a killed worker; whoever does it must bear
doing it twice. Instants are Unix milliseconds by the clock of Redis.
"""

from typing import NamedTuple

from server.store.link import Commands
from server.store.scripts import CLAIM, DONE, SCHEDULE


class Claimed(NamedTuple):
    """What this worker has to do now, the claim to report it with, and when to ask again."""

    what: list[str]
    claim: bytes
    next_ms: float | None  # until the next thing is due; None when nothing is scheduled


class Due:
    """One schedule: a sorted set whose scores are microseconds, so that a score tells a claim."""

    def __init__(self, link: Commands, key: bytes) -> None:
        """Use the sorted set under `key` (see `keys.DUE` and `keys.ENDING`)."""
        self._link = link
        self._key = key

    async def after(self, what: str, delay_ms: int) -> int:
        """Schedule something `delay_ms` from now, and give that instant in Unix milliseconds."""
        at: int = await self._link.run(SCHEDULE, (self._key,), what, delay_ms * 1000)
        return at // 1000

    async def cancel(self, what: str) -> bool:
        """Take something off; whether it was there."""
        removed: int = await self._link.call("ZREM", self._key, what)
        return removed == 1

    async def claim(self, lease_ms: int, *, age_ms: int = 0, most: int = 100) -> Claimed:
        """Claim what has been due for `age_ms`, no more than `most` things."""
        claim, wait, *what = await self._link.run(
            CLAIM, (self._key,), age_ms * 1000, lease_ms * 1000, most
        )
        next_ms = None if wait < 0 else wait / 1000
        return Claimed([each.decode() for each in what], claim, next_ms)

    async def done(self, what: str, claim: bytes) -> bool:
        """Report a claimed thing as done; False when it was scheduled anew or claimed by others."""
        removed: int = await self._link.run(DONE, (self._key,), what, claim)
        return removed == 1

    async def no_later(self, what: str, at_ms: int) -> None:
        """Schedule something, or move it nearer when it is scheduled for later."""
        await self._link.call("ZADD", self._key, "LT", at_ms * 1000, what)

    async def again(self, what: str, claim: bytes, at_ms: int) -> None:
        """Give a claimed thing its next instant, unless it was scheduled for earlier meanwhile."""
        await self._link.run(DONE, (self._key,), what, claim, at_ms * 1000)
