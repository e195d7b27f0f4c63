"""The codec and the answers: any bytes are a command or a refusal, and no hidden card leaves."""

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Reason
from engine.game import Game
from engine.move import UNDO, Move
from engine.view import view, view_diff
from server.core import answers, codec
from server.core.messages import LARGEST_FRAME, Kind
from server.core.refusals import SENTENCES, Code, Refused, Unreadable, helps_again, sentence

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=50)
    | st.binary(max_size=50),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=20,
)


def decoded(frame: bytes) -> object:
    """The command, or None when it was refused as contract and design say."""
    try:
        return codec.decode(frame)
    except Unreadable as refused:
        no = refused
    assert no.code in (Code.MALFORMED, Code.UNKNOWN_KIND, Code.TOO_LARGE)
    assert 0 <= no.kind < 256
    assert no.reason.endswith(".")
    return None


@given(st.binary(max_size=300))
def test_any_bytes_are_a_command_or_refused(frame: bytes) -> None:
    decoded(frame)


@given(st.integers(0, 40), st.lists(anything, max_size=7))
def test_any_message_is_a_command_or_refused(kind: int, fields: list[object]) -> None:
    decoded(msgpack.packb([kind, *fields]))


@given(st.integers(0, 2**31 - 1), st.integers(0, 254), st.integers(0, 255), st.integers(0, 255))
def test_every_move_is_read_as_it_is(version: int, source: int, count: int, target: int) -> None:
    command = codec.decode(msgpack.packb([4, version, source, count, target, "later"]))
    assert command == (4, version, Move(source, count, target))


def test_the_largest_frame_is_read_and_one_byte_more_is_not() -> None:
    head = b"\x92\x0b\xc5"  # a snapshot with a field of the future
    limit = 256  # bytes of one field
    frame = head + limit.to_bytes(2) + bytes(limit)
    assert decoded(frame) == (Kind.SNAPSHOT,)
    with pytest.raises(Unreadable) as refused:
        codec.decode(bytes(LARGEST_FRAME + 1))
    assert refused.value.code is Code.TOO_LARGE


@pytest.mark.parametrize("letter", "CROTYSAPD")
def test_what_leaves_does_not_depend_on_hidden_cards(letter: str) -> None:
    game = Game(f"YU1-{letter}-AAAAAAB")
    hidden = {
        card
        for column, down in zip(game.position.columns, game.position.down, strict=True)
        for card in column[:down]
    } | set(game.position.stock)
    packed = answers.snapshot("s", 0, 0, view(game), is_sealed=False)
    message = msgpack.unpackb(packed)
    shown = [card for column in message[10] for card in column[1:]]
    shown += [card for pile in message[11] for card in pile] + list(message[13])
    assert hidden.isdisjoint(shown)
    assert len(hidden) + len(shown) == game.ruleset.cards


def test_an_undo_names_no_card_that_it_hides() -> None:
    game = Game("YU1-C-AAAAAAB")
    turn_a_card_up(game)
    undone = answers.changes_of(view_diff(game.play(UNDO, 0)))
    assert undone[:3] == bytes(UNDO)
    assert undone[3] in range(160, 176)
    assert len(undone) == 7


def turn_a_card_up(game: Game) -> None:
    """Play a move that does."""
    for move in game.legal_moves:
        changes = answers.changes_of(view_diff(game.play(move, 0)))
        if len(changes) == 5:
            return
        game.play(UNDO, 0)
    raise AssertionError("this deal has such a move")


def test_every_code_has_its_sentence() -> None:
    for code in (*Code, *Reason):
        assert sentence(code).endswith(".")
        refused = Refused(code, reference=3)
        message = msgpack.unpackb(answers.refusal(Kind.MOVE, refused))
        assert message == [67, 4, 3, code.value, sentence(code), helps_again(code)]
    assert len(set(SENTENCES.values())) == len(Code)
