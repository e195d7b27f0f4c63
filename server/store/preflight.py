"""Asks a given Redis whether games can be kept in it; says in one line why not; changes nothing."""

import logging
import time
from typing import cast
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.exceptions import (
    BusyLoadingError,
    ClusterError,
    NoPermissionError,
    RedisClusterException,
)
from redis.retry import Retry

from server.store.embedded import OLDEST

log = logging.getLogger("yukon.redis")

ANSWER_SECONDS = 5.0
LOADING_SECONDS = 60.0


class PreflightError(RuntimeError):
    """Games cannot be kept in this Redis; the text is one line that says what to do."""


def address(url: str) -> str:
    """The URL without user, password and options, fit to be shown and logged."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return f"unix://{parts.path}"
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}:{parts.port or 6379}{parts.path.rstrip('/')}"


def is_cluster(url: str) -> bool:
    """Whether the URL names a cluster: redis+cluster:// or rediss+cluster://."""
    return urlsplit(url).scheme.endswith("+cluster")


def plain_url(url: str) -> str:
    """The URL as redis-py reads it, for its cluster client and its plain one alike."""
    return url.replace("+cluster://", "://", 1)


def check(url: str) -> str:
    """Name and version of the Redis behind the URL, after making sure that it can keep games.

    Raises PreflightError when it is unreachable, refuses the password, is too old, is a replica,
    may evict keys, or is (not) a cluster against what the URL says. Waits up to a minute for one
    that is still loading its data.
    """
    place = address(url)
    deadline = time.monotonic() + LOADING_SECONDS
    while True:
        try:
            return _check_all(url, place)
        except BusyLoadingError:
            if time.monotonic() > deadline:
                raise PreflightError(
                    f"Redis at {place} is still loading its data; start again when it is done"
                ) from None
            time.sleep(0.2)
        except (redis.AuthenticationError, NoPermissionError):
            raise PreflightError(
                f"Redis at {place} refuses the user or password of the address; correct --redis-url"
            ) from None
        except (redis.ConnectionError, redis.TimeoutError, OSError) as error:
            raise PreflightError(
                f"Redis at {place} cannot be reached ({_reason(error)}); "
                "start it or correct --redis-url"
            ) from None
        except (RedisClusterException, ClusterError) as error:
            raise PreflightError(
                f"Redis at {place} cannot be reached as a cluster ({_reason(error)}); "
                "start it or correct --redis-url"
            ) from None
        except (redis.RedisError, ValueError) as error:
            raise PreflightError(
                f"Redis at {place} does not answer as it should ({_reason(error)}); "
                "correct --redis-url"
            ) from None


def _check_all(url: str, place: str) -> str:
    nodes = _infos(url)
    for info in nodes:
        _check_node(info, place, cluster=is_cluster(url))
    if not any(info.get("aof_enabled") for info in nodes):
        log.warning(
            "redis keeps no append-only file: games since its last snapshot are lost when it stops",
            extra={"redis": place},
        )
    name = "Valkey" if nodes[0].get("valkey_version") else "Redis"
    return f"{name} {_version(nodes[0])}"


def _infos(url: str) -> list[dict[str, object]]:
    """What INFO says, of each primary of a cluster or of the one server."""
    options = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
    if is_cluster(url):
        with RedisCluster.from_url(plain_url(url), **options) as cluster:
            answers = cluster.info(target_nodes=RedisCluster.PRIMARIES)
            # Closing the client leaves its connections open.
            cluster.disconnect_connection_pools()
            several = cast(dict[str, dict[str, object]], answers)
            # One primary alone is answered without its name around it.
            return [answers] if "redis_version" in answers else list(several.values())
    with redis.Redis.from_url(url, retry=Retry(NoBackoff(), 0), protocol=2, **options) as client:
        return [cast(dict[str, object], client.info())]


def _check_node(info: dict[str, object], place: str, *, cluster: bool) -> None:
    version = _version(info)
    if not version.partition(".")[0].isdigit() or int(version.partition(".")[0]) < OLDEST:
        raise PreflightError(
            f"Redis at {place} is version {version}, which is too old: "
            f"use Redis {OLDEST} or newer, or Valkey"
        )
    if info.get("role") == "slave":
        raise PreflightError(
            f"Redis at {place} is a replica, which takes no writes; give its primary's address"
        )
    # Valkey calls it server_mode.
    if "cluster" in (info.get("redis_mode"), info.get("server_mode")) and not cluster:
        raise PreflightError(
            f"Redis at {place} is part of a cluster; write its address with redis+cluster://"
        )
    policy = str(info.get("maxmemory_policy", "noeviction"))
    if policy != "noeviction":
        raise PreflightError(
            f"Redis at {place} may throw running games away (maxmemory-policy {policy}); "
            "set it with: redis-cli config set maxmemory-policy noeviction"
        )


def _version(info: dict[str, object]) -> str:
    # Valkey also names the Redis it is compatible with; its own version is the one to show.
    return str(info.get("valkey_version") or info.get("redis_version") or "unknown")


def _reason(error: Exception) -> str:
    """The library's words in one short line, without an address that may hold a password."""
    # The cluster client puts the cause behind a colon, after a sentence of its own.
    text = " ".join(str(error).rpartition("reachable node: ")[2].split())
    return (text or type(error).__name__)[:120].rstrip(". ")
