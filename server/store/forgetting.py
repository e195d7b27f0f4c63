"""Forgets a player: all that is kept under their number; nothing that others see keeps a name."""

import asyncio

from server.core.messages import Close
from server.core.playernews import PlayerNews
from server.store import keys
from server.store.boards import Boards
from server.store.link import Commands
from server.store.players import Players


async def forget(link: Commands, player_id: str) -> bool:
    """Remove a player for good and close their sockets at every worker; False when there is none.

    It can be done again: what a killed worker left undone is done then, and until all of it is
    done the player is still known by their secrets. Raises Unavailable.
    """
    players = Players(link)
    if await players.get(player_id) is None:
        return False
    await forget_games(link, player_id)
    news = PlayerNews(player_id, close=Close.NOT_SIGNED_IN)
    # In one write, so that hardly a worker dies in between.
    await asyncio.gather(players.remove(player_id), players.announce(news))
    if link.is_cluster:  # where one may have overtaken the other
        await players.announce(news)
    # Once more for what was recorded meanwhile; what is recorded from now on finds no player.
    await forget_games(link, player_id)
    return True


async def forget_games(link: Commands, player_id: str) -> None:
    """Remove a player's rows from all boards, and their statistics, marks and history."""
    await Boards(link).remove_player(player_id)
    await link.call("DEL", *keys.of_player(player_id))
