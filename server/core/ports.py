"""What decisions need of the world around them: the store's values and failures, no code of it.

`server/net` sees the store only through these, `server/store` implements them, `server/app.py`
puts the two together.
"""

from typing import NamedTuple, Protocol

_RECORD_SIZE = 8


class Unavailable(Exception):
    """The store did not answer, and whether the command happened is not known; try again."""


class Missing(Exception):
    """There is no such session in the store: it never was, or its lifetime is over."""


class NewSession(NamedTuple):
    """A session to deal. `session_id` is the caller's, random; in a race `<room>.<own>`."""

    session_id: str
    code: str
    player: str
    origin: int
    state: str = "playing"
    score: int = 0  # a ruleset may score at the deal
    ranked: int = 0
    room: str = ""
    race: str = ""
    request_id: bytes | None = None  # of the client's command, remembered for ten minutes
    dealt_at_ms: int | None = None  # Unix ms; None means now, by the clock of Redis
    untouched_seconds: int | None = None  # how long it is kept unbegun; None as any game


class Created(NamedTuple):
    """What `create` did: the session there is now, and whether this call made it."""

    session_id: str
    dealt_at_ms: int
    is_new: bool


class StoredSession(NamedTuple):
    """A session as the store holds it, hash and log of one instant."""

    session_id: str
    code: str
    player: str
    origin: int
    room: str
    race: str
    dealt_at_ms: int  # Unix ms
    now_ms: int  # the store's time when this was read, Unix ms
    head: bytes
    state: str
    score: int
    ranked: int
    moves: int
    log: bytes
    closed_at_ms: int | None = None  # Unix ms; its race ended, or its player left it
    opened_at_ms: int | None = None  # Unix ms; its race is over, so its cards are no secret

    @property
    def version(self) -> int:
        """How many commands were accepted."""
        return len(self.log) // _RECORD_SIZE


class LaneCommit(NamedTuple):
    """What a command on a session in a race does to its lane, in the same commit."""

    room: str
    race: int
    seat: int
    progress: str  # packed, see core/standings.py
    outcome: str = ""  # once the command ended the game


class Commit(NamedTuple):
    """A validated command, made on `version` and `head`, and what is true after it."""

    session_id: str
    version: int
    head: bytes
    action: bytes  # source, count, target
    next_head: bytes
    state: str
    score: int
    ranked: int
    moves: int
    event: bytes = b""  # for viewers at other workers; the store does not read it
    ends: bool = False
    player: str = ""  # kept for long once the first command is in
    lane: LaneCommit | None = None


class Committed(NamedTuple):
    """The command is in the log, at `ms` milliseconds since the deal."""

    ms: int


class Stale(NamedTuple):
    """Nothing was changed: this is the session's version and head."""

    version: int
    head: bytes


class RaceOver(NamedTuple):
    """Nothing was changed: the session's race is over, or its lane is."""


class SessionEvent(NamedTuple):
    """A commit at another worker."""

    session_id: str
    version: int  # after the commit
    head: bytes
    record: bytes  # 8 bytes, as in the log
    event: bytes  # as the committing worker gave it


class Player(NamedTuple):
    """A player as the store holds them."""

    player_id: str
    name: str | None
    created_ms: int  # Unix ms
    is_banned: bool


class Transfer(NamedTuple):
    """A way for one more device of a player: its secret, and the Unix ms at which it closes."""

    secret: str
    ends_ms: int


class SessionStore(Protocol):
    """The sessions. All methods raise Unavailable, and commit and load Missing."""

    async def create(self, new: NewSession) -> Created:
        """Deal a session, once for the same request or id."""

    async def load(self, session_id: str, player: str | None = None) -> StoredSession | None:
        """Read a session, None when there is none or it is not that player's."""

    async def commit(self, commit: Commit) -> Committed | Stale | RaceOver:
        """Append a command if version and head are the expected ones."""

    async def watch(self, session_id: str, player: str | None = None) -> bool:
        """Hear of other workers' commits from now on; False when there is no such session.

        False too when it is not that player's.
        """

    async def unwatch(self, session_id: str) -> None:
        """Hear no more of them."""

    async def ended(self, session_id: str, claim: bytes | None = None) -> None:
        """Note that the end of a session is recorded, or has not happened; `claim` a sweeper's."""


class PlayerStore(Protocol):
    """The players. All methods raise Unavailable."""

    async def create(self, player_id: str, secret_hash: bytes, now_ms: int) -> None:
        """Store a new player."""

    async def get(self, player_id: str) -> Player | None:
        """Read a player, None when there is none."""

    async def authenticate(self, token: str) -> Player | None:
        """The player that a token belongs to, banned or not."""

    async def set_name(self, player_id: str, name: str) -> bool:
        """Set the nickname, already clean; False when there is no such player."""

    async def open_transfer(self, player_id: str) -> Transfer | None:
        """Let one more device of a player in, once; None when there is no such player."""

    async def take_transfer(self, secret: str) -> tuple[Player, str] | None:
        """The player and the token of a new device; None when the secret opens nothing.

        Of a banned player nothing is changed, and the token is empty.
        """
