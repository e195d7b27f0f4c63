"""How far each ghost of a race was when, as it is sent over HTTP: made once, kept, and bounded.

Whatever is made of logs here lets the loop have its turn again and again.
"""

import asyncio
import json
import logging
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.errors import EngineError
from server.core import ghosts
from server.core.boardports import Brief
from server.core.ghosts import Race, Recorded
from server.core.ports import Missing, SessionStore, StoredSession
from server.net.api import NOT_FOUND
from server.net.kept import Kept
from server.net.pages import Asset, asset
from server.net.turns import in_turns

MOST_KEPT_BYTES: Final = 4_000_000
"""How much of what was asked for last is kept, as it is sent; a single answer is far below."""

Key = tuple[str, int, *tuple[int, ...]]

log: Final = logging.getLogger("yukon.rooms")


class Ghost(NamedTuple):
    """A lane of a finished race that can be played back, and its session without the log."""

    lane: Recorded
    brief: Brief


class Timelines:
    """The answers, by race and by the seats whose ghosts are left. To make one, logs are read."""

    def __init__(self, sessions: SessionStore) -> None:
        self._sessions = sessions
        self._kept: Kept[Key, Asset] = Kept()
        self._making: dict[Key, asyncio.Task[Asset]] = {}
        self._one_at_a_time = asyncio.Lock()

    @property
    def kept_bytes(self) -> int:
        """What those that are kept weigh."""
        return self._kept.weight

    async def of(self, room_id: str, race: Race, field: Sequence[Ghost]) -> Asset:
        """How a race went, as JSON. Raises ApiRefusal (not found) and Unavailable.

        Whoever asks for the same while it is made waits for the same.
        """
        key: Key = (room_id, race.number, *(ghost.lane.seat for ghost in field))
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        task = self._making.get(key)
        if task is None:
            task = self._making[key] = asyncio.create_task(self._make(key, race, field))
            task.add_done_callback(lambda done: self._made(key, done))
        return await asyncio.shield(task)

    def _made(self, key: Key, done: "asyncio.Task[Asset]") -> None:
        del self._making[key]
        if done.cancelled() or done.exception() is not None:
            return
        made = done.result()
        self._kept.keep(key, made, made.size, MOST_KEPT_BYTES)

    async def _make(self, key: Key, race: Race, field: Sequence[Ghost]) -> Asset:
        async with self._one_at_a_time:
            told = [text for ghost in field if (text := await self._ghost(race, ghost.lane))]
            if not told:
                raise NOT_FOUND
            about = {"room": key[0], "race": race.number, "code": race.code, "limit": race.limit}
            return await asyncio.to_thread(_pack, about, told)

    async def _ghost(self, race: Race, lane: Recorded) -> str | None:
        """A lane as JSON, played again; None where its log is gone, or is no game."""
        try:
            stored = await self._sessions.load(lane.session)
        except Missing:
            stored = None
        if stored is None:
            return None
        try:
            told = await _play_again(race, lane, stored)
        except EngineError:
            log.exception("a stored log is no game", extra={"session": lane.session})
            return None
        text = _dump(told)
        await asyncio.sleep(0)
        return text


async def _play_again(race: Race, lane: Recorded, stored: StoredSession) -> dict[str, object]:
    steps: list[ghosts.Step] = []
    last_ms = 0
    async for step in in_turns(ghosts.timeline(stored.code, stored.log)):
        last_ms = step.ms
        if not steps or steps[-1].progress != step.progress:
            steps.append(step)
    told = ghosts.thinned(steps, ghosts.MOST_STEPS)
    return {
        "seat": lane.seat,
        "name": lane.name,
        "outcome": lane.outcome.value,
        "ms": ghosts.ended_ms(race, lane, stored, last_ms),
        "steps": [(ms, *progress) for ms, progress in told],
    }


def _pack(about: dict[str, object], told: Sequence[str]) -> Asset:
    start = _dump(about).removesuffix("}")
    return asset("ghosts.json", f'{start},"ghosts":[{",".join(told)}]}}'.encode())


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
