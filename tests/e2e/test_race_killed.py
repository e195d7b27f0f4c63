"""A sealed race of three windows and a bot on two workers, one of which is killed on the way."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from engine.code import commitment, parse
from tests.e2e.conftest import LANDSCAPE, PHONE
from tests.e2e.hand import BOARD, STILL
from tests.e2e.test_interruptions import living
from tests.e2e.test_races import come, give_up, make, opened
from tests.server.programs import ROOT, Program

Contexts = Callable[..., BrowserContext]

MOVES = ".bar-moves .bar-value"


def fitting(columns: list[list[str]]) -> tuple[str, str]:
    """A face-up card and a last card of another column that takes it in Classic."""
    known = [[int(name) if name.isdigit() else None for name in column] for column in columns]
    for target, others in enumerate(known):
        last = others[-1] if others else None
        if last is None:
            continue
        for source, column in enumerate(known):
            for card in column:
                if card is None or source == target or card % 13 + 1 != last % 13:
                    continue
                if (card // 13 in (0, 3)) != (last // 13 in (0, 3)):
                    return f"card-{card}", f"card-{last}"
    raise AssertionError(f"no move is left: {columns}")


def move(page: Page) -> None:
    """Play any move on cards that nobody knew before."""
    page.wait_for_function(STILL)
    made = int(page.locator(MOVES).inner_text())
    card, onto = fitting(page.evaluate(BOARD))
    for name in (card, onto):
        box = page.locator(f"#{name}").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 6, box["y"] + 6)
    expect(page.locator(MOVES)).to_have_text(str(made + 1))


def ends(page: Page) -> list[str]:
    """The standings as a page shows them, without the mark of who looks."""
    rows = page.locator(".ends .end")
    expect(rows).to_have_count(4)
    return [" ".join(re.sub(r"\byou\b", "", text).split()) for text in rows.all_inner_texts()]


@pytest.mark.timeout(300)
def test_a_sealed_race_survives_its_worker(program: Program, new_context: Contexts) -> None:
    host = opened(new_context, program.address())
    link = make(host, "Anna", limit="30")
    phone, side = new_context(PHONE).new_page(), new_context(LANDSCAPE).new_page()
    come(phone, link, "Bo")
    come(side, link, "Zoé")
    pages = (host, phone, side)
    seal = str(side.locator(".seal-line").get_attribute("title"))
    with subprocess.Popen(
        [sys.executable, "-m", "bench.racebot", link, "--pause", "0.05", "--moves", "25"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(ROOT))},
    ) as bot:
        for guest in (phone, side):
            guest.get_by_role("button", name="I am ready").click()
        expect(host.locator(".seat.ready")).to_have_count(4)
        host.get_by_role("button", name="Start the race").click()
        for page in pages:
            expect(page.locator('html[data-room="race"]')).to_be_attached()
            move(page)
        os.kill(living(program)[0], signal.SIGKILL)
        for page in pages:
            move(page)
            expect(page.locator(MOVES)).to_have_text("2")
        for page in (side, phone, host):
            give_up(page)
        assert bot.stdout is not None
        told = bot.stdout.read().decode()
        assert bot.wait(60) == 0
    standings = [ends(page) for page in pages]
    assert standings[0] == standings[1] == standings[2]
    assert len(re.findall(r"^\d\. .* moves$", told, re.MULTILINE)) == 4, told
    assert "Anna: gave up" in told
    assert "score" in told
    for page in pages:
        code = page.locator(".proof .code-line").inner_text()
        assert commitment(parse(code)) in seal
        expect(page.locator(".verdict.holds")).to_be_visible()
