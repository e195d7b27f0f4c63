"""Gives up the seats of players who are turned out, wherever they sit, so that nobody waits."""

import asyncio
import contextlib
from collections.abc import Iterable

from server.core.raceacts import Leave
from server.core.refusals import Refused
from server.store.errors import Missing
from server.store.rooms import Rooms


async def give_up_seats(rooms: Rooms, player_id: str) -> None:
    """Let a player leave every room in which they may have a seat. Raises Unavailable."""
    await leave_rooms(rooms, player_id, await rooms.sat_in(player_id))


async def leave_rooms(rooms: Rooms, player_id: str, room_ids: Iterable[str]) -> None:
    """Let a player leave these rooms; those that are gone, or closed to them, are passed over."""
    await asyncio.gather(*(_leave(rooms, room_id, player_id) for room_id in room_ids))


async def _leave(rooms: Rooms, room_id: str, player_id: str) -> None:
    with contextlib.suppress(Refused, Missing):
        await rooms.carry_out(room_id, player_id, Leave())
