"""The connection for commands to a Redis Cluster: redis-py's client behind `Link`'s interface.

It is slower than `Link` (each command is a task of its own and waits for a free connection), but
follows slots as they move.
"""

import asyncio

from redis.asyncio.cluster import RedisCluster
from redis.exceptions import RedisClusterException, RedisError, ResponseError

from server.store.errors import Unavailable, from_reply
from server.store.link import CALL_SECONDS, MOST_UNDER_WAY, Commands, refused
from server.store.wire import Argument, Reply

# Commands that wait for Redis at the same time; the rest waits here, in order.
_AT_ONCE = 64


class ClusterLink(Commands):
    """Connections to a cluster; calls fail with Unavailable as those of `Link` do.

    Commands may overtake each other: whoever needs an order awaits one before the next.
    """

    is_cluster = True

    def __init__(
        self,
        url: str,
        *,
        name: str = "yukon",
        most: int = MOST_UNDER_WAY,
        seconds: float = CALL_SECONDS,
    ) -> None:
        """Prepare; `url` is that of any node, `redis://` or `rediss://`."""
        self._url = url
        self._name = name
        self._most = most
        self._seconds = seconds
        self._client: RedisCluster | None = None
        self._free = asyncio.Semaphore(_AT_ONCE)
        self._tasks: set[asyncio.Task[Reply]] = set()
        self._up = False

    @property
    def is_up(self) -> bool:
        """Whether the last command was answered."""
        return self._up

    @property
    def under_way(self) -> int:
        """How many calls wait for a reply."""
        return len(self._tasks)

    def call(self, *arguments: Argument) -> "asyncio.Future[Reply]":
        """Send one command; the future has the reply, or Unavailable, Missing, ReplyError."""
        if self._client is None:
            return refused("there is no connection to Redis")
        if len(self._tasks) >= self._most:
            return refused("too many commands are under way to Redis")
        task = asyncio.create_task(self._call(self._client, arguments))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def connect(self) -> None:
        """Find the nodes; Unavailable with the reason when that does not work."""
        client = RedisCluster.from_url(
            self._url, client_name=self._name, protocol=2, max_connections=2 * _AT_ONCE
        )
        # Replies are wanted as Redis gave them, as with `Link`; the client needs two kinds itself.
        for command in tuple(client.response_callbacks):
            if not command.startswith(("CLUSTER", "COMMAND")):
                del client.response_callbacks[command]
        try:
            async with asyncio.timeout(self._seconds):
                await client.initialize()
        except (RedisError, RedisClusterException, OSError) as error:
            await client.aclose()
            raise Unavailable(f"no Redis Cluster: {error}") from error
        self._client = client
        self._up = True

    async def close(self) -> None:
        """Close the connections for good; what is under way fails."""
        client, self._client = self._client, None
        self._up = False
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if client is not None:
            await client.aclose()

    async def _call(self, client: RedisCluster, arguments: tuple[Argument, ...]) -> Reply:
        try:
            async with asyncio.timeout(self._seconds), self._free:
                reply = await client.execute_command(*arguments)
        except ResponseError as error:
            self._up = True
            raise _error_of(error) from error
        except (RedisError, RedisClusterException, OSError) as error:
            self._up = False
            raise Unavailable(f"the cluster did not answer: {error}") from error
        self._up = True
        return reply


def _error_of(error: ResponseError) -> Exception:
    """Give our error for redis-py's, which takes the first word off some of them."""
    kind = type(error).__name__
    text = str(error)
    if kind == "NoScriptError" and not text.startswith("NOSCRIPT"):
        text = f"NOSCRIPT {text}"
    if kind in ("ReadOnlyError", "OutOfMemoryError", "ClusterDownError", "TryAgainError"):
        return Unavailable(text)
    return from_reply(text)
