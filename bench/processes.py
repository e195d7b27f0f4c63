"""Start a Yukon server for a benchmark and read what its processes use. Linux only (/proc).

It must only ever end processes that it started itself.
"""

import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

START_SECONDS = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Use:
    """What one process has used: CPU seconds so far and resident memory in KiB."""

    name: str
    cpu: float
    memory: int


def use_of(pid: int) -> Use | None:
    """Read a process's use from /proc; None when it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    cpu = (int(fields[11]) + int(fields[12])) / _TICKS
    name = " ".join(Path(word).name for word in words[:4] if word)
    return Use(name or "?", cpu, int(fields[21]) * _PAGE // 1024)


def family(pid: int) -> list[int]:
    """Return the process and everything below it."""
    found = [pid]
    for parent in found:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            with contextlib.suppress(OSError):  # it ended meanwhile
                found += [int(word) for word in children.read_text().split()]
    return found


def uses_of(pids: list[int]) -> dict[int, Use]:
    """Read what several processes use; those that are gone are left out."""
    return {pid: use for pid in pids if (use := use_of(pid)) is not None}


def cores() -> tuple[int, int]:
    """Return the core for the workers and the one for the bots; on one core they are the same."""
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[0], allowed[-1]


def raise_file_limit() -> None:
    """Allow this process, and the server it starts, as many sockets as the system does."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Server:
    """A server of its own on a free port and a folder of its own, as a context manager."""

    def __init__(
        self, workers: int = 1, core: int | None = None, log_level: str = "warning"
    ) -> None:
        self.workers, self.core, self.log_level = workers, core, log_level

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="yukon-bench-"))
        log = self.folder / "log.txt"
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [
                    *[sys.executable, "-m", "server", "--host", "127.0.0.1", "--port", "0"],
                    *["--data-dir", str(self.folder / "data"), "--workers", str(self.workers)],
                    *["--log-level", self.log_level, "--no-rate-limits"],
                ],
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            self.address = self._address(log)
            self.pin()
        except BaseException:
            self.stop()
            raise
        return self

    @property
    def redis_socket(self) -> Path:
        """Where its Redis listens."""
        log = (self.folder / "log.txt").read_text()
        return Path(re.findall(r"embedded redis .*socket=(\S+)", log)[-1])

    def workers_now(self) -> list[int]:
        """Return the workers that live, the oldest first."""
        return [pid for pid, use in uses_of(self.pids()).items() if "server.worker" in use.name]

    def redis_now(self) -> list[int]:
        """Return its Redis, when that lives."""
        return [pid for pid, use in uses_of(self.pids()).items() if use.name == "redis.sock"]

    def _address(self, log: Path) -> str:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(r"^Yukon is ready: (http://\S+)$", log.read_text(), re.MULTILINE)
            if found:
                return found[1]
            time.sleep(0.05)
        raise RuntimeError(f"the server did not start: {log.read_text()}")

    def pin(self) -> None:
        """Keep the workers on one core and leave the other to Redis and the bots."""
        if self.core is not None:
            for pid in self.workers_now():
                os.sched_setaffinity(pid, {self.core})

    def pids(self) -> list[int]:
        """Return the ids of all its processes."""
        return family(self.process.pid)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End it, for good when it does not end by itself, and remove its folder."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
