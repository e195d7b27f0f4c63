"""Sessions in Redis: create, load, commit, watch; it plays no card and knows no rules.

A session is a hash and a log in one hash slot. A commit is one Lua script (`commit.lua`): it
compares version and head, appends the record and tells the other workers that have viewers.
"""

import asyncio
import re
import time
from collections.abc import Callable
from typing import NamedTuple

from server.core.heads import HEAD_SIZE, RECORD_SIZE, first_head, head_of
from server.core.ports import (
    Commit,
    Committed,
    Created,
    LaneCommit,
    NewSession,
    RaceOver,
    Stale,
    StoredSession,
)
from server.core.statistics import UNTOUCHED_MS
from server.store import keys
from server.store.due import Due
from server.store.errors import Damaged, Missing
from server.store.link import Commands
from server.store.scripts import COMMIT, CREATE, LOAD, WATCH
from server.store.wire import Argument, Reply

# A worker's id is part of a channel's name and stands in a list divided by spaces.
_WORKER_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
# A session's id is part of a key's name, and clients name any.
_SESSION_ID = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_REQUEST_SECONDS = 600
_RACE_OVER = -1
_MOST_WATCHING_WORKERS = 64
_REWATCH_AT_ONCE = 500
MOST_GAMES = 500
"""How many of a player's games are remembered as theirs, the newest."""


class Lifetimes(NamedTuple):
    """How long keys live after the last command, in seconds."""

    dealt: int = 7 * 24 * 3600  # nothing was played yet
    unfinished: int = 90 * 24 * 3600
    finished: int = 30 * 24 * 3600
    player: int = 400 * 24 * 3600  # as long as a browser keeps a cookie


DEFAULT_LIFETIMES = Lifetimes()


class Sessions:
    """The sessions, as one worker reaches them.

    The caller sends one command of a session at a time; different sessions go together. All
    methods raise Unavailable when Redis cannot serve, and then it is not known what happened:
    `load` tells.
    """

    def __init__(
        self,
        link: Commands,
        worker_id: str,
        *,
        lifetimes: Lifetimes = DEFAULT_LIFETIMES,
        on_commit: Callable[[float, str], None] | None = None,
    ) -> None:
        """Serve as `worker_id`; `on_commit(seconds, outcome)` hears of each commit, for metrics.

        Outcomes are `committed`, `stale`, `race_over`, `missing` and `unavailable`.
        """
        if not _WORKER_ID.fullmatch(worker_id):
            raise ValueError(f"not a worker's id: {worker_id!r}")
        self.worker_id = worker_id
        self.lifetimes = lifetimes
        self.ending = Due(link, keys.ENDING)
        self._link = link
        self._on_commit = on_commit
        self._watched: set[str] = set()
        self._on_cluster = int(link.is_cluster)

    async def create(self, new: NewSession) -> Created:
        """Deal a session, once: the same request or the same id again finds what was made.

        When `is_new` is false the cards may be others than those asked for: load the session.
        """
        session_id = new.session_id
        if not _SESSION_ID.fullmatch(session_id):
            raise ValueError(f"not a session's id: {session_id!r}")
        if new.request_id is not None:
            # The request is remembered before the session is made, in a slot of its own: who
            # comes back with it finds the same id, and makes the session if nobody did yet.
            known: bytes | None = await self._link.call(
                "SET",
                keys.request(new.player, new.request_id),
                session_id,
                "NX",
                "GET",
                "EX",
                _REQUEST_SECONDS,
            )
            if known is not None:
                session_id = known.decode()
        # Redis looks for a field from the first on: what every commit needs stands there.
        fields: dict[str, Argument] = {
            "head": first_head(new.code),
            "viewers": "",
            "shown": f"{new.state} {new.score} {new.ranked} 0",
            "code": new.code,
            "player": new.player,
            "origin": new.origin,
            "room": new.room,
            "race": new.race,
        }
        made, dealt_at_ms = await self._link.run(
            CREATE,
            (keys.session(session_id), keys.log(session_id)),
            self.lifetimes.dealt if new.untouched_seconds is None else new.untouched_seconds,
            "" if new.dealt_at_ms is None else new.dealt_at_ms,
            *(part for field in fields.items() for part in field),
        )
        return Created(session_id, dealt_at_ms, made == 1)

    async def load(self, session_id: str, player: str | None = None) -> StoredSession | None:
        """Read a session, or None when there is none; Missing when half of it is gone.

        Damaged when the log is not the history that the head stands for. None too when it is not
        the session of `player`, and then its history is not gone through, which can be long.
        """
        if not _SESSION_ID.fullmatch(session_id):
            return None
        listed, log, now_ms = await self._link.run(
            LOAD, (keys.session(session_id), keys.log(session_id))
        )
        fields = dict(zip(listed[::2], listed[1::2], strict=True))
        if not fields or (player is not None and fields.get(b"player") != player.encode()):
            return None
        return _stored(session_id, fields, log, now_ms)

    async def commit(self, commit: Commit) -> Committed | Stale | RaceOver:
        """Append a command to its session if nobody else was first; Missing when it is gone.

        In a race the lane's progress and finish are part of it, and a lane that has ended takes
        no more.

        A command that `ends` the session puts it into `ending` first, so that a sweeper completes
        what this worker may not live to do; call `ended` when the result is recorded.
        """
        started = time.perf_counter()
        outcome = "unavailable"
        begun = None
        try:
            if commit.version == 0 and commit.player:
                if self._on_cluster:
                    await self._begin(commit)
                else:
                    begun = self._begin_first(commit)
            if commit.ends:
                await self.ending.after(commit.session_id, 0)
            reply = await self._link.run(
                COMMIT,
                _keys_of(commit),
                commit.version,
                commit.head,
                commit.action,
                commit.next_head,
                self.lifetimes.finished if commit.ends else self.lifetimes.unfinished,
                self.worker_id,
                f"{commit.state} {commit.score} {commit.ranked} {commit.moves}",
                commit.event,
                self._on_cluster,
                *(_lane_arguments(commit.lane) if commit.lane is not None else ()),
            )
            if begun is not None:
                await begun
            outcome = _outcome_of(reply)
        except Missing:
            outcome = "missing"
            raise
        finally:
            if self._on_commit is not None:
                self._on_commit(time.perf_counter() - started, outcome)
        if isinstance(reply, list):
            return Stale(reply[0], reply[1])
        if reply == _RACE_OVER:
            return RaceOver()
        return Committed(reply)

    async def watch(self, session_id: str, player: str | None = None) -> bool:
        """Note that this worker has viewers of the session; False when there is none.

        False too, and nothing is noted, when it is not the session of `player`. Watch first and
        load then: what is committed in between arrives as an event.
        """
        if not _SESSION_ID.fullmatch(session_id):
            return False
        was_watched = session_id in self._watched
        self._watched.add(session_id)
        found = False
        try:
            found = await self._note(session_id, player, watching=True)
        finally:
            if found:
                self._watched.add(session_id)  # a stranger may have been refused meanwhile
            elif not was_watched:
                self._watched.discard(session_id)
        return found

    async def unwatch(self, session_id: str) -> None:
        """Note that this worker has no viewer of the session any more."""
        self._watched.discard(session_id)
        await self._note(session_id, None, watching=False)

    async def rewatch(self) -> None:
        """Note all watched sessions anew, after the bus was away and others may have dropped us."""
        watched = list(self._watched)
        for start in range(0, len(watched), _REWATCH_AT_ONCE):
            some = watched[start : start + _REWATCH_AT_ONCE]
            await asyncio.gather(*(self._note(each, None, watching=True) for each in some))

    async def ended(self, session_id: str, claim: bytes | None = None) -> None:
        """Take a session out of `ending`: its result is recorded, or it has not ended after all.

        A sweeper gives the claim it got, so that it does not take out a later ending.
        """
        if claim is None:
            await self.ending.cancel(session_id)
        else:
            await self.ending.done(session_id, claim)

    async def take_ending(self, older_than_ms: int, most: int = 100) -> tuple[list[str], bytes]:
        """Claim sessions that have been in `ending` for longer; with the claim for `ended`.

        What is not taken out is claimed again after the same time.
        """
        claimed = await self.ending.claim(0, age_ms=older_than_ms, most=most)
        return claimed.what, claimed.claim

    async def _note(self, session_id: str, player: str | None, *, watching: bool) -> bool:
        found: int = await self._link.run(
            WATCH,
            (keys.session(session_id),),
            self.worker_id,
            int(watching),
            _MOST_WATCHING_WORKERS,
            "" if player is None else player,
        )
        return found == 1

    async def _begin(self, commit: Commit) -> None:
        """Note a game whose first command is on its way: it may be left alone from now on.

        A game that is noted and never begun is found not to be one when it is looked at.
        """
        for call in self._beginning(commit):
            await self._link.call(*call)

    def _begin_first(self, commit: Commit) -> "asyncio.Future[list[Reply]]":
        """The same, sent at once and before anything that is sent after it."""
        calls = [self._link.call(*call) for call in self._beginning(commit)]
        begun: asyncio.Future[list[Reply]] = asyncio.gather(*calls)
        begun.add_done_callback(_forget)
        return begun

    def _beginning(self, commit: Commit) -> tuple[tuple[Argument, ...], ...]:
        now_us = int(time.time() * 1_000_000)
        games = keys.games(commit.player)
        left_alone = now_us + UNTOUCHED_MS * 1000
        return (
            ("ZADD", keys.UNTOUCHED, "NX", left_alone, commit.session_id),
            ("ZADD", games, "NX", now_us, commit.session_id),
            ("ZREMRANGEBYRANK", games, 0, -MOST_GAMES - 1),
            ("EXPIRE", games, self.lifetimes.player),
            ("EXPIRE", keys.player(commit.player), self.lifetimes.player),
        )


def _keys_of(commit: Commit) -> tuple[bytes, ...]:
    session_keys = keys.session(commit.session_id), keys.log(commit.session_id)
    return session_keys if commit.lane is None else (*session_keys, keys.room(commit.lane.room))


def _lane_arguments(lane: LaneCommit) -> tuple[Argument, ...]:
    return (lane.race, f"{lane.race}:{lane.seat}", lane.progress, lane.outcome)


def _outcome_of(reply: Reply) -> str:
    if isinstance(reply, list):
        return "stale"
    return "race_over" if reply == _RACE_OVER else "committed"


def _forget(future: "asyncio.Future[list[Reply]]") -> None:
    """Look at a result that nobody may wait for, so that a failure is not reported as unseen."""
    if not future.cancelled():
        future.exception()


def _stored(
    session_id: str, fields: dict[bytes, bytes], log: bytes | None, now_ms: int
) -> StoredSession:
    if log is None:
        raise Missing(f"the log of session {session_id}")
    try:
        code, head = fields[b"code"].decode(), fields[b"head"]
        state, score, ranked, moves = fields[b"shown"].decode().split(" ")
        stored = StoredSession(
            session_id=session_id,
            code=code,
            player=fields[b"player"].decode(),
            origin=int(fields[b"origin"]),
            room=fields[b"room"].decode(),
            race=fields[b"race"].decode(),
            dealt_at_ms=int(fields[b"dealt_at"]),
            now_ms=now_ms,
            head=head,
            state=state,
            score=int(score),
            ranked=int(ranked),
            moves=int(moves),
            log=log,
            closed_at_ms=int(fields[b"closed"]) if b"closed" in fields else None,
            opened_at_ms=int(fields[b"opened"]) if b"opened" in fields else None,
        )
    except (KeyError, ValueError) as error:
        raise Damaged(f"the hash of session {session_id}: {error!r}") from error
    if len(log) % RECORD_SIZE or len(head) != HEAD_SIZE or head_of(code, log) != head:
        raise Damaged(f"the log of session {session_id} is not the history of its head")
    return stored
