"""Replays in the browser: every board of a finished game, by scrubber, by key and by itself."""

from playwright.sync_api import Page, expect

from engine.game import Game
from tests.e2e.conftest import PHONE
from tests.e2e.pages import SIZES, Contexts, fits, visit
from tests.e2e.past import Past, won_play
from tests.server.programs import Program


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
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play from the start")).to_be_visible()
    page.locator(".speeds").get_by_text("By move").click()
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
