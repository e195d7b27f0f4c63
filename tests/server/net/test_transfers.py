"""A player on one more device, over real HTTP: once, in time, by whoever has the link alone."""

import asyncio
import xml.etree.ElementTree as ET
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from server.core.throttle import NO_LIMITS, Limit, Limits
from server.net import qr
from server.settings import Settings
from server.store import keys
from server.store.players import MOST_DEVICES, TRANSFER_SECONDS
from tests.server.net.conftest import StartWorker
from tests.server.net.worker import Player, Worker


@pytest.fixture
async def device() -> AsyncIterator[aiohttp.ClientSession]:
    """A browser that no player uses yet."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


async def opened(worker: Worker, player: Player) -> str:
    """The secret of a new transfer."""
    url = f"{worker.url}/api/me/transfer"
    async with player.http.post(url, headers=player.headers) as answer:
        assert answer.status == 200
        made = await answer.json()
    path, _, secret = made["path"].partition("#")
    assert path == "/transfer"
    assert isinstance(secret, str)
    return secret


async def used(worker: Worker, http: aiohttp.ClientSession, secret: object) -> tuple[int, Any]:
    async with http.post(f"{worker.url}/api/transfer", json={"secret": secret}) as answer:
        return answer.status, await answer.json()


async def whose(worker: Worker, http: aiohttp.ClientSession, **options: Any) -> str | None:
    async with http.get(f"{worker.url}/api/player", **options) as answer:
        said = await answer.json()
        return said["id"] if answer.status == 200 else None


async def test_a_new_device_is_signed_in_and_the_old_one_stays(
    worker: Worker, player: Player, device: aiohttp.ClientSession
) -> None:
    await player.http.patch(
        f"{worker.url}/api/player", json={"name": "Ada"}, headers=player.headers
    )
    status, said = await used(worker, device, await opened(worker, player))
    assert (status, said) == (200, {"id": player.id, "name": "Ada"})
    assert await whose(worker, device) == player.id
    assert await whose(worker, player.http, headers=player.headers) == player.id
    (cookie,) = device.cookie_jar
    assert cookie.value != player.token
    assert cookie["httponly"]
    async with device.ws_connect(f"{worker.url}/ws") as ws:
        await ws.send_bytes(b"\x94\x01\x01\x90\xa1x")
        assert player.id.encode() in await ws.receive_bytes()


async def test_the_link_is_shown_as_a_code_too(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(settings=Settings(public_url="https://yukon.example"))
    player = await Player.make(worker, http)
    url = f"{worker.url}/api/me/transfer"
    async with http.post(url, headers=player.headers) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        made = await answer.json()
    assert made["qr"].encode() == qr.svg("https://yukon.example" + made["path"])
    assert ET.fromstring(made["qr"]).tag == "{http://www.w3.org/2000/svg}svg"
    seconds, _ = await worker.application.link.call("TIME")
    left = made["expires"] / 1000 - int(seconds)
    assert 0 < left < TRANSFER_SECONDS + 1
    async with http.post(url, headers={**player.headers, "Host": "a b"}) as answer:
        assert answer.status == 200


async def test_without_a_usable_host_there_is_no_link(worker: Worker, player: Player) -> None:
    url = f"{worker.url}/api/me/transfer"
    async with player.http.post(url, headers={**player.headers, "Host": "a b"}) as answer:
        assert answer.status == 400
        assert (await answer.json())["error"] == "malformed"


async def test_a_secret_works_once(
    worker: Worker, player: Player, device: aiohttp.ClientSession, http: aiohttp.ClientSession
) -> None:
    secret = await opened(worker, player)
    assert (await used(worker, device, secret))[0] == 200
    status, said = await used(worker, http, secret)
    assert (status, said["error"]) == (403, "bad_transfer")


async def test_of_two_at_once_exactly_one_gets_in(
    worker: Worker, player: Player, http: aiohttp.ClientSession, start_worker: StartWorker
) -> None:
    other = await start_worker()
    for _ in range(MOST_DEVICES - 1):
        secret = await opened(worker, player)
        answers = await asyncio.gather(*(used(each, http, secret) for each in (worker, other) * 2))
        assert sorted(status for status, _ in answers) == [200, 403, 403, 403]


async def test_a_secret_that_is_wrong_opens_nothing(
    worker: Worker, player: Player, device: aiohttp.ClientSession
) -> None:
    other = await Player.make(worker, player.http)
    secret = await opened(worker, player)
    own = secret.partition(".")[2]
    for wrong in (
        "",
        ".",
        player.id,
        own,
        f"{player.id}.",
        f"{other.id}.{own}",
        secret + "x",
        secret[:-1],
        player.token,
        f"{player.id}}}x.{own}",
        "é" * 50,
        "x" * 3000,
        "\x00",
        "\ud800",
        "a.\ud800",
    ):
        status, said = await used(worker, device, wrong)
        assert (status, said["error"]) == (403, "bad_transfer"), wrong
    assert await whose(worker, device) is None
    # And the right one is not a device's secret by itself.
    headers = {"Authorization": f"Bearer {secret}"}
    assert await whose(worker, device, headers=headers) is None
    assert (await used(worker, device, secret))[0] == 200


async def test_a_secret_of_before_is_closed_by_the_next(
    worker: Worker, player: Player, device: aiohttp.ClientSession
) -> None:
    first, second = await opened(worker, player), await opened(worker, player)
    assert (await used(worker, device, first))[0] == 403
    assert (await used(worker, device, second))[0] == 200


async def test_a_secret_is_over_after_its_time(
    worker: Worker, player: Player, device: aiohttp.ClientSession
) -> None:
    secret = await opened(worker, player)
    seconds, _ = await worker.application.link.call("TIME")
    await worker.application.link.call(
        "HSET", keys.player(player.id), "transfer_ends", int(seconds) * 1000
    )
    assert (await used(worker, device, secret))[0] == 403


async def test_a_secret_of_a_player_who_is_gone_makes_none(
    worker: Worker, player: Player, device: aiohttp.ClientSession
) -> None:
    secret = await opened(worker, player)
    await worker.application.link.call("DEL", keys.player(player.id))
    assert (await used(worker, device, secret))[0] == 403
    assert await worker.application.link.call("EXISTS", keys.player(player.id)) == 0


async def test_a_banned_player_opens_and_uses_none(
    worker: Worker, player: Player, device: aiohttp.ClientSession
) -> None:
    secret = await opened(worker, player)
    await worker.application.players.set_banned(player.id, banned=True)
    status, said = await used(worker, device, secret)
    assert (status, said["error"]) == (403, "banned")
    assert not list(device.cookie_jar)
    async with player.http.post(f"{worker.url}/api/me/transfer", headers=player.headers) as answer:
        assert answer.status == 403
    await worker.application.players.set_banned(player.id, banned=False)
    assert (await used(worker, device, secret))[0] == 200


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"{}", b'{"secret": 1}', b'{"secret": null}', b"\xff"]
)
async def test_a_body_that_is_wrong_is_refused(
    worker: Worker, http: aiohttp.ClientSession, body: bytes
) -> None:
    async with http.post(f"{worker.url}/api/transfer", data=body) as answer:
        assert answer.status == 400
        assert (await answer.json())["error"] == "malformed"


async def test_a_preview_of_the_link_and_other_sites_use_nothing(
    worker: Worker, player: Player, device: aiohttp.ClientSession
) -> None:
    secret = await opened(worker, player)
    for path in ("/transfer", f"/transfer?secret={secret}"):
        async with device.get(worker.url + path) as answer:
            assert answer.status == 200
            assert "Set-Cookie" not in answer.headers
    for path in ("/api/transfer", "/api/me/transfer"):
        async with device.get(worker.url + path, headers=player.headers) as answer:
            assert answer.status == 405
    for headers in ({"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}):
        async with device.post(
            f"{worker.url}/api/transfer", json={"secret": secret}, headers=headers
        ) as answer:
            assert answer.status == 403
            assert (await answer.json())["error"] == "wrong_origin"
    assert (await used(worker, device, secret))[0] == 200


async def test_nobody_opens_a_transfer_without_a_player(
    worker: Worker, http: aiohttp.ClientSession
) -> None:
    async with http.post(f"{worker.url}/api/me/transfer") as answer:
        assert answer.status == 401


async def test_of_many_devices_the_oldest_is_signed_out(
    worker: Worker, player: Player, http: aiohttp.ClientSession
) -> None:
    tokens = [player.token]
    for _ in range(MOST_DEVICES):
        secret = await opened(worker, player)
        async with http.post(f"{worker.url}/api/transfer", json={"secret": secret}) as answer:
            tokens.append(answer.cookies["yukon_player"].value)
    known = [
        await whose(worker, http, headers={"Authorization": f"Bearer {token}"}) for token in tokens
    ]
    assert known == [None] + [player.id] * MOST_DEVICES


async def test_guessing_is_limited_by_address_and_making_by_player(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    unlimited = {name: getattr(NO_LIMITS, name) for name in Limits.__slots__}
    worker = await start_worker(limits=Limits(**unlimited | {"transfers": Limit(0.001, 2)}))
    player = await Player.make(worker, http)
    secrets = [await opened(worker, player) for _ in range(2)]
    url = f"{worker.url}/api/me/transfer"
    async with http.post(url, headers=player.headers) as answer:
        assert answer.status == 429
    assert [(await used(worker, http, "wrong"))[0] for _ in range(2)] == [403, 403]
    assert (await used(worker, http, secrets[1]))[0] == 429


async def test_the_pictures_of_an_address_are_limited_whoever_asks(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=replace(NO_LIMITS, pictures=Limit(1e-6, 2)))
    seen = []
    for _ in range(3):
        player = await Player.make(worker, http)
        url = f"{worker.url}/api/me/transfer"
        async with http.post(url, headers=player.headers) as answer:
            seen.append(answer.status)
    assert seen == [200, 200, 429]
