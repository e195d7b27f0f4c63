"""The host's command line as a real process, beside workers whose players it looks after."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from engine.replay import verify
from server.core.boards import Order
from server.core.heads import head_of
from server.store import keys
from tests.server.net.plays import given_up
from tests.server.net.test_workers import until
from tests.server.net.worker import Player, Worker, request_id
from tests.server.programs import ROOT, Program, is_running

CODE = "YU1-C-AAAAAAB"


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield session


@pytest.fixture
async def workers(redis_url: str) -> AsyncIterator[tuple[Worker, Worker]]:
    async with AsyncExitStack() as stack:
        first, second = Worker(redis_url), Worker(redis_url)
        for each in (first, second):
            await stack.enter_async_context(each)
        yield first, second


@pytest.fixture
async def player(workers: tuple[Worker, Worker], http: aiohttp.ClientSession) -> Player:
    return await Player.make(workers[0], http)


class Ended:
    """What a command line came to."""

    def __init__(self, status: int, out: bytes, err: bytes) -> None:
        self.status, self.out, self.err = status, out.decode(), err.decode()

    @property
    def answer(self) -> Any:
        """The JSON object of one that did what it was told."""
        assert (self.status, self.err) == (0, ""), self.err
        return json.loads(self.out)

    @property
    def problem(self) -> str:
        """The one line of one that did not."""
        assert (self.status, self.out) == (2, ""), self.out
        (line,) = self.err.splitlines()
        assert line.startswith("yukon admin: ")
        return line.removeprefix("yukon admin: ")


async def admin(*words: str, **variables: str) -> Ended:
    """`yukon admin …` without any setting of this machine."""
    kept = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("YUKON_", "REDIS_URL"))
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "admin", *words),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**kept, **variables},
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return Ended(process.returncode, out, err)


async def test_a_new_name_reaches_the_pages_that_are_open(
    workers: tuple[Worker, Worker], player: Player, redis_url: str
) -> None:
    tabs = [await player.connect(each) for each in workers]
    done = await admin("--redis-url", redis_url, "rename", player.id, "  Ada   L. ")
    assert done.answer == {"player": player.id, "name": "Ada L.", "before": None}
    assert [await tab.hear() for tab in tabs] == [[71, "name", "Ada L."]] * 2
    again = await admin("rename", "--", player.id, "-Bert-", REDIS_URL=redis_url)
    assert again.answer["before"] == "Ada L."
    assert (await tabs[0].hear())[2] == "-Bert-"


@pytest.mark.parametrize("name", ["", "   ", "x" * 21, "a\u202eb", "\u3164"])
async def test_a_name_that_cannot_be_is_refused(
    workers: tuple[Worker, Worker], player: Player, redis_url: str, name: str
) -> None:
    refused = await admin("--redis-url", redis_url, "rename", player.id, name)
    assert refused.problem.startswith("A name has ")
    kept = await workers[0].application.players.get(player.id)
    assert kept is not None
    assert kept.name is None


async def test_a_ban_closes_what_is_open_and_can_be_taken_back(
    workers: tuple[Worker, Worker], player: Player, redis_url: str
) -> None:
    tabs = [await player.connect(each) for each in workers]
    closed = asyncio.gather(*(tab.closed() for tab in tabs))
    done = await admin("--redis-url", redis_url, "ban", player.id)
    assert done.answer == {"player": player.id, "banned": True}
    assert await closed == [4504, 4504]
    assert (await admin("--redis-url", redis_url, "show", player.id)).answer["banned"] is True
    done = await admin("--redis-url", redis_url, "unban", player.id)
    assert done.answer == {"player": player.id, "banned": False}
    assert (await (await player.connect(workers[1])).ask(13, 1))[0] == 68


async def test_a_player_is_deleted(
    workers: tuple[Worker, Worker], player: Player, redis_url: str
) -> None:
    closed = asyncio.create_task((await player.connect(workers[1])).closed())
    done = await admin("--redis-url", redis_url, "delete", player.id)
    assert done.answer == {"player": player.id, "deleted": True}
    assert await closed == 4502
    again = await admin("--redis-url", redis_url, "delete", player.id)
    assert "there is no player" in again.problem


async def test_what_is_kept_is_told_without_any_secret(
    workers: tuple[Worker, Worker], player: Player, redis_url: str, http: aiohttp.ClientSession
) -> None:
    worker = workers[0]
    tab = await player.connect(worker)
    ended = await given_up(tab, CODE)
    sealed = (await tab.ask(2, request_id(), 2, "C"))[1]
    game = await worker.application.sessions.load(sealed)
    assert game is not None
    url = f"{worker.url}/api/me/transfer"
    async with http.post(url, headers=player.headers) as answer:
        transfer = (await answer.json())["path"].rpartition(".")[2]
    await tab.ask(9, 0)
    assert (await tab.hear())[7] == game.code
    running = (await tab.ask(2, request_id(), 2, "T"))[1]
    await tab.ask(4, 0, *_first_move((await tab.ask(11))[14]))
    hidden = await worker.application.sessions.load(running)
    assert hidden is not None

    done = await admin("--redis-url", redis_url, "export", player.id)
    told = done.answer
    assert told["player"] == {
        "id": player.id,
        "name": None,
        "created": told["player"]["created"],
        "banned": False,
        "devices": 1,
    }
    games = {each["session"]: each for each in told["sessions"]}
    assert set(games) == {ended, sealed, running}
    result = verify(games[ended]["replay"])
    assert (str(result.code), result.moves) == (CODE, games[ended]["moves"])
    assert games[sealed]["code"] == game.code
    assert (games[running]["code"], games[running]["replay"]) == (None, None)
    own = player.token.partition(".")[2]
    for secret in (own, transfer, hidden.code, hidden.code.rpartition("-")[2]):
        assert secret not in done.out
        assert sha256(secret.encode()).hexdigest() not in done.out


def _first_move(legal: bytes) -> tuple[int, int, int]:
    """A move from column to column, of the codes of a snapshot."""
    for at in range(0, len(legal), 2):
        code = int.from_bytes(legal[at : at + 2])
        if code < 0x8000:
            return code >> 4 & 15, code >> 8, code & 15
    raise AssertionError("no such move")


async def test_what_cannot_be_read_is_said_or_left_out(
    workers: tuple[Worker, Worker], player: Player, redis_url: str
) -> None:
    worker = workers[0]
    tab = await player.connect(worker)
    sessions = [await given_up(tab, CODE) for _ in range(3)]
    link = worker.application.link
    await link.call("DEL", keys.log(sessions[0]))
    # A log that has its head, and is no game.
    log = bytes((0, 1, 0, 0, 0, 0, 0, 0))
    await link.call("SET", keys.log(sessions[1]), log)
    await link.call("HSET", keys.session(sessions[1]), "head", head_of(CODE, log))
    told = (await admin("--redis-url", redis_url, "export", player.id)).answer
    replays = {each["session"]: each["replay"] for each in told["sessions"]}
    assert set(replays) == set(sessions[1:])
    assert replays[sessions[1]] is None
    assert replays[sessions[2]].startswith("yukon-replay 1\n")
    await link.call("HDEL", keys.player(player.id), "created")
    problem = (await admin("--redis-url", redis_url, "show", player.id)).problem
    assert player.id in problem


async def test_a_row_is_taken_from_its_board_alone(
    workers: tuple[Worker, Worker], player: Player, redis_url: str
) -> None:
    worker = workers[0]
    tab = await player.connect(worker)
    session = await given_up(tab, CODE)
    board = f"code:{CODE}"

    async def total() -> int:
        size: int = await worker.application.link.call("ZCARD", keys.board(board, Order.BEST))
        return size

    async def is_there() -> bool:
        return await total() == 1

    await until("the row", is_there)
    shown = (await admin("--redis-url", redis_url, "show", session)).answer
    assert shown["rows"] == [f"best/{board}"]
    (row,) = (await admin("--redis-url", redis_url, "show", player.id)).answer["rows"]
    assert (row["board"], row["order"], row["replay"]) == (board, "best", session)
    refused = await admin("--redis-url", redis_url, "delete-row", "C:all", session)
    assert "has no row" in refused.problem
    done = await admin("--redis-url", redis_url, "delete-row", board, session)
    assert done.answer == {"board": board, "session": session, "removed": 1}
    assert await total() == 0
    again = await admin("--redis-url", redis_url, "delete-row", board, session)
    assert "has no row" in again.problem


async def test_a_session_is_shown_without_a_code_that_is_hidden(
    workers: tuple[Worker, Worker], player: Player, redis_url: str
) -> None:
    tab = await player.connect(workers[0])
    session = (await tab.ask(2, request_id(), 2, "C"))[1]
    shown = (await admin("--redis-url", redis_url, "show", session)).answer
    assert (shown["session"], shown["player"], shown["letter"]) == (session, player.id, "C")
    assert (shown["code"], shown["origin"], shown["state"]) == (None, "ranked", "playing")
    assert (shown["version"], shown["replay"], shown["rows"]) == (0, False, [])


@pytest.mark.parametrize(
    "words,says",
    [
        ((), "ACTION"),
        (("frobnicate",), "invalid choice"),
        (("rename", "x"), "NAME"),
        (("ban",), "PLAYER"),
        (("ban", "x", "y"), "unrecognized"),
        (("show", "nobody"), "no player and no session"),
        (("show", "a b}"), "no player and no session"),
        (("ban", "nobody"), "no player 'nobody'"),
        (("unban", "{}*"), "no player"),
        (("export", "x" * 500), "no player"),
        (("delete", ""), "no player"),
        (("rename", "nobody", "Ada"), "no player"),
        (("delete-row", "C:all", "nothing"), "has no row"),
        (("--port=1", "show", "x"), "--port"),
        (("--redis=x", "show", "x"), "--redis"),
    ],
)
async def test_what_cannot_be_done_is_said_in_one_line(
    redis_url: str, words: tuple[str, ...], says: str
) -> None:
    assert says in (await admin(*words, REDIS_URL=redis_url)).problem


async def test_it_finds_no_redis_and_says_so(tmp_path: Path) -> None:
    nothing = tmp_path / "none"
    problem = (await admin("--data-dir", str(nothing), "show", "x")).problem
    assert problem.startswith(f"no server runs on the data folder {nothing}")
    assert not nothing.exists()
    url = "redis://user:hidden-password@127.0.0.1:1/0"
    problem = (await admin("--redis-url", url, "show", "x")).problem
    assert "127.0.0.1:1" in problem
    assert "hidden-password" not in problem
    assert "hidden" not in (await admin("--redis-url", "http://hidden", "show", "x")).problem


@pytest.mark.parametrize("depth", [1, 12])
async def test_beside_a_running_server_it_uses_its_redis_and_leaves_it_alone(
    tmp_path: Path, depth: int
) -> None:
    folder = tmp_path.joinpath(*["deeper-and-deeper"] * depth)
    options = ("--port", "0", "--data-dir", str(folder))
    with Program(tmp_path / "run", *options, module="server") as program:
        address = await asyncio.to_thread(program.address)
        async with aiohttp.ClientSession() as http, http.post(f"{address}/api/player") as answer:
            player_id = (await answer.json())["id"]
        where = {"TMPDIR": str(program.temporary)}
        done = await admin("--data-dir", str(folder), "rename", player_id, "Ada", **where)
        assert done.answer["name"] == "Ada"
        shown = await admin("show", player_id, YUKON_DATA_DIR=str(folder), **where)
        assert shown.answer["name"] == "Ada"
        (redis_pid,) = program.redis_pids()
        assert is_running(redis_pid)
        assert await asyncio.to_thread(program.end) == 0
    problem = (await admin("--data-dir", str(folder), "show", player_id, **where)).problem
    assert problem.startswith("no server runs")


async def test_help_is_there() -> None:
    done = await admin("--help")
    assert done.status == 0
    for action in ("show", "rename", "ban", "unban", "delete", "delete-row", "export"):
        assert f"  {action} " in done.out
