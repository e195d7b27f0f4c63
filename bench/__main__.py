"""`python -m bench NAME ARGUMENTS`: runs a benchmark by its name; measures nothing."""

import importlib
import sys

NAMES = {
    "engine": "what a move, an undo, a deal and a log cost, without a server",
    "store": "commits a second on one worker's link to Redis",
    "load": "bots over sockets in closed loop or at a rate, every event checked",
    "races": "races with rivals and watchers: GO, progress, and moves beside solo play",
    "idle": "memory of idle connections, each with a session",
    "faults": "workers and Redis killed under load: no move lost, none doubled",
    "boards": "leaderboards of a million results: record, page, place and memory",
    "rebuild": "games under kills; every board and statistic rebuilt from replays alone",
    "firstboard": "the browser client at a first visit: time, requests, long tasks",
}


def main(words: list[str]) -> int:
    """Run what the first word names; 2 and the list when it names nothing."""
    if not words or words[0] not in NAMES:
        print("usage: python -m bench NAME [ARGUMENTS; --help tells them]\n")
        for name, text in NAMES.items():
            print(f"  {name:10} {text}")
        return 0 if words in ([], ["--help"]) else 2
    name = words[0]
    sys.argv = [f"python -m bench {name}", *words[1:]]
    return int(importlib.import_module(f"bench.{name}").main() or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
