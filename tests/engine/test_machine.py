"""Plays at random, all commands in all orders, and checks after each what must always hold."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.cards import HIDDEN, STOCK
from engine.errors import IllegalMove, InvalidMove
from engine.game import Game
from engine.move import FINISH, PAUSE, RESIGN, RESUME, UNDO, Move
from engine.position import Position
from engine.replay import to_text, verify
from engine.rules import legal_codes
from tests.engine.boards import LETTERS, everything, vectors
from tests.engine.test_rules import assert_legal_moves_are_the_rules

NUMBER = st.integers(-1, 30) | st.integers(0, 255)
NOT_A_MOVE = {UNDO, PAUSE, RESUME, RESIGN}
LATEST = 10**9


class GameMachine(RuleBasedStateMachine):
    """A game, everything it ever was, and beside it the books kept in the plainest way."""

    def __init__(self) -> None:
        super().__init__()
        self.code = "YU1-C-AAAAAAA"
        self.begin(self.code)

    def begin(self, code: str) -> None:
        self.code = code
        self.game = Game(code)
        # All that the game was after each command, and the books at that time.
        self.history = [everything(self.game)]
        self.books: list[tuple[int, list[tuple[Position, int]]]] = [(0, [])]

    @initialize(
        letter=st.sampled_from(LETTERS),
        number=st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
        row=st.none() | st.sampled_from(vectors("plays")),
        part=st.floats(0, 1),
    )
    def deal(self, letter: str, number: str, row: Mapping[str, Any] | None, part: float) -> None:
        """A new deal, or a recorded game up to somewhere."""
        self.begin(row["code"] if row else f"YU1-{letter}-AAAAAA{number}")
        commands = row["moves"].split() if row else []
        for command in commands[: int(part * len(commands))]:
            self.play(self.game.read(command))

    def play(self, move: Move, ms: int = 0) -> None:
        """Play what is legal; hold the diff, the counters and the books to it."""
        game = self.game
        before, position = game.counters, game.position.copy()
        diff = game.play(move, game.last_ms + ms)
        assert diff.command == move
        assert (diff.before, diff.after) == (before, game.counters)
        there = position.copy()
        diff.apply(there)
        assert there == game.position
        assert there.place == game.position.place
        diff.inverse().apply(there)
        assert there == position
        assert diff.inverse().inverse() == diff
        self.book(move, position, before.score)
        assert diff.after.version == diff.before.version + 1 == len(game.log) // 8
        assert game.last_ms == int.from_bytes(game.log[-5:], "big")
        self.history.append(everything(game))

    def book(self, move: Move, position: Position, score: int) -> None:
        """Count the moves, and keep the position and the score that each undo must bring back."""
        game, rules = self.game, self.game.ruleset
        moves, undoable = self.books[-1]
        if move == UNDO:
            before, score = undoable[-1]
            assert game.position == before
            assert game.position.place == before.place
            assert game.score == score
            self.books.append((moves + rules.undo_costs, undoable[:-1]))
        elif move in NOT_A_MOVE:
            assert game.position == position
            self.books.append((moves, undoable))
        else:
            moves += game.position.home - position.home if move == FINISH else 1
            undoable = [*undoable, (position, score)][-(rules.undo_limit or LATEST) :]
            self.books.append((moves, undoable))

    @rule(data=st.data(), ms=st.integers(0, 5000))
    def play_something_legal(self, data: st.DataObject, ms: int) -> None:
        moves = list(self.game.legal_moves)
        if moves:
            self.play(moves[data.draw(st.integers(0, len(moves) - 1))], ms)

    @rule(seeds=st.lists(st.integers(0, 2**16), max_size=25))
    def play_on(self, seeds: list[int]) -> None:
        for seed in seeds:
            moves = list(self.game.legal_moves)
            if moves:
                self.play(moves[seed % len(moves)])

    @rule(times=st.integers(1, 110))
    def undo(self, times: int) -> None:
        for _ in range(times):
            if self.game.can_undo:
                self.play(UNDO)

    @rule(numbers=st.tuples(NUMBER, NUMBER, NUMBER))
    def ask_for_anything(self, numbers: tuple[int, int, int]) -> None:
        move = Move(*numbers)
        reason = self.game.why_illegal(move)
        if reason is None:
            self.play(move)
            return
        with pytest.raises((IllegalMove, InvalidMove)) as caught:
            self.game.play(move, self.game.last_ms)
        assert getattr(caught.value, "reason", None) is reason
        assert everything(self.game) == self.history[-1]

    @rule(command=st.sampled_from(["pause", "resume", "U", "*", "D"]))
    def ask_for_a_special(self, command: str) -> None:
        if self.game.why_illegal(command) is None:
            self.play(self.game.read(command), 1)
            assert everything(Game.from_log(self.code, self.game.log)) == self.history[-1]

    @precondition(lambda self: not self.game.is_over and self.game.version > 30)
    @rule()
    def give_up_and_think_again(self) -> None:
        if self.game.why_illegal(RESIGN) is None:
            self.play(RESIGN)
            assert self.game.is_over
            assert not self.game.legal_moves
            self.retract(1)

    @rule(times=st.integers(1, 12))
    def retract(self, times: int) -> None:
        for _ in range(min(times, self.game.version)):
            self.game.retract()
            self.history.pop()
            self.books.pop()
            assert everything(self.game) == self.history[-1]

    @rule(ms=st.integers(0, 9999))
    def stamp(self, ms: int) -> None:
        if self.game.version:
            self.game.stamp(self.game.last_ms + ms)
            self.history[-1] = everything(self.game)

    @invariant()
    def no_card_is_lost_or_doubled(self) -> None:
        position = self.game.position
        cards = [card for pile in position.piles for card in pile]
        assert sorted(cards) == list(range(position.ruleset.cards))
        place = bytearray([HIDDEN]) * len(cards)
        for pile, cards_there in enumerate(position.piles):
            down = position.down[pile] if pile < len(position.columns) else 0
            for card in cards_there[down:] if pile != STOCK else b"":
                place[card] = pile
        assert place == position.place
        assert position.home == sum(map(len, position.foundations))
        assert position.face_down == sum(position.down)
        for suit, foundation in enumerate(position.foundations):
            suit //= position.ruleset.decks
            assert [card % 52 for card in foundation] == [
                13 * suit + rank for rank in range(len(foundation))
            ]

    @invariant()
    def the_books_agree(self) -> None:
        game = self.game
        moves, undoable = self.books[-1]
        assert game.moves == moves
        assert game.can_undo == (bool(undoable) and not game.is_paused and not game.is_over)
        assert game.score >= game.ranked_score >= 0
        stuck = not legal_codes(game.position)
        assert game.is_blocked == (stuck and not game.is_over)

    @invariant()
    def legal_moves_are_the_rules(self) -> None:
        # Costs more than all the rest together.
        if not self.game.is_over and self.game.version % 3 == 0:
            assert_legal_moves_are_the_rules(self.game)

    @invariant()
    def the_log_is_the_game(self) -> None:
        if self.game.version % 16 == 0:
            assert everything(Game.from_log(self.code, self.game.log)) == self.history[-1]

    def teardown(self) -> None:
        """Check the game as a stranger would, then undo it and take it back to the deal."""
        game = self.game
        assert everything(Game.from_log(self.code, game.log)) == self.history[-1]
        result = verify(to_text(game, dt.date(2025, 11, 30)))
        assert (result.version, result.moves, result.score, result.ranked_score, result.state) == (
            game.counters
        )
        if game.is_paused:
            self.play(RESUME)
        while game.can_undo:
            self.play(UNDO)
        if game.ruleset.undo_limit is None and not game.is_over:
            assert game.position == Game(self.code).position
            assert game.score == Game(self.code).score
        self.retract(game.version)
        assert everything(game) == everything(Game(self.code))
        super().teardown()


TestGame = GameMachine.TestCase
