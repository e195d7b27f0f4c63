"""Measures the engine: what a move costs, and the parts of it. Prints medians in microseconds.

Random games are played by a seeded source, so that every run measures the same moves.
The reference line is a fixed piece of plain Python that has nothing to do with the engine: it
tells how fast the machine is at this moment, and figures are to be compared through it.
"""

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter_ns

from engine.code import from_number, parse
from engine.deal import deal
from engine.diff import Diff
from engine.game import Game
from engine.move import UNDO
from engine.notation import position_text
from engine.rules import RULESETS, legal_codes, legal_moves
from engine.view import view, view_diff

LONGEST = 300
MOVE = "play + diff + legal moves"
LOG = "from_log of 300 records"
GOALS = {MOVE: 20, "undo": 10, "deal from a code": 80, "legal moves alone": 8, LOG: 5000}

Samples = defaultdict[str, list[int]]


def reference() -> int:
    """A fixed amount of plain Python: about twice what a move costs, whatever the machine."""
    total = 0
    table = list(range(64))
    for number in range(600):
        total += table[number & 63] ^ number
    return total


def timed(samples: list[int], act: Callable[[], object]) -> None:
    """Add how long one call took, in nanoseconds."""
    start = perf_counter_ns()
    act()
    samples.append(perf_counter_ns() - start)


def random_game(letter: str, number: int, samples: Samples) -> tuple[Game, list[Diff]]:
    """Play one random game as a server does: a move, what it changed, and what may follow."""
    source = random.Random(number)
    game = Game(from_number(letter, source.randrange(2**35)))
    taken = samples[MOVE]
    diffs: list[Diff] = []
    codes = game.legal_moves.codes
    while codes and game.version < LONGEST:
        moves = list(game.legal_moves)
        move = moves[source.randrange(len(moves))]
        start = perf_counter_ns()
        diff = game.play(move, game.version)
        codes = game.legal_moves.codes
        taken.append(perf_counter_ns() - start)
        diffs.append(diff)
    return game, diffs


def measure(letter: str, number: int, samples: Samples) -> None:
    """Measure one random game: forwards, each position in it, and backwards."""
    game, diffs = random_game(letter, number, samples)
    for diff in diffs:
        timed(samples["view of a diff"], partial(view_diff, diff))
    game.legal_moves.count()
    for _ in range(10):
        timed(samples["view of a game"], partial(view, game))
    while game.can_undo:
        timed(samples["undo"], partial(game.play, UNDO, LONGEST))
        if game.version % 4 == 0:
            position = game.position
            timed(samples["legal moves alone"], partial(legal_codes, position))
            timed(samples["legal moves as Move"], partial(legal_moves, position))
            timed(samples["masked position text"], partial(position_text, position))
    while game.version:
        timed(samples["retract"], game.retract)
    text = str(from_number(letter, number))
    for _ in range(10):
        timed(samples["deal from a code"], lambda: deal(parse(text)))
    timed(samples["(reference)"], reference)


def long_log(letter: str) -> tuple[str, bytes]:
    """The log of a random game that lasts for 300 records, undone ones among them."""
    for number in range(10_000):
        source = random.Random(number)
        game = Game(from_number(letter, number))
        while game.version < LONGEST:
            moves = list(game.legal_moves)
            if game.can_undo and (not moves or source.random() < 0.05):
                moves = [UNDO]
            if not moves:
                break
            game.play(source.choice(moves), game.version)
        else:
            return str(game.code), game.log
    raise RuntimeError("no random game lasts that long")


def main(arguments: list[str] | None = None) -> int:
    """Measure what the arguments say and print a table for each ruleset."""
    parser = argparse.ArgumentParser(
        prog="python -m bench engine", description=__doc__.splitlines()[0]
    )
    parser.add_argument("seconds", type=float, nargs="?", default=2.0, help="for each ruleset: 2")
    parser.add_argument("letters", nargs="?", default="".join(RULESETS), help="of rulesets: all")
    given = parser.parse_args(arguments)
    for letter in given.letters:
        samples: Samples = defaultdict(list)
        end = perf_counter_ns() + int(given.seconds * 1e9)
        number = 0
        while perf_counter_ns() < end:
            measure(letter, number, samples)
            number += 1
        text, log = long_log(letter)
        for _ in range(20):
            timed(samples[LOG], partial(Game.from_log, text, log))
        print(f"{RULESETS[letter].name}, {number} random games, µs")
        for what, values in samples.items():
            values.sort()
            figures = (
                f"{median(values) / 1000:8.1f}  p99 {values[len(values) * 99 // 100] / 1000:8.1f}"
            )
            print(f"  {what:26} {figures}  {f'goal {GOALS[what]}' if what in GOALS else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
