"""A browser that was never here gets its player with the socket's handshake."""

from collections.abc import Awaitable, Callable

import aiohttp
import pytest

from server.core.throttle import NO_LIMITS, Limit, Limits
from server.net.identity import COOKIE
from server.store import keys
from tests.server.net.worker import HELLO, Player, Tab, Worker
from tests.server.store.conftest import eventually

StartWorker = Callable[..., Awaitable[Worker]]


def door(worker: Worker) -> str:
    return f"{worker.url}/ws?player=new"


def cookie_of(ws: aiohttp.ClientWebSocketResponse) -> str | None:
    cookie = ws._response.cookies.get(COOKIE)
    return None if cookie is None else cookie.value


async def test_the_handshake_makes_a_player_and_its_cookie_brings_them_back(
    worker: Worker, http: aiohttp.ClientSession
) -> None:
    async with http.ws_connect(door(worker), headers={"Origin": worker.url}) as ws:
        welcome = await Tab(ws).ask(*HELLO)
        token = cookie_of(ws)
        set_cookie = ws._response.headers["Set-Cookie"]
    assert welcome[3] is None
    assert token is not None
    assert token.startswith(f"{welcome[2]}.")
    assert "HttpOnly" in set_cookie
    assert "SameSite=Lax" in set_cookie
    headers = {"Cookie": f"{COOKIE}={token}"}
    for address in (f"{worker.url}/ws", door(worker)):
        async with http.ws_connect(address, headers=headers) as ws:
            assert (await Tab(ws).ask(*HELLO))[2] == welcome[2]
            assert cookie_of(ws) is None


async def test_a_cookie_of_nobody_is_replaced(worker: Worker, http: aiohttp.ClientSession) -> None:
    headers = {"Cookie": f"{COOKIE}={'0' * 20}.{'x' * 43}"}
    async with http.ws_connect(door(worker), headers=headers) as ws:
        welcome = await Tab(ws).ask(*HELLO)
        assert (cookie_of(ws) or "").startswith(f"{welcome[2]}.")


async def test_a_banned_player_does_not_come_in_as_another(worker: Worker, player: Player) -> None:
    await worker.application.players.set_banned(player.id, banned=True)
    async with player.http.ws_connect(door(worker), headers=player.headers) as ws:
        assert await Tab(ws).closed() == 4504
        assert cookie_of(ws) is None


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
async def test_a_page_of_another_site_makes_nobody(
    worker: Worker, http: aiohttp.ClientSession, origin: str
) -> None:
    async with http.ws_connect(door(worker), headers={"Origin": origin}) as ws:
        assert await Tab(ws).closed() == 4503
        assert cookie_of(ws) is None


async def test_a_request_that_is_no_handshake_makes_nobody(
    worker: Worker, http: aiohttp.ClientSession
) -> None:
    for _ in range(2):
        async with http.get(door(worker)) as answer:
            assert answer.status == 400
            assert COOKIE not in answer.cookies


async def test_one_address_makes_only_so_many(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    limits = {name: getattr(NO_LIMITS, name) for name in Limits.__slots__}
    worker = await start_worker(limits=Limits(**{**limits, "players": Limit(0.001, 1)}))
    await Player.make(worker, http)
    async with http.ws_connect(door(worker)) as ws:
        assert await Tab(ws).closed() == 4003
        assert cookie_of(ws) is None


async def test_who_has_a_page_open_is_not_forgotten_before_the_first_game(
    start_worker: StartWorker, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.app._STAY_SECONDS", 0.02)
    worker = await start_worker()
    async with http.ws_connect(door(worker)) as ws:
        name = keys.player((await Tab(ws).ask(*HELLO))[2])
        link = worker.application.link
        await link.call("EXPIRE", name, 100)

        async def is_kept() -> bool:
            left: int = await link.call("TTL", name)
            return left > 100

        await eventually(is_kept)
