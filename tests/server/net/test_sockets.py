"""Who may open a socket, how many and how fast, and what becomes of peers that fall silent."""

import asyncio

import aiohttp
import pytest

from server.core.throttle import Limit
from server.store import keys
from tests.server.net.conftest import StartWorker
from tests.server.net.plays import still_plays
from tests.server.net.worker import HELLO, SECONDS, Player, Tab, Worker, limited, request_id


async def test_a_flood_is_refused_and_then_ends_the_socket(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(
        limits=limited(connection=Limit(0.001, 20), refused=Limit(0.001, 5))
    )
    tab = await (await Player.make(worker, http)).connect(worker)
    for number in range(40):
        await tab.send(13, number)
    for number in range(19):
        assert (await tab.hear())[:2] == [68, number]
    for _ in range(5):
        refusal = await tab.hear()
        assert refusal[3] == "too_fast"
        assert refusal[5] is True
    assert await tab.closed() == 4003


@pytest.mark.parametrize("shared", ["player", "address"])
async def test_sockets_share_the_credit_of_their_player_and_address(
    start_worker: StartWorker, http: aiohttp.ClientSession, shared: str
) -> None:
    worker = await start_worker(limits=limited(**{shared: Limit(0.001, 12)}))
    players = [await Player.make(worker, http)]
    if shared == "address":
        players.append(await Player.make(worker, http))
    tabs = [await players[-1].connect(worker), await players[0].connect(worker)]
    for number in range(5):
        for tab in tabs:
            assert (await tab.ask(13, number))[0] == 68
    for tab in tabs:
        assert (await tab.ask(13, 1))[3] == "too_fast"


async def test_the_first_command_is_hello(worker: Worker, player: Player) -> None:
    tab = await player.connect(worker, hello=False)
    for command in ([13, 1], [2, request_id(), 0, "C"], [4, 0, 1, 1, 2], [12]):
        refusal = await tab.ask(*command)
        assert refusal[0] == 67
        assert refusal[3] == "hello_first"
    assert (await tab.ask(*HELLO))[0] == 64
    await still_plays(tab)


async def test_a_hello_that_never_comes_ends_the_socket(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(hello_seconds=0.0)
    player = await Player.make(worker, http)
    assert await (await player.connect(worker, hello=False)).closed() == 4002


async def test_too_old_a_client_is_told_to_stop(worker: Worker, player: Player) -> None:
    tab = await player.connect(worker, hello=False)
    assert (await tab.ask(1, 0, [], "old"))[:4] == [67, 1, None, "too_old"]
    assert await tab.closed() == 4500


async def test_a_newer_client_is_told_what_the_server_speaks(
    worker: Worker, player: Player
) -> None:
    tab = await player.connect(worker, hello=False)
    assert (await tab.ask(1, 9, ["new"], "new", "more"))[:3] == [64, 1, player.id]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer nobody.at-all-with-this-secret-here"},
        {"Authorization": "Basic x"},
        {"Authorization": "Bearer"},
        {"Cookie": "yukon_player=0"},
        {"Cookie": "yukon_player=" + "a" * 20 + "." + "é" * 40},
    ],
)
async def test_nobody_comes_in_without_being_a_player(
    worker: Worker, http: aiohttp.ClientSession, headers: dict[str, str]
) -> None:
    async with http.ws_connect(f"{worker.url}/ws", headers=headers) as ws:
        assert await Tab(ws).closed() == 4502


async def test_a_banned_player_does_not_come_in(worker: Worker, player: Player) -> None:
    await worker.application.players.set_banned(player.id, banned=True)
    assert await (await player.connect(worker, hello=False)).closed() == 4504


async def test_a_page_of_another_site_does_not_come_in(worker: Worker, player: Player) -> None:
    for origin in ("https://elsewhere.example", "null", "http://127.0.0.1:1", "nonsense"):
        async with player.http.ws_connect(
            f"{worker.url}/ws", headers={**player.headers, "Origin": origin}
        ) as ws:
            assert await Tab(ws).closed() == 4503
    async with player.http.ws_connect(
        f"{worker.url}/ws", headers={**player.headers, "Origin": worker.url}
    ) as ws:
        assert (await Tab(ws).ask(*HELLO))[0] == 64


async def test_too_many_sockets_from_one_address_wait(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=limited(sockets=Limit(0.001, 2)))
    player = await Player.make(worker, http)
    for _ in range(2):
        await player.connect(worker)
    assert await (await player.connect(worker, hello=False)).closed() == 4003


async def test_so_many_sockets_of_one_address_are_open_and_no_more(
    start_worker: StartWorker, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.websocket.MOST_SOCKETS", 2)
    worker = await start_worker(limits=limited(sockets=Limit(1000, 1000)))
    player = await Player.make(worker, http)
    first, second = await player.connect(worker), await player.connect(worker)
    assert await (await player.connect(worker, hello=False)).closed() == 4003
    await first.ws.close()
    async with asyncio.timeout(SECONDS):
        while len(worker.sockets) > 1:  # noqa: ASYNC110 - the close is seen by the server
            await asyncio.sleep(0.01)
    await still_plays(await player.connect(worker))
    await still_plays(second)


async def test_new_games_are_limited_by_address_too(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=limited(address_games=Limit(1e-6, 2)))
    tabs = [await (await Player.make(worker, http)).connect(worker) for _ in range(3)]
    answers = [await tab.ask(2, request_id(), 0, "C") for tab in tabs]
    assert [answer[0] for answer in answers] == [65, 65, 67]
    assert answers[2][3] == "too_fast"


async def test_a_player_who_cannot_be_read_is_told_to_come_back(
    worker: Worker, player: Player
) -> None:
    await worker.application.link.call("HDEL", keys.player(player.id), "created")
    assert await (await player.connect(worker, hello=False)).closed() == 4004


async def test_a_ping_of_the_client_is_answered(tab: Tab) -> None:
    await tab.ws.ping(b"there?")
    await still_plays(tab)


async def test_a_dead_peer_is_noticed_and_a_quiet_one_is_kept(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(quiet_seconds=0.2, dead_seconds=1.0)
    player = await Player.make(worker, http)
    dead = await player.connect(worker, autoping=False)
    quiet = await player.connect(worker)
    assert len(worker.sockets) == 2
    reading = asyncio.create_task(quiet.ws.receive())  # answers pings, says nothing else
    async with asyncio.timeout(SECONDS):
        while len(worker.sockets) > 1:
            worker.sockets.look_around()
            await asyncio.sleep(0.05)
    for _ in range(30):
        worker.sockets.look_around()
        await asyncio.sleep(0.05)
    assert len(worker.sockets) == 1
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    await still_plays(quiet)
    await dead.ws.close()
