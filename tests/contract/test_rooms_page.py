"""Holds docs/protocol-rooms.md to the program: every kind, number, code and limit of rooms."""

import re
from pathlib import Path

from server.core import messages as m
from server.core import roommessages
from server.core.refusals import Code
from server.core.room import LIMITS, MOST_SEATS
from server.core.roomcode import ALPHABET, CODE_LENGTH, ID_LENGTH
from server.core.roommessages import LaneFlag, RoomKind
from server.net.roomdesk import MOST_OF_EVENING
from server.net.roomteller import PACE_SECONDS
from tests.contract.test_protocol_page import first_columns

PAGE = (Path(__file__).parents[2] / "docs" / "protocol-rooms.md").read_text("utf-8")
NUMBERS, COMMANDS, MESSAGES, CODES = (
    PAGE.split(f"\n## {title}", 1)[1].split("\n## ", 1)[0]
    for title in ("Numbers", "Commands", "Messages", "Refusal codes")
)


def told(text: str) -> dict[int, str]:
    """The kinds of a table with their names."""
    return {int(row[0]): row[1] for row in first_columns(text) if row[0].isdigit()}


def test_every_kind_has_its_row() -> None:
    named = {int(kind): kind.name.lower().removeprefix("ask_") for kind in RoomKind}
    assert told(COMMANDS) == {kind: name for kind, name in named.items() if kind < 80}
    assert told(MESSAGES) == {kind: name for kind, name in named.items() if kind >= 80}
    assert not {int(kind) for kind in RoomKind} & {int(kind) for kind in m.Kind}


def test_every_number_is_the_program_s() -> None:
    assert f"**Seat** 0–{MOST_SEATS - 1}" in NUMBERS
    assert f"**Room id**: {ID_LENGTH} characters" in NUMBERS
    assert f"**Room code**: {CODE_LENGTH} letters out of `{ALPHABET}`" in NUMBERS
    assert listed("State") == {number: state.value for state, number in roommessages.STATES.items()}
    assert len(listed("Ending")) == len(roommessages.ENDINGS)
    assert len(listed("Outcome")) == len(roommessages.OUTCOMES)
    flags = re.findall(r"\d+", NUMBERS.split("**Lane flags**")[1].split("\n")[0])
    assert [int(flag) for flag in flags] == [int(flag) for flag in LaneFlag]
    assert "limit in minutes: 0 (none) " + " ".join(map(str, LIMITS[1:])) in NUMBERS
    assert PACE_SECONDS == 1 / 5
    assert "at most five times a second" in MESSAGES
    assert f"{MOST_OF_EVENING:,} bytes" in MESSAGES


def listed(name: str) -> dict[int, str]:
    """The numbers of a kind of value, with what they mean."""
    text = NUMBERS.split(f"**{name}**: ")[1].split(".")[0]
    return {int(one.split(" ", 1)[0]): one.split(" ", 1)[1] for one in text.split(", ")}


def test_every_code_that_is_told_exists() -> None:
    codes = set(re.findall(r"`(\w+)`", CODES))
    assert codes <= {code.value for code in Code}
    assert {code.value for code in Code if code.value.startswith(("room", "race"))} <= codes
