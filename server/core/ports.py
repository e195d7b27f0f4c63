"""What the server needs of the world around its decisions: the store's answers and failures; no code of either.

`server/net` sees the store only through these, `server/store` implements them, `server/app.py`
puts the two together.
"""

from typing import NamedTuple, Protocol


class Unavailable(Exception):  # noqa: N818 - the store's own errors bear their names
    """The store did not answer; whether the command happened is not known. Trying again can help."""


class Missing(Exception):  # noqa: N818
    """There is no such thing in the store: it never was, or its lifetime is over."""


class Commit(NamedTuple):
    """One accepted command on its way to the log.

    `version` and `head` are what the log must have, `action` the record's first three bytes,
    `event` what viewers on other workers are sent. `ends` is whether the session is over with it.
    """

    session_id: str
    version: int
    head: bytes
    action: bytes
    next_head: bytes
    state: str
    score: int
    ranked: int
    moves: int
    event: bytes
    ends: bool


class Committed(NamedTuple):
    """The command is in the log; `ms` is its time since the deal."""

    ms: int


class Stale(NamedTuple):
    """The log is not what the commit expected; nothing happened."""

    version: int
    head: bytes


class Stored(Protocol):
    """A session as the store has it."""

    @property
    def session_id(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def player(self) -> str: ...
    @property
    def origin(self) -> int: ...
    @property
    def dealt_at(self) -> int:
        """Unix milliseconds."""
    @property
    def head(self) -> bytes: ...
    @property
    def log(self) -> bytes: ...
