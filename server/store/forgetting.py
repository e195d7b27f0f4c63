"""Forgets a player: all that is kept under their number; nothing that others see keeps a name."""

import asyncio

from server.core.messages import Close
from server.core.playernews import PlayerNews
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
    news = PlayerNews(player_id, close=Close.NOT_SIGNED_IN)
    # In one write, so that hardly a worker dies in between.
    await asyncio.gather(players.remove(player_id), players.announce(news))
    return True
