"""The link of a room as a QR code, over HTTP."""

import re
from dataclasses import replace

import aiohttp
import pytest

from server.core.throttle import NO_LIMITS, Limit
from server.net import qr
from server.settings import Settings
from tests.server.net.conftest import StartWorker
from tests.server.net.worker import Worker

ROOM = "abcdefghijklmnop"


def test_the_picture_is_dark_on_light_with_a_quiet_zone() -> None:
    picture = qr.svg(f"https://yukon.example/r/{ROOM}").decode()
    size = int(re.findall(r'viewBox="0 0 (\d+) \1"', picture)[0])
    assert size == 29 + 2 * 4
    assert f'fill="#fff" d="M0 0h{size}v{size}h-{size}z"' in picture
    assert 'stroke="#000" d="M4 4.5h7' in picture
    assert "script" not in picture


def test_a_text_that_fits_into_no_picture_is_an_error() -> None:
    with pytest.raises(ValueError, match="large"):
        qr.svg("x" * 4000)


async def test_the_picture_is_of_the_address_that_was_asked(
    worker: Worker, http: aiohttp.ClientSession
) -> None:
    async with http.get(f"{worker.url}/r/{ROOM}/qr.svg") as answer:
        assert answer.status == 200
        assert answer.content_type == "image/svg+xml"
        assert "max-age" in answer.headers["Cache-Control"]
        assert await answer.read() == qr.svg(f"{worker.url}/r/{ROOM}")
    async with http.get(f"{worker.url}/r/bcd-fgh/qr.svg") as answer:
        assert await answer.read() == qr.svg(f"{worker.url}/r/BCDFGH")
    async with http.get(f"{worker.url}/r/nonsense!/qr.svg") as answer:
        assert answer.status == 404
    async with http.get(f"{worker.url}/r/{ROOM}/qr.svg", headers={"Host": "<evil>"}) as answer:
        assert answer.status == 400


async def test_drawing_pictures_is_limited_by_address(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=replace(NO_LIMITS, pictures=Limit(1e-6, 2)))
    seen = []
    for last in "abc":
        async with http.get(f"{worker.url}/r/{ROOM[:-1]}{last}/qr.svg") as answer:
            seen.append(answer.status)
    assert seen == [200, 200, 429]


async def test_the_picture_is_of_the_public_address_where_there_is_one(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(settings=Settings(public_url="https://yukon.example"))
    async with http.get(f"{worker.url}/r/{ROOM}/qr.svg") as answer:
        assert await answer.read() == qr.svg(f"https://yukon.example/r/{ROOM}")
