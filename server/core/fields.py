"""One field of a client's frame at a time, strictly by type and bounds; it knows no command."""

from server.core import messages as m

Fields = tuple[object, ...]


class Odd(Exception):
    """A field that is not as the contract says; the text says what was expected."""


def whole(value: object, least: int, most: int, what: str) -> int:
    """A whole number within its bounds."""
    if type(value) is int and least <= value <= most:
        return value
    raise Odd(f"{what} is a whole number from {least} to {most}")


def text(value: object, longest: int, what: str) -> str:
    """A text of at most so many characters."""
    if type(value) is str and len(value) <= longest:
        return value
    raise Odd(f"{what} is a text of at most {longest} characters")


def flag(value: object, what: str) -> bool:
    """True or false, and no number that means it."""
    if type(value) is bool:
        return value
    raise Odd(f"{what} is true or false")


def request_id(value: object) -> bytes:
    """A request id."""
    if type(value) is bytes and len(value) in m.REQUEST_BYTES:
        return value
    raise Odd("a request id has 8 to 16 bytes")
