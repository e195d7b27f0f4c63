"""What the tests of the pages share: visits, made-up answers, and looking whether a page fits."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE
from tests.server.programs import Program

Contexts = Callable[..., BrowserContext]
SIZES = pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "lying", "desk"])


def visit(context: BrowserContext, program: Program, path: str = "/") -> Page:
    """A page of a player who has been here before, with a board on the table."""
    page = context.new_page()
    page.goto(program.address())
    expect(page.locator(".code-text")).to_have_text(re.compile("^YU1-"))
    if path != "/":
        page.goto(program.address() + path)
    return page


def answer(page: Page, pattern: str, data: object) -> None:
    """Let requests whose address matches be answered by this."""

    def handle(route: Route) -> None:
        body = data() if callable(data) else data
        route.fulfill(status=200, content_type="application/json", body=json.dumps(body))

    page.route(re.compile(pattern), handle)


def row(place: int, **more: object) -> dict[str, Any]:
    """A made-up row of a leaderboard."""
    made = {
        "place": place,
        "player": f"player{place}",
        "name": f"Player {place}",
        "time": 150_000 + 1000 * place,
        "score": 625,
        "moves": 100 + place,
        "won": True,
        "code": "YU1-C-AAAAAAB",
        "ended": 1_800_000_000_000 + place,
        "replay": f"session{place}",
    }
    return {**made, **more}


def board(rows: list[dict[str, Any]], total: int, following: str | None = None) -> dict[str, Any]:
    """A made-up leaderboard."""
    return {
        "board": "C:day:2026-11-30",
        "letter": "C",
        "span": "day",
        "window": "day:2026-11-30",
        "ends": 4_000_000_000_000,
        "order": "best",
        "total": total,
        "rows": rows,
        "next": following,
    }


def fits(page: Page) -> None:
    """Nothing is wider than the window."""
    wide = page.evaluate("""() => {
      const page = document.getElementById('page');
      const out = [...page.querySelectorAll('*')].filter((element) =>
        !element.closest('.strip, .stage, svg')
        && element.getBoundingClientRect().right > innerWidth + 1);
      return page.scrollWidth > page.clientWidth ? 'the page' : out.map((one) => one.outerHTML);
    }""")
    assert wide == []


def heading(page: Page, text: str) -> None:
    """Wait for a page with this heading, which has the focus."""
    expect(page.locator("#page h1")).to_have_text(text)
    expect(page.locator("#page h1")).to_be_focused()
    expect(page.locator("main.page-main")).to_be_visible()
