"""What every worker is told about a player: a new name, or that their sockets are to be closed."""

import json
from typing import Final, NamedTuple

from server.core.messages import Close

TOPIC: Final = "players"
"""The topic on which the workers listen."""


class PlayerNews(NamedTuple):
    """One piece of news; `name` is their new name, `close` why their sockets are closed."""

    player: str
    name: str | None = None
    close: Close | None = None

    def packed(self) -> bytes:
        """As it goes over the topic."""
        return json.dumps(self).encode()

    @classmethod
    def read(cls, payload: bytes) -> "PlayerNews":
        """What `packed` wrote. Raises ValueError for anything else."""
        player, name, close = json.loads(payload)
        return cls(player, name, None if close is None else Close(close))
