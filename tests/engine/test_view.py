"""What a player may see: nothing depends on the identity of a card that lies hidden."""

import random
from collections.abc import Iterator
from dataclasses import fields
from itertools import product

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from engine.cards import HIDDEN
from engine.code import commitment, parse
from engine.errors import EngineError, IllegalMove
from engine.game import Game
from engine.legal import LegalMoves
from engine.move import Move, turn_up
from engine.notation import position_text
from engine.position import Position
from engine.view import DiffView, MovedView, View, view, view_diff
from tests.engine.boards import LETTERS, board, played


def hidden_cards(position: Position) -> set[int]:
    return {card for card in range(position.ruleset.cards) if position.place[card] == HIDDEN}


def with_others_hidden(position: Position, cards: list[int], source: random.Random) -> Position:
    """The same position with these hidden cards exchanged among themselves."""
    shuffled = cards[:]
    source.shuffle(shuffled)
    other = dict(zip(cards, shuffled, strict=True))

    def exchanged(pile: bytearray) -> list[int]:
        return [other.get(card, card) for card in pile]

    return Position(
        position.ruleset,
        [exchanged(column) for column in position.columns],
        position.down,
        position.foundations,
        exchanged(position.stock),
        position.waste,
    )


def texts(game: Game) -> Iterator[str]:
    """Every text that the engine makes for somebody who asks and plays on this board."""
    yield position_text(game.position)
    numbers = range(1, game.ruleset.columns + 2)
    commands = ["*", "D", "U", "W>F", "resume", "redo", "W>T1", *(f"!T{n}" for n in numbers)]
    commands += [f"T{n}>F" for n in numbers]
    commands += [f"T{a}:{n}>T{b}" for a, b, n in product(numbers, numbers, (1, 3, 9))]
    commands += [f"F{suit}>T{n}" for suit in "shdc" for n in numbers]
    for command in commands:
        reason = game.why_illegal(command)
        yield str(reason)
        if reason is not None:
            with pytest.raises(EngineError) as caught:
                game.play(command, game.last_ms)
            yield str(caught.value)


def plain(value: object) -> Iterator[object]:
    """Everything that can be reached from a view."""
    if isinstance(value, View):
        for field in fields(value):
            yield from plain(getattr(value, field.name))
    elif isinstance(value, LegalMoves):
        yield from value.codes
        yield from plain(list(value))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from plain(item)
    else:
        yield value


@given(
    letter=st.sampled_from(LETTERS),
    number=st.integers(0, 25),
    seed=st.integers(0, 10**6),
    steps=st.integers(0, 80),
)
def test_nothing_tells_what_lies_hidden(letter: str, number: int, seed: int, steps: int) -> None:
    source = random.Random(seed)
    start = Game(f"YU1-{letter}-AAAAA{chr(65 + number)}B").position
    first = Game.from_position(start.ruleset, start)
    commands: list[Move] = []
    never_seen = hidden_cards(first.position)
    for _ in range(steps):
        moves = list(first.legal_moves)
        if first.can_undo and (not moves or source.random() < 0.25):
            moves = [Move(255, 2, 0)]
        if not moves:
            break
        commands.append(source.choice(moves))
        first.play(commands[-1], 0)
        never_seen &= hidden_cards(first.position)
    note(f"{len(commands)} commands, {len(never_seen)} cards never seen")

    # Exchange what was never seen, and play the same: nobody can tell the games apart at any time.
    one = Game.from_position(start.ruleset, start)
    other = Game.from_position(start.ruleset, with_others_hidden(start, sorted(never_seen), source))
    for command in commands:
        assert view(one) == view(other)
        assert view_diff(one.play(command, 0)) == view_diff(other.play(command, 0))
    assert view(one) == view(other) == view(first)
    assert list(texts(one)) == list(texts(other))
    assert one.log == other.log

    # Cards that were seen and then hidden again by an undo are as hidden as the others.
    hidden = sorted(hidden_cards(first.position))
    again = Game.from_position(start.ruleset, with_others_hidden(first.position, hidden, source))
    now = Game.from_position(start.ruleset, first.position)
    assert view(again) == view(now)
    assert list(texts(again)) == list(texts(now))


@given(st.sampled_from(LETTERS), st.integers(0, 10**6))
def test_an_undo_tells_nothing_of_what_it_hides(letter: str, seed: int) -> None:
    source = random.Random(seed)
    game = Game(f"YU1-{letter}-AAAAAAB")
    for _ in range(60):
        moves = list(game.legal_moves)
        if not moves:
            break
        game.play(source.choice(moves), 0)
        if game.can_undo:
            told = view_diff(game.play("U", 0))
            hidden = hidden_cards(game.position)
            assert not hidden.intersection(cards_in(told))
            game.retract()


def cards_in(told: DiffView) -> Iterator[int]:
    """Every card that a diff names to a player."""
    for step in told.steps:
        if isinstance(step, MovedView):
            yield from step.cards or ()
        elif step.card is not None:
            yield step.card


@pytest.mark.parametrize("letter", LETTERS)
def test_a_view_holds_plain_values_only(letter: str) -> None:
    seen = view(Game(f"YU1-{letter}-AAAAAAB"))
    assert {type(value) for value in plain(seen)} <= {int, str, bool, type(seen.state)}


def test_what_a_view_shows() -> None:
    game = played("YU1-P-AAAAAAB", "D D T2>F", 5)
    seen = view(game)
    assert seen.ruleset == "P"
    assert seen.stock == 22
    assert seen.waste == (2, 17)
    assert seen.foundations == ((), (), (), (39,))
    assert seen.columns[1].up == (0, 10, 43)
    assert (seen.score, seen.ranked_score, seen.moves, seen.version) == (*game.counters[2:4], 3, 3)
    assert seen.legal == game.legal_moves
    assert (seen.can_undo, seen.finishable, seen.blocked) == (True, False, False)


def test_a_diff_as_a_player_may_see_it() -> None:
    game = board("C", "8h/(Qd)7s")
    told = view_diff(game.play("T2:1>T1", 0))
    assert told.command == Move(1, 1, 0)
    assert told.steps == ((1, 1, 0, (6,)), (1, 37, True))
    told = view_diff(game.play("U", 0))
    assert told.steps == ((1, None, False), (0, 1, 1, (6,)))
    game = Game("YU1-P-AAAAAAB")
    assert view_diff(game.play("D", 0)).steps == ((24, 1, 25, (2,)),)
    assert view_diff(game.play("U", 0)).steps == ((25, 1, 24, None),)
    game = board("O", "(8h)/7s")
    assert view_diff(game.play(turn_up(0), 0)).steps == ((0, 20, True),)


def test_a_sealed_code_is_hidden_unless_it_is_asked_for() -> None:
    code = parse("YU1-C-ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    game = Game(code)
    assert view(game).code is None
    assert view(game).commitment == commitment(code)
    assert view(game, hide_code=True).code is None
    assert view(game, hide_code=False).code == str(code)
    assert str(code) not in repr(view(game))
    with pytest.raises(IllegalMove) as caught:
        game.play("T1:1>T1", 0)
    assert code.body not in str(caught.value)


def test_an_open_code_can_be_hidden_and_then_has_no_commitment() -> None:
    # There are so few of them that the commitment would tell the code.
    game = Game("YU1-C-AAAAAAB")
    assert view(game).code == "YU1-C-AAAAAAB"
    assert view(game).commitment == commitment(parse("YU1-C-AAAAAAB"))
    hidden = view(game, hide_code=True)
    assert (hidden.code, hidden.commitment) == (None, None)
    assert view(board("C", "Ks")).commitment is None
