"""One worker process: runs the application on a given socket until told to stop; wires nothing."""

import asyncio
import contextlib
import importlib
import json
import logging
import os
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from server import logs
from server.settings import Settings

log = logging.getLogger("yukon.worker")

LAST_SECONDS = 8.0
"""After being told to stop, the process ends after this long at the latest."""


@dataclass(frozen=True, slots=True)
class Orders:
    """What a worker is told, one JSON line on its standard input, which then stays open.

    `listener` and `ready` are inherited file descriptors: the listening socket, and a pipe that
    takes one byte when the worker serves. `application` is `module:function`.
    """

    settings: Settings
    redis_url: str
    number: int
    listener: int
    ready: int
    application: str = "server.app:serve"

    def to_line(self) -> bytes:
        """The line to write to the worker's standard input."""
        values = {name: getattr(self, name) for name in self.__slots__ if name != "settings"}
        return json.dumps({**values, "settings": self.settings.to_json()}).encode() + b"\n"

    @staticmethod
    def from_line(line: bytes) -> "Orders":
        """The orders that `to_line` wrote."""
        values = json.loads(line)
        return Orders(**{**values, "settings": Settings.from_json(values["settings"])})


def main() -> None:
    """Entry of `python -m server.worker`, which only the supervisor starts."""
    line = sys.stdin.buffer.readline()
    if not line.endswith(b"\n"):
        raise SystemExit("a worker is started by the server, not by hand: run python -m server")
    orders = Orders.from_line(line)
    logs.set_up(
        orders.settings.log_level,
        orders.settings.log_format,
        worker=orders.number if orders.settings.workers > 1 else None,
    )
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_run(orders))
    except Exception:
        log.exception("worker failed")
        raise SystemExit(1) from None


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return cast(Callable[[], asyncio.AbstractEventLoop], uvloop.new_event_loop)


async def _run(orders: Orders) -> None:
    module, _, name = orders.application.partition(":")
    serve: Any = getattr(importlib.import_module(module), name)
    listener = socket.socket(fileno=orders.listener)
    listener.setblocking(False)
    stop = _Stop(asyncio.get_running_loop())
    serving = asyncio.ensure_future(
        serve(orders.settings, listener, orders.redis_url, _announcer(orders.ready))
    )
    stopping = asyncio.ensure_future(stop.wanted.wait())
    await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    if stopping.done():
        log.debug("worker stops")
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving
    else:
        stopping.cancel()
        await serving
        raise RuntimeError("the application ended without being told to")
    if stop.orphaned:
        _tidy_for_the_dead()


class _Stop:
    """Notices that the worker shall end: a signal, or a supervisor that is gone."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.wanted = asyncio.Event()
        self.orphaned = False
        self._loop = loop
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop)
        # A thread of its own: it also ends a process whose event loop hangs.
        threading.Thread(
            target=self._watch_supervisor, name="supervisor-watch", daemon=True
        ).start()

    def _stop(self) -> None:
        if not self.wanted.is_set():
            self.wanted.set()
            last = threading.Timer(LAST_SECONDS, os._exit, (1,))
            last.daemon = True
            last.start()

    def _watch_supervisor(self) -> None:
        while os.read(0, 1024):
            pass
        self.orphaned = True
        last = threading.Timer(LAST_SECONDS, os._exit, (1,))
        last.daemon = True
        last.start()
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop)


def _announcer(ready: int) -> Callable[[], None]:
    def announce() -> None:
        with contextlib.suppress(OSError):
            os.write(ready, b"+")

    return announce


def _tidy_for_the_dead() -> None:
    """Remove what a killed supervisor could not: the metrics' folder, which it named itself."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR", "")
    if Path(folder).name.startswith("yukon-metrics-"):
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
