"""What the server's tests share: one real Redis for the whole run, emptied for each test."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from server.store.embedded import EmbeddedRedis


@dataclass(frozen=True, slots=True)
class RedisServer:
    """A running Redis of the tests' own."""

    url: str
    embedded: EmbeddedRedis

    @property
    def pid(self) -> int:
        """Process id, for tests that kill it; it is started again at once."""
        pid = self.embedded.pid
        assert pid is not None
        return pid


@pytest.fixture(scope="session")
def _embedded_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    folder: Path = tmp_path_factory.mktemp("redis")
    embedded = EmbeddedRedis(folder, appendfsync="everysec")
    embedded.start()
    yield embedded
    embedded.stop()


@pytest.fixture
def redis_server(_embedded_redis: EmbeddedRedis) -> RedisServer:
    """A real Redis with nothing in it; `url` is its unix:// address."""
    # A test before this one may have killed it: wait until it is up again.
    patience = Retry(ConstantBackoff(0.02), 500)
    with redis.Redis.from_url(_embedded_redis.url, retry=patience) as client:
        client.flushall()
        client.script_flush()
    return RedisServer(_embedded_redis.url, _embedded_redis)


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """Address of the empty Redis."""
    return redis_server.url
