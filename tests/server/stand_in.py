"""A server program with a very small application in the game's place, to test start and end.

`python -m tests.server.stand_in` takes the options of `python -m server`.
"""

import asyncio
import logging
import os
import socket
import sys
import time
from collections.abc import Callable

import redis.asyncio
from aiohttp import web
from prometheus_client import Counter, Gauge

from server.__main__ import main
from server.settings import Settings

log = logging.getLogger(__name__)
alive = Gauge("stand_in_alive", "1 while a worker lives", multiprocess_mode="livesum")
answers = Counter("stand_in_answers", "Answers given")


async def serve(
    settings: Settings, listener: socket.socket, redis_url: str, ready: Callable[[], None]
) -> None:
    """Answer until cancelled: who serves, a number kept in Redis, and two slow pages."""
    if os.environ.get("STAND_IN_FAILS"):
        raise RuntimeError("this application does not start")
    client = redis.asyncio.Redis.from_url(redis_url)

    async def who(request: web.Request) -> web.Response:
        return web.json_response({"pid": os.getpid(), "workers": settings.workers})

    async def count(request: web.Request) -> web.Response:
        return web.json_response(await client.incr("count"))

    async def slow(request: web.Request) -> web.Response:
        await client.set("slow", "started")
        await asyncio.sleep(1)
        return web.json_response(await client.set("slow", "finished"))

    async def hang(request: web.Request) -> web.Response:
        log.warning("hangs")
        time.sleep(3600)  # noqa: ASYNC251 - a worker that no longer listens to anybody
        return web.Response()

    application = web.Application()
    application.add_routes(
        [
            web.get("/", who),
            web.get("/count", count),
            web.get("/slow", slow),
            web.get("/hang", hang),
        ]
    )
    runner = web.AppRunner(application, shutdown_timeout=5)
    await runner.setup()
    try:
        await client.ping()
        alive.set(1)
        answers.inc()
        await web.SockSite(runner, listener).start()
        ready()
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()
        await client.aclose()


if __name__ == "__main__":
    sys.exit(main(application="tests.server.stand_in:serve"))
