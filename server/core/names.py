"""What a nickname may be; it knows nothing of who bears it."""

import unicodedata
from typing import Final

LONGEST: Final = 20
_MARKS_IN_A_ROW: Final = 2
_REFUSED_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and signs that fonts draw as nothing, so a name of them would be invisible.
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)


class BadName(ValueError):
    """A nickname that is refused; the text says why to the person who chose it."""


def clean(text: str) -> str:
    """The nickname as it is kept: NFKC, trimmed, inner spaces single, 1 to 20 characters.

    Raises BadName for an empty or long one and for characters that cannot be seen, change the
    direction of the text around them, or pile marks on one letter.
    """
    if len(text) > 20 * LONGEST:
        raise BadName(f"A name has at most {LONGEST} characters.")
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if any(_is_refused(character) for character in name):
        raise BadName("A name has only characters that can be seen.")
    if not name:
        raise BadName("A name has at least one character.")
    if len(name) > LONGEST:
        raise BadName(f"A name has at most {LONGEST} characters.")
    if _marks(name) > _MARKS_IN_A_ROW or unicodedata.category(name[0]).startswith("M"):
        raise BadName("A name has no piles of marks.")
    return name


def _is_refused(character: str) -> bool:
    return character in _INVISIBLE or unicodedata.category(character) in _REFUSED_CATEGORIES


def _marks(name: str) -> int:
    """The longest run of combining marks."""
    longest = run = 0
    for character in name:
        run = run + 1 if unicodedata.category(character).startswith("M") else 0
        longest = max(longest, run)
    return longest
