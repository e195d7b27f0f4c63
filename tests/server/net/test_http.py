"""Players, names, rules, numbers and what every answer carries, over real HTTP."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from server.core.throttle import NO_LIMITS, Limit, Limits
from server.settings import Settings
from tests.server.net.conftest import StartWorker
from tests.server.net.worker import Player, Worker


@pytest.fixture
async def browser() -> AsyncIterator[aiohttp.ClientSession]:
    """A client that keeps cookies, as browsers do."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        yield session


async def asked(
    http: aiohttp.ClientSession, method: str, url: str, **options: Any
) -> tuple[int, Any]:
    async with http.request(method, url, **options) as answer:
        return answer.status, await answer.json()


async def test_a_visitor_becomes_a_player_once(
    worker: Worker, browser: aiohttp.ClientSession
) -> None:
    url = f"{worker.url}/api/player"
    assert (await asked(browser, "GET", url))[0] == 401
    async with browser.post(url) as answer:
        assert answer.status == 201
        made = await answer.json()
        cookie = answer.headers["Set-Cookie"]
    assert set(made) == {"id", "name"}
    for part in ("HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=34560000"):
        assert part in cookie
    assert "Secure" not in cookie
    assert await asked(browser, "POST", url) == (200, made)
    assert await asked(browser, "GET", url) == (200, made)
    async with browser.ws_connect(f"{worker.url}/ws") as ws:
        await ws.send_bytes(b"\x94\x01\x01\x90\xa1x")
        assert made["id"].encode() in await ws.receive_bytes()


async def test_a_bot_gets_a_token_and_no_cookie(
    worker: Worker, browser: aiohttp.ClientSession
) -> None:
    url = f"{worker.url}/api/player"
    async with browser.post(url, json={"token": True}) as answer:
        made = await answer.json()
        assert "Set-Cookie" not in answer.headers
    headers = {"Authorization": f"Bearer {made['token']}"}
    known = {"id": made["id"], "name": None}
    assert await asked(browser, "GET", url, headers=headers) == (200, known)
    assert (await asked(browser, "GET", url, headers={"Authorization": "Bearer x"}))[0] == 401


@pytest.mark.parametrize(
    "settings,headers,secure",
    [
        (Settings(), {"X-Forwarded-Proto": "https"}, False),
        (Settings(trust_proxy=True), {"X-Forwarded-Proto": "https"}, True),
        (Settings(trust_proxy=True), {"X-Forwarded-Proto": "http"}, False),
        (Settings(public_url="https://yukon.example"), {}, True),
    ],
)
async def test_behind_https_the_cookie_is_secure(
    start_worker: StartWorker,
    http: aiohttp.ClientSession,
    settings: Settings,
    headers: dict[str, str],
    secure: bool,
) -> None:
    worker = await start_worker(settings=settings)
    async with http.post(f"{worker.url}/api/player", headers=headers) as answer:
        assert ("Secure" in answer.headers["Set-Cookie"]) is secure


@pytest.mark.parametrize(
    "wanted,kept",
    [
        ("Ada", "Ada"),
        ("  Ada   L. ", "Ada L."),
        ("Ａｄａ", "Ada"),
        ("Zoe\u0301", "Zoé"),
        ("x" * 20, "x" * 20),
        ("李白", "李白"),
        ("محمد", "محمد"),
        ("🃏", "🃏"),
        ("<b>&amp;", "<b>&amp;"),
    ],
)
async def test_a_nickname_is_kept_in_its_normal_form(
    worker: Worker, player: Player, wanted: str, kept: str
) -> None:
    url = f"{worker.url}/api/player"
    renamed = (200, {"id": player.id, "name": kept})
    headers = player.headers
    assert await asked(player.http, "PATCH", url, json={"name": wanted}, headers=headers) == renamed
    assert await asked(player.http, "GET", url, headers=headers) == renamed


@pytest.mark.parametrize(
    "wanted",
    [
        "",
        "   ",
        "x" * 21,
        "a\u202eb",
        "a\x00b",
        "a\u200bb",
        "\u3164",
        "e" + "\u0301" * 9,
        "\u0301",
        "\ufdfa" * 2,
        "x" * 3000,
    ],
)
async def test_a_nickname_that_cannot_be_is_refused_in_words(
    worker: Worker, player: Player, wanted: str
) -> None:
    status, said = await asked(
        player.http,
        "PATCH",
        f"{worker.url}/api/player",
        json={"name": wanted},
        headers=player.headers,
    )
    assert (status, said["error"]) == (400, "bad_name")
    assert said["reason"].endswith(".")


async def test_a_new_nickname_reaches_the_open_sockets_of_every_worker(
    worker: Worker, player: Player, start_worker: StartWorker
) -> None:
    tab = await player.connect(worker)
    elsewhere = await player.connect(await start_worker())
    await asked(
        player.http,
        "PATCH",
        f"{worker.url}/api/player",
        json={"name": "Ada"},
        headers=player.headers,
    )
    assert await tab.hear() == [71, "name", "Ada"]
    assert await elsewhere.hear() == [71, "name", "Ada"]
    again = await player.connect(worker, hello=False)
    assert (await again.ask(1, 1, [], "x"))[3] == "Ada"


@pytest.mark.parametrize(
    "body,status,code",
    [
        (b"{", 400, "malformed"),
        (b"[" * 3000, 400, "malformed"),
        (b"[]", 400, "malformed"),
        (b"\xff", 400, "malformed"),
        (b'{"name": 1}', 400, "malformed"),
        (b"{}", 400, "malformed"),
        (b" " * 5000, 413, "too_large"),
    ],
)
async def test_a_body_that_is_wrong_is_refused(
    worker: Worker, player: Player, body: bytes, status: int, code: str
) -> None:
    answer = await asked(
        player.http, "PATCH", f"{worker.url}/api/player", data=body, headers=player.headers
    )
    assert (answer[0], answer[1]["error"]) == (status, code)


async def test_a_request_from_another_site_changes_nothing(worker: Worker, player: Player) -> None:
    url = f"{worker.url}/api/player"
    for method in ("POST", "PATCH"):
        for headers in (
            {"Origin": "https://elsewhere.example"},
            {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site"},
        ):
            status, said = await asked(
                player.http,
                method,
                url,
                json={"name": "Eve"},
                headers={**player.headers, **headers},
            )
            assert (status, said["error"]) == (403, "wrong_origin")
    assert (await asked(player.http, "GET", url, headers=player.headers))[1]["name"] is None
    own = {**player.headers, "Origin": worker.url}
    assert (await asked(player.http, "PATCH", url, json={"name": "Ada"}, headers=own))[0] == 200


async def test_the_public_address_is_an_own_one(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(settings=Settings(public_url="https://yukon.example"))
    url = f"{worker.url}/api/player"
    for origin, status in (
        ("https://yukon.example", 201),
        ("https://yukon.example.evil", 403),
        ("https://yukon.example:8443", 403),
    ):
        assert (await asked(http, "POST", url, headers={"Origin": origin}))[0] == status


async def test_unknown_addresses_and_methods_are_told_so(
    worker: Worker, http: aiohttp.ClientSession
) -> None:
    assert (await asked(http, "GET", f"{worker.url}/api/none"))[0] == 404
    assert (await asked(http, "DELETE", f"{worker.url}/api/player"))[0] == 405


async def test_making_players_is_limited_by_address(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    limits = Limits(
        **{
            **{name: getattr(NO_LIMITS, name) for name in Limits.__slots__},
            "players": Limit(0.001, 2),
        }
    )
    worker = await start_worker(limits=limits, settings=Settings(trust_proxy=True))
    url = f"{worker.url}/api/player"
    seen = []
    for address in (
        "203.0.113.7",
        "203.0.113.7",
        "198.51.100.1, 203.0.113.7",
        "203.0.113.8",
        "2001:db8::1",
        "2001:db8::2",
        "2001:db8::3",
        "2001:db8:0:1::1",
    ):
        status, _ = await asked(http, "POST", url, headers={"X-Forwarded-For": address})
        seen.append(status)
    assert seen == [201, 201, 429, 201, 201, 201, 429, 201]


async def test_asking_for_metrics_is_limited_as_the_api_is(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    worker = await start_worker(limits=replace(NO_LIMITS, requests=Limit(1e-6, 2)))
    seen = []
    for path in ("/api/rules", "/metrics", "/metrics", "/", "/healthz"):
        async with http.get(worker.url + path) as answer:
            seen.append(answer.status)
    assert seen == [200, 200, 429, 200, 200]


async def test_the_rules_are_there_as_data(worker: Worker, http: aiohttp.ClientSession) -> None:
    status, rules = await asked(http, "GET", f"{worker.url}/api/rules")
    assert status == 200
    rows = {row["letter"]: row for row in rules["rulesets"]}
    assert list(rows) == list("CROTYSAPD")
    assert rows["C"]["group_limit"] == 20
    assert rows["D"]["columns"] == 10
    assert rows["P"]["stock"] is True
    assert rows["A"]["steps"] == [-1, 1]
    assert not rows["C"]["lost"]


async def test_the_rules_are_sent_small_and_once(
    worker: Worker, http: aiohttp.ClientSession
) -> None:
    url = f"{worker.url}/api/rules"
    async with http.get(url) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert int(answer.headers["Content-Length"]) < 1000
        held = {"If-None-Match": answer.headers["ETag"]}
        packed = await answer.json()
    async with http.get(url, headers=held) as answer:
        assert answer.status == 304
    async with http.get(url, headers={"Accept-Encoding": "identity"}) as answer:
        assert "Content-Encoding" not in answer.headers
        assert await answer.json() == packed


@pytest.mark.parametrize(
    "accepted,is_packed",
    [
        ("gzip", True),
        ("br, GZip ; q=0.5", True),
        ("x-gzip", True),
        ("*", True),
        ("br;q=1, *;q=0.1", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
        ("*;q=0", False),
        ("gzip;q=1, *;q=0", True),
        ("br", False),
        ("nogzip", False),
        ("", False),
    ],
)
async def test_each_form_of_an_answer_has_its_own_tag(
    worker: Worker, http: aiohttp.ClientSession, accepted: str, is_packed: bool
) -> None:
    url = f"{worker.url}/api/rules"
    async with http.get(url, headers={"Accept-Encoding": accepted}) as answer:
        assert answer.status == 200
        assert ("Content-Encoding" in answer.headers) == is_packed
        assert "Accept-Encoding" in answer.headers["Vary"]
        tag = answer.headers["ETag"]
        assert tag.endswith('-gzip"') == is_packed
    other = tag.replace("-gzip", "") if is_packed else f'{tag[:-1]}-gzip"'
    for held, status in ((tag, 304), (f"W/{tag}", 304), (f'"x", {tag}', 304), (other, 200)):
        headers = {"Accept-Encoding": accepted, "If-None-Match": held}
        async with http.get(url, headers=headers) as answer:
            assert answer.status == status, held
            assert answer.headers["ETag"] == tag


async def test_every_answer_carries_the_security_headers(
    worker: Worker, http: aiohttp.ClientSession
) -> None:
    for path in ("/", "/api/rules", "/api/none", "/none", "/healthz", "/robots.txt"):
        async with http.get(worker.url + path) as answer:
            headers = answer.headers
            policy = headers["Content-Security-Policy"]
            host = worker.url.removeprefix("http://")
            assert f"connect-src 'self' ws://{host} wss://{host};" in policy
            assert "default-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Referrer-Policy"] == "same-origin"
            assert "Strict-Transport-Security" not in headers
    async with http.get(worker.url, headers={"Host": "a;script-src *"}) as answer:
        assert "*" not in answer.headers.get("Content-Security-Policy", "")


async def test_a_host_sees_health_and_numbers(worker: Worker, player: Player) -> None:
    tab = await player.connect(worker)
    await tab.deal("YU1-C-AAAAAAB")
    assert tab.game is not None
    await tab.play(next(iter(tab.game.legal_moves)))
    await tab.ask(5, 9)
    async with player.http.get(f"{worker.url}/metrics") as answer:
        assert answer.headers["Content-Type"].startswith("text/plain")
        text = await answer.text()
    for line in (
        'yukon_commands_total{kind="move",outcome="accepted"} 1.0',
        'yukon_commands_total{kind="undo",outcome="stale"} 1.0',
        'yukon_refusals_total{code="stale"} 1.0',
        "yukon_commit_seconds_count 1.0",
    ):
        assert line in text.splitlines()
    assert player.id not in text
    assert await asked(player.http, "GET", f"{worker.url}/readyz") == (
        200,
        {"store": True, "subscription": True, "stopping": False},
    )
