"""Leaderboards and the daily deal in the browser: pages of rows, live rows, the day's first try."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE
from tests.e2e.pages import SIZES, Contexts, answer, board, fits, heading, row, visit
from tests.e2e.past import Past, won_play
from tests.server.programs import Program
from tests.server.waiting import wait_for


@SIZES
def test_a_leaderboard_is_read_page_by_page(
    new_context: Contexts, program: Program, size: tuple[int, int]
) -> None:
    page = visit(new_context(size), program)
    me = page.evaluate("() => localStorage.getItem('yukon.player')")
    rows = [row(place, **({"player": me} if place == 17 else {})) for place in range(1, 61)]
    answer(page, r"/api/boards/", board(rows[:50], 120, "further"))
    answer(page, r"/api/boards/.*cursor=further", board(rows[49:], 120))
    answer(page, r"/api/boards/.*/me$", {**board(rows[11:22], 120), "place": 17})
    page.goto(f"{program.address()}/boards?ruleset=C&order=best&window=week")
    heading(page, "Leaderboards")
    expect(page.locator(".row")).to_have_count(50)
    expect(page.locator(".row.mine .row-place")).to_have_text("17")
    expect(page.locator(".board-you strong")).to_have_text("You are 17th of 120")
    expect(page.locator(".strip [aria-current]")).to_have_text("Classic")
    expect(page.locator(".switcher [aria-current]")).to_have_text(["Best", "Week"])
    fits(page)
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".row")).to_have_count(60)  # the row that both pages have is there once
    expect(page.locator(".row").nth(50)).to_be_focused()
    page.locator(".board-you").click()
    expect(page.locator(".row")).to_have_count(11)
    expect(page).to_have_url(re.compile("place=mine"))
    page.go_back()
    expect(page.locator(".row")).to_have_count(50)
    page.locator(".switcher").get_by_text("Fewest moves").click()
    expect(page).to_have_url(re.compile(r"ruleset=C&order=moves&window=week"))
    expect(page.locator(".switcher").get_by_text("Fewest moves")).to_be_focused()
    expect(page.locator(".row-moves").first).to_be_attached()


def test_a_row_offers_its_replay_and_its_cards(new_context: Contexts, program: Program) -> None:
    page = visit(new_context(), program)
    answer(page, r"/api/boards/", board([row(1), row(2, code=None, replay=None)], 2))
    page.goto(f"{program.address()}/boards?ruleset=C")
    replay = page.locator(".row").nth(0).get_by_role("link", name="Watch the replay of Player 1")
    expect(replay).to_have_attribute("href", "/replay/session1")
    expect(page.locator(".row").nth(1).locator(".row-action")).to_have_count(0)
    page.locator(".row").nth(0).get_by_role("button", name="Play the same cards").click()
    expect(page).to_have_url(f"{program.address()}/")
    expect(page.locator(".code-text")).to_have_text("YU1-C-AAAAAAB")


def test_an_empty_leaderboard_invites_to_a_ranked_game(
    new_context: Contexts, program: Program
) -> None:
    page = visit(new_context(PHONE), program)
    answer(page, r"/api/boards/", board([], 0))
    page.goto(f"{program.address()}/boards?ruleset=R")
    expect(page.locator(".page-empty")).to_contain_text("Nobody is here yet today")
    page.get_by_role("button", name="Play a ranked game").click()
    expect(page.locator(".code-text")).to_have_text("Sealed")
    expect(page.locator("#app")).to_be_visible()


def test_a_board_that_cannot_be_read_says_so_and_is_tried_again(
    new_context: Contexts, program: Program
) -> None:
    page = visit(new_context(PHONE), program)
    page.route(re.compile(r"/api/boards/"), lambda route: route.fulfill(status=403, body="{}"))
    page.goto(f"{program.address()}/boards?code=YU1-C-AAAAAAB")
    heading(page, "Leaderboard of a deal")
    expect(page.locator(".page-empty")).to_contain_text("still being played")
    page.unroute_all()
    answer(page, r"/api/boards/", board([row(1)], 1))
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".row")).to_have_count(1)


def test_a_result_appears_on_the_board_of_its_deal_while_one_looks(
    new_context: Contexts, program: Program
) -> None:
    code, _ = won_play("O")
    Past.of_somebody(program.address(), "Mika").win("O")
    page = visit(new_context(DESKTOP), program, f"/boards?code={code}")
    expect(page.locator(".live")).to_be_visible()
    expect(page.locator(".row-name")).to_have_text(["Player", "Mika"])
    page.locator(".row").first.focus()
    Past.of_somebody(program.address(), "Zoé").win("O")
    expect(page.locator(".row")).to_have_count(2)
    expect(page.locator(".boards [role=status].unseen")).to_contain_text("Zoé is now")
    expect(page.locator(".row:focus")).to_contain_text("Mika")
    page.get_by_role("link", name="Watch the replay of Zoé").click()
    expect(page.locator(".film-result")).to_contain_text("Zoé")
    page.get_by_role("link", name="Board").last.click()
    expect(page.locator(".row")).to_have_count(2)


def test_a_place_of_ones_own_is_found(new_context: Contexts, program: Program) -> None:
    context = new_context(PHONE)
    page = visit(context, program)
    code, _ = won_play("T")
    Past.of_somebody(program.address(), "Mika").win("T")
    Past.of(context, program.address()).win("T")
    page.goto(f"{program.address()}/boards?code={code}")
    expect(page.locator(".board-you strong")).to_have_text(re.compile(r"You are \w+ of 2"))
    expect(page.locator(".row.mine")).to_have_count(1)
    page.locator(".board-you").click()
    expect(page).to_have_url(re.compile("place=mine"))
    expect(page.locator(".row")).to_have_count(2)


def marks(page: Page, program: Program, letter: str) -> list[Any]:
    """What the server knows of the player's days."""
    got = page.request.get(f"{program.address()}/api/daily/{letter}/calendar").json()
    return [day["mark"] for day in got["days"] if day["mark"]]


def test_the_first_try_of_the_day_counts_and_then_one_practises(
    new_context: Contexts, program: Program
) -> None:
    context = new_context(PHONE, permissions=["clipboard-read", "clipboard-write"])
    page = visit(context, program)
    page.goto(f"{program.address()}/daily?ruleset=A")
    heading(page, "Daily deal")
    fits(page)
    page.get_by_role("button", name="Play today’s deal").click()
    expect(page.locator(".bar-name")).to_have_text("Alaska, daily deal")
    expect(page.locator(".code-text")).to_have_text("Sealed")
    session = page.evaluate("() => localStorage.getItem('yukon.session')")
    page.locator('[data-act="menu"]').click()
    page.locator("dialog[open]").get_by_text("Daily deal").click()
    expect(page.locator(".strip [aria-current]")).to_have_text(re.compile("^Alaska"))
    page.get_by_role("button", name="Go on playing").click()
    expect(page.locator("#app")).to_be_visible()
    assert page.evaluate("() => localStorage.getItem('yukon.session')") == session
    page.locator('[data-act="new"]').click()
    expect(page.locator("dialog[open]").get_by_text("Deal", exact=True)).to_be_enabled()
    page.keyboard.press("Escape")
    Past.of(context, program.address()).end(session)
    wait_for("the day's mark", lambda: marks(page, program, "A"))
    page.goto(f"{program.address()}/daily?ruleset=A")
    expect(page.locator(".daily-result strong")).to_have_text(
        re.compile(r"^Not won: \d+ points, one move$")
    )
    expect(page.locator(".day.today.tried")).to_be_visible()
    expect(page.locator(".day-seal code").first).to_have_text(re.compile("^[0-9a-f]{12}$"))
    page.get_by_role("button", name="Share result").click()
    expect(page.locator(".toast")).to_have_text("Result copied.")
    shared = page.evaluate("() => navigator.clipboard.readText()")
    assert re.match(r"Yukon daily, Alaska, \d+ \w+\n\d+ points with one move\nhttp", shared)
    page.get_by_role("button", name="Practise").click()
    expect(page.locator(".bar-name")).to_have_text("Alaska, practice")
    assert page.evaluate("() => localStorage.getItem('yukon.session')") != session


def test_the_daily_deal_is_dealt_from_the_panel_too(
    new_context: Contexts, program: Program
) -> None:
    page = visit(new_context(PHONE), program)
    page.locator('[data-act="new"]').click()
    page.locator("dialog[open]").get_by_text("Daily", exact=True).click()
    page.locator("dialog[open]").get_by_text("Russian", exact=True).click()
    page.locator("dialog[open]").get_by_text("Deal", exact=True).click()
    expect(page.locator(".bar-name")).to_have_text("Russian, daily deal")
    # Paused it does not rank, and is still the try of the day, also when the page comes back.
    page.locator('[data-act="pause"]').click()
    expect(page.locator(".bar-name")).to_have_text("Russian, daily, not ranked")
    page.reload()
    expect(page.locator(".bar-name")).to_have_text("Russian, daily, not ranked")
