"""Holds the pages for people to the truth: what they show runs, what they name exists."""

import doctest
import re
from pathlib import Path

import pytest

from engine.ruleset import RULESETS
from server.settings import OPTIONS

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
NAMES = [*PAGES, *sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("docs/**/*.md"))]


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def found(pattern: str, text: str) -> list[str]:
    """What the pattern's one group matches, where ^ and $ are the ends of lines."""
    return [match[1] for match in re.finditer(pattern, text, re.MULTILINE)]


def test_the_readme_runs_at_the_python_prompt() -> None:
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert outcome.attempted >= 10
    assert outcome.failed == 0


def test_the_readme_opens_with_the_two_commands() -> None:
    commands = found(r"^    (\S.*?)\s*(?:#.*)?$", read("README.md"))
    assert commands[:2] == ["make run", "make test"]


def test_the_readme_lists_every_ruleset() -> None:
    rows = found(r"^\| ([A-Z] \| [^|]+?) \|", read("README.md"))
    assert rows == [f"{row.letter} | {row.name}" for row in RULESETS.values()]


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_somewhere(name: str) -> None:
    links = found(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", read(name))
    local = [link for link in links if "://" not in link and not link.startswith("mailto:")]
    assert not [link for link in local if not ((ROOT / name).parent / link).exists()]


@pytest.mark.parametrize("name", NAMES)
def test_every_target_of_make_exists(name: str) -> None:
    named = set(found(r"(?:^ {4}|`)make ([a-z-]+)", read(name)))
    assert named <= set(found(r"^([a-z-]+):", read("Makefile")))


@pytest.mark.parametrize("name", NAMES)
def test_every_option_of_the_server_exists(name: str) -> None:
    named = set(found(r"bin/yukon[^\n`]*?(--[a-z-]+)", read(name)))
    known = {option.flag for option in OPTIONS} | {"--help", "--no-trust-proxy"}
    assert named <= known
