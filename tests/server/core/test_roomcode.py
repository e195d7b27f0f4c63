"""Room codes and ids: drawn evenly, read forgivingly."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.roomcode import (
    ALPHABET,
    CODE_ENTROPY,
    CODE_LENGTH,
    ID_ENTROPY,
    ID_LENGTH,
    InvalidRoomName,
    RoomName,
    make_code,
    make_id,
    read_code,
    read_name,
)

codes = st.binary(min_size=CODE_ENTROPY, max_size=CODE_ENTROPY).map(make_code)
ids = st.binary(min_size=ID_ENTROPY, max_size=ID_ENTROPY).map(make_id)


@given(codes)
def test_a_code_has_six_letters_and_reads_as_itself(code: str) -> None:
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(ALPHABET)
    assert read_code(code) == code
    assert read_name(code) == RoomName(code, is_code=True)


@given(codes)
def test_reading_forgives_case_spaces_and_dashes(code: str) -> None:
    assert read_code(f" {code[:3].lower()}-{code[3:]}\n") == code
    assert read_code(" ".join(code)) == code


@pytest.mark.parametrize(
    "text,code",
    [("8CDFGH", "BCDFGH"), ("5ZTTTT", "SZTTTT"), ("2O0QQQ", "ZDDDDD"), ("6u1vvv", "GVJVVV")],
)
def test_look_alikes_are_read_as_the_letter_that_there_is(text: str, code: str) -> None:
    assert read_code(text) == code


def test_no_letter_looks_like_another() -> None:
    assert not set(ALPHABET) & set("ILOQUAE")
    assert len(set(ALPHABET)) == len(ALPHABET) == 19


@pytest.mark.parametrize(
    "text", ["", "BCDFG", "BCDFGHJ", "ABCDEF", "BCD?GH", "ßßßßßß", "ﬃBCD", "７" * 6]
)
def test_what_is_no_code(text: str) -> None:
    with pytest.raises(InvalidRoomName):
        read_code(text)


@given(ids)
def test_an_id_reads_as_itself(room_id: str) -> None:
    assert len(room_id) == ID_LENGTH
    assert read_name(room_id.upper()) == RoomName(room_id, is_code=False)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        name = read_name(text)
    except InvalidRoomName:
        return
    assert name.text.isascii()
    assert name.text.isalnum()


def test_every_letter_is_drawn_about_as_often() -> None:
    letters = "".join(make_code(n.to_bytes(4, "big") * 4) for n in range(0, 2**32, 2**21))
    counts = [letters.count(letter) for letter in ALPHABET]
    assert max(counts) < 2 * min(counts)


@pytest.mark.parametrize("make", [make_code, make_id])
def test_too_little_randomness_is_an_error(make: Callable[[bytes], str]) -> None:
    with pytest.raises(ValueError, match="random bytes"):
        make(b"abc")
