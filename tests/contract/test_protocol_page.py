"""Holds docs/protocol.md to the program: every kind, code, limit and example."""

import json
import re
from pathlib import Path

import pytest

from engine.errors import Reason
from server.core import messages as m
from server.core.answers import CAPABILITIES
from server.core.refusals import SENTENCES, Code, helps_again
from server.core.throttle import Limits
from server.net.connection import OUTBOX_BYTES, STUCK_SECONDS
from server.net.websocket import DEAD_SECONDS, HELLO_SECONDS, QUIET_SECONDS
from tests.contract.golden import HERE

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")


def section(title: str) -> str:
    """The text under a heading."""
    return PAGE.split(f"\n## {title}", 1)[1].split("\n## ", 1)[0]


def first_columns(text: str) -> list[list[str]]:
    """The cells of every row of the tables in a text."""
    rows = [line.strip("| \n").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows]


def test_every_kind_has_its_row() -> None:
    rows = first_columns(section("Commands")) + first_columns(section("Messages"))
    told = {int(row[0]): row[1].replace(" ", "_") for row in rows if row[0].isdigit()}
    told = {kind: name for kind, name in told.items() if kind < 80}  # 128 and up are changes
    named = {int(kind): kind.name.lower() for kind in m.Kind if kind != m.Kind.UNREADABLE}
    named[m.Kind.STATE] = "snapshot"
    assert told == named


def test_every_capability_is_told() -> None:
    text = section("Messages").split("**Welcome**")[1].split("**Snapshot**")[0]
    assert re.findall(r"`(\w+:?)`", text) == [*CAPABILITIES, "client:"]


def test_every_code_is_told_and_no_other() -> None:
    text = section("Refusal codes")
    table = {row[0].strip("`"): row[2] for row in first_columns(text)[1:]}
    table.pop("---", None)
    of_rooms = set(re.findall(r"`(\w+)`", text.split("Of rooms and leaderboards")[1]))
    assert {code: again == "yes" for code, again in table.items()} == {
        code.value: helps_again(code) for code in Code if code not in of_rooms
    }
    assert of_rooms | set(table) == {code.value for code in Code}
    assert not any(helps_again(Code(code)) for code in of_rooms)
    before = text.split("Of the server")[0]
    assert set(re.findall(r"`(\w+)`", before)) == {reason.value for reason in Reason}
    assert set(SENTENCES) == set(Code)


def test_every_close_code_is_told() -> None:
    told = {int(row[0]) for row in first_columns(section("Close codes")) if row[0].isdigit()}
    assert told == {1009, *(int(code) for code in m.Close)}


def test_every_limit_is_told_with_its_numbers() -> None:
    rows = [row for row in first_columns(section("Limits")) if row[2:] and row[2][0].isdigit()]
    told = [(float(row[2]), float(row[3])) for row in rows]
    limits = Limits()
    assert told == [
        (one.rate, one.burst) for one in (getattr(limits, name) for name in Limits.__slots__)
    ]


@pytest.mark.parametrize(
    "words",
    [
        f"within {HELLO_SECONDS:.0f} seconds",
        f"silent for {QUIET_SECONDS:.0f} seconds",
        f"after {DEAD_SECONDS:.0f} seconds",
        f"{OUTBOX_BYTES:,} bytes wait",
        f"not in {STUCK_SECONDS:.0f} seconds",
        f"at most {m.LARGEST_FRAME:,} bytes",
    ],
)
def test_every_number_in_the_text_is_the_program_s(words: str) -> None:
    assert words in PAGE


def test_every_example_is_a_golden_message() -> None:
    golden = {
        one["hex"]
        for name in ("commands.json", "messages.json")
        for one in json.loads((HERE / name).read_text("utf-8"))
    }
    examples = re.findall(r"` = `([0-9a-f]+)`", PAGE)
    assert len(examples) > 25
    assert set(examples) <= golden
