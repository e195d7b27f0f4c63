"""Plays what others recorded: deals of every ruleset, and whole games with their positions."""

import datetime as dt

import pytest

from engine.cards import CARD_TEXTS, MASK
from engine.diff import Counters
from engine.game import Game
from engine.notation import foundation_name, move_text, position_text, read_position
from engine.replay import parse, to_text, verify
from engine.view import view
from tests.engine.boards import LETTERS, everything, vectors

DEALS = vectors("deals")
PLAYS = vectors("plays")
DAY = dt.date(2025, 11, 30)


def test_the_vectors_are_all_here() -> None:
    assert len(DEALS) == 99
    assert len(PLAYS) == 63
    for rows in (DEALS, PLAYS):
        assert {row["code"].split("-")[1] for row in rows} == set(LETTERS)


@pytest.mark.parametrize("row", DEALS, ids=[row["code"] for row in DEALS])
def test_a_deal(row: dict) -> None:  # type: ignore[type-arg]
    game = Game(row["code"])
    position = game.position
    assert position_text(position, masked=False) == row["position"]
    assert [[CARD_TEXTS[card] for card in column] for column in position.columns] == row["columns"]
    assert [
        [int(place >= down) for place in range(len(column))]
        for column, down in zip(position.columns, position.down, strict=True)
    ] == row["face_up"]
    assert [CARD_TEXTS[card] for card in reversed(position.stock)] == row["stock"]
    assert foundations(game) == row["foundations"]
    assert (game.score, game.version, game.moves) == (row["score"], 0, 0)
    read = read_position(row["position"], game.ruleset)
    assert position_text(read, masked=False) == row["position"]
    if game.ruleset.decks == 1:
        assert read == position


@pytest.mark.parametrize("row", PLAYS, ids=[row["code"] for row in PLAYS])
def test_a_play(row: dict) -> None:  # type: ignore[type-arg]
    game = Game(row["code"])
    commands = row["moves"].split()
    checks = {check["after"]: check for check in row["checks"]}
    assert set(checks) <= set(range(len(commands) + 1))
    seen = [everything(game)]
    for number, command in enumerate(commands, 1):
        before, position = game.counters, game.position.copy()
        diff = game.play(command, 100 * number)
        assert (diff.before, diff.after) == (before, game.counters)
        diff.apply(position)
        assert position == game.position
        if number in checks:
            compare(game, checks[number])
        seen.append(everything(game))

    again = Game.from_log(row["code"], game.log)
    assert everything(again) == seen[-1]
    text = to_text(game, DAY)
    assert parse(text).game.log == game.log
    result = verify(text)
    assert (result.version, result.moves, result.score, result.ranked_score, result.state) == (
        game.counters
    )

    for expected in reversed(seen[:-1]):
        game.retract()
        assert everything(game) == expected


def test_two_games_of_each_ruleset_are_won() -> None:
    won = [row["code"][4] for row in PLAYS if row["checks"][-1]["won"]]
    assert all(won.count(letter) >= 2 for letter in LETTERS)


def compare(game: Game, check: dict) -> None:  # type: ignore[type-arg]
    """Hold a game to what was recorded of it."""
    assert position_text(game.position) == check["position"]
    assert (
        Counters(
            check["version"], check["moves"], check["score"], check["ranked_score"], game.state
        )
        == game.counters
    )
    assert (game.is_won, game.is_blocked) == (check["won"], check["blocked"])
    assert (game.is_finishable, game.can_undo) == (check["finishable"], check["can_undo"])
    assert sorted(move_text(move, game.ruleset) for move in game.legal_moves) == check["legal"]
    assert foundations(game) == check["foundations"]
    seen = view(game)
    assert [
        [MASK] * column.down + [CARD_TEXTS[card] for card in column.up] for column in seen.columns
    ] == check["columns"]
    assert seen.stock == check["stock"]
    assert [CARD_TEXTS[card] for card in seen.waste] == check["waste"]


def foundations(game: Game) -> dict[str, int]:
    return {
        foundation_name(number, game.ruleset): len(cards)
        for number, cards in enumerate(game.position.foundations)
    }
