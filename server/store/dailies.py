"""Daily deals in Redis: each drawn once, and which session of a player counts; it draws nothing."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta

from engine.ruleset import RULESETS
from server.core import daily
from server.core.boardports import Game
from server.store import keys
from server.store.errors import Damaged
from server.store.histories import Histories
from server.store.link import Commands
from server.store.players import SECONDS_KEPT
from server.store.reading import tell_damaged
from server.store.scripts import NOTE


class Dailies:
    """The daily deals. All methods raise Unavailable when Redis cannot serve."""

    def __init__(self, link: Commands, histories: Histories) -> None:
        """Reach them through `link`."""
        self._link = link
        self._histories = histories

    async def now_ms(self) -> int:
        """Unix milliseconds by the clock of Redis: it alone says which day it is."""
        seconds, microseconds = await self._link.call("TIME")
        return int(seconds) * 1000 + int(microseconds) // 1000

    async def code(self, name: str) -> str | None:
        """The code of a day's deal, None while nobody needed it."""
        found: bytes | None = await self._link.call("GET", keys.daily(name))
        return None if found is None else found.decode()

    async def draw(self, name: str, candidate: str) -> str:
        """The code of a day's deal; the candidate becomes it where there is none yet."""
        before: bytes | None = await self._link.call(
            "SET", keys.daily(name), candidate, "NX", "GET"
        )
        return candidate if before is None else before.decode()

    async def draw_ahead(self, sealed: Callable[[str], str]) -> None:
        """See to it that today's and tomorrow's deals of all rulesets are drawn.

        `sealed` draws one for a letter.
        """
        today = daily.today(await self.now_ms())
        for day in (today, today + timedelta(days=1)):
            for letter in RULESETS:
                await self.draw(daily.name(letter, day), sealed(letter))

    async def claim(self, player: str, letter: str, day: date, session: str) -> str:
        """The session that counts for a player on a day: this one unless there was one before."""
        owner: bytes = await self._link.run(
            NOTE, (keys.attempts(player, letter),), day.isoformat(), session, SECONDS_KEPT
        )
        return owner.decode()

    async def attempt(self, player: str, letter: str, day: date) -> str | None:
        """The session that counts for a player on a day, if there is one."""
        found: bytes | None = await self._link.call(
            "HGET", keys.attempts(player, letter), day.isoformat()
        )
        return None if found is None else found.decode()

    async def attempts(
        self, player: str, letters: Sequence[str], day: date, now_ms: int
    ) -> Mapping[str, Game | None]:
        """The sessions that count for a player on a day, by letter; none that are damaged."""
        found = await asyncio.gather(*(self._attempt(player, each, day) for each in letters))
        begun = {
            letter: session
            for letter, session in zip(letters, found, strict=True)
            if session is not None
        }
        games = await self._histories.summaries(list(begun.values()), now_ms)
        return dict(zip(begun, games, strict=True))

    async def _attempt(self, player: str, letter: str, day: date) -> str | None:
        try:
            return await self.attempt(player, letter, day)
        except (Damaged, UnicodeDecodeError) as error:
            what = f"daily attempts of player {player} in {letter}"
            tell_damaged(what, type(error).__name__)
            return None

    async def counts(self, player: str, code: str, session: str, dealt_at_ms: int) -> bool:
        """Whether a session of a daily deal is the one that counts for its player."""
        letter = code.split("-")[1]
        return await self.attempt(player, letter, daily.today(dealt_at_ms)) == session
