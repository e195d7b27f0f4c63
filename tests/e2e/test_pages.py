"""The pages over the table in the browser: leaderboards, daily deal, own games, replays, moving."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from engine.game import Game
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, deal
from tests.e2e.hand import Hand
from tests.e2e.past import Past, won_play
from tests.server.programs import Program
from tests.server.waiting import wait_for

Contexts = Callable[..., BrowserContext]
SIZES = pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "lying", "desk"])
HOUR = 3_600_000


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


# The frame


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
    page.locator(".page-back").click()
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


# Leaderboards


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


# The daily deal


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
    Past.of(context, program.address()).end(session)
    wait_for("the day's mark", lambda: marks(page, program, "A"))
    page.goto(f"{program.address()}/daily?ruleset=A")
    expect(page.locator(".daily-result strong")).to_have_text(
        re.compile(r"^Not won: \d+ points, one move$")
    )
    expect(page.locator(".day.today.tried")).to_be_visible()
    expect(page.locator(".seal code").first).to_have_text(re.compile("^[0-9a-f]{12}$"))
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


# Replays


@SIZES
def test_a_replay_shows_every_board_of_the_game(
    new_context: Contexts, program: Program, size: tuple[int, int]
) -> None:
    session = Past.of_somebody(program.address(), "Zoé").win()
    code, commands = won_play("C")
    page = visit(new_context(size), program, f"/replay/{session}")
    expect(page.locator(".film-result")).to_contain_text("Zoé")
    expect(page.locator(".film-code")).to_have_text(code)
    fits(page)
    game = Game(code)
    seen(page, game)
    for text in commands[:5]:
        page.keyboard.press("ArrowRight")
        game.play(text, game.last_ms)
        seen(page, game)
    page.keyboard.press("ArrowLeft")
    seen(page, game_at(code, commands[:4]))
    page.keyboard.press("End")
    expect(page.locator(".film-position")).to_have_text(f"{len(commands)} / {len(commands)}")
    seen(page, game_at(code, commands))
    half = len(commands) // 2
    page.locator(".scrub").evaluate(
        "(input, at) => { input.value = at; input.dispatchEvent(new Event('input')); }", half
    )
    seen(page, game_at(code, commands[:half]))


def game_at(code: str, commands: list[str]) -> Game:
    """The game after these commands."""
    game = Game(code)
    for text in commands:
        game.play(text, game.last_ms)
    return game


def seen(page: Page, game: Game) -> None:
    """Wait until the stage shows what a game says: the last card of each pile, and how many."""
    position = game.position
    count = sum(len(pile) for pile in position.piles)
    down = sum(position.down)
    home = sum(len(pile) for pile in position.piles[16:24])
    label = f"{game.moves} moves, {home} cards home, {down} face down"
    expect(page.locator(".stage")).to_have_attribute("aria-label", label)
    page.wait_for_function(
        "(count) => document.querySelectorAll('.stage .card').length === count", arg=count
    )
    shown = page.locator(".stage .card").evaluate_all("(cards) => cards.map(({ id }) => id)")
    columns = zip(position.columns, position.down, strict=True)
    last = {f"film-{column[-1]}" for column, hidden in columns if len(column) > hidden}
    assert last <= set(shown)


def test_a_replay_plays_by_itself_and_by_key(new_context: Contexts, program: Program) -> None:
    session = Past.of_somebody(program.address(), "Mika").win()
    page = visit(new_context(), program, f"/replay/{session}")
    expect(page.locator(".film-position")).to_contain_text("0 /")
    page.locator(".page-main").evaluate("() => document.activeElement.blur()")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".film-position")).to_contain_text("1 /")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.locator(".speeds").get_by_text("16×").click()
    page.keyboard.press("End")
    page.get_by_role("button", name="Play from the start").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    with page.expect_download() as begun:
        page.get_by_role("link", name="Download").click()
    assert begun.value.suggested_filename.startswith("yukon-")
    page.get_by_role("button", name="Play these cards").click()
    expect(page.locator(".code-text")).to_have_text(won_play("C")[0])


def test_a_replay_that_is_not_there_says_so(new_context: Contexts, program: Program) -> None:
    page = visit(new_context(PHONE), program, "/replay/nonesuch")
    expect(page.locator(".page-empty")).to_contain_text("There is nothing here.")


# A player's own


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
    expect(page.locator("dialog[open]")).to_contain_text(re.compile(r"Leaderboard: place \d+ of"))
    page.locator("dialog[open]").get_by_role("link", name="Replay").click()
    expect(page).to_have_url(f"{program.address()}/replay/{session}")
    expect(page.locator(".film-position")).to_have_text(f"0 / {len(commands)}")
    assert hand.game.moves == 0
