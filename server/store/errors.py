"""What can go wrong between the server and Redis; it decides nothing about what to do then."""

from server.core.ports import Missing, Unavailable

__all__ = ["WANTS_NEW_CONNECTION", "Damaged", "Missing", "ReplyError", "Unavailable", "from_reply"]


class Damaged(Missing):
    """What is stored under the keys is not what the server wrote: nobody can go on from it."""


class ReplyError(Exception):
    """Redis refused a command for a reason that trying again does not change."""


# Error replies that mean "not now": the first word that Redis puts before the text.
_NOT_NOW = frozenset(
    (
        "LOADING",
        "READONLY",
        "MASTERDOWN",
        "CLUSTERDOWN",
        "TRYAGAIN",
        "BUSY",
        "MISCONF",
        "NOREPLICAS",
        "OOM",
        "FAILOVER",
    )
)

# Of these, the ones that a new connection may cure: it may lead to another server.
WANTS_NEW_CONNECTION = frozenset(("READONLY", "MASTERDOWN"))


def from_reply(text: str) -> Exception:
    """Give the error for an error reply's text, such as `LOADING Redis is loading the dataset`."""
    word = text.partition(" ")[0]
    if word in _NOT_NOW:
        return Unavailable(text)
    if word == "MISSING":
        return Missing(text)
    if word == "WRONGTYPE":  # under one of our keys lies something else
        return Damaged(text)
    return ReplyError(text)
