"""Chooses the kind of connection for a Redis URL; it opens none."""

from collections.abc import Callable

from server.store.cluster import ClusterLink
from server.store.link import Commands, Link
from server.store.preflight import is_cluster, plain_url
from server.store.wire import Address


def link_to(
    url: str, name: str = "yukon", on_batch: Callable[[int], None] | None = None
) -> Commands:
    """Give the link for `redis://`, `rediss://`, `unix://`, `redis+cluster://`, `rediss+cluster://`.

    `name` is shown by CLIENT LIST; `on_batch` hears how many commands each write carried (not
    with a cluster, where each command is written alone).
    """
    if is_cluster(url):
        return ClusterLink(plain_url(url), name=name)
    return Link(Address.from_url(url), name=name, on_batch=on_batch)


def bus_address(url: str) -> Address:
    """Give the address for the bus; of a cluster the named node, since all hear everything."""
    return Address.from_url(plain_url(url))
