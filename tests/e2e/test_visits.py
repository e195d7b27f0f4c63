"""First and later visits: what a browser fetches, and that the page runs in each of its forms."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import PHONE, deal
from tests.server.programs import Program

Contexts = Callable[..., BrowserContext]
ASSET = re.compile(r"/assets/[0-9a-f]{16}/")
CODE = "YU1-C-AAAAAAB"
ANOTHER_VERSION = (
    "document.addEventListener('readystatechange', () => {"
    " document.documentElement.dataset.assets = '/assets/0123456789abcdef/'; }, {once: true})"
)


def fetched(page: Page) -> list[str]:
    """The list that fills with the paths the page asks for from now on, without the hash."""
    paths: list[str] = []

    def note(url: str) -> None:
        paths.append(ASSET.sub("", urlsplit(url).path))

    page.on("request", lambda request: note(request.url))
    return paths


def see_board(page: Page) -> None:
    page.wait_for_function("() => document.querySelectorAll('#table .card').length === 52")


def open_new_game(page: Page) -> None:
    """By a part that is loaded later."""
    page.locator("[data-act=new]").click()
    page.locator("dialog[open] .button-gold").click()
    page.wait_for_function("() => !document.querySelector('dialog[open]')")
    see_board(page)


def test_a_first_visit_needs_one_answer_for_all_of_the_start(
    new_context: Contexts, program: Program
) -> None:
    page = new_context(PHONE).new_page()
    paths = fetched(page)
    page.goto(program.address())
    see_board(page)
    assert paths[0] == "/"
    assert not [path for path in paths if path in ("js/main.js", "js/early.js")]
    assert not [path for path in paths if path.endswith(".css")]
    open_new_game(page)
    assert "js/panels/newgame.js" in paths


def test_parts_with_styles_of_their_own_come_to_a_whole_page(
    new_context: Contexts, program: Program
) -> None:
    page = new_context().new_page()
    paths = fetched(page)
    page.goto(f"{program.address()}/boards")
    page.locator("#page h1, .page h1").first.wait_for()
    assert "css/pages.css" in paths
    assert "js/main.js" not in paths


def test_a_page_of_another_version_says_so_below_the_cards_until_it_is_put_away(
    new_context: Contexts, program: Program
) -> None:
    page = new_context(PHONE).new_page()
    page.add_init_script(ANOTHER_VERSION)
    page.route("**/js/panels/makers.js", lambda route: route.fulfill(status=404))
    page.goto(program.address())
    see_board(page)
    newer, new = page.locator(".banner-newer"), page.locator("[data-act=new]")
    # It may be the newer one itself: nothing is said before something cannot be had.
    expect(newer).to_be_hidden()
    new.click()
    newer.get_by_role("button", name="Close").click()
    expect(newer).to_be_hidden()
    # That is a reason to say it again; asked for once more, it may come.
    new.click()
    expect(newer).to_be_visible()
    expect(page.locator(".toast")).to_be_hidden()
    page.unroute_all()
    open_new_game(page)
    page.locator(".bar-code").click()
    expect(page.locator(".toast")).to_be_visible()
    places = (
        "() => ['#table', '.toast', '.banner-newer', '#actions']"
        ".map((name) => document.querySelector(name).getBoundingClientRect())"
        ".map(({ top, bottom }) => [top, bottom])"
    )
    table, toast, banner, actions = page.evaluate(places)
    assert max(table[1], toast[1]) <= banner[0] < banner[1] <= actions[0]


def test_a_part_that_does_not_come_is_told_and_comes_when_asked_again(
    new_context: Contexts, program: Program
) -> None:
    page = new_context(PHONE).new_page()
    # A script that several parts share: the browser remembers that it failed, too.
    page.route("**/js/panels/newgame.js", lambda route: route.fulfill(status=404))
    page.goto(program.address())
    see_board(page)
    page.locator("[data-act=new]").click()
    expect(page.locator(".toast")).to_contain_text("could not be loaded")
    expect(page.locator(".banner-newer")).to_be_hidden()
    page.unroute_all()
    open_new_game(page)
    # The same with what a part loads only when it is asked for.
    page.route("**/js/rooms/settings.js", lambda route: route.fulfill(status=404), times=1)
    race = page.get_by_role("button", name="Race friends")
    page.locator("[data-act=new]").click()
    race.click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".toast")).to_contain_text("could not be loaded")
    page.locator("[data-act=new]").click()
    race.click()
    expect(page.locator("dialog.panel-race")).to_be_visible()


def test_a_room_whose_part_did_not_come_is_tried_again_once_the_banner_is_put_away(
    new_context: Contexts, program: Program
) -> None:
    page = new_context(PHONE).new_page()
    page.add_init_script(ANOTHER_VERSION)
    page.route("**/js/rooms/rooms.js", lambda route: route.fulfill(status=404), times=1)
    page.goto(f"{program.address()}/r/abcdefghijklmnop")
    newer = page.locator(".banner-newer")
    newer.get_by_role("button", name="Close").click()
    expect(page.locator(".door-about")).to_contain_text("Friends wait for you", timeout=20_000)
    expect(newer).to_be_hidden()


def test_who_comes_again_keeps_the_page_and_later_the_files(
    new_context: Contexts, program: Program
) -> None:
    context = new_context()
    page = context.new_page()
    page.goto(program.address())
    see_board(page)
    page.wait_for_function("() => localStorage.getItem('yukon.session')")
    # Known by now, with the whole page in store: not sent again, and it still may run.
    again = fetched(page)
    page.reload()
    see_board(page)
    sent, held = page.evaluate(
        "() => performance.getEntriesByType('navigation')"
        ".map((one) => [one.transferSize, one.decodedBodySize])[0]"
    )
    assert sent < 2_000 < 60_000 < held
    assert "js/main.js" not in again
    # At another address the page links to its files, which are fetched once.
    other = context.new_page()
    paths = fetched(other)
    deal(other, program.address(), CODE)
    assert "js/main.js" in paths
    open_new_game(other)
    sizes = (
        "() => performance.getEntriesByType('resource').map((one) => [one.name, one.transferSize])"
    )
    other.goto(f"{program.address()}/g/YU1-C-AAAAAAC")
    other.locator("dialog[open] .button-gold").first.wait_for()
    sent = {ASSET.sub("", urlsplit(name).path): size for name, size in other.evaluate(sizes)}
    assert sent["js/main.js"] == sent["css/table.css"] == 0
