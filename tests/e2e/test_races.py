"""Races between real pages: from a link to the standings, with what comes between."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from engine.game import Game
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE
from tests.e2e.hand import Hand
from tests.e2e.proxy import Proxy
from tests.e2e.test_games import recorded
from tests.server.programs import Program

Contexts = Callable[..., BrowserContext]
Size = tuple[int, int]

ROOM_LINK = re.compile(r"/r/[a-z2-7]{16}$")
SEALED_CODE = re.compile(r"^YU1-C-[A-Z2-7]{26}$")


def opened(new_context: Contexts, address: str, size: Size = DESKTOP, **options: object) -> Page:
    """A first visit of somebody, with a game of their own on the table."""
    page = new_context(size, **options).new_page()
    page.goto(address)
    expect(page.locator(".code-text")).to_have_text(re.compile("^YU1-"))
    return page


def make(page: Page, name: str, code: str | None = None, limit: str = "none") -> str:
    """Make a room from the menu and give its link."""
    page.locator('[data-act="menu"]').click()
    page.get_by_role("button", name="Race friends").click()
    panel = page.locator("dialog.panel-race")
    expect(panel).to_be_visible()
    if panel.locator('[name="nickname"]').is_visible():
        panel.locator('[name="nickname"]').fill(name)
    panel.get_by_text(limit, exact=True).click()
    if code:
        panel.get_by_text("Code", exact=True).click()
        panel.locator('[name="code"]').fill(code)
    panel.get_by_role("button", name="Open a room").click()
    expect(page).to_have_url(ROOM_LINK)
    expect(page.locator(".lobby")).to_be_visible()
    return page.url


def come(page: Page, link: str, name: str) -> None:
    """Follow a link and say a name: that is all a friend does."""
    page.goto(link)
    page.locator('.door [name="nickname"]').fill(name)
    page.keyboard.press("Enter")
    expect(page.locator(".lobby")).to_be_visible()


def seats(page: Page) -> list[str]:
    return page.locator(".seat-name").all_inner_texts()


def start(host: Page, *guests: Page) -> None:
    """Everybody is ready, the host starts, and every board is there."""
    for guest in guests:
        guest.get_by_role("button", name="I am ready").click()
    expect(host.locator(".seat.ready")).to_have_count(len(guests) + 1)
    host.get_by_role("button", name="Start the race").click()
    for page in (host, *guests):
        expect(page.locator(".count")).to_have_text(re.compile("Get ready|3|2|1|Go"))
    for page in (host, *guests):
        expect(page.locator('html[data-room="race"]')).to_be_attached()
        expect(page.locator("#card-0, .card").first).to_be_visible()


def give_up(page: Page) -> None:
    page.locator('[data-act="menu"]').click()
    page.get_by_role("button", name="Give up").click()
    page.locator("dialog.panel-give-up .button-warning").click()


def lane(page: Page, name: str) -> str:
    """What people who listen hear of a lane."""
    row = page.locator("#lanes .lane").filter(has_text=name).locator(".unseen")
    return row.inner_text()


def test_two_friends_race_from_a_link_to_the_standings(
    program: Program, new_context: Contexts
) -> None:
    host = opened(new_context, program.address())
    solo = host.locator(".code-text").inner_text()
    guest = new_context(PHONE, has_touch=True).new_page()
    come(guest, make(host, "Anna"), "Bo")
    expect(host.locator(".seat-name")).to_have_text(["Anna", "Bo"])
    seal = guest.locator(".seal-line").get_attribute("title")
    start(host, guest)
    expect(host.locator('[data-act="pause"]')).to_be_hidden()
    expect(host.locator(".code-text")).to_have_text("Sealed")
    expect(host.locator("#lanes .lane")).to_have_count(2)
    expect(guest.locator(".race-strip .race-place")).to_have_text(re.compile("of 2"))

    give_up(guest)
    expect(guest.locator("dialog.panel-lanes .lanes-about")).to_contain_text("You gave up")
    expect(host.locator("#lanes .lane.ended")).to_have_count(1)
    assert "gave up" in lane(host, "Bo")
    give_up(host)
    for page in (host, guest):
        expect(page.locator(".standings .ends .end-name").nth(1)).to_have_text(
            re.compile("Anna|Bo")
        )
        expect(page.locator(".proof .code-line")).to_have_text(SEALED_CODE)
        expect(page.locator(".verdict.holds")).to_be_visible()
        expect(page.locator(".small-board .mini").first).to_be_visible()
    assert host.locator(".standings .seal-line").get_attribute("title") == seal
    expect(host.locator(".end.mine .end-name")).to_have_text("Anna")

    host.get_by_role("button", name="Rematch").click()
    expect(guest.locator(".room-title")).to_have_text("Race 2")
    expect(guest.locator(".evening-race")).to_have_count(1)
    host.get_by_role("button", name="Leave").click()
    host.locator("dialog.panel-leave .button-warning").click()
    expect(host).to_have_url(f"{program.address()}/")
    expect(host.locator(".code-text")).to_have_text(solo)
    expect(guest.locator(".seat-name")).to_have_text(["Bo"])


@pytest.mark.timeout(400)
def test_a_winner_is_seen_by_all_and_stands_first(program: Program, new_context: Contexts) -> None:
    code, commands = recorded("T", won=True)
    host = opened(new_context, program.address())
    guest, third = new_context(LANDSCAPE).new_page(), new_context(PHONE).new_page()
    link = make(host, "Anna", code, limit="10")
    come(guest, link, "Bo")
    come(third, link, "Zoé")
    expect(third.locator(".setup-line")).to_contain_text("Traditional · known cards · 10 minutes")
    start(host, guest, third)
    hand = Hand(host, Game(code))
    hand.see()
    hand.play(*commands[:5])
    expect(guest.locator(".race-strip .race-left")).to_have_text(re.compile(r"^\d+:\d\d left$"))
    hand.play(*commands[5:])
    expect(host.locator("dialog.panel-lanes .lanes-about")).to_contain_text("You are home in")
    for page in (guest, third):
        expect(page.locator(".toast")).to_contain_text("Anna is home in")
    give_up(guest)
    give_up(third)
    expect(host.locator(".room-title")).to_have_text("You win")
    expect(guest.locator(".room-title")).to_have_text("Anna wins")
    expect(third.locator(".ends .end-name").nth(0)).to_have_text("Anna")
    expect(third.locator(".ends .end-outcome").nth(0)).to_have_text(re.compile(r"^\d+:\d\d$"))


def test_who_is_cut_off_in_the_middle_comes_back_to_seat_and_board(
    program: Program, proxy: Proxy, new_context: Contexts
) -> None:
    code, commands = recorded("C", won=True)
    host = opened(new_context, program.address())
    link = make(host, "Anna", code)
    guest = new_context(PHONE).new_page()
    come(guest, proxy.address + link.removeprefix(program.address()), "Bo")
    start(host, guest)
    hand = Hand(guest, Game(code))
    hand.see()
    hand.play(commands[0])
    proxy.cut()
    expect(host.locator("#lanes .lane.away")).to_have_count(1)
    hand.play_unheard(commands[1])
    proxy.restore()
    hand.see()
    hand.play(commands[2])
    expect(host.locator("#lanes .lane.away")).to_have_count(0)
    guest.reload()
    hand.see()
    expect(guest).to_have_url(re.compile(r"/r/[a-z2-7]{16}$"))
    expect(guest.locator("#lanes .lane")).to_have_count(2)


def test_who_is_cut_off_before_the_start_still_gets_the_board(
    program: Program, proxy: Proxy, new_context: Contexts
) -> None:
    host = opened(new_context, program.address())
    link = make(host, "Anna", "YU1-R-AAAAAAB")
    guest = new_context(LANDSCAPE).new_page()
    come(guest, proxy.address + link.removeprefix(program.address()), "Bo")
    guest.get_by_role("button", name="I am ready").click()
    expect(host.locator(".seat.ready")).to_have_count(2)
    proxy.cut()
    expect(host.locator(".seat.away")).to_have_count(1)
    host.get_by_role("button", name="Start the race").click()
    expect(host.locator('html[data-room="race"]')).to_be_attached(timeout=20_000)
    expect(guest.locator(".lobby")).to_be_visible()
    proxy.restore()
    Hand(guest, Game("YU1-R-AAAAAAB")).see()
    expect(host.locator("#lanes .lane.away")).to_have_count(0)


def test_a_room_is_found_by_its_code_and_keeps_out_whom_it_should(
    program: Program, new_context: Contexts
) -> None:
    host = opened(new_context, program.address())
    link = make(host, "Anna")
    code = host.locator(".room-code").inner_text()
    guest = opened(new_context, program.address(), LANDSCAPE)
    guest.locator('[data-act="new"]').click()
    guest.get_by_role("button", name="Race friends").click()
    panel = guest.locator("dialog.panel-race")
    panel.locator('[name="nickname"]').fill("Bo")
    panel.locator('[name="room"]').fill("BBBBBB")
    panel.get_by_role("button", name="Join").click()
    expect(guest.locator("dialog .toast-refusal")).to_contain_text("no such room")
    panel.locator('[name="room"]').fill(code.lower())
    panel.get_by_role("button", name="Join").click()
    expect(guest).to_have_url(link)
    expect(guest.locator(".seat-name")).to_have_text(["Anna", "Bo"])

    host.get_by_role("button", name="Lock the room").click()
    expect(host.get_by_role("button", name="Locked: open it")).to_be_visible()
    late = new_context(PHONE).new_page()
    late.goto(link)
    late.locator('.door [name="nickname"]').fill("Zoé")
    late.keyboard.press("Enter")
    expect(late.locator(".door-about")).to_contain_text("locked")
    late.get_by_role("button", name="Play alone").click()
    expect(late.locator(".code-text")).to_have_text(re.compile("^YU1-"))

    host.get_by_role("button", name="Remove Bo").click()
    host.locator("dialog.panel-remove .button-warning").click()
    expect(guest.locator(".door-about")).to_contain_text("removed you")
    expect(host.locator(".seat-name")).to_have_text(["Anna"])
    guest.reload()
    expect(guest.locator(".door-about")).to_contain_text("removed you")


def test_a_watcher_and_a_second_tab_see_the_race(program: Program, new_context: Contexts) -> None:
    host = opened(new_context, program.address())
    link = make(host, "Anna", "YU1-O-AAAAAAB")
    second = host.context.new_page()
    second.goto(link)
    expect(second.locator(".seat-words")).to_have_text(["you · host"])
    watcher = new_context(PHONE).new_page()
    watcher.goto(link)
    watcher.get_by_role("button", name="Only watch").click()
    expect(watcher.locator(".foot-words")).to_have_text("You are watching.")
    guest = new_context(PHONE).new_page()
    come(guest, link, "Bo")
    host.bring_to_front()
    host.get_by_role("button", name="Start the race").click()
    expect(host.locator("dialog.panel-force")).to_contain_text("Not ready yet: Bo.")
    host.get_by_role("button", name="Start anyway").click()
    hand = Hand(host, Game("YU1-O-AAAAAAB"))
    hand.see()
    move = next(iter(hand.game.legal_moves))
    hand.try_move(move)
    hand.game.play(move, 0)
    hand.see()
    Hand(second, hand.game).see()
    expect(watcher.locator(".watch .lane")).to_have_count(2)
    anna = watcher.locator(".watch .lane").filter(has_text="Anna")
    expect(anna.locator(".lane-counts")).to_contain_text("one move")
    watcher.reload()
    expect(watcher.locator(".watch .lane")).to_have_count(2)
    assert watcher.locator(".card").count() == 0

    late = new_context(DESKTOP).new_page()
    late.goto(link)
    late.locator('.door [name="nickname"]').fill("Zoé")
    late.keyboard.press("Enter")
    expect(late.locator(".watch")).to_contain_text("You play in the next one.")
    give_up(guest)
    give_up(second)
    for page in (host, second, watcher, late):
        expect(page.locator(".ends .end-name")).to_have_count(2)
    host.locator(".ends .end").filter(has_text="Bo").click()
    expect(host.locator(".final")).to_contain_text("The last board of Bo")
    host.get_by_text("Watch how it went").click()
    expect(host).to_have_url(re.compile("/replay/"))
    second.get_by_role("button", name="Same cards again").click()
    expect(late.locator(".seat-name")).to_have_text(["Anna", "Bo", "Zoé"])
    late.get_by_role("button", name="I am ready").click()
    guest.get_by_role("button", name="I am ready").click()
    expect(second.locator(".seat.ready")).to_have_count(3)
    second.get_by_role("button", name="Start the race").click()
    for page in (host, second, guest, late):
        expect(page.locator(".code-text")).to_have_text("YU1-O-AAAAAAB", timeout=20_000)
        expect(page).to_have_url(link)


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, (1024, 768), DESKTOP])
def test_a_room_fits_every_screen(program: Program, new_context: Contexts, size: Size) -> None:
    page = opened(new_context, program.address(), size)
    make(page, "Maximilian the Great")
    wide = """() => [...document.querySelectorAll('#room, .room-body, #lanes, .panel[open]')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className)"""
    assert page.evaluate(wide) == []
    start(page)
    table = page.locator("#table").bounding_box()
    lanes = page.locator("#lanes").bounding_box()
    assert table is not None
    assert lanes is not None
    beside = lanes["x"] >= table["x"] + table["width"] or lanes["x"] + lanes["width"] <= table["x"]
    above = lanes["y"] + lanes["height"] <= table["y"]
    assert beside or above, (lanes, table)
    assert page.evaluate(wide) == []
    give_up(page)
    expect(page.locator(".ends .end")).to_have_count(1)
    assert page.evaluate(wide) == []
