"""Commands of every kind over a socket, for tests, and recorded games that are won."""

import json
from pathlib import Path

from engine.move import FINISH, PAUSE, RESIGN, RESUME, UNDO, Move
from tests.server.net.worker import Message, Tab

PLAYS = Path(__file__).parents[2] / "engine" / "vectors" / "plays.jsonl"
KINDS = {UNDO: 5, FINISH: 6, PAUSE: 7, RESUME: 8, RESIGN: 9}


async def given_up(tab: Tab, code: str) -> str:
    """A game of this code that has ended; its session."""
    await tab.deal(code)
    assert tab.game is not None
    await tab.play(next(iter(tab.game.legal_moves)))
    await special(tab, RESIGN)
    return tab.session


async def special(tab: Tab, move: Move) -> Message:
    """A command with a kind of its own, checked as `Tab.play` does."""
    assert tab.game is not None
    event = await tab.ask(KINDS[move], tab.game.version)
    tab.follow(event, move)
    return event


def won_plays(letters: str) -> list[tuple[str, list[str]]]:
    """A won game of each ruleset: code and commands."""
    found: dict[str, tuple[str, list[str]]] = {}
    with PLAYS.open() as lines:
        for line in lines:
            play = json.loads(line)
            letter = play["code"][4]
            if letter in letters and play["checks"][-1]["won"]:
                found.setdefault(letter, (play["code"], play["moves"].split()))
    return [found[letter] for letter in letters]


async def still_plays(tab: Tab) -> None:
    """The socket works as if nothing had happened."""
    assert (await tab.ask(13, 5))[:2] == [68, 5]


async def there_and_back(tab: Tab) -> None:
    """A move and its undo."""
    assert tab.game is not None
    await tab.play(next(iter(tab.game.legal_moves)))
    undo = await tab.ask(5, tab.game.version)
    tab.game.play("U", tab.game.last_ms)
    assert undo[1] == tab.game.version
