"""The program `yukon`: checks what it was told, starts what it needs, says where it is; no game."""

import asyncio
import contextlib
import logging
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from server import logs
from server.listen import ListenError, addresses, open_listener
from server.settings import Settings, load_or_exit
from server.store.embedded import EmbeddedRedis
from server.store.folder import EmbeddedError
from server.store.preflight import PreflightError, address, check
from server.supervisor import Supervisor, stop_signals

log = logging.getLogger("yukon")

ADMIN = "admin"
OPEN_FILES = 65536
HURRIED = 130
"""Exit status after Ctrl-C before the server ran, or a second one while it was ending."""


def main(arguments: Sequence[str] | None = None, application: str = "server.app:serve") -> int:
    """Run the server; the exit status is 0 after an ordered end, 2 when it could not start.

    With `admin` as the first word it is the host's command line instead.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == [ADMIN]:
        from server.admin.command import main as administer

        return administer(given[1:])
    settings = load_or_exit(given)
    logs.set_up(settings.log_level, settings.log_format)
    _raise_open_files()
    for number in stop_signals():
        signal.signal(number, signal.default_int_handler)
    try:
        return _run(settings, application)
    except (ListenError, EmbeddedError, PreflightError) as problem:
        print(f"yukon: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return HURRIED


def _run(settings: Settings, application: str) -> int:
    listener = open_listener(settings.host, settings.port)
    with contextlib.closing(listener), _redis(settings) as redis_url, _metrics() as metrics:

        def on_ready() -> None:
            for line in _where(settings, listener):
                _say(line)

        async def supervise() -> int:
            return await Supervisor(
                settings, redis_url, listener, metrics, on_ready, application
            ).run()

        status = asyncio.run(supervise())
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if status == HURRIED:
            # Nobody waits for Redis now: its watcher ends it as soon as this process is gone.
            shutil.rmtree(metrics, ignore_errors=True)
            os._exit(status)
    if status == 0:
        log.info("stopped")
    return status


@contextlib.contextmanager
def _redis(settings: Settings) -> Iterator[str]:
    """The address of the Redis to use, started here when none was given, and said which it is."""
    if settings.redis_url is not None:
        kind = check(settings.redis_url)
        _say(f"Games are kept in {kind} at {address(settings.redis_url)}")
        yield settings.redis_url
        return
    embedded = EmbeddedRedis(settings.data_dir)
    embedded.start()
    try:
        _say(f"Games are kept in {embedded.folder} ({check(embedded.url)}, the server's own)")
        yield embedded.url
    finally:
        embedded.stop()


@contextlib.contextmanager
def _metrics() -> Iterator[Path]:
    """A fresh folder where the workers' metrics meet, gone at the end."""
    folder = Path(tempfile.mkdtemp(prefix="yukon-metrics-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _where(settings: Settings, listener: socket.socket) -> Iterator[str]:
    if settings.public_url is not None:
        yield f"Yukon is ready: {settings.public_url}"
        return
    first, *others = addresses(listener)
    yield f"Yukon is ready: {first}"
    for other in others:
        yield f"From other machines: {other}"


def _say(line: str) -> None:
    # Whoever reads may have gone; that is no reason to end the games.
    with contextlib.suppress(OSError):
        print(line, flush=True)


def _raise_open_files() -> None:
    """Each player's socket is an open file, and many systems start with 256 or 1024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


if __name__ == "__main__":
    sys.exit(main())
