"""Why a move is refused: each reason, the most helpful first, and never a crash."""

import random

import pytest

from engine.errors import IllegalMove, InvalidMove, Reason
from engine.game import Game
from engine.move import DRAW, FINISH, UNDO, Move, turn_up
from engine.notation import move_text
from engine.rules import is_finishable, legal_codes, legal_moves, why_illegal
from tests.engine.boards import LETTERS, board, everything, played, vectors, wander, wandered

# What lies in the first columns, the foundations, and a command with the reason it is refused for.
# The last column holds all other cards, kings of clubs on top.
REFUSED = [
    ("C", "8h/7s", "0000", "nonsense", "unreadable"),
    ("C", "8h/7s", "0000", "redo", "unreadable"),
    ("C", "8h/7s", "0000", "T8:1>T1", "no_such_pile"),
    ("C", "8h/7s", "0000", "T1:1>T8", "no_such_pile"),
    ("C", "8h/7s", "0000", "T0:1>T1", "no_such_pile"),
    ("C", "8h/7s", "0000", "T256:1>T1", "no_such_pile"),
    ("C", "8h/7s", "0000", "T17:1>T1", "no_such_pile"),
    ("C", "8h/7s", "0000", "!T9", "no_such_pile"),
    ("C", "8h/7s", "0000", "W>T1", "no_such_pile"),
    ("C", "8h/7s", "0000", "Fs2>T1", "no_such_pile"),
    ("C", "8h/7s", "0000", "T3:1>T1", "empty_pile"),
    ("C", "8h/7s", "0000", "T3>F", "empty_pile"),
    ("C", "8h/7s", "0000", "Fs>T1", "empty_pile"),
    ("P", "8h/7s", "0000", "W>F", "empty_pile"),
    ("C", "8h/7s", "0000", "T2:2>T1", "not_that_many"),
    ("C", "8h/7s", "0000", "T2:0>T1", "not_that_many"),
    ("C", "8h/7s", "0000", "T2:0>F", "not_that_many"),
    ("C", "(9d)8h/(7s)6h", "0000", "T2:2>T1", "face_down"),
    ("C", "(9d)8h/(7s)6h", "0000", "T2:2>T2", "face_down"),
    ("O", "8h/(7s)", "0000", "T2:1>T1", "face_down"),
    ("O", "8h/(As)", "0000", "T2>F", "face_down"),
    ("C", "8h/7s", "0000", "T2:1>T2", "same_pile"),
    ("C", "8h9c/7s", "0000", "T1:2>T1", "same_pile"),
    ("C", "As2s/7s", "0000", "T1:2>F", "single_cards_only"),
    ("C", "As2s/7s", "0000", "T7:40>F", "single_cards_only"),
    ("C", "8h/7s", "1000", "T1:1>T2", "wrong_rank"),
    ("C", "8h/6s", "0000", "T2:1>T1", "wrong_rank"),
    ("C", "7h/8s", "0000", "T2:1>T1", "wrong_rank"),
    ("C", "Ah/Ks", "0000", "T2:1>T1", "wrong_rank"),
    ("C", "Ks/Ah", "0000", "T2:1>T1", "wrong_rank"),
    ("C", "Kd/Ks", "0000", "T2:1>T1", "wrong_rank"),
    ("C", "8h/7h", "0000", "T2:1>T1", "wrong_colour"),
    ("C", "8h/7d", "0000", "T2:1>T1", "wrong_colour"),
    ("C", "8s/7c", "0000", "T2:1>T1", "wrong_colour"),
    ("S", "8h/7s", "0000", "T2:1>T1", "wrong_suit"),
    ("A", "8h/7d", "0000", "T2:1>T1", "wrong_suit"),
    ("A", "8h/9d", "0000", "T2:1>T1", "wrong_suit"),
    ("A", "8h/6h", "0000", "T2:1>T1", "wrong_rank"),
    ("A", "Kh/Ah", "0000", "T2:1>T1", "wrong_rank"),
    ("C", "8h/7s", "0000", "T1:1>T3", "wants_king"),
    ("R", "8h/Qs", "0000", "T2:1>T3", "wants_king"),
    ("O", "(8h)/7s", "0000", "T2:1>T1", "target_face_down"),
    ("O", "(8h)/9s", "0000", "T2:1>T1", "target_face_down"),
    ("C", "8h/7s", "0000", "T1>F", "wants_next"),
    ("C", "8h/As", "0000", "T1>F", "wants_next"),
    ("C", "2s3s", "1000", "T1>F", "wants_next"),
    ("C", "8h", "1000", "Fs>F", "same_pile"),
    ("T", "2h", "1000", "Fs>T1", "no_take_back"),
    ("Y", "2h", "0000", "Fs>T1", "no_take_back"),
    ("D", "2h", "10000000", "Fs2>T1", "no_take_back"),
    ("C", "8h", "0000", "D", "nothing_to_draw"),
    ("P", "8h", "0000", "D", "nothing_to_draw"),
    ("C", "8h", "0000", "!T1", "nothing_to_turn_up"),
    ("O", "8h/(9s)7h", "0000", "!T1", "nothing_to_turn_up"),
    ("O", "8h/(9s)7h", "0000", "!T2", "nothing_to_turn_up"),
    ("O", "8h/(9s)7h", "0000", "!T3", "nothing_to_turn_up"),
    ("C", "8h", "0000", "*", "not_finishable"),
    ("C", "8h", "0000", "U", "nothing_to_undo"),
    ("C", "8h", "0000", "resume", "not_paused"),
]


@pytest.mark.parametrize(
    "letter,columns,home,command,reason", REFUSED, ids=[f"{r[0]}-{r[3]}-{r[4]}" for r in REFUSED]
)
def test_a_refused_command(letter: str, columns: str, home: str, command: str, reason: str) -> None:
    game = board(letter, columns, home)
    before = everything(game)
    assert game.why_illegal(command) is Reason(reason)
    with pytest.raises((IllegalMove, InvalidMove)) as caught:
        game.play(command, 0)
    assert isinstance(caught.value, IllegalMove | InvalidMove)
    assert caught.value.reason is Reason(reason)
    if isinstance(caught.value, IllegalMove):
        assert caught.value.move == command
        assert caught.value.position in str(caught.value)
        assert caught.value.reason.sentence in str(caught.value)
        assert reason in str(caught.value)
    assert everything(game) == before


def test_paused_and_over() -> None:
    game = played("YU1-C-AAAAAAB", "pause")
    for command in ("T3:4>T1", "T9:9>T9", "U", "*", "D", "pause", "resign", "!T1"):
        assert game.why_illegal(command) is Reason.PAUSED
    assert game.why_illegal("redo") is Reason.UNREADABLE
    game = played("YU1-C-AAAAAAB", "T3:4>T1 resign")
    for command in ("T3:4>T1", "T9:9>T9", "U", "*", "D", "pause", "resume", "resign", "!T1"):
        assert game.why_illegal(command) is Reason.GAME_OVER
        with pytest.raises(IllegalMove, match="The game is over"):
            game.play(command, 0)


def test_every_reason_is_given_and_has_a_sentence() -> None:
    tested = {row[4] for row in REFUSED} | {"paused", "game_over", "over_group_limit"}
    assert tested == {reason.value for reason in Reason}
    sentences = [reason.sentence for reason in Reason]
    assert len(set(sentences)) == len(sentences)
    assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in sentences)


def test_the_group_limit_is_named_before_the_fit() -> None:
    game = board("C", "8h/7s6d5s4d3s2dAsKdQsJdTs9d8s7d6s5d4s3d2sAdKs")
    assert game.why_illegal("T2:21>T1") is Reason.OVER_GROUP_LIMIT
    assert game.why_illegal("T2:21>T3") is Reason.OVER_GROUP_LIMIT
    assert game.why_illegal("T2:20>T1") is Reason.WRONG_RANK


def test_numbers_from_a_stranger_are_refused_and_never_crash() -> None:
    games = [wandered(f"YU1-{letter}-AAAAAAB", 5, 40) for letter in LETTERS]
    source = random.Random(1)
    odd = [-300, -1, 0, 1, 2, 6, 7, 15, 16, 19, 23, 24, 25, 26, 27, 31, 99, 127, 128, 254, 255, 999]
    for game in games:
        before = everything(game)
        refused = set()
        for _ in range(3000):
            move = Move(*source.choices(odd, k=3))
            reason = game.why_illegal(move)
            if reason is None:
                assert move in game.legal_moves or move in (UNDO, (255, 3, 0), (255, 5, 0))
                continue
            refused.add(reason)
            with pytest.raises((IllegalMove, InvalidMove)) as caught:
                game.play(move, game.last_ms)
            assert str(caught.value).startswith(move_text(move, game.ruleset))
        assert Reason.UNREADABLE in refused
        assert Reason.NO_SUCH_PILE in refused
        assert everything(game) == before


def test_a_foundation_is_named_exactly() -> None:
    game = board("C", "As")
    for foundation in (17, 18, 19):
        assert game.why_illegal(Move(0, 1, foundation)) is Reason.WANTS_NEXT
    assert game.why_illegal(Move(0, 1, 20)) is Reason.NO_SUCH_PILE
    # What the text T1>F is read as before it is resolved is no pile.
    assert game.why_illegal(Move(0, 1, 27)) is Reason.NO_SUCH_PILE
    assert game.why_illegal(Move(0, 1, 16)) is None
    game = board("C", "8h", "1010")
    assert game.why_illegal(Move(16, 1, 18)) is Reason.WANTS_NEXT
    game = board("D", "As")
    assert game.why_illegal(Move(0, 1, 16)) is None
    assert game.why_illegal(Move(0, 1, 17)) is Reason.WANTS_NEXT
    game = board("D", "As", "1")
    assert game.why_illegal(Move(0, 1, 16)) is Reason.WANTS_NEXT
    assert game.why_illegal(Move(0, 1, 17)) is None
    assert game.play("T1>F", 0).command == Move(0, 1, 17)


def test_stock_and_waste_are_no_targets_and_the_stock_no_source() -> None:
    game = played("YU1-P-AAAAAAB", "D")
    assert game.why_illegal(Move(0, 1, 25)) is Reason.NO_SUCH_PILE
    assert game.why_illegal(Move(0, 1, 24)) is Reason.NO_SUCH_PILE
    assert game.why_illegal(Move(25, 1, 24)) is Reason.NO_SUCH_PILE
    assert game.why_illegal(Move(24, 1, 0)) is Reason.FACE_DOWN
    assert game.why_illegal(Move(24, 2, 25)) is Reason.SINGLE_CARDS_ONLY
    assert game.why_illegal(Move(25, 2, 0)) is Reason.NOT_THAT_MANY
    game.play("D", 0)
    assert game.why_illegal(Move(25, 2, 0)) is Reason.SINGLE_CARDS_ONLY
    for command in ["D"] * 22:
        game.play(command, 0)
    assert game.why_illegal(DRAW) is Reason.NOTHING_TO_DRAW
    assert game.why_illegal(Move(24, 1, 0)) is Reason.EMPTY_PILE


def test_undo_is_a_question_for_a_game() -> None:
    assert why_illegal(Game("YU1-C-AAAAAAB").position, UNDO) is Reason.UNREADABLE


def writable(game: Game) -> list[Move]:
    """Every move that can be written for this game's piles, and a little more."""
    piles = sorted(game.ruleset.piles)
    moves = [
        Move(source, count, target)
        for source in piles
        for count in range(1, len(game.position.piles[source]) + 2)
        for target in piles
    ]
    return [*moves, DRAW, FINISH, *map(turn_up, range(game.ruleset.columns))]


def assert_legal_moves_are_the_rules(game: Game) -> None:
    found = legal_moves(game.position)
    assert len(found) == len(set(found)) == len(legal_codes(game.position))
    assert set(found) == {m for m in writable(game) if why_illegal(game.position, m) is None}
    assert (FINISH in found) == is_finishable(game.position)


@pytest.mark.parametrize("letter", LETTERS)
def test_legal_moves_are_what_the_rules_let_through(letter: str) -> None:
    source = random.Random(letter)
    for number in range(3):
        game = Game(f"YU1-{letter}-AAAAA{number + 2}A")
        for _ in range(12):
            assert_legal_moves_are_the_rules(game)
            wander(game, source, 7, undo=0.02)
    for row in vectors("plays"):
        if row["code"][4] == letter and row["checks"][-1]["won"]:
            game = Game(row["code"])
            commands = row["moves"].split()
            for number, command in enumerate(commands):
                game.play(command, 0)
                if number % 8 == 0 or number > len(commands) - 12:
                    assert_legal_moves_are_the_rules(game)
