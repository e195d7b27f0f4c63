"""Which cards a new session gets, typed or drawn; it has no randomness of its own."""

from collections.abc import Callable
from typing import Final

from engine.code import GameCode, from_number, parse, sealed
from engine.errors import InvalidCode
from engine.rules import RULESETS
from server.core.messages import Origin
from server.core.refusals import Code, Refused

_DEAL_NUMBERS: Final = 2**35
_SEALED_BYTES: Final = 17
_ID_BYTES: Final = 12
_ID_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

Source = Callable[[int], bytes]
"""So many secure random bytes; `secrets.token_bytes` outside of tests."""


class Deals:
    """Draws every deal and every id through one source, which tests and hosts can replace."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def code_for(self, origin: int, text: str) -> GameCode:
        """The code of a new session that is not of a daily deal.

        `text` is a ruleset letter, or for a typed one a game code in any writing. Raises Refused
        (`bad_code`) with a sentence that says what is wrong.
        """
        if origin == Origin.TYPED:
            return _typed(text)
        if origin not in (Origin.RANDOM, Origin.RANKED):
            raise Refused(Code.BAD_CODE, "There is no way to deal with this number.")
        letter = read_letter(text)
        return self.sealed(letter) if origin == Origin.RANKED else self.random(letter)

    def random(self, letter: str) -> GameCode:
        """One of the 2**35 numbered deals of a ruleset, each as likely."""
        return from_number(letter, int.from_bytes(self._source(5)) % _DEAL_NUMBERS)

    def sealed(self, letter: str) -> GameCode:
        """A deal that nobody can search for from the cards in sight."""
        return sealed(letter, self._source(_SEALED_BYTES))

    def session_id(self) -> str:
        """16 url-safe characters, 96 random bits."""
        number = int.from_bytes(self._source(_ID_BYTES))
        return "".join(_ID_LETTERS[number >> shift & 63] for shift in range(90, -1, -6))


def read_letter(text: str) -> str:
    """The letter of a ruleset. Raises Refused (`bad_code`)."""
    letter = text.strip().upper()
    if letter not in RULESETS:
        letters = " ".join(RULESETS)
        raise Refused(Code.BAD_CODE, f"There is no such ruleset; there are {letters}.")
    return letter


def _typed(text: str) -> GameCode:
    try:
        return parse(text)
    except InvalidCode as error:
        raise Refused(Code.BAD_CODE, str(error)) from None
