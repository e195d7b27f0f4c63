"""The table in a real browser, with made-up states and no server: drawn, dragged, cut off."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from server.net.combine import combine
from server.net.frontpage import whole
from server.net.pages import asset, read, without_comments
from tests.client.conftest import NewPage
from tests.client.demo.serve import ROOT

BUDGET = 60 * 1024
LATER_BUDGET = 20 * 1024
ENTRY = "js/main.js"
SIZES = [(360, 640), (844, 390), (1024, 768), (1440, 900), (2560, 1300)]
STATES = {"fresh": 52, "mid": None, "long": None, "double": None, "australian": 52, "won": 52}

CARDS = """() => {
  const table = document.getElementById('table').getBoundingClientRect();
  return [...document.querySelectorAll('.card')].map((card) => {
    const { x, y, width, height } = card.getBoundingClientRect();
    const inHand = card.closest('.hand') !== null;
    return { id: card.id, x: x - table.x, y: y - table.y, width, height, inHand };
  });
}"""
FRAMES = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done()));
})"""
"""What an action changes is drawn in the next frame: before it, everything is still."""
STILL = """() => document.getAnimations()
  .every(({ effect }) => !effect.target.closest('.card, .contours'))"""


@pytest.fixture
def opened(new_page: NewPage, address: str) -> Any:
    """A function that opens a state."""

    def open_state(state: str, size: tuple[int, int] = (360, 640), **options: Any) -> Page:
        page = new_page(size, **options)
        page.goto(f"{address}?state={state}")
        page.wait_for_selector("#table[aria-busy=false]")
        page.wait_for_function(STILL)
        return page

    return open_state


def cards(page: Page) -> dict[str, dict[str, Any]]:
    """Every card on the page by its name; none may be there twice."""
    found = page.evaluate(CARDS)
    by_name = {card["id"]: card for card in found}
    assert len(by_name) == len(found)
    return by_name


def still(page: Page) -> dict[str, dict[str, Any]]:
    """The cards when they have come to rest, none of them in the hand."""
    page.evaluate(FRAMES)
    page.wait_for_selector("#table[aria-busy=false]")
    page.wait_for_function(STILL)
    found = cards(page)
    assert not any(card["inHand"] for card in found.values())
    return found


def lift(page: Page, card: int, to: tuple[float, float] = (150, 300)) -> None:
    """Press on a card's upper edge and carry it away."""
    box = page.locator(f"#card-{card}").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(to[0], to[1], steps=4)
    page.wait_for_function("() => !document.querySelector('.hand').hidden")


def actions(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("() => actions")
    return found


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("state", STATES)
def test_every_card_lies_on_the_table(opened: Any, state: str, size: tuple[int, int]) -> None:
    page = opened(state, size)
    table = page.locator("#table").bounding_box()
    found = cards(page)
    assert STATES[state] in (None, len(found))
    for card in found.values():
        assert card["x"] >= 0
        assert card["y"] >= 0
        assert card["x"] + card["width"] <= table["width"] + 0.1
        assert card["y"] + card["height"] <= table["height"] + 0.1


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_jumps_while_the_page_loads(opened: Any, size: tuple[int, int]) -> None:
    page = opened("mid", size)
    shifts = page.evaluate("""() => new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().map(({ value }) => value)))
        .observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve([]), 300);
    })""")
    assert sum(shifts) < 0.001


def test_a_dragged_group_is_carried_whole_and_dropped_where_it_may_go(opened: Any) -> None:
    page = opened("mid")
    lift(page, 24)  # queen of hearts, five cards on it
    in_hand = [name for name, card in cards(page).items() if card["inHand"]]
    assert len(in_hand) == 6
    target = page.locator('.spot[data-pile="0"]').bounding_box()
    page.mouse.move(target["x"] + 20, target["y"] + 30, steps=3)
    page.wait_for_selector(".mark-over")
    page.mouse.up()
    assert actions(page)[-1] == {
        "type": "drop", "source": 1, "count": 6, "target": 0, "area": "tableau",
    }  # fmt: skip


def test_a_group_that_goes_nowhere_flies_back(opened: Any) -> None:
    page = opened("mid")
    before = still(page)
    lift(page, 24)
    page.mouse.up()
    assert still(page) == before


def test_the_window_changes_its_size_in_mid_drag(opened: Any) -> None:
    page = opened("mid")
    lift(page, 24)
    page.set_viewport_size({"width": 844, "height": 390})
    page.mouse.move(400, 200)
    page.wait_for_function("() => innerWidth === 844")
    count = len(cards(page))
    page.mouse.up()
    found = still(page)
    assert len(found) == count
    assert actions(page)[-1]["type"] == "drop"
    column = page.locator('.spot[data-pile="1"]').bounding_box()
    table = page.locator("#table").bounding_box()
    assert abs(found["card-24"]["x"] + table["x"] - column["x"]) < 1


MOVED = """(count) => {
  const state = STATES.mid();
  const columns = structuredClone(state.game.board.columns);
  columns[0].cards.push(...columns[1].cards.splice(-count));
  const board = { ...state.game.board, columns };
  draw({ ...state, game: { ...state.game, board, confirmed: board } });
}"""


def test_cards_that_leave_the_hand_by_an_event_are_neither_lost_nor_doubled(opened: Any) -> None:
    page = opened("mid")
    count = len(cards(page))
    lift(page, 24)
    page.evaluate(MOVED, 6)
    found = still(page)
    assert len(found) == count
    page.mouse.up()
    assert [action["type"] for action in actions(page)] == ["lift"]
    column = page.locator('.spot[data-pile="0"]').bounding_box()
    assert abs(found["card-24"]["x"] - column["x"]) < 1


def test_an_event_elsewhere_leaves_the_hand_alone(opened: Any) -> None:
    page = opened("mid")
    lift(page, 18)  # six of hearts, third column
    page.evaluate(MOVED, 2)
    assert cards(page)["card-18"]["inHand"]
    page.mouse.up()
    assert actions(page)[-1]["type"] == "drop"


@pytest.mark.parametrize("next_state", ["won", "bare", "double"])
def test_another_game_in_mid_drag_empties_the_hand(opened: Any, next_state: str) -> None:
    page = opened("mid")
    lift(page, 24)
    page.evaluate("(name) => show(name)", next_state)
    still(page)
    page.mouse.up()
    assert [action["type"] for action in actions(page)] == ["lift"]


def test_a_touch_that_the_system_takes_away(opened: Any) -> None:
    page = opened("mid", has_touch=True)
    before = still(page)
    box = page.locator("#card-24").bounding_box()
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    start = (box["x"] + 20, box["y"] + 5)
    touch("touchStart", start)
    touch("touchMove", (150, 300))
    touch("touchMove", (160, 320))
    page.wait_for_function("() => !document.querySelector('.hand').hidden")
    touch("touchStart", (160, 320), (40, 150))  # a second finger changes nothing
    touch("touchMove", (165, 330), (80, 150))
    assert cards(page)["card-24"]["inHand"]
    touch("touchCancel")
    assert still(page) == before
    assert [action["type"] for action in actions(page)] == ["lift"]


def test_a_card_keeps_its_node_when_it_turns(opened: Any) -> None:
    page = opened("open")
    page.evaluate("() => { window.kept = document.getElementById('card-d1-0'); }")
    page.evaluate("""() => {
      const state = STATES.open();
      const columns = state.game.board.columns.map((column, i) =>
        i === 1 ? { down: 0, cards: [24] } : column);
      const board = { ...state.game.board, columns };
      draw({ ...state, game: { ...state.game, board, confirmed: board } });
    }""")
    page.wait_for_function("() => kept.id === 'card-24' && kept.querySelector('.face.hearts')")
    assert still(page)["card-24"]


def test_all_cards_go_home_and_the_foundations_catch_the_light(opened: Any) -> None:
    page = opened("finishable")
    count = len(still(page))
    page.evaluate("() => show('won')")
    found = still(page)
    assert len(found) == count == 52
    assert page.locator(".card:not(.buried)").count() == 8
    assert page.locator(".mark-home").count() == 4
    assert page.locator("#app.celebrating").count() == 1
    page.mouse.click(5, 5)
    assert page.locator("#app.celebrating").count() == 0


def test_people_who_want_calm_see_no_movement(opened: Any) -> None:
    page = opened("finishable", reduced_motion="reduce")
    page.evaluate("() => { show('won'); }")
    assert page.evaluate("() => document.getAnimations().length") == 0
    assert page.locator("#app.celebrating").count() == 0


def test_the_table_by_keyboard(opened: Any) -> None:
    page = opened("mid")
    page.keyboard.press("2")
    page.keyboard.press("ArrowUp")
    focused = "() => document.activeElement.id"
    assert page.evaluate(focused) == "card-8"
    page.wait_for_function("() => document.activeElement.getAttribute('aria-label')")
    label = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert label == "9 of spades with one card on it, column 2"
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.dataset.act") == "menu"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(focused) == "card-8"
    assert page.locator('#table [tabindex="0"]').count() == 1
    page.keyboard.press("Enter")
    page.keyboard.press("u")
    assert actions(page) == [{"type": "tap", "pile": 1, "index": 5}, {"type": "undo"}]


def test_everything_the_page_loads_is_light() -> None:
    files = read(ROOT / "client")
    scripts = combine(files, ENTRY)
    page = files["index.html"].decode()
    loaded = {"index.html": files["index.html"]}
    for path in re.findall(r'(?:href|src)="/assets/dev/([^"]+)"', page):
        loaded[path] = scripts.get(path, files[path])
    assert ENTRY in loaded
    sizes = {path: packed_size(path, content) for path, content in loaded.items()}
    assert sum(sizes.values()) <= BUDGET, sizes
    held, _ = whole(page, files | scripts, "/assets/0123456789abcdef/")
    left = re.findall(r'(?:href|src)="/assets/[0-9a-f]+/([^"]+)"', held)
    assert packed_size("index.html", held.encode()) + sum(sizes[path] for path in left) <= BUDGET
    later = {path: packed_size(path, text) for path, text in scripts.items() if path != ENTRY}
    assert all(size <= LATER_BUDGET for size in later.values()), later


def packed_size(path: str, content: bytes) -> int:
    """How many bytes of a file are sent."""
    return len(asset(path, content).packed or content)


def test_a_script_is_served_as_written_but_for_its_comments() -> None:
    for path in (ROOT / "client").rglob("*.js"):
        written = path.read_text().split("\n")
        served = without_comments(path.read_bytes()).decode().split("\n")
        assert len(written) == len(served)
        for before, after in zip(written, served, strict=True):
            assert after in (before, "")
            is_comment = before.strip().startswith(("/*", "*", "//")) or before.endswith("*/")
            assert after or is_comment or not before.strip(), before
