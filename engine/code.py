"""Game codes: reading forgivingly, writing canonically, commitments. Deals nothing."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from engine.errors import InvalidCode
from engine.ruleset import Ruleset, ruleset

PREFIX: Final = "YU1"
ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
OPEN_LENGTH: Final = 7
SEALED_LENGTH: Final = 26
DEALS: Final = 32**OPEN_LENGTH
SEALED_BYTES: Final = 17
"""How many random bytes a sealed body needs: 26 letters of 5 bits."""

_LETTERS: Final = frozenset(ALPHABET)
_DASHES: Final = "-‐‑‒–—―−"
_LONGEST: Final = 200
_FORGIVEN: Final = str.maketrans("018", "OIB")


@dataclass(frozen=True, slots=True)
class GameCode:
    """What decides a game: the letter of its ruleset and the body that its cards come from.

    `str(code)` is the canonical text, `YU1-C-AAAAAAB`. Raises InvalidCode when there is no such
    ruleset or the body is not 7 letters, or 26 for a sealed deal, of A to Z and 2 to 7.
    """

    letter: str
    body: str

    def __post_init__(self) -> None:
        ruleset(self.letter)
        if len(self.body) not in (OPEN_LENGTH, SEALED_LENGTH):
            raise InvalidCode(
                f"a game code ends with {OPEN_LENGTH} letters, or {SEALED_LENGTH} "
                f"for a sealed deal; here are {len(self.body)}"
            )
        if not _LETTERS.issuperset(self.body):
            strange = next(letter for letter in self.body if letter not in _LETTERS)
            raise InvalidCode(f"{strange!r} is not used in game codes")

    def __str__(self) -> str:
        return f"{PREFIX}-{self.letter}-{self.body}"

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that the letter stands for."""
        return ruleset(self.letter)

    @property
    def is_sealed(self) -> bool:
        """Whether nobody can search for this deal from the cards in sight."""
        return len(self.body) == SEALED_LENGTH

    @property
    def number(self) -> int | None:
        """The deal's number, 0 to 2**35 - 1; None for a sealed deal."""
        return None if self.is_sealed else _number(self.body)


def parse(text: str) -> GameCode:
    """Read a game code; case, spaces and dashes do not matter, and 0 1 8 are read as O I B.

    Raises InvalidCode, which says what is wrong.
    """
    if len(text) > _LONGEST:
        raise InvalidCode("this is far too long for a game code")
    kept = "".join(c for c in text if not c.isspace() and c not in _DASHES)
    if not kept.isascii():
        strange = next(c for c in kept if not c.isascii())
        raise InvalidCode(f"{strange!r} is not used in game codes")
    kept = kept.upper()
    if not kept.startswith(PREFIX):
        raise InvalidCode(f"a game code starts with {PREFIX}, like YU1-C-AAAAAAB")
    if len(kept) == len(PREFIX):
        raise InvalidCode("the letter of the ruleset is missing, like the C in YU1-C-AAAAAAB")
    letter, body = kept[len(PREFIX)], kept[len(PREFIX) + 1 :]
    return GameCode(letter, body.translate(_FORGIVEN))


def from_number(letter: str, number: int) -> GameCode:
    """The code of deal `number`, 0 to 2**35 - 1, of a ruleset. Raises InvalidCode."""
    if not 0 <= number < DEALS:
        raise InvalidCode(f"deals have numbers from 0 to {DEALS - 1}")
    return GameCode(letter, _letters(number, OPEN_LENGTH))


def sealed(letter: str, random_bytes: bytes) -> GameCode:
    """A sealed code from at least 17 bytes that the caller drew from a secure random source.

    The first 130 bits become the 26 letters. Raises ValueError for fewer bytes.
    """
    if len(random_bytes) < SEALED_BYTES:
        raise ValueError(f"a sealed deal needs {SEALED_BYTES} random bytes")
    unused = SEALED_BYTES * 8 - SEALED_LENGTH * 5
    number = int.from_bytes(random_bytes[:SEALED_BYTES], "big") >> unused
    return GameCode(letter, _letters(number, SEALED_LENGTH))


def commitment(code: GameCode) -> str:
    """SHA-256 of the canonical code as 64 hex digits: shown while the code itself is hidden."""
    return sha256(str(code).encode()).hexdigest()


def _letters(number: int, length: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(length)))


def _number(body: str) -> int:
    number = 0
    for character in body:
        number = number << 5 | ALPHABET.index(character)
    return number
