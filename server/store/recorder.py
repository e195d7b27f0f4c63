"""What a session earned, written down: rows, statistics, history; once, whoever dies meanwhile.

Each step may be done twice, and `ending` is cleared last: a worker that dies in between leaves the
session there, and the sweeper of another one does all of it again. What counts and where says
core/recording.py.
"""

import asyncio
import logging

from engine.errors import EngineError
from server.core.ports import Missing, StoredSession, Unavailable
from server.core.recording import Verdict, judge
from server.core.statistics import Fate
from server.store import keys
from server.store.boards import Boards
from server.store.dailies import Dailies
from server.store.due import Due
from server.store.forgetting import forget_games
from server.store.histories import Histories
from server.store.link import Commands
from server.store.players import Players
from server.store.sessions import Sessions

LEFT_BEHIND_MS = 5_000
"""What has been in `ending` for longer was left there by a worker that died."""
_LOOK_LEASE_MS = 60_000
_AT_ONCE = 8

log = logging.getLogger("yukon.recorder")


class Recorder:
    """Writes down what sessions earned."""

    def __init__(self, link: Commands, sessions: Sessions) -> None:
        """Read `sessions`, and write through `link`."""
        self.boards = Boards(link, sessions.lifetimes)
        self.histories = Histories(link)
        self.dailies = Dailies(link, self.histories)
        self._link = link
        self._players = Players(link)
        self._sessions = sessions
        self._untouched = Due(link, keys.UNTOUCHED)
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def ended(self, session_id: str, claim: bytes | None = None) -> None:
        """Record a session that has ended, and take it out of `ending`. Raises Unavailable.

        One that has not ended after all is only taken out. `claim` is a sweeper's.
        """
        async with self._turns:
            verdict = await self._record(session_id)
            if verdict is None or verdict.fate is not Fate.OPEN:
                await self._untouched.cancel(session_id)
            await self._sessions.ended(session_id, claim)

    async def sweep(self, older_ms: int = LEFT_BEHIND_MS) -> None:
        """Complete what killed workers left, and count games that nobody touched for a day."""
        sessions, claim = await self._sessions.take_ending(older_ms)
        left = await self._untouched.claim(_LOOK_LEASE_MS)
        await asyncio.gather(
            *(self.ended(session, claim) for session in sessions),
            *(self._look(session, left.claim) for session in left.what),
        )

    async def _look(self, session_id: str, claim: bytes) -> None:
        """Count a game that was left alone, or look again when that may have happened."""
        async with self._turns:
            verdict = await self._record(session_id)
            if verdict is not None and verdict.again_ms is not None:
                await self._untouched.again(session_id, claim, verdict.again_ms)
            else:
                await self._untouched.done(session_id, claim)

    async def _record(self, session_id: str) -> Verdict | None:
        """Everything a session earned so far; None where there is nobody or nothing to record."""
        try:
            stored = await self._sessions.load(session_id)
            if stored is None:
                return None
            player = await self._players.get(stored.player)
            if player is None:
                # What they still played while they were forgotten is forgotten here.
                await forget_games(self._link, stored.player)
                return None
            verdict = await self._judge(stored)
            if verdict.rows and not player.is_banned:
                await self._make_rows(verdict)
            if verdict.played is not None or verdict.mark is not None:
                await self.histories.count(verdict)
            # A player who was forgotten meanwhile is forgotten here too.
            if await self._players.get(stored.player) is None:
                await forget_games(self._link, stored.player)
        except (Missing, EngineError):
            log.exception("a session cannot be recorded", extra={"session": session_id})
            return None
        return verdict

    async def _judge(self, stored: StoredSession) -> Verdict:
        first, attempt = await asyncio.gather(
            self.histories.is_first(stored.player, stored.session_id, stored.code),
            self.dailies.counts(stored.player, stored.code, stored.session_id, stored.dealt_at_ms),
        )
        return judge(stored, first=first, attempt=attempt)

    async def _make_rows(self, verdict: Verdict) -> None:
        player, session = verdict.result.player, verdict.result.session
        await self.boards.intend(player, session, {row.place: row.expires for row in verdict.rows})
        made = await asyncio.gather(
            *(self.boards.record(row.place, player, row.key, row.expires) for row in verdict.rows)
        )
        pairs = list(zip(verdict.rows, made, strict=True))
        beaten = [row.place for row, recorded in pairs if not recorded.stands]
        if beaten:
            await self.boards.let_go(session, beaten)
        for row, recorded in pairs:
            await self.boards.release(row.place, recorded.left)


async def keep_sweeping(recorder: Recorder, seconds: float) -> None:
    """Sweep every so many seconds, for ever."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await recorder.sweep()
        except Unavailable:
            continue
        except Exception:  # what is left is swept again, and the host has to see it
            log.exception("a sweep failed")
