"""The pages over the table in the browser: covering it, own games, moving to another device."""

import re

from playwright.sync_api import Page, expect

from engine.game import Game
from tests.e2e.conftest import DESKTOP, PHONE, deal
from tests.e2e.hand import Hand
from tests.e2e.pages import SIZES, Contexts, fits, heading, visit
from tests.e2e.past import Past, won_play
from tests.e2e.test_races import make
from tests.server.programs import Program
from tests.server.waiting import wait_for


def test_a_page_covers_the_table_and_gives_it_back(new_context: Contexts, program: Program) -> None:
    page = visit(new_context(PHONE), program)
    code = page.locator(".code-text").inner_text()
    page.locator('[data-act="menu"]').click()
    page.locator("dialog[open]").get_by_text("Your games").click()
    heading(page, "Your games")
    expect(page).to_have_url(f"{program.address()}/me")
    expect(page).to_have_title("Your games · Yukon")
    expect(page.locator("#app")).to_be_hidden()
    page.keyboard.press("n")  # keys are for the table alone
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.go_back()
    expect(page.locator("#app")).to_be_visible()
    expect(page).to_have_title("Yukon")
    page.go_forward()
    heading(page, "Your games")
    page.keyboard.press("Escape")
    expect(page).to_have_url(f"{program.address()}/")
    hand = Hand(page, Game(code))
    hand.see()
    move = next(iter(hand.game.legal_moves))
    hand.try_move(move)
    hand.game.play(move, 0)
    hand.see()


def test_a_first_visit_to_a_page_deals_nothing_until_the_table_is_seen(
    new_context: Contexts, program: Program
) -> None:
    page = new_context(PHONE).new_page()
    page.goto(f"{program.address()}/me")
    heading(page, "Your games")
    expect(page.locator(".history")).to_contain_text("You have played no game yet.")
    page.locator(".page-back").click()
    expect(page.locator(".code-text")).to_have_text(re.compile("^YU1-C-"))


def test_a_paused_game_stays_paused_under_a_page(new_context: Contexts, program: Program) -> None:
    page = visit(new_context(), program)
    page.locator('[data-act="pause"]').click()
    expect(page.locator("dialog[open].panel-pause")).to_be_visible()
    page.goto(f"{program.address()}/transfer")
    heading(page, "Play on this device")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.locator(".page-back").click()
    expect(page.locator("dialog[open].panel-pause")).to_be_visible()


def test_a_name_is_chosen_on_the_page(new_context: Contexts, program: Program) -> None:
    page = visit(new_context(PHONE), program, "/me")
    page.get_by_text("Choose a name").click()
    page.locator('dialog[open] input[name="name"]').fill("Zoé")
    page.keyboard.press("Enter")
    expect(page.locator("#page h1")).to_have_text("Zoé")
    expect(page.locator("dialog[open]")).to_have_count(0)


def finished_games(page: Page, program: Program) -> int:
    """How many finished games the server knows of the player."""
    got = page.request.get(f"{program.address()}/api/me/statistics").json()
    return sum(one["games"] for one in got["rulesets"])


@SIZES
def test_ones_own_games_with_what_can_be_done_with_them(
    new_context: Contexts, program: Program, size: tuple[int, int]
) -> None:
    context = new_context(size)
    page = visit(context, program)
    table = page.evaluate("() => localStorage.getItem('yukon.session')")
    past = Past.of(context, program.address())
    past.win()
    past.give_up(2, "C")
    unfinished = past.begin("YU1-R-AAAAAAB")
    wait_for("both results", lambda: finished_games(page, program) == 2)
    page.goto(f"{program.address()}/me")
    expect(page.locator(".fact.main dd")).to_have_text(["2", "1", "50 %"])
    expect(page.locator(".chart-bar")).to_have_count(2)
    expect(page.locator(".past.won .past-state")).to_have_text("won")
    expect(page.locator(".past.given_up")).to_contain_text("Classic, ranked")
    expect(page.locator(".past.playing")).to_have_count(1)
    fits(page)
    page.get_by_role("button", name=re.compile("^Go on with Relaxed")).click()
    expect(page.locator(".code-text")).to_have_text("YU1-R-AAAAAAB")
    assert page.evaluate("() => localStorage.getItem('yukon.session')") == unfinished != table
    page.go_back()
    page.get_by_role("button", name="Play the cards").last.click()
    expect(page.locator(".code-text")).to_have_text(won_play("C")[0])


def test_the_cards_of_a_game_are_raced_on(new_context: Contexts, program: Program) -> None:
    context = new_context(DESKTOP)
    page = visit(context, program)
    Past.of(context, program.address()).win()
    page.goto(f"{program.address()}/me")
    page.get_by_role("button", name="Race friends on the cards").click()
    code = page.locator('dialog[open].panel-race input[name="code"]')
    expect(code).to_have_value(won_play("C")[0])


def test_in_a_room_nothing_else_is_played(new_context: Contexts, program: Program) -> None:
    context = new_context(DESKTOP)
    page = visit(context, program)
    Past.of(context, program.address()).win()
    link = make(page, "Zoé")
    page.evaluate("() => history.pushState(null, '', '/me')")
    page.evaluate("() => dispatchEvent(new PopStateEvent('popstate'))")
    page.get_by_role("button", name="Play the cards").click()
    expect(page).to_have_url(link)
    expect(page.locator(".lobby")).to_be_visible()
    expect(page.locator(".toast")).to_contain_text("You are in a room")


def test_a_player_moves_to_another_device(new_context: Contexts, program: Program) -> None:
    context = new_context(PHONE, permissions=["clipboard-read", "clipboard-write"])
    page = visit(context, program, "/me")
    first = page.evaluate("() => localStorage.getItem('yukon.player')")
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("svg.qr path").first).to_be_visible()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".toast")).to_have_text("Link copied.")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link.startswith(f"{program.address()}/transfer#")

    other = visit(new_context(DESKTOP), program)
    assert other.evaluate("() => localStorage.getItem('yukon.player')") != first
    other.goto(link)
    heading(other, "Play on this device")
    expect(other).to_have_url(f"{program.address()}/transfer")
    other.get_by_role("button", name="Move the player here").click()
    expect(other).to_have_url(f"{program.address()}/me")
    assert other.evaluate("() => localStorage.getItem('yukon.player')") == first
    expect(other.locator("#page h1")).to_be_visible()

    third = visit(new_context(DESKTOP), program)
    third.goto(link)
    third.get_by_role("button", name="Move the player here").click()
    expect(third.get_by_role("alert")).to_contain_text("was used already")


def test_the_data_of_a_player_are_deleted_when_asked_for_twice(
    new_context: Contexts, program: Program
) -> None:
    page = visit(new_context(PHONE), program, "/me")
    first = page.evaluate("() => localStorage.getItem('yukon.player')")
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_role("button", name="Delete my data")).to_be_focused()
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("button", name="Delete everything").click()
    expect(page).to_have_url(f"{program.address()}/")
    expect(page.locator(".code-text")).to_have_text(re.compile("^YU1-C-"))
    assert page.evaluate("() => localStorage.getItem('yukon.player')") != first


def test_the_win_panel_leads_to_the_replay(new_context: Contexts, program: Program) -> None:
    context = new_context()
    page = visit(context, program)
    code, commands = won_play("C")
    hand = deal(page, program.address(), code)
    session = page.evaluate("() => localStorage.getItem('yukon.session')")
    past = Past.of(context, program.address())
    past.go_on(session, commands)
    expect(page.locator("dialog[open].panel-win")).to_be_visible()
    expect(page.locator("dialog[open]")).to_contain_text(re.compile(r"Place \d+ of"))
    page.locator("dialog[open]").get_by_role("link", name="Replay").click()
    expect(page).to_have_url(f"{program.address()}/replay/{session}")
    expect(page.locator(".film-position")).to_have_text(f"0 / {len(commands)}")
    assert hand.game.moves == 0
