"""Whole games in the browser, by mouse and by touch, on the sizes that people have."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from engine.game import Game
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, deal
from tests.server.programs import Program

PLAYS = Path(__file__).parent.parent / "engine" / "vectors" / "plays.jsonl"
Contexts = Callable[..., BrowserContext]


def recorded(letter: str, *, won: bool) -> tuple[str, list[str]]:
    """The shortest recorded game of a ruleset: its code and its commands."""
    plays = [json.loads(line) for line in PLAYS.read_text().splitlines()]
    games = [
        (play["code"], play["moves"].split())
        for play in plays
        if play["code"].startswith(f"YU1-{letter}-") and play["checks"][-1]["won"] >= won
    ]
    return min(games, key=lambda game: len(game[1]))


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "letter, size, by_touch",
    [("C", DESKTOP, False), ("T", PHONE, True), ("O", LANDSCAPE, True)],
    ids=["Classic by mouse", "Traditional by touch", "Open by touch, lying down"],
)
def test_a_game_is_played_to_the_win(
    program: Program, new_context: Contexts, letter: str, size: tuple[int, int], by_touch: bool
) -> None:
    code, commands = recorded(letter, won=True)
    page = new_context(size, has_touch=by_touch).new_page()
    hand = deal(page, program.address(), code, by_touch=by_touch)
    hand.play(*commands)
    assert hand.game.is_won
    page.wait_for_selector("dialog[open] .figures")
    figures = page.locator("dialog[open] .figures").inner_text()
    assert str(hand.game.moves) in figures
    assert str(hand.game.score) in figures
    page.reload()
    hand.see()


@pytest.mark.timeout(240)
@pytest.mark.parametrize("letter", "CROTYSAPD")
@pytest.mark.parametrize("by_touch", [False, True], ids=["mouse", "touch"])
def test_every_ruleset_plays(
    program: Program, new_context: Contexts, letter: str, by_touch: bool
) -> None:
    code, commands = recorded(letter, won=False)
    page = new_context(PHONE if by_touch else DESKTOP, has_touch=by_touch).new_page()
    hand = deal(page, program.address(), code, by_touch=by_touch)
    hand.play(*commands[:14])


def test_a_group_is_dragged_by_touch(program: Program, new_context: Contexts) -> None:
    page = new_context(PHONE, has_touch=True).new_page()
    code, commands = recorded("C", won=True)
    hand = deal(page, program.address(), code, by_touch=True)
    move = hand.game.read(commands[0])
    hand.lift(move)
    hand.drop(hand.place(move.target))
    hand.game.play(move, 0)
    hand.see()


def test_a_refused_move_says_which_rule_and_changes_nothing(
    program: Program, new_context: Contexts
) -> None:
    page = new_context().new_page()
    hand = deal(page, program.address(), "YU1-C-AAAAAAA")
    before = Game("YU1-C-AAAAAAA")
    hand.try_move(hand.game.read("T2:1>T3"))
    page.wait_for_selector(".toast-refusal")
    assert "one higher" in page.locator(".toast-refusal").inner_text()
    hand.game = before
    hand.see()
