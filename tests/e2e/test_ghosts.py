"""A late friend races the ghosts of a race that is over, between real pages."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from engine.game import Game
from tests.e2e.conftest import PHONE
from tests.e2e.hand import Hand
from tests.e2e.test_games import recorded
from tests.e2e.test_races import give_up, make, opened, start
from tests.server.programs import Program

Contexts = Callable[..., BrowserContext]

COUNTS = re.compile(r"(\d+) home · (\d+) down · (\d+|one) moves?")


def moves_of(page: Page, name: str) -> int:
    """How many moves the lane of a name shows."""
    row = page.locator("#lanes .lane").filter(has=page.get_by_text(name, exact=True))
    found = COUNTS.search(row.locator(".lane-counts").inner_text())
    assert found is not None
    return 1 if found[3] == "one" else int(found[3])


@pytest.mark.timeout(300)
def test_who_comes_late_races_the_ghosts(program: Program, new_context: Contexts) -> None:
    code, commands = recorded("C", won=True)
    host = opened(new_context, program.address())
    link = make(host, "Anna", code)
    guest = new_context(PHONE).new_page()
    guest.goto(link)
    guest.locator('.door [name="nickname"]').fill("Bo")
    guest.keyboard.press("Enter")
    expect(guest.locator(".lobby")).to_be_visible()
    start(host, guest)
    fast, slow = Hand(host, Game(code)), Hand(guest, Game(code))
    for hand in (fast, slow):
        hand.see()
    fast.play(*commands[:3])
    slow.play(commands[0])
    give_up(guest)
    give_up(host)
    expect(guest.locator(".standings .ends .end-name")).to_have_text(["Anna", "Bo"])
    for page in (host, guest):
        expect(page.locator(".small-board .mini").first).to_be_visible()
        expect(page.get_by_role("button", name="Race the ghosts")).to_have_count(0)

    late = new_context().new_page()
    late.goto(link)
    late.locator('.door [name="nickname"]').fill("Carl")
    late.keyboard.press("Enter")
    late.get_by_role("button", name="Race the ghosts").click()
    hand = Hand(late, Game(code))
    hand.see()
    expect(late.locator(".code-text")).to_have_text(code)
    expect(late.locator("#lanes .lane")).to_have_count(3)
    expect(late.locator("#lanes .race-name")).to_have_text("Ghosts of race 1")
    hand.play(commands[0])

    # They wait in a pause, and a page that is loaded again finds them where they were.
    late.locator('[data-act="pause"]').click()
    expect(late.locator("dialog.panel-pause")).to_be_visible()
    stood = [moves_of(late, name) for name in ("Anna", "Bo", "Carl")]
    late.reload()
    expect(late.locator("dialog.panel-pause")).to_be_visible()
    expect(late.locator("#lanes .lane")).to_have_count(3)
    assert [moves_of(late, name) for name in ("Anna", "Bo", "Carl")] == stood
    late.locator("dialog.panel-pause .button-gold").click()
    hand.see()
    for name, moves in (("Anna", 3), ("Bo", 1)):
        row = late.locator("#lanes .lane.ended").filter(has_text=name)
        expect(row.locator(".lane-state")).to_have_text("gave up")
        assert moves_of(late, name) == moves

    hand.play(*commands[1:6])
    give_up(late)
    games = {"Carl": hand.game, "Anna": fast.game, "Bo": slow.game}
    order = sorted(games, key=lambda name: (-games[name].ranked_score, games[name].moves))
    place = order.index("Carl") + 1
    expect(late.locator(".room-title")).to_have_text(f"Place {place} of 3")
    expect(late.locator(".later .ends .end-name")).to_have_text(
        [re.compile(f"^{name}") for name in order]
    )
    expect(late.locator(".later .end.mine .end-name")).to_have_text("Carlraced later")
    expect(late.locator(".later .end.mine .end-moves")).to_have_text("6")
    late.get_by_role("button", name="Back to the room").click()
    expect(late.locator(".standings .ends .end-name")).to_have_text(["Anna", "Bo"])
    expect(host.locator(".standings .ends .end-name")).to_have_text(["Anna", "Bo"])

    # From the next lobby the places are still to be had.
    host.get_by_role("button", name="Rematch").click()
    expect(late.locator(".lobby")).to_be_visible()
    late.get_by_role("button", name="Race the ghosts").click()
    expect(late.locator(".room-title")).to_have_text(f"Place {place} of 3")
    host.get_by_role("button", name="Start the race").click()
    host.get_by_role("button", name="Start anyway").click()
    expect(late.locator(".later")).to_be_hidden()
    expect(late.locator("#lanes .race-name")).to_have_text("Race 2")
