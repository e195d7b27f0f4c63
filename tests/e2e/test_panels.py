"""The panels in the browser: new games, settings, sharing, pausing, giving up, and their words."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from engine.game import Game
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, deal
from tests.e2e.hand import Hand
from tests.server.programs import Program

Contexts = Callable[..., BrowserContext]

RANDOM_CODE = re.compile(r"^YU1-C-[A-Z2-7]{7}$")
SEALED_CODE = re.compile(r"^YU1-C-[A-Z2-7]{26}$")


@pytest.fixture
def page(new_context: Contexts, program: Program) -> Page:
    """A first visit, with its board on the table."""
    context = new_context(PHONE, permissions=["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    opened.goto(program.address())
    expect(opened.locator(".code-text")).to_have_text(RANDOM_CODE)
    return opened


def press(page: Page, action: str) -> None:
    page.locator(f'[data-act="{action}"]').click()


def panel(page: Page, name: str) -> None:
    """Wait until this panel and no other is open."""
    expect(page.locator("dialog[open]")).to_have_class(re.compile(rf"\bpanel-{name}\b"))


def choose(page: Page, text: str) -> None:
    page.locator("dialog[open]").get_by_text(text, exact=True).click()


def test_a_first_visit_has_a_board_and_a_reload_goes_on_with_it(page: Page) -> None:
    code = page.locator(".code-text").inner_text()
    hand = Hand(page, Game(code))
    hand.see()
    move = next(iter(hand.game.legal_moves))
    hand.try_move(move)
    hand.game.play(move, 0)
    hand.see()
    page.reload()
    hand.see()
    expect(page.locator(".code-text")).to_have_text(code)


def test_the_new_game_panel_deals_the_chosen_rules_and_remembers_them(page: Page) -> None:
    press(page, "new")
    panel(page, "new")
    expect(page.locator('input[name="letter"][value="C"]')).to_be_checked()
    assert page.locator("dialog[open] .group-rules .choice").count() == 9
    choose(page, "Double Yukon")
    choose(page, "Deal")
    expect(page.locator(".code-text")).to_have_text(re.compile("^YU1-D-"))
    expect(page.locator(".card")).to_have_count(104)
    page.reload()
    expect(page.locator(".code-text")).to_have_text(re.compile("^YU1-D-"))
    press(page, "new")
    expect(page.locator('input[name="letter"][value="D"]')).to_be_checked()


@pytest.mark.parametrize(
    "pasted", ["yu1 r aaaaaab", "Look: https://yukon.example/g/YU1-R-AAAAAAB?from=me"]
)
def test_a_code_or_a_link_is_typed(page: Page, pasted: str) -> None:
    press(page, "new")
    choose(page, "Code")
    expect(page.locator('input[name="code"]')).to_be_focused()
    page.keyboard.insert_text(pasted)
    page.keyboard.press("Enter")
    expect(page.locator(".code-text")).to_have_text("YU1-R-AAAAAAB")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_text_that_is_no_code_is_told_in_the_panel(page: Page) -> None:
    before = page.locator(".code-text").inner_text()
    press(page, "new")
    choose(page, "Code")
    page.keyboard.insert_text("hello")
    page.keyboard.press("Enter")
    wrong = page.locator("dialog[open] .wrong")
    expect(wrong).to_contain_text("not a game code")
    expect(page.locator(".toast")).to_be_hidden()
    page.keyboard.insert_text("YU1")
    expect(wrong).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".code-text")).to_have_text(before)


def test_a_link_offers_its_deal_and_a_look_at_it_changes_nothing(
    page: Page, program: Program
) -> None:
    before = page.locator(".code-text").inner_text()
    page.goto(f"{program.address()}/g/YU1-A-AAAAAAB")
    panel(page, "offer")
    expect(page.locator("dialog[open]")).to_contain_text("Alaska")
    expect(page.locator(".code-text")).to_have_text(before)
    choose(page, "Not now")
    expect(page).to_have_url(f"{program.address()}/")
    expect(page.locator(".code-text")).to_have_text(before)


def test_who_leaves_a_link_at_the_first_visit_gets_a_board(
    new_context: Contexts, program: Program
) -> None:
    page = new_context().new_page()
    page.goto(f"{program.address()}/g/YU1-A-AAAAAAB")
    panel(page, "offer")
    page.keyboard.press("Escape")
    expect(page.locator(".code-text")).to_have_text(RANDOM_CODE)


def test_a_ranked_deal_is_sealed_until_it_is_over(page: Page) -> None:
    press(page, "new")
    choose(page, "Ranked")
    choose(page, "Deal")
    expect(page.locator(".code-text")).to_have_text("Sealed")
    press(page, "menu")
    choose(page, "Share this deal")
    expect(page.locator(".code-line.seal")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    page.keyboard.press("Escape")
    press(page, "menu")
    choose(page, "Give up")
    panel(page, "give-up")
    choose(page, "Keep playing")
    expect(page.locator(".code-text")).to_have_text("Sealed")
    press(page, "menu")
    choose(page, "Give up")
    page.locator("dialog[open].panel-give-up .button-warning").click()
    panel(page, "new")
    page.keyboard.press("Escape")
    expect(page.locator(".code-text")).to_have_text(SEALED_CODE)
    expect(page.locator('[data-act="undo"]')).to_be_disabled()


def test_the_code_and_the_link_are_copied_with_one_touch(page: Page, program: Program) -> None:
    code = page.locator(".code-text").inner_text()
    page.locator(".bar-code").click()
    expect(page.locator(".toast")).to_have_text("Code copied.")
    assert page.evaluate("() => navigator.clipboard.readText()") == code
    press(page, "menu")
    choose(page, "Share this deal")
    choose(page, "Copy link")
    expect(page.locator("dialog[open] .toast")).to_have_text("Link copied.")
    assert page.evaluate("() => navigator.clipboard.readText()") == f"{program.address()}/g/{code}"


def test_a_pause_covers_the_cards_and_stops_the_clock(page: Page) -> None:
    press(page, "pause")
    panel(page, "pause")
    clock = page.locator(".bar-time .bar-value").inner_text()
    page.reload()
    panel(page, "pause")
    expect(page.locator(".bar-time .bar-value")).to_have_text(clock)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator('[data-act="pause"]')).to_be_enabled()


def test_settings_hold_at_once_and_after_a_reload(page: Page) -> None:
    press(page, "menu")
    choose(page, "Four colours")
    choose(page, "Night")
    expect(page.locator("html")).to_have_attribute("data-deck", "four")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-deck", "four")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_without_interactive_rules_a_refused_move_says_nothing(
    page: Page, program: Program
) -> None:
    hand = deal(page, program.address(), "YU1-C-AAAAAAA")
    press(page, "menu")
    choose(page, "Interactive rules")
    page.keyboard.press("Escape")
    hand.try_move(hand.game.read("T2:1>T3"))
    hand.see()
    expect(page.locator(".toast")).to_be_hidden()


def test_a_name_is_given_and_kept(page: Page) -> None:
    press(page, "menu")
    choose(page, "Change")
    expect(page.locator('dialog[open] input[name="name"]')).to_be_focused()
    page.keyboard.insert_text("Zoé of the North")
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_have_text("Hello, Zoé of the North.")
    page.reload()
    press(page, "menu")
    expect(page.locator(".menu-name")).to_have_text("Zoé of the North")


def test_a_lost_game_says_so_until_something_is_taken_back(page: Page, program: Program) -> None:
    hand = deal(page, program.address(), "YU1-S-AAAAACN")
    game = hand.game
    while not game.is_blocked:
        move = next(iter(game.legal_moves))
        hand.try_move(move)
        game.play(move, 0)
        hand.see()
    expect(page.locator(".banner-lost")).to_be_visible()
    page.locator(".banner-lost").get_by_text("Undo").click()
    game.play("U", 0)
    hand.see()
    expect(page.locator(".banner-lost")).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "lying", "desktop"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_panel_fits_and_gives_the_focus_back(
    new_context: Contexts, program: Program, size: tuple[int, int], theme: str
) -> None:
    page = new_context(size, color_scheme=theme).new_page()
    page.goto(program.address())
    expect(page.locator(".code-text")).to_have_text(RANDOM_CODE)
    for key, name in [("n", "new"), ("m", "menu"), ("?", "help"), ("p", "pause")]:
        page.locator('[data-act="show"]').focus()
        page.keyboard.press(key)
        panel(page, name)
        box = page.locator("dialog[open]").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
        wide = "(panel) => panel.scrollWidth > panel.clientWidth"
        assert not page.locator("dialog[open]").evaluate(wide)
        assert page.evaluate("() => document.activeElement.closest('dialog[open]') !== null")
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator('[data-act="show"]')).to_be_focused()
