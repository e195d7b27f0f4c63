"""The check of a given Redis: each that cannot keep games is refused in one line that helps."""

import logging
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from server.store import preflight
from server.store.embedded import EmbeddedRedis, find_binary
from server.store.preflight import PreflightError, address, check
from tests.server.conftest import RedisServer
from tests.server.fake_redis import FakeRedis
from tests.server.waiting import wait_for

GOOD = {
    "redis_version": "7.4.1",
    "redis_mode": "standalone",
    "role": "master",
    "loading": "0",
    "maxmemory_policy": "noeviction",
    "aof_enabled": "1",
}


def refusal(url: str) -> str:
    with pytest.raises(PreflightError) as caught:
        check(url)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_a_good_one_is_named(redis_server: RedisServer) -> None:
    assert check(redis_server.url).startswith("Valkey 9.")
    with FakeRedis(GOOD) as fake:
        assert check(fake.url) == "Redis 7.4.1"


@pytest.mark.parametrize(
    "changed,words",
    [
        ({"redis_version": "6.2.14"}, "is version 6.2.14, which is too old: use Redis 7 or newer"),
        ({"redis_version": "new"}, "too old"),
        ({"role": "slave"}, "is a replica, which takes no writes; give its primary's address"),
        ({"redis_mode": "cluster"}, "part of a cluster; write its address with redis+cluster://"),
        ({"maxmemory_policy": "allkeys-lru"}, "(maxmemory-policy allkeys-lru); set it with"),
        ({"maxmemory_policy": "volatile-ttl"}, "maxmemory-policy noeviction"),
    ],
)
def test_what_cannot_keep_games_is_refused(changed: dict[str, str], words: str) -> None:
    with FakeRedis(GOOD | changed) as fake:
        text = refusal(fake.url)
    assert words in text
    assert address(fake.url) in text


def test_a_real_evicting_policy_is_refused(redis_server: RedisServer) -> None:
    with redis.Redis.from_url(redis_server.url) as client:
        client.config_set("maxmemory-policy", "allkeys-lfu")
        try:
            assert "may throw running games away" in refusal(redis_server.url)
        finally:
            client.config_set("maxmemory-policy", "noeviction")


def test_a_wrong_password_is_told_and_not_repeated(redis_server: RedisServer) -> None:
    with redis.Redis.from_url(redis_server.url) as client:
        client.acl_setuser("watcher", enabled=True, passwords=["+right"], commands=["+ping"])
        wrong = refusal(redis_server.url + "?username=watcher&password=hunter2")
        assert "refuses the user or password" in wrong
        assert "hunter2" not in wrong
        allowed = refusal(redis_server.url + "?username=watcher&password=right")
        assert "refuses the user or password" in allowed
        client.acl_deluser("watcher")


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert "cannot be reached" in refusal(f"redis://me:hunter2@127.0.0.1:{port}")
        assert "hunter2" not in refusal(f"redis://me:hunter2@127.0.0.1:{port}")
        assert "cannot be reached" in refusal(f"redis+cluster://127.0.0.1:{port}")
    assert "cannot be reached" in refusal("unix:///nowhere/redis.sock")
    assert "cannot be reached" in refusal("redis://name.invalid")


def test_something_else_there() -> None:
    with FakeRedis({}, greeting=b"HTTP/1.1 400 Bad Request\r\n\r\n") as fake:
        text = refusal(fake.url)
    assert "correct --redis-url" in text


def test_it_waits_for_one_that_is_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeRedis(GOOD, loading=2) as fake:
        assert check(fake.url) == "Redis 7.4.1"
    monkeypatch.setattr(preflight, "LOADING_SECONDS", 0)
    with FakeRedis(GOOD, loading=9) as fake:
        assert "still loading its data" in refusal(fake.url)


def test_one_that_keeps_nothing_is_warned_about(caplog: pytest.LogCaptureFixture) -> None:
    with FakeRedis(GOOD | {"aof_enabled": "0"}) as fake, caplog.at_level(logging.WARNING):
        check(fake.url)
    assert "keeps no append-only file" in caplog.text


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """A cluster of one node that owns every slot."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"port": port, "bind": "127.0.0.1", "dir": tmp_path, "cluster-enabled": "yes"}
    # The bus would take port + 10000, which may not be a port.
    options |= {"cluster-port": port - 1 if port > 60000 else port + 1, "save": ""}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    node = subprocess.Popen([find_binary(), *words], stdout=subprocess.DEVNULL)
    try:
        with redis.Redis(port=port) as client:
            wait_for("cluster node", lambda: _pings(client))
            client.cluster("ADDSLOTSRANGE", 0, 16383)
            wait_for("whole cluster", lambda: _is_whole(client))
        yield f"127.0.0.1:{port}"
    finally:
        node.terminate()
        node.wait()


def _pings(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def _is_whole(client: redis.Redis) -> bool:
    return bool(client.cluster("INFO")["cluster_state"] == "ok")


def test_a_cluster(cluster: str) -> None:
    assert check(f"redis+cluster://{cluster}").startswith("Valkey 9.")
    assert "write its address with redis+cluster://" in refusal(f"redis://{cluster}")


def test_a_cluster_address_of_a_single_one() -> None:
    with FakeRedis(GOOD) as fake:
        text = refusal(fake.url.replace("redis://", "redis+cluster://"))
    assert "cannot be reached as a cluster" in text


@pytest.mark.parametrize(
    "url,shown",
    [
        ("redis://me:pw@host/3", "redis://host:6379/3"),
        ("rediss://:pw@host:1?ssl_cert_reqs=none", "rediss://host:1"),
        ("unix://me:pw@/run/redis.sock?db=1", "unix:///run/redis.sock"),
        ("redis://[::1]:7", "redis://[::1]:7"),
        ("redis+cluster://host", "redis+cluster://host:6379"),
    ],
)
def test_the_address_shown_has_no_password(url: str, shown: str) -> None:
    assert address(url) == shown


def test_the_embedded_one_passes(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path)
    server.start()
    try:
        assert check(server.url)
        assert server.pid != os.getpid()
    finally:
        server.stop()
