"""Measures the engine: what a move costs, and the parts of it. Prints medians in microseconds.

`python -m bench.engine [SECONDS]` takes a few seconds on an idle core. Random Classic games are
played by a seeded source, so that every run measures the same moves.
"""

import random
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter_ns

from engine.code import from_number, parse
from engine.deal import deal
from engine.game import Game
from engine.move import UNDO
from engine.rules import RULESETS, legal_codes, legal_moves
from engine.view import view, view_diff

LONGEST = 300
GOALS = {
    "play + diff + legal moves": 20,
    "undo": 10,
    "deal from a code": 80,
    "legal moves alone": 8,
    "from_log of 300 records": 5000,
}

Samples = dict[str, list[int]]


def timed(samples: list[int], act: Callable[[], object]) -> None:
    """Add how long one call took, in nanoseconds."""
    start = perf_counter_ns()
    act()
    samples.append(perf_counter_ns() - start)


def measure_game(letter: str, number: int, samples: Samples) -> Game:
    """Play one random game and measure each of its moves."""
    source = random.Random(number)
    code = from_number(letter, source.randrange(2**35))
    game = Game(code)
    while game.version < LONGEST and game.legal_moves:
        move = source.choice(list(game.legal_moves))
        start = perf_counter_ns()
        diff = game.play(move, game.version)
        game.legal_moves.count()
        samples.setdefault("play + diff + legal moves", []).append(perf_counter_ns() - start)
        position = game.position
        timed(samples.setdefault("legal moves alone", []), lambda p=position: legal_codes(p))
        timed(samples.setdefault("legal moves as Move", []), lambda p=position: legal_moves(p))
        timed(samples.setdefault("view of a game", []), lambda: view(game))
        timed(samples.setdefault("view of a diff", []), lambda d=diff: view_diff(d))
        if game.can_undo:
            timed(samples.setdefault("undo", []), lambda: game.play(UNDO, game.version))
            timed(samples.setdefault("retract", []), game.retract)
            game.legal_moves.count()
    return game


def long_log(letter: str) -> tuple[str, bytes]:
    """The log of a random game that lasts for 300 records."""
    for number in range(10_000):
        source = random.Random(number)
        game = Game(from_number(letter, number))
        while game.version < LONGEST and game.legal_moves:
            game.play(source.choice(list(game.legal_moves)), game.version)
        if game.version == LONGEST:
            return str(game.code), game.log
    raise RuntimeError("no random game lasts that long")


def main(arguments: list[str] | None = None) -> int:
    """Measure for so many seconds for each ruleset (default 2) and print a table."""
    words = sys.argv[1:] if arguments is None else arguments
    budget = float(words[0]) if words else 2.0
    for letter in RULESETS:
        samples: Samples = {}
        end = perf_counter_ns() + int(budget * 1e9)
        number = 0
        while perf_counter_ns() < end:
            measure_game(letter, number, samples)
            code = parse(str(from_number(letter, number)))
            timed(samples.setdefault("deal from a code", []), lambda c=code: deal(c))
            number += 1
        text, log = long_log(letter)
        name = "from_log of 300 records"
        for _ in range(20):
            timed(samples.setdefault(name, []), lambda c=text, b=log: Game.from_log(c, b))
        print(f"{RULESETS[letter].name}: {number} games")
        for what, values in samples.items():
            values.sort()
            goal = f"  goal {GOALS[what]}" if what in GOALS else ""
            late = values[len(values) * 99 // 100] / 1000
            print(f"  {what:28} {median(values) / 1000:9.1f} µs  p99 {late:8.1f}{goal}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
