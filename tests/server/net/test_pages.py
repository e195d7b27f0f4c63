"""Pages and their files over real HTTP: cached well, and whole for who was never here."""

import base64
import hashlib
import re
from pathlib import Path

import aiohttp
import pytest

from server.net.pages import Pages
from tests.server.net.conftest import StartWorker
from tests.server.net.worker import HELLO, Player, Worker


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """A small client."""
    (tmp_path / "js").mkdir()
    (tmp_path / "index.html").write_text(
        '<html><head><script type="module" src="/assets/dev/js/main.js"></script>'
        '<link rel="stylesheet" href="/assets/dev/look.css"></head></html>'
    )
    (tmp_path / "look.css").write_text("a { color: red }\n")
    (tmp_path / "js" / "main.js").write_text(
        "import { a } from './a.js';\n" + "// about\n" * 50 + "a();\n" * 50
    )
    (tmp_path / "js" / "a.js").write_text(
        "import {\n  c,\n} from '../c.js';\nexport function a() {\n  c();\n}\n"
    )
    (tmp_path / "c.js").write_text("export function c() {}\n")
    (tmp_path / "js" / "unused.js").write_text("")
    (tmp_path / ".secret.txt").write_text("secret")
    (tmp_path / "notes.md").write_text("notes")
    return tmp_path


async def test_pages_and_their_files_are_cached_well(
    client: Path,
    start_worker: StartWorker,
    http: aiohttp.ClientSession,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.app.client_folder", lambda: client)
    worker = await start_worker()
    known = {"Cookie": "yukon_player=someone.anything"}
    async with http.get(f"{worker.url}/g/YU1-C-AAAAAAB", headers=known) as answer:
        page = await answer.text()
        assert answer.headers["Cache-Control"] == "no-cache, no-transform"
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        tag = answer.headers["ETag"]
    async with http.get(worker.url, headers={**known, "If-None-Match": tag}) as answer:
        assert answer.status == 304
    assert "/assets/dev/" not in page
    paths = re.findall(r'(?:href|src)="(/assets/[0-9a-f]{16}/[^"]+)"', page)
    assert paths[0].endswith("/js/main.js")
    async with http.get(worker.url + paths[0]) as answer:
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
        script = await answer.text()
        assert script.count("a();\n") == 50
        assert "// about" not in script
    async with http.get(f"{worker.url}/assets/{paths[0].split('/')[2]}/js/a.js") as answer:
        assert "function a()" in await answer.text()
    old = "/assets/0123456789abcdef/js/main.js"
    async with http.get(worker.url + old, headers={"Accept-Encoding": "identity"}) as answer:
        assert answer.headers["Cache-Control"] == "no-cache"
        assert "Content-Encoding" not in answer.headers
    for path in ("js/none.js", "../server/app.py", ".secret.txt", "notes.md", "index.html"):
        url = f"{worker.url}/assets/0/{path}"
        async with http.get(url) as answer:
            assert answer.status == 404


def test_one_byte_changes_the_address_of_every_file(client: Path) -> None:
    before = Pages(client).hash
    assert Pages(client).hash == before
    (client / "c.js").write_text("export function c() {\n}\n")
    assert Pages(client).hash != before


async def test_the_welcome_names_the_hash_that_the_page_has(
    start_worker: StartWorker, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = await start_worker()
    async with http.get(worker.url) as answer:
        (shown,) = re.findall(r'data-assets="/assets/([0-9a-f]{16})/"', await answer.text())
    assert await capabilities(worker, http) == ["rooms", f"client:{shown}"]
    monkeypatch.setattr("server.app.client_folder", lambda: None)
    assert await capabilities(await start_worker(), http) == ["rooms"]


async def capabilities(worker: Worker, http: aiohttp.ClientSession) -> list[str]:
    """What a worker says at hello that it can do."""
    player = await Player.make(worker, http)
    tab = await player.connect(worker, hello=False)
    offered: list[str] = (await tab.ask(*HELLO))[5]
    await tab.ws.close()
    return offered


async def test_without_a_client_the_page_says_so(
    start_worker: StartWorker, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.app.client_folder", lambda: None)
    worker = await start_worker()
    async with http.get(worker.url) as answer:
        assert answer.status == 404
        assert "not installed" in await answer.text()
    async with http.get(f"{worker.url}/favicon.ico") as answer:
        assert answer.status == 404


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
async def test_who_was_never_here_gets_the_page_whole(
    client: Path,
    start_worker: StartWorker,
    http: aiohttp.ClientSession,
    monkeypatch: pytest.MonkeyPatch,
    encoding: str,
) -> None:
    monkeypatch.setattr("server.app.client_folder", lambda: client)
    worker = await start_worker()
    accept = {"Accept-Encoding": encoding}
    known = {**accept, "Cookie": "yukon_player=someone.anything"}
    async with http.get(worker.url, headers=accept) as answer:
        page = await answer.text()
        policy = answer.headers["Content-Security-Policy"]
        tag = answer.headers["ETag"]
        assert answer.headers["Cache-Control"] == "no-cache, no-transform"
        assert answer.headers["Vary"] == "Accept-Encoding, Cookie"
        assert answer.headers.get("Content-Encoding", "identity") == encoding
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert script.count("a();\n") == 50
    for kind, text in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'self' 'sha256-{digest}';" in policy
    async with http.head(worker.url, headers=accept) as answer:
        assert (answer.status, answer.headers["ETag"]) == (200, tag)
        assert answer.headers["Content-Security-Policy"] == policy
    async with http.get(worker.url, headers=known) as answer:
        assert script not in await answer.text()
        assert "script-src 'self';" in answer.headers["Content-Security-Policy"]
        other = answer.headers["ETag"]
    assert other != tag
    # A browser that has the whole page keeps it, also when it is known by now.
    for headers, held in ((accept, tag), (known, tag), (accept, "*")):
        async with http.get(worker.url, headers={**headers, "If-None-Match": held}) as answer:
            assert answer.status == 304
            assert answer.headers["ETag"] == tag
            assert answer.headers["Content-Security-Policy"] == policy
    async with http.get(worker.url, headers={**known, "If-None-Match": other}) as answer:
        assert answer.status == 304
        assert answer.headers["ETag"] == other
        assert "sha256" not in answer.headers["Content-Security-Policy"]
    async with http.get(worker.url, headers={**accept, "If-None-Match": other}) as answer:
        assert answer.status == 200
        assert script in await answer.text()
