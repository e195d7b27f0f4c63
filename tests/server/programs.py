"""Server programs as real processes: started with options, watched by what they print, ended."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any, Self

from tests.server.waiting import wait_for

ROOT = Path(__file__).parent.parent.parent


def is_running(pid: int) -> bool:
    """Whether a process lives; one that is dead but not collected does not."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except ProcessLookupError:
        return False
    except OSError:  # no /proc here
        listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True)
        state = listed.stdout.decode().strip()[:1] or "Z"
    return state not in "ZX"


def wait_until_gone(*pids: int) -> None:
    for pid in pids:
        wait_for(f"end of process {pid}", lambda pid=pid: not is_running(pid))  # type: ignore[misc]


class Program:
    """`python -m MODULE ARGUMENTS` with its output in two files of `folder`; a context manager."""

    def __init__(
        self, folder: Path, *arguments: str, module: str = "tests.server.stand_in", **variables: str
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.temporary = folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("YUKON_", "REDIS_URL", "PROMETHEUS_"))
        }
        self._out, self._err = folder / "out.txt", folder / "err.txt"
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env={**kept, "TMPDIR": str(self.temporary), **variables},
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        wait_until_gone(*self.serving(), *self.redis_pids())

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def out(self) -> str:
        return self._out.read_text()

    @property
    def err(self) -> str:
        return self._err.read_text()

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait, at most the ten seconds that an end may take."""
        self.process.send_signal(number)
        return self.process.wait(10)

    def finish(self) -> int:
        """Exit status of a program that ends by itself."""
        return self.process.wait(30)

    def address(self) -> str:
        """Where it serves, once it says so."""
        pattern = re.compile(r"^Yukon is ready: (http://\S+)$", re.MULTILINE)
        return wait_for("address", lambda: pattern.search(self.out) if self._alive() else None)[1]

    def get(self, path: str = "/") -> Any:
        """The JSON that a page answers with."""
        with urllib.request.urlopen(self.address() + path, timeout=20) as answer:
            return json.load(answer)

    def serving(self) -> list[int]:
        """Process ids of all workers that ever served, the oldest first."""
        return [int(pid) for pid in re.findall(r"worker serves .*pid=(\d+)", self.err)]

    def redis_pids(self) -> list[int]:
        """Process ids of all embedded Redis ever started or adopted, the oldest first."""
        return [int(pid) for pid in re.findall(r"embedded redis \w+ pid=(\d+)", self.err)]

    def wait_for_workers(self, count: int) -> list[int]:
        return wait_for(
            f"{count} workers", lambda: self.serving() if len(self.serving()) >= count else None
        )

    def _alive(self) -> bool:
        assert self.process.poll() is None, f"it ended: {self.err}"
        return True
