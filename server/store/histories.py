"""What Redis keeps of a player's games: which they were, what they came to, which cards were new.

All of it lies in the player's slot. It judges nothing: core/recording.py says what counts.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date

from server.core.boardports import Game
from server.core.daily import DAY_MS, YEARS, Mark, read_day
from server.core.recording import Verdict
from server.core.statistics import Statistics, add
from server.core.summary import summary
from server.store import keys
from server.store.briefs import briefs
from server.store.errors import Damaged, Unavailable
from server.store.link import Commands
from server.store.players import SECONDS_KEPT
from server.store.reading import each, listed, pairs, readable, settled
from server.store.scripts import COUNT, NOTE_CODE

MOST_CODES = 2000
"""How many sealed codes of a player are remembered as known to them."""
CODE_STAYS_MS = 2 * DAY_MS
"""And none is forgotten earlier: a daily deal is dealt again only on its day."""
_MOST_ATTEMPTS = 100


class Histories:
    """The histories. All methods raise Unavailable when Redis cannot serve."""

    def __init__(self, link: Commands) -> None:
        """Reach them through `link`."""
        self._link = link

    async def note(self, player: str, session: str, code: str) -> bool:
        """Note that a player is about to see a session; whether its cards are new to them.

        Cards that there is no room for count as known, and all of them to who is no player.
        """
        owner: bytes = await self._link.run(
            NOTE_CODE,
            (keys.codes(player), keys.codes_noted(player), keys.player(player)),
            code,
            session,
            SECONDS_KEPT,
            MOST_CODES,
            CODE_STAYS_MS,
        )
        return owner.decode() == session

    async def is_first(self, player: str, session: str, code: str) -> bool:
        """Whether a session is the one in which its player had these cards first."""
        owner: bytes | None = await self._link.call("HGET", keys.codes(player), code)
        return owner is not None and owner.decode() == session

    async def count(self, verdict: Verdict) -> bool:
        """Count a game once, with its day's mark; whether this call was the one that did."""
        result, played = verdict.result, verdict.played
        day, mark = "", ""
        if verdict.mark is not None:
            day, mark = verdict.mark[0].isoformat(), json.dumps(asdict(verdict.mark[1]))
        for _ in range(_MOST_ATTEMPTS):
            before, after = b"", ""
            if played is not None:
                key = keys.statistics(result.player)
                before = await self._link.call("HGET", key, verdict.letter) or b""
                after = _written(add(_read(before, result.player), played))
            done: int = await self._link.run(
                COUNT,
                (
                    keys.statistics(result.player),
                    keys.counted(result.player),
                    keys.marks(result.player, verdict.letter),
                ),
                result.session,
                verdict.letter,
                before,
                after,
                SECONDS_KEPT,
                day,
                mark,
            )
            if done >= 0:
                return done == 1
        raise Unavailable("the statistics change faster than this worker can follow")

    async def statistics(self, player: str) -> dict[str, Statistics]:
        """The statistics by ruleset letter, of those that were played; none that are damaged."""
        what = f"statistics of player {player}"
        found = await listed(what, self._link.call("HGETALL", keys.statistics(player)))
        return dict(each(what, pairs(found), lambda name, text: (name.decode(), _figures(text))))

    async def marks(self, player: str, letter: str) -> Mapping[date, Mark]:
        """What became of the daily deals of a ruleset; without marks that are damaged."""
        what = f"marks of player {player} in {letter}"
        found = await listed(what, self._link.call("HGETALL", keys.marks(player, letter)))
        return dict(each(what, pairs(found), _mark))

    async def games(
        self, player: str, after: str | None, size: int, now_ms: int
    ) -> tuple[list[Game], str | None] | None:
        """Sessions, the newest first, after one of them, and the last one where more follow.

        None when the one they are to follow is not there. What is damaged is left out.
        """
        key, start, what = keys.games(player), 0, f"games of player {player}"
        if after is not None:
            (place,) = readable([(what, await settled(self._link.call("ZREVRANK", key, after)))])
            if place is None:
                return None
            start = place + 1
        found = await listed(what, self._link.call("ZREVRANGE", key, start, start + size))
        sessions = each(what, [(session,) for session in found[:size]], bytes.decode)
        games = await self.summaries(sessions, now_ms)
        last = sessions[-1] if sessions and len(found) > size else None
        return [game for game in games if game is not None], last

    async def summaries(self, sessions: Sequence[str], now_ms: int) -> list[Game | None]:
        """Sessions as lines of a history; None for those that are gone or damaged."""
        known, replies = await asyncio.gather(
            briefs(self._link, sessions),
            asyncio.gather(
                *(self._link.call("GET", keys.log(session)) for session in sessions),
                return_exceptions=True,
            ),
        )
        about = [f"log of session {session}" for session in sessions]
        logs = readable(zip(about, replies, strict=True))
        return [
            None if brief is None or log is None else summary(brief, log, now_ms)
            for brief, log in zip(known, logs, strict=True)
        ]


def _written(statistics: Statistics) -> str:
    return json.dumps(statistics.to_fields(), separators=(",", ":"))


def _read(text: bytes, player: str) -> Statistics:
    try:
        return _figures(text) if text else Statistics()
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged(f"the statistics of player {player}: {error!r}") from error


def _figures(text: bytes) -> Statistics:
    return Statistics.from_fields(json.loads(text))


def _mark(day: bytes, text: bytes) -> tuple[date, Mark]:
    played_on = read_day(day.decode())
    if played_on.year not in YEARS:
        raise ValueError("no calendar shows this day")
    return played_on, Mark.from_fields(json.loads(text))
