"""The page about races says what the table says."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from server.core import racediagram
from server.core.raceacts import HAPPENINGS, What

PAGE = Path(__file__).parents[3] / "docs" / "races.md"


@pytest.mark.parametrize(
    "make", [racediagram.diagram, racediagram.commands_table, racediagram.happenings_table]
)
def test_the_page_has_what_the_table_says(make: Callable[[], str]) -> None:
    assert make() in PAGE.read_text("utf-8"), f"docs/races.md has to contain:\n{make()}"


def test_the_diagram_is_one_that_mermaid_reads() -> None:
    first, *lines = racediagram.diagram().splitlines()
    assert first == "stateDiagram-v2"
    for line in lines:
        assert re.fullmatch(r"    (\[\*\]|\w+) --> \w+: [\w, ]+", line)


def test_every_command_and_happening_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    for what in What:
        assert f"| {what} |" in page
    for what in HAPPENINGS:
        assert f"**{what}**" in page
