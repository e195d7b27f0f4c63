"""Pages of made-up states in a real browser: where they are, and that they complain of nothing."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.client.demo.serve import server

NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the page of made-up states is."""
    http_server = server()
    thread = threading.Thread(target=http_server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{http_server.server_address[1]}/"
    http_server.shutdown()
    http_server.server_close()
    thread.join()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """A function that makes a page of a size; the test fails when a page complains of anything."""
    complaints: list[str] = []
    contexts = []

    def make(size: tuple[int, int], **options: Any) -> Page:
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []
