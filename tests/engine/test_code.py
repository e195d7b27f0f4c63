"""Game codes: what is read, what is refused and why, and what is written."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.code import (
    ALPHABET,
    DEALS,
    GameCode,
    commitment,
    from_number,
    parse,
    sealed,
)
from engine.deal import deal
from engine.errors import InvalidCode
from tests.engine.boards import LETTERS

BODY = st.text(ALPHABET, min_size=7, max_size=7) | st.text(ALPHABET, min_size=26, max_size=26)
CODES = st.builds(GameCode, st.sampled_from(LETTERS), BODY)


@pytest.mark.parametrize(
    "text",
    [
        "YU1-C-AAAAAAB",
        "yu1-c-aaaaaab",
        "  yu1 c aaa aaab\n",
        "YU1CAAAAAAB",
        "Y-U-1-C-A-A-A-A-A-A-B",
        "YU1—C–AAAAAAB",
        "YU1-C-AAAAAA8",
    ],
)
def test_reading_forgives(text: str) -> None:
    assert parse(text) == GameCode("C", "AAAAAAB")


def test_a_code_knows_its_ruleset() -> None:
    assert [parse(f"YU1-{letter}-AAAAAAB").ruleset.letter for letter in LETTERS] == list(LETTERS)


def test_look_alikes_are_read_in_the_body_only() -> None:
    assert str(parse("yu1-o-0123481")) == "YU1-O-OI234BI"
    with pytest.raises(InvalidCode, match="starts with YU1"):
        parse("YUI-O-AAAAAAA")
    with pytest.raises(InvalidCode, match="no ruleset '0'"):
        parse("YU1-0-AAAAAAA")


@pytest.mark.parametrize(
    "text,says",
    [
        ("", "starts with YU1"),
        ("C-AAAAAAB", "starts with YU1"),
        ("YU2-C-AAAAAAB", "starts with YU1"),
        ("YU1", "letter of the ruleset is missing"),
        ("YU1-", "letter of the ruleset is missing"),
        ("YU1-X-AAAAAAB", "no ruleset 'X'"),
        ("YU1-C-", "here are 0"),
        ("YU1-C-AAAAAA", "here are 6"),
        ("YU1-C-AAAAAAAA", "here are 8"),
        ("YU1-C-" + "A" * 25, "here are 25"),
        ("YU1-C-AAAAAA9", "'9' is not used"),
        ("YU1-C-AAAAAA!", "'!' is not used"),
        ("YU1-C-AAAAAAÄ", "'Ä' is not used"),
        ("YU1-ı-AAAAAAA", "'ı' is not used"),
        ("YU1-C-" + "A" * 300, "far too long"),
    ],
)
def test_what_is_wrong_is_said(text: str, says: str) -> None:
    with pytest.raises(InvalidCode, match=says):
        parse(text)


def test_a_code_is_checked_however_it_is_made() -> None:
    for letter, body in (("c", "AAAAAAA"), ("C", "aaaaaaa"), ("C", "AAAAAA1"), ("CC", "AAAAAAA")):
        with pytest.raises(InvalidCode):
            GameCode(letter, body)


@given(CODES)
def test_writing_is_canonical_and_round_trips(code: GameCode) -> None:
    assert parse(str(code)) == code
    assert str(code) == f"YU1-{code.letter}-{code.body}"
    assert code.is_sealed == (len(code.body) == 26)
    assert code.ruleset.letter == code.letter
    assert commitment(code) == hashlib.sha256(str(code).encode()).hexdigest()
    if code.number is not None:
        assert from_number(code.letter, code.number) == code
    else:
        assert code.is_sealed


@pytest.mark.parametrize(
    "number,body", [(0, "AAAAAAA"), (1, "AAAAAAB"), (32, "AAAAABA"), (2**35 - 1, "7777777")]
)
def test_numbers_are_bodies(number: int, body: str) -> None:
    assert from_number("C", number).body == body
    assert GameCode("C", body).number == number


def test_there_are_no_other_numbers() -> None:
    assert DEALS == 2**35
    for number in (-1, 2**35):
        with pytest.raises(InvalidCode):
            from_number("C", number)


def test_a_sealed_body_has_the_first_130_bits() -> None:
    assert sealed("C", bytes(17)).body == "A" * 26
    assert sealed("C", b"\xff" * 20).body == "7" * 26
    assert sealed("D", bytes(16) + b"\x40").body == "A" * 25 + "B"
    assert sealed("D", bytes(16) + b"\x3f").body == "A" * 26
    assert sealed("C", bytes(17)).is_sealed
    assert sealed("C", bytes(17)).number is None
    with pytest.raises(ValueError, match="17 random bytes"):
        sealed("C", bytes(16))


@given(BODY)
def test_letters_with_the_same_layout_deal_the_same_cards(body: str) -> None:
    first = deal(GameCode("C", body))
    for letter in "ROTYSA":
        other = deal(GameCode(letter, body))
        assert (other.columns, other.down) == (first.columns, first.down)
