"""The program from start to end, in real processes: what it refuses, survives and leaves behind."""

import errno
import json
import os
import signal
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis

from server import listen
from server.listen import ListenError, addresses, open_listener
from tests.server.conftest import RedisServer
from tests.server.fake_redis import FakeRedis
from tests.server.programs import Program, is_running, wait_until_gone
from tests.server.waiting import wait_for

Starter = Callable[..., Program]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starter]:
    """Starts the stand-in server on a free port, with its data in one folder of the test."""
    with ExitStack() as stack:
        count = 0

        def starter(*arguments: str, **variables: str) -> Program:
            nonlocal count
            count += 1
            options = ["--port", "0", "--data-dir", str(tmp_path / "data"), *arguments]
            return stack.enter_context(Program(tmp_path / f"run{count}", *options, **variables))

        yield starter


def refused(program: Program) -> str:
    """The one line of a program that ended with status 2."""
    assert program.finish() == 2, program.err
    lines = [line for line in program.err.splitlines() if " info " not in line]
    assert len(lines) == 1, program.err
    assert lines[0].startswith("yukon: ")
    assert "ready" not in program.out
    return lines[0]


def left_in(program: Program) -> list[str]:
    return [path.name for path in program.temporary.iterdir()]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_serves_says_so_and_ends_without_a_trace(
    start: Starter, tmp_path: Path, number: signal.Signals
) -> None:
    program = start("--workers", "2")
    assert program.get()["workers"] == 2
    assert f"Games are kept in {tmp_path / 'data'} (Valkey 9." in program.out
    workers = program.wait_for_workers(2)
    (redis_pid,) = program.redis_pids()
    assert program.end(number) == 0
    assert not any(is_running(pid) for pid in (*workers, redis_pid))
    assert left_in(program) == []
    assert "Traceback" not in program.err


def test_the_game_itself_is_served(tmp_path: Path) -> None:
    options = ("--port", "0", "--workers", "2", "--data-dir", str(tmp_path / "data"))
    with Program(tmp_path, *options, module="server") as program:
        assert wait_for("readiness", lambda: program.get("/readyz"))["store"] is True
        for page in ("/", "/healthz", "/metrics"):
            with urllib.request.urlopen(program.address() + page, timeout=20) as answer:
                assert answer.status == 200
        assert program.end() == 0
        assert "Traceback" not in program.err


def test_a_given_redis_is_used_and_named(start: Starter, redis_server: RedisServer) -> None:
    program = start("--redis-url", redis_server.url)
    assert [program.get("/count"), program.get("/count")] == [1, 2]
    assert f"Games are kept in Valkey 9.1.2 at {redis_server.url}" in program.out
    assert program.redis_pids() == []
    assert program.end() == 0
    with redis.Redis.from_url(redis_server.url) as client:
        assert client.get("count") == b"2"


def test_a_second_start_on_the_data_folder(start: Starter) -> None:
    first = start()
    first.address()
    line = refused(start())
    assert f"another server (process {first.pid}) uses the data folder" in line
    assert first.get("/count") == 1


def test_a_taken_port(start: Starter, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refused(start("--port", str(port)))
    assert f"port {port} on 127.0.0.1 is taken; stop the program that uses it" in line
    assert not (tmp_path / "data").exists()


def test_a_strange_host(start: Starter) -> None:
    assert "--host 198.51.100.7 is not an address" in refused(start("--host", "198.51.100.7"))
    assert "--host name.invalid is not" in refused(start("--host", "name.invalid"))


def test_wrong_settings(start: Starter) -> None:
    assert "not a Redis address" in refused(start("--redis-url", "http://localhost"))
    assert "--workers 'many'" in refused(start(YUKON_WORKERS="many"))


def test_a_redis_that_is_not_there(start: Starter, tmp_path: Path) -> None:
    line = refused(start(REDIS_URL=f"unix://{tmp_path / 'nothing.sock'}"))
    assert "cannot be reached" in line


def test_a_redis_that_is_too_old(start: Starter) -> None:
    with FakeRedis({"redis_version": "6.0.16", "role": "master"}) as fake:
        line = refused(start("--redis-url", fake.url))
    assert "version 6.0.16, which is too old" in line


def test_a_redis_that_evicts(start: Starter, redis_server: RedisServer) -> None:
    with redis.Redis.from_url(redis_server.url) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            line = refused(start("--redis-url", redis_server.url))
        finally:
            client.config_set("maxmemory-policy", "noeviction")
    assert "maxmemory-policy allkeys-lru" in line


def test_a_data_folder_that_is_a_file(start: Starter, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert "give another --data-dir" in refused(start())


def test_a_long_data_folder(start: Starter, tmp_path: Path) -> None:
    deep = tmp_path / ("a" * 80) / ("b" * 80)
    program = start("--data-dir", str(deep))
    assert program.get("/count") == 1
    assert program.end() == 0
    assert start("--data-dir", str(deep)).get("/count") == 2


def test_redis_killed_comes_back_with_every_game(start: Starter) -> None:
    program = start()
    assert program.get("/count") == 1
    os.kill(program.redis_pids()[0], signal.SIGKILL)
    wait_for("new Redis", lambda: len(program.redis_pids()) == 2)
    assert wait_for("answer", lambda: _count(program)) == 2
    assert "embedded redis died, starting it again" in program.err
    assert program.end() == 0
    wait_until_gone(*program.redis_pids())


def _count(program: Program) -> int | None:
    try:
        return int(program.get("/count"))
    except urllib.error.HTTPError:
        return None


def test_the_supervisor_killed_leaves_nothing_behind(start: Starter) -> None:
    program = start("--workers", "2")
    assert program.get("/count") == 1
    workers = program.wait_for_workers(2)
    program.process.kill()
    program.process.wait()
    wait_until_gone(*workers, *program.redis_pids())
    assert left_in(program) == []
    assert start().get("/count") == 2


def test_a_killed_supervisor_s_hanging_worker_ends_too(start: Starter) -> None:
    program = start()
    (worker,) = program.wait_for_workers(1)
    _hang(program)
    program.process.kill()
    program.process.wait()
    wait_until_gone(worker)


def test_a_killed_worker_is_started_again(start: Starter) -> None:
    program = start("--workers", "2")
    first, second = program.wait_for_workers(2)
    gauges = wait_for("gauges", lambda: list(program.temporary.glob(f"*/*live*_{first}.db")))
    os.kill(first, signal.SIGKILL)
    third = program.wait_for_workers(3)[2]
    assert not any(gauge.exists() for gauge in gauges)
    assert list(program.temporary.glob(f"*/counter_{first}.db"))
    os.kill(second, signal.SIGKILL)
    program.wait_for_workers(4)
    assert program.get()["pid"] in (third, program.serving()[3])
    assert "worker died, starting it again" in program.err
    assert program.end() == 0


def test_a_request_under_way_is_finished(start: Starter, redis_server: RedisServer) -> None:
    program = start("--redis-url", redis_server.url)
    program.address()
    answers: list[object] = []
    asking = threading.Thread(target=lambda: answers.append(program.get("/slow")))
    asking.start()
    with redis.Redis.from_url(redis_server.url) as client:
        wait_for("request under way", lambda: client.get("slow"))
        assert program.end() == 0
        asking.join()
        assert answers == [True]
        assert client.get("slow") == b"finished"


def _hang(program: Program) -> None:
    """Make the only worker deaf, and know that it is."""
    host, port = program.address().removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as knock:
        knock.sendall(b"GET /hang HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_for("hanging worker", lambda: "hangs" in program.err)


def test_a_worker_that_does_not_hear_is_killed(start: Starter) -> None:
    program = start()
    (worker,) = program.wait_for_workers(1)
    _hang(program)
    assert program.end() == 0
    assert not is_running(worker)
    assert "worker does not stop, killing it" in program.err


def test_a_second_ctrl_c_is_immediate(start: Starter) -> None:
    program = start()
    (worker,) = program.wait_for_workers(1)
    _hang(program)
    program.process.send_signal(signal.SIGINT)
    wait_for("first Ctrl-C", lambda: "stopping signal=SIGINT" in program.err)
    program.process.send_signal(signal.SIGINT)
    assert program.process.wait(10) == 130
    assert "worker does not stop" not in program.err
    wait_until_gone(worker, *program.redis_pids())
    assert left_in(program) == []


def test_an_application_that_cannot_start_is_given_up(start: Starter) -> None:
    program = start(STAND_IN_FAILS="1")
    assert program.finish() == 1
    assert "this application does not start" in program.err
    assert program.err.count("worker died, starting it again") == 5
    assert "no worker starts, giving up" in program.err
    wait_until_gone(*program.redis_pids())
    assert left_in(program) == []


def test_the_log_as_json(start: Starter) -> None:
    program = start("--log-format", "json")
    wait_for("start", lambda: "worker serves" in program.err)
    assert program.end() == 0
    events = [json.loads(line)["event"] for line in program.err.splitlines()]
    assert events == ["embedded redis started", "worker serves", "stopping", "stopped"]


def test_help_is_told_without_starting_anything(start: Starter, tmp_path: Path) -> None:
    program = start("--help")
    assert program.finish() == 0
    assert "--redis-url" in program.out
    assert not (tmp_path / "data").exists()


def test_a_worker_started_by_hand_says_how_to_start(tmp_path: Path) -> None:
    with Program(tmp_path, module="server.worker") as program:
        assert program.finish() == 1
        assert "run python -m server" in program.err


def test_the_network_s_address_is_told_where_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listen, "_network_address", lambda: "192.0.2.7")
    with open_listener("0.0.0.0", 0) as listener:
        port = listener.getsockname()[1]
        assert addresses(listener) == [f"http://127.0.0.1:{port}", f"http://192.0.2.7:{port}"]
    monkeypatch.setattr(listen, "_network_address", lambda: None)
    with open_listener("0.0.0.0", 0) as listener:
        assert len(addresses(listener)) == 1


def test_an_ipv6_address_is_written_as_browsers_want_it() -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    try:
        listener = open_listener("::1", 0)
    except ListenError as problem:
        pytest.skip(str(problem))
    with listener:
        port = listener.getsockname()[1]
        assert addresses(listener) == [f"http://[::1]:{port}"]


def test_a_port_that_needs_more_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(ListenError, match="port 80 needs more rights"):
        open_listener("127.0.0.1", 80)
