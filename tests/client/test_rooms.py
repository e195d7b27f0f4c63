"""The pages of rooms in a real browser, with made-up rooms: they fit and cover nothing."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.client.conftest import NewPage

SIZES = [(360, 640), (844, 390), (1024, 768), (1440, 900)]
PAGES = ["lobby", "host", "lobby16", "countdown", "watch", "end3", "end16", "door", "full", "shut"]
PANELS = ["make", "change", "force", "qr", "lanes"]

TOO_WIDE = """() => {
  const all = [...document.querySelectorAll('#room *, #lanes *, dialog[open] *')];
  const sticksOut = all.filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 1 && (left < -1 || right > innerWidth + 1);
  });
  const scrolls = [document.documentElement,
    ...document.querySelectorAll(
      '.room-body, .room-head, .room-foot, .side-head, .lane-seen, .end, dialog[open]')]
    .filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1);
  return [...sticksOut, ...scrolls].map((one) => `${one.tagName}.${one.className}`);
}"""
"""What is wider than its place."""


@pytest.fixture
def opened(new_page: NewPage, address: str) -> Any:
    """A function that opens a state."""

    def open_state(state: str, size: tuple[int, int], script: str = "") -> Page:
        page = new_page(size, reduced_motion="reduce")
        page.add_init_script(script or "void 0")
        page.goto(f"{address}?state=room-{state}")
        page.wait_for_selector("html[data-room]")
        return page

    return open_state


@pytest.mark.parametrize("size", SIZES)
def test_every_page_of_a_room_fits(opened: Any, size: tuple[int, int]) -> None:
    page = opened(PAGES[0], size)
    for state in PAGES:
        page.evaluate("(name) => window.show(name)", f"room-{state}")
        expect(page.locator("#room")).to_be_visible()
        expect(page.locator("#table")).to_be_hidden()
        assert page.evaluate(TOO_WIDE) == [], state
        foot = page.locator(".room-foot:visible")
        if foot.count():
            box = foot.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= size[1], state


@pytest.mark.parametrize("size", SIZES)
def test_every_panel_of_a_room_fits(opened: Any, size: tuple[int, int]) -> None:
    for state in PANELS:
        page = opened(state, size)
        expect(page.locator("dialog[open]")).to_have_count(1)
        assert page.evaluate(TOO_WIDE) == [], state
        box = page.locator("dialog[open]").bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1], state
        inside = "() => document.activeElement.closest('dialog[open]') !== null"
        assert page.evaluate(inside), state
        page.close()


@pytest.mark.parametrize("state", ["race1", "race3", "race16", "double"])
@pytest.mark.parametrize("size", SIZES)
def test_lanes_lie_beside_the_cards_and_all_of_them_can_be_read(
    opened: Any, size: tuple[int, int], state: str
) -> None:
    page = opened(state, size)
    page.wait_for_selector("#table[aria-busy=false]")
    assert page.evaluate(TOO_WIDE) == []
    table, lanes = (page.locator(what).bounding_box() for what in ("#table", "#lanes"))
    apart = (
        lanes["x"] >= table["x"] + table["width"]
        or lanes["x"] + lanes["width"] <= table["x"]
        or lanes["y"] + lanes["height"] <= table["y"]
    )
    assert apart, (lanes, table)
    for what in ("#bar", "#actions"):
        other = page.locator(what).bounding_box()
        over_x = (
            lanes["x"] < other["x"] + other["width"] and other["x"] < lanes["x"] + lanes["width"]
        )
        over_y = (
            lanes["y"] < other["y"] + other["height"] and other["y"] < lanes["y"] + lanes["height"]
        )
        assert not (over_x and over_y), what
    if size[0] >= 900:
        last = page.locator(".side .lane").last.bounding_box()
        assert last["y"] + last["height"] <= size[1], (
            "the last of all lanes is seen without a scroll"
        )
    else:
        expect(page.locator(".race-strip .race-place")).to_have_text(re.compile(r"^\d+ of \d+$"))
        assert (
            page.locator(".race-strip .track-mark").count() == page.locator(".side .lane").count()
        )


def test_the_phones_own_sheet_shares_the_link(opened: Any) -> None:
    share = "navigator.share = (shared) => { window.shared = shared; return Promise.resolve(); };"
    page = opened("lobby", (360, 640), share)
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("() => window.shared.url").endswith("/r/abcdefghijklmnop")
