"""Names of rooms: the id in a link, and the six letters that one friend reads out to another.

Pure: the randomness is handed in. Nothing here knows whether a room of that name exists.
"""

import base64
from typing import NamedTuple

# Capital letters without those that look like another letter or a digit (I L O Q U) and without
# the other vowels, so that no code spells a word.
ALPHABET = "BCDFGHJKMNPRSTVWXYZ"
CODE_LENGTH = 6
CODE_ENTROPY = 16
ID_ENTROPY = 10
ID_LENGTH = 16

_LOOK_ALIKES = str.maketrans("0OQ82561U", "DDDBZSGJV")
_ID_ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyz234567")


class InvalidRoomName(ValueError):
    """A text that is neither a room code nor a room id; the message says what is wrong."""


class RoomName(NamedTuple):
    """A room as somebody named it: by its code (canonical, six letters) or by its id."""

    text: str
    is_code: bool


def make_code(entropy: bytes) -> str:
    """Six letters from 16 random bytes (of 19^6 = 47 million codes, each equally likely)."""
    if len(entropy) != CODE_ENTROPY:
        raise ValueError(f"a room code is drawn from {CODE_ENTROPY} random bytes")
    number = int.from_bytes(entropy, "big")
    letters = []
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)


def make_id(entropy: bytes) -> str:
    """Sixteen lower-case base32 characters from 10 random bytes: too many to guess."""
    if len(entropy) != ID_ENTROPY:
        raise ValueError(f"a room id is drawn from {ID_ENTROPY} random bytes")
    return base64.b32encode(entropy).decode("ascii").lower()


def read_code(text: str) -> str:
    """The canonical room code in a text, forgiving case, spaces, dashes and look-alikes.

    Raises InvalidRoomName.
    """
    plain = _plain(text).upper().translate(_LOOK_ALIKES)
    if len(plain) != CODE_LENGTH:
        raise InvalidRoomName(f"a room code has {CODE_LENGTH} letters")
    for letter in plain:
        if letter not in ALPHABET:
            raise InvalidRoomName(f"no room code has the letter {letter!r}")
    return plain


def read_name(text: str) -> RoomName:
    """The room that a link's last part or a typed text names. Raises InvalidRoomName."""
    plain = _plain(text)
    if len(plain) == ID_LENGTH:
        lower = plain.lower()
        if not _ID_ALPHABET.issuperset(lower):
            raise InvalidRoomName("a room id has only the letters a to z and the digits 2 to 7")
        return RoomName(lower, is_code=False)
    return RoomName(read_code(text), is_code=True)


def _plain(text: str) -> str:
    return "".join(character for character in text if not character.isspace() and character != "-")
