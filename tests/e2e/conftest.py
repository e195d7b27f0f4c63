"""Fixtures of the browser tests: a server, a browser, and pages that may complain of nothing."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from engine.game import Game
from tests.e2e.hand import Hand
from tests.e2e.proxy import Proxy
from tests.server.programs import Program

PHONE, LANDSCAPE, DESKTOP = (360, 640), (844, 390), (1440, 900)

EXPECTED = re.compile(
    r"WebSocket|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INTERNET|Failed to (load|fetch)"
)
"""What the browser itself says when a connection is cut, which some tests do."""


def start(folder: Path, port: int = 0, variables: Mapping[str, str] | None = None) -> Program:
    """A server with two workers on a data folder; without limits, since tests are quick."""
    return Program(
        folder,
        *("--port", str(port), "--workers", "2", "--no-rate-limits"),
        *("--data-dir", str(folder / "data")),
        module="server",
        **(variables or {}),
    )


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A whole server."""
    with start(tmp_path_factory.mktemp("server")) as running:
        running.wait_for_workers(2)
        yield running
        running.end()


@pytest.fixture
def proxy(program: Program) -> Iterator[Proxy]:
    """The door to the server."""
    with Proxy(int(program.address().rpartition(":")[2])) as door:
        yield door


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """A function that makes somebody's browser; a page that complains fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def make(size: tuple[int, int] = DESKTOP, **options: Any) -> BrowserContext:
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        context.set_default_timeout(45_000)
        context.on("console", lambda message: complaints.append(message.text))
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert [text for text in complaints if not EXPECTED.search(text)] == []


def deal(page: Page, address: str, code: str, *, by_touch: bool = False) -> Hand:
    """Open a link with a game code, take the offered deal, and see it on the table."""
    page.goto(f"{address}/g/{code}")
    page.locator("dialog[open].panel-offer .button-gold, dialog[open] .button-gold").first.click()
    hand = Hand(page, Game(code), by_touch)
    hand.see()
    return hand
