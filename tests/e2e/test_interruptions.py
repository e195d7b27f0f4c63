"""Everything that can come between a player and the server; no move is lost, none is doubled."""

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Response, expect

from engine.game import Game
from tests.e2e.conftest import PHONE, deal, start
from tests.e2e.hand import Hand
from tests.e2e.proxy import Proxy
from tests.server.programs import ROOT, Program
from tests.server.waiting import wait_for

Contexts = Callable[..., BrowserContext]

CODE = "YU1-C-AAAAHXP"
COMMANDS = ["T3:4>T5", "T2:4>T3", "T6:3>T2", "T6:1>T7", "T5:7>T7", "T3:3>T1", "T7:8>T3", "T3:8>T7"]
QUIET = "() => document.querySelector('.banner-connection').hidden"
LOST = "() => !document.querySelector('.banner-connection').hidden"

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def page(new_context: Contexts) -> Page:
    return new_context().new_page()


@pytest.fixture
def hand(page: Page, proxy: Proxy) -> Hand:
    """Somebody two moves into a game."""
    playing = deal(page, proxy.address, CODE)
    page.evaluate("() => { window.neverReloaded = true; }")
    playing.play(*COMMANDS[:2])
    return playing


def is_kept(page: Page) -> bool:
    """Whether the page is still the one that was loaded first."""
    return bool(page.evaluate("() => window.neverReloaded === true"))


def sees_the_same(hand: Hand, context: BrowserContext, address: str) -> None:
    """A tab opened afterwards, which knows nothing, shows the very same game."""
    other = context.new_page()
    other.goto(address)
    Hand(other, hand.game).see()
    other.close()


def test_offline_and_online_again(hand: Hand, page: Page, proxy: Proxy) -> None:
    page.context.set_offline(True)
    proxy.cut()
    page.wait_for_function(LOST)
    hand.see()
    hand.play_unheard(COMMANDS[2])
    proxy.restore()
    page.context.set_offline(False)
    page.wait_for_function(QUIET)
    hand.play(*COMMANDS[3:6])
    assert is_kept(page)
    sees_the_same(hand, page.context, proxy.address)


def test_the_answer_is_lost_but_the_move_was_not(hand: Hand, page: Page, proxy: Proxy) -> None:
    proxy.deafen()
    hand.play_unheard(COMMANDS[2])
    proxy.wait_for_answer()
    proxy.cut()
    proxy.restore()
    page.wait_for_function(QUIET)
    hand.play(*COMMANDS[3:5])
    assert is_kept(page)
    sees_the_same(hand, page.context, proxy.address)


def test_moves_made_without_a_connection_wait_in_order(
    hand: Hand, page: Page, proxy: Proxy
) -> None:
    proxy.cut()
    page.wait_for_function(LOST)
    hand.play_unheard(COMMANDS[2])
    hand.press("undo")
    proxy.restore()
    hand.game.play("U", 0)
    hand.see()
    sees_the_same(hand, page.context, proxy.address)


def test_the_worker_is_killed(hand: Hand, page: Page, proxy: Proxy, program: Program) -> None:
    for _ in range(2):
        for pid in living(program):
            os.kill(pid, signal.SIGKILL)
        hand.play(COMMANDS[hand.game.version])
    assert is_kept(page)
    page.wait_for_function(QUIET)
    sees_the_same(hand, page.context, proxy.address)


def living(program: Program) -> list[int]:
    """The workers that run now, at least two of them."""

    def probe() -> list[int] | None:
        children = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
        workers = [pid for pid in program.serving() if str(pid) in children]
        return workers if len(workers) >= 2 else None

    return wait_for("two workers", probe)


def upgraded(folder: Path) -> dict[str, str]:
    """A newer version of the program in a folder, and the variables with which that one runs."""
    for part in ("engine", "server", "client"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    words = folder / "client" / "locales" / "en.js"
    words.write_text(words.read_text().replace("'action.undo': 'Undo'", "'action.undo': 'Back'"))
    return {"PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}


def test_the_server_is_upgraded_in_mid_drag(
    page: Page, proxy: Proxy, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("restart")
    with start(folder) as first:
        proxy.target = int(first.address().rpartition(":")[2])
        hand = deal(page, proxy.address, CODE)
        page.evaluate("() => { window.neverReloaded = true; }")
        hand.play(COMMANDS[0])
        move = hand.game.read(COMMANDS[1])
        hand.lift(move)
        first.end()
    newer = page.locator(".banner-newer")
    with start(folder, variables=upgraded(tmp_path_factory.mktemp("newer"))) as second:
        proxy.target = int(second.address().rpartition(":")[2])
        hand.drop(hand.place(move.target))
        hand.game.play(move, 0)
        hand.see()
        page.wait_for_function(QUIET)
        expect(newer).to_be_visible()
        hand.play(COMMANDS[2])
        assert is_kept(page)
        sees_the_same(hand, page.context, proxy.address)
        newer.get_by_role("button", name="Load again").click()
        expect(page.locator(".action-undo")).to_have_text("Back")
        hand.see()
        hand.play(COMMANDS[3])
        expect(newer).to_be_hidden()
        assert not is_kept(page)
        second.end()


def test_a_tab_that_slept_while_another_played(hand: Hand, page: Page, proxy: Proxy) -> None:
    lifecycle = page.context.new_cdp_session(page)
    lifecycle.send("Page.setWebLifecycleState", {"state": "frozen"})
    proxy.cut()  # what a phone's system does to a tab in the dark
    proxy.restore()
    other = page.context.new_page()
    other.goto(proxy.address)
    awake = Hand(other, hand.game)
    awake.see()
    awake.play(*COMMANDS[2:5])
    lifecycle.send("Page.setWebLifecycleState", {"state": "active"})
    hand.see()
    assert is_kept(page)
    hand.play(COMMANDS[5])
    awake.see()


def test_two_tabs_stay_in_step(hand: Hand, page: Page, proxy: Proxy) -> None:
    other = page.context.new_page()
    other.goto(proxy.address)
    twin = Hand(other, hand.game)
    twin.see()
    for number, command in enumerate(COMMANDS[2:8]):
        (hand, twin)[number % 2].play(command)
        hand.see()
        twin.see()
    twin.press("undo")
    hand.game.play("U", 0)
    hand.see()
    twin.see()


def test_the_system_takes_a_touch_away(new_context: Contexts, proxy: Proxy) -> None:
    page = new_context(PHONE, has_touch=True).new_page()
    hand = deal(page, proxy.address, CODE, by_touch=True)
    move = hand.game.read(COMMANDS[0])
    hand.lift(move)
    hand.touch("touchCancel")
    hand.see()
    hand.play(*COMMANDS[:2])


def test_a_second_finger_changes_nothing(new_context: Contexts, proxy: Proxy) -> None:
    page = new_context(PHONE, has_touch=True).new_page()
    hand = deal(page, proxy.address, CODE, by_touch=True)
    move = hand.game.read(COMMANDS[0])
    hand.lift(move, to=(180, 400))
    other = hand.spot(hand.place(6))
    hand.touch("touchStart", (180, 400), other)
    hand.touch("touchMove", (180, 400), (other[0] - 60, other[1] + 90))
    target = hand.spot(hand.place(move.target))
    hand.touch("touchMove", (target[0], target[1] + 12), (other[0] - 60, other[1] + 90))
    # The second finger goes first.
    hand.touch("touchMove", (target[0], target[1] + 12))
    hand.touch("touchEnd")
    hand.game.play(move, 0)
    hand.see()
    hand.play(COMMANDS[1])


def test_the_window_changes_its_size_in_mid_drag(hand: Hand, page: Page) -> None:
    move = hand.game.read(COMMANDS[2])
    hand.lift(move)
    page.set_viewport_size({"width": 800, "height": 700})
    page.wait_for_function("() => innerWidth === 800")
    hand.drop(hand.place(move.target))
    hand.game.play(move, 0)
    hand.see()


@pytest.mark.parametrize("forgetful", [False, True])
def test_a_first_visit_is_remembered_by_every_browser(
    new_context: Contexts, proxy: Proxy, forgetful: bool
) -> None:
    proxy.forgetful = forgetful
    context = new_context()
    page = context.new_page()
    known = "() => localStorage.getItem('yukon.player')"
    with page.expect_response("**/api/player") as answer:
        page.goto(proxy.address)
    player = answer.value.json()["id"]
    assert answer.value.status == (201 if forgetful else 200)
    page.wait_for_function(f"(player) => ({known})() === player", arg=player)
    code = page.locator(".code-text", has_text="YU1-C-")

    def is_kept_at_a_reload() -> bool:
        """The first game of all may have been of a player whom the browser did not keep."""
        code.wait_for()
        before = code.inner_text()
        page.reload()
        code.wait_for()
        return code.inner_text() == before

    wait_for("a game that is kept", is_kept_at_a_reload)
    assert page.evaluate(known) == player
    assert [cookie["value"].startswith(player) for cookie in context.cookies()] == [True]


def test_a_browser_without_cookies_plays_on_as_long_as_its_page_is_open(
    new_context: Contexts, proxy: Proxy
) -> None:
    proxy.cookieless = True
    context = new_context()
    page = context.new_page()
    asked: list[int] = []

    def is_second(response: Response) -> bool:
        asked.extend([response.status] if response.url.endswith("/api/player") else [])
        return asked == [201, 201]

    with page.expect_response(is_second):
        page.goto(proxy.address)
        code = page.locator(".code-text", has_text="YU1-C-").inner_text()
    hand = Hand(page, Game(code))
    move = next(iter(hand.game.legal_moves))
    hand.try_move(move)
    hand.game.play(move, 0)
    hand.see()
    expect(page.locator(".toast")).to_contain_text("keeps no cookies")
    assert context.cookies() == []
