"""Forgets a player: all that is kept under their number; nothing that others see keeps a name."""

import asyncio

from server.core.messages import Close
from server.core.playernews import PlayerNews
from server.store import keys
from server.store.boards import Boards
from server.store.link import Commands
from server.store.players import Players
from server.store.rooms import Rooms
from server.store.seats import give_up_seats, leave_rooms


async def forget(link: Commands, player_id: str, rooms: Rooms | None = None) -> bool:
    """Remove a player for good and close their sockets at every worker; False when there is none.

    Their seats in `rooms` are given up. It can be done again: what a killed worker left undone is
    done then, and until all of it is done the player is still known by their secrets. Raises
    Unavailable.
    """
    players = Players(link)
    rooms = rooms or Rooms(link)
    if await players.get(player_id) is None:
        return False
    await give_up_seats(rooms, player_id)
    await forget_games(link, player_id)
    news = PlayerNews(player_id, close=Close.NOT_SIGNED_IN)
    # In one write, so that hardly a worker dies in between.
    sat_in, _ = await asyncio.gather(players.remove(player_id), players.announce(news))
    # The news overtakes on a cluster, and where the script of the removal is new to Redis.
    await players.announce(news)
    # Once more for what was recorded and where they sat down meanwhile; what is recorded from now
    # on finds no player, and who sits down from now on is found to be none.
    await leave_rooms(rooms, player_id, sat_in)
    await forget_games(link, player_id)
    return True


async def forget_games(link: Commands, player_id: str) -> None:
    """Remove a player's rows from all boards, and their statistics, marks and history."""
    await Boards(link).remove_player(player_id)
    await link.call("DEL", *keys.of_player(player_id))
