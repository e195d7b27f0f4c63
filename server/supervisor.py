"""Keeps the workers running on one socket and ends them all in order; serves nothing itself."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path
from typing import cast

from prometheus_client import multiprocess

from server.settings import Settings
from server.worker import Orders

log = logging.getLogger("yukon.supervisor")

STOP_SECONDS = 6.5
"""Workers that were told to stop get this long to finish what is under way."""
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
STEADY_SECONDS = 10.0
"""A worker that lived this long is started again at once when it dies."""
TRIES = 5
"""Failures in a row, before any worker ever served, after which the server gives up."""

_ROOT = Path(__file__).resolve().parent.parent
_mark_dead = cast(Callable[[int, str], None], multiprocess.mark_process_dead)


def stop_signals() -> list[signal.Signals]:
    """What ends the server in order; a terminal that closes too, unless nohup said otherwise."""
    signals = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signals.append(signal.SIGHUP)
    return signals


class Supervisor:
    """N workers on one listening socket, started again when they die.

    `on_ready` is called once, when the first worker serves. `run` returns the exit status: 0 after
    being told to stop, 1 when no worker could be brought to serve, 130 after a second Ctrl-C.
    """

    def __init__(
        self,
        settings: Settings,
        redis_url: str,
        listener: socket.socket,
        metrics: Path,
        on_ready: Callable[[], None],
        application: str,
    ) -> None:
        self._settings = settings
        self._redis_url = redis_url
        self._listener = listener
        self._metrics = metrics
        self._on_ready = on_ready
        self._application = application
        self._workers: dict[int, Process] = {}
        self._served = False
        self._failures = 0
        self._stop = asyncio.Event()
        self._status = 0

    async def run(self) -> int:
        """Run until told to stop; every worker has ended when this returns."""
        loop = asyncio.get_running_loop()
        for signal_number in stop_signals():
            loop.add_signal_handler(signal_number, self._told, signal_number)
        keepers = [
            asyncio.create_task(self._keep(number)) for number in range(self._settings.workers)
        ]
        await self._stop.wait()
        self._listener.close()
        for worker in self._workers.values():
            with contextlib.suppress(ProcessLookupError):
                worker.terminate()
        await asyncio.wait(keepers, timeout=STOP_SECONDS)
        for number in self._workers:
            log.error("worker does not stop, killing it", extra={"worker": number})
        self._kill_workers()
        await asyncio.gather(*keepers)
        return self._status

    def _told(self, number: int) -> None:
        if not self._stop.is_set():
            log.info("stopping", extra={"signal": signal.Signals(number).name})
            self._stop.set()
        elif number == signal.SIGINT:
            self._status = 130
            self._kill_workers()

    def _kill_workers(self) -> None:
        for worker in self._workers.values():
            with contextlib.suppress(ProcessLookupError):
                worker.kill()

    async def _keep(self, number: int) -> None:
        pause = FIRST_PAUSE
        while not self._stop.is_set():
            started = time.monotonic()
            try:
                status = await self._run_once(number)
            except OSError as error:
                status = -1
                log.error("worker cannot be started", extra={"reason": str(error)})
            if self._stop.is_set():
                return
            if time.monotonic() - started > STEADY_SECONDS:
                pause = FIRST_PAUSE
            log.error(
                "worker died, starting it again",
                extra={"worker": number, "status": status, "in_seconds": pause},
            )
            self._failures += 1
            if not self._served and self._failures >= TRIES:
                log.error("no worker starts, giving up")
                self._status = 1
                self._stop.set()
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _run_once(self, number: int) -> int:
        """Start one worker and wait for its end; returns its exit status."""
        reading, writing = os.pipe()
        try:
            worker = await self._launch(number, writing)
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        self._workers[number] = worker
        if self._stop.is_set():
            # Told to stop while this worker was being started: the round of signals missed it.
            worker.terminate()
        try:
            with os.fdopen(reading, "rb", buffering=0) as pipe:
                await self._hear(number, worker, pipe.fileno())
                return await worker.wait()
        finally:
            del self._workers[number]
            if worker.stdin is not None:
                worker.stdin.close()
            _mark_dead(worker.pid, str(self._metrics))

    async def _launch(self, number: int, ready: int) -> Process:
        path = os.pathsep.join(
            part for part in (str(_ROOT), os.environ.get("PYTHONPATH", "")) if part
        )
        listener = self._listener.fileno()
        worker = await asyncio.create_subprocess_exec(
            # -P: a folder named `server` in the working folder is not this program.
            *(sys.executable, "-P", "-m", "server.worker"),
            stdin=PIPE,
            pass_fds=(listener, ready),
            env={**os.environ, "PYTHONPATH": path, "PROMETHEUS_MULTIPROC_DIR": str(self._metrics)},
            # Ctrl-C in a terminal reaches the supervisor alone, which then ends things in order.
            start_new_session=True,
        )
        orders = Orders(self._settings, self._redis_url, number, listener, ready, self._application)
        cast(asyncio.StreamWriter, worker.stdin).write(orders.to_line())
        return worker

    async def _hear(self, number: int, worker: Process, pipe: int) -> None:
        """Wait until the worker serves or its end of the pipe closes."""
        loop = asyncio.get_running_loop()
        heard = asyncio.Event()
        loop.add_reader(pipe, heard.set)
        try:
            await heard.wait()
        finally:
            loop.remove_reader(pipe)
        if not os.read(pipe, 1):
            return
        log.info("worker serves", extra={"worker": number, "pid": worker.pid})
        if not self._served:
            self._served = True
            self._on_ready()
