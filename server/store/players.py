"""Players in Redis: who holds a secret, and what they are called; it makes no cookie.

The secret is 256 random bits and only its SHA-256 is stored. A slow hash with a salt protects
secrets that people choose, which can be guessed from a list; nothing is gained by it here, where
each guess is one of 2 to the 256, and it would cost its time at every connection.

A player has a secret for each of their devices; the field `secret` is the hashes one after the
other, the oldest first. A transfer is a secret that lets one more device in, once.
"""

import asyncio
import hmac
import secrets
from collections.abc import Collection
from hashlib import sha256
from typing import NamedTuple

from server.core import playernews
from server.core.playernews import PlayerNews
from server.core.ports import Player, Transfer
from server.store import keys
from server.store.errors import Damaged
from server.store.link import Commands
from server.store.scripts import AMEND, REMOVE, TAKE, TRANSFER, VISIT

# Nothing played yet: a visitor who never comes back leaves nothing behind.
SECONDS_AT_FIRST = 24 * 3600
SECONDS_KEPT = 400 * 24 * 3600
_RENEW_BEFORE = SECONDS_KEPT - 24 * 3600
TRANSFER_SECONDS = 600
MOST_DEVICES = 8
"""How many devices of a player are signed in; one more, and the oldest is not any more."""

_ID_BYTES = 10
_SECRET_BYTES = 32
_HASH_BYTES = 32
_LONGEST_TOKEN = 200
_AT_ONCE = 500


class Credentials(NamedTuple):
    """A new player's id, the token that is theirs alone, and the hash that is stored."""

    player_id: str
    token: str
    secret_hash: bytes


def new_credentials() -> Credentials:
    """Make an id and a secret from the system's secure random source."""
    return credentials_of(secrets.token_hex(_ID_BYTES))


def credentials_of(player_id: str) -> Credentials:
    """Make one more secret of a player."""
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    return Credentials(player_id, f"{player_id}.{secret}", hash_of(secret))


def hash_of(secret: str) -> bytes:
    """Give the hash under which a secret is stored (32 bytes)."""
    return sha256(secret.encode()).digest()


class Players:
    """The players. All methods raise Unavailable when Redis cannot serve."""

    def __init__(self, link: Commands) -> None:
        """Reach them through `link`."""
        self._link = link

    async def create(self, player_id: str, secret_hash: bytes, now_ms: int) -> None:
        """Store a new player for a day; the first command they play keeps them for long."""
        fields = ("secret", secret_hash, "created", now_ms)
        await self._link.run(VISIT, (keys.player(player_id),), SECONDS_AT_FIRST, *fields)

    async def get(self, player_id: str) -> Player | None:
        """Read a player, or None when there is none."""
        fields = await self._fields(player_id)
        return _player(player_id, fields) if fields else None

    async def authenticate(self, token: str) -> Player | None:
        """Give the player that a token (`id.secret`) belongs to, banned or not, or None."""
        parts = _parts(token)
        if parts is None:
            return None
        player_id, secret = parts
        fields = await self._fields(player_id)
        if not _is_one_of(hash_of(secret), fields.get(b"secret", b"")):
            return None
        await self._renew(player_id)
        return _player(player_id, fields)

    async def open_transfer(self, player_id: str) -> Transfer | None:
        """Let one more device of a player in, once, within TRANSFER_SECONDS.

        None when there is no such player. One that was opened before is closed by it.
        """
        made = credentials_of(player_id)
        ends: int = await self._link.run(
            TRANSFER, (keys.player(player_id),), made.secret_hash, TRANSFER_SECONDS * 1000
        )
        return Transfer(made.token, ends) if ends else None

    async def take_transfer(self, secret: str) -> tuple[Player, str] | None:
        """The player and the token of a new device, for the secret of a transfer.

        None when the secret opens nothing (any more), and of a banned player nothing is changed
        and the token is empty.
        """
        parts = _parts(secret)
        if parts is None:
            return None
        player_id, own = parts
        made = credentials_of(player_id)
        taken: int = await self._link.run(
            TAKE,
            (keys.player(player_id),),
            hash_of(own),
            made.secret_hash,
            MOST_DEVICES * _HASH_BYTES,
        )
        player = await self.get(player_id) if taken else None
        return None if player is None else (player, made.token if taken > 0 else "")

    async def set_name(self, player_id: str, name: str) -> bool:
        """Set the nickname, already checked; False when there is no such player."""
        return await self._amend(player_id, "name", name)

    async def set_banned(self, player_id: str, *, banned: bool) -> bool:
        """Ban a player or let them in again; False when there is no such player."""
        return await self._amend(player_id, "banned", "1" if banned else "")

    async def keep(self, player_id: str) -> None:
        """Keep a player for long: they played something."""
        await self._link.call("EXPIRE", keys.player(player_id), SECONDS_KEPT)

    async def stay(self, player_ids: Collection[str]) -> None:
        """Keep visitors for a day from now: they are still here, whether they played or not."""
        waiting = list(player_ids)
        for start in range(0, len(waiting), _AT_ONCE):
            await asyncio.gather(
                *(
                    self._link.call("EXPIRE", keys.player(player_id), SECONDS_AT_FIRST, "GT")
                    for player_id in waiting[start : start + _AT_ONCE]
                )
            )

    async def devices(self, player_id: str) -> int:
        """How many devices of a player are signed in."""
        size: int = await self._link.call("HSTRLEN", keys.player(player_id), "secret")
        return size // _HASH_BYTES

    async def remove(self, player_id: str) -> list[str]:
        """Forget a player: name, secrets, everything in their hash. Gives where they may sit."""
        rooms: list[bytes] = await self._link.run(
            REMOVE, (keys.player(player_id), keys.seats(player_id))
        )
        return [room.decode() for room in rooms]

    async def announce(self, news: PlayerNews) -> None:
        """Tell every worker something about a player."""
        await self._link.call("PUBLISH", keys.topic_channel(playernews.TOPIC), news.packed())

    async def _amend(self, player_id: str, field: str, value: str) -> bool:
        found: int = await self._link.run(AMEND, (keys.player(player_id),), field, value)
        return found == 1

    async def _fields(self, player_id: str) -> dict[bytes, bytes]:
        listed: list[bytes] = await self._link.call("HGETALL", keys.player(player_id))
        return dict(zip(listed[::2], listed[1::2], strict=True))

    async def _renew(self, player_id: str) -> None:
        """Renew the lifetime of a player who was kept, at most once a day."""
        key = keys.player(player_id)
        left: int = await self._link.call("TTL", key)
        if SECONDS_AT_FIRST < left < _RENEW_BEFORE:
            all_keys = (key, keys.seats(player_id), *keys.of_player(player_id))
            await asyncio.gather(
                *(self._link.call("EXPIRE", each, SECONDS_KEPT) for each in all_keys)
            )


def _parts(token: str) -> tuple[str, str] | None:
    """Id and secret of a token, None where it can be none."""
    player_id, dot, secret = token.partition(".")
    if not (dot and player_id.isalnum() and token.isascii()) or len(token) > _LONGEST_TOKEN:
        return None
    return player_id, secret


def _is_one_of(wanted: bytes, hashes: bytes) -> bool:
    """Whether a hash is one of those of a player, in a time that tells nothing of them."""
    found = False
    for start in range(0, len(hashes), _HASH_BYTES):
        found |= hmac.compare_digest(wanted, hashes[start : start + _HASH_BYTES])
    return found


def _player(player_id: str, fields: dict[bytes, bytes]) -> Player:
    try:
        name = fields.get(b"name", b"").decode()
        created_ms = int(fields[b"created"])
    except (KeyError, ValueError) as error:
        raise Damaged(f"player {player_id}: {error!r}") from error
    return Player(player_id, name or None, created_ms, fields.get(b"banned", b"") != b"")
