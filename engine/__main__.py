"""The engine's command line: `python -m engine`. The only room here that reads and prints.

Standard output is one JSON object. Whatever is refused is told on standard error, with exit
status 2 and nothing on standard output.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from engine.cards import MASK, card_text
from engine.code import commitment, parse
from engine.errors import EngineError, IllegalMove, InvalidMove, Reason
from engine.game import Game
from engine.notation import foundation_name, move_text, position_text
from engine.replay import verify
from engine.ruleset import RULESETS, Ruleset, ruleset

REFUSED = 2
_STANDARD_INPUT = "-"
_HELP = """\
actions:
  deal CODE                 the game right after the deal
  legal CODE [COMMAND ...]  the game after these commands; its legal moves are under "legal"
  play CODE [COMMAND ...]   the same, and without commands they are read from standard input
  verify FILE               what a replay proves
  rules [LETTER]            all rulesets, or one of them
  commitment CODE           SHA-256 of the code, to show while the code is hidden

Commands: T3:4>T6  T3>F  Fs>T2  D  W>T3  W>F  !T3  *  U  pause  resume  resign. Quote them, or the
shell takes > and * for itself. The command - stands for those on standard input, the file - for
standard input. Hidden cards are shown as ## unless --open is given."""

Json = dict[str, object]


class RefusedCommand(Exception):
    """One of the given commands was refused: its number, text, reason and the position."""

    def __init__(self, number: int, text: str, reason: Reason, game: Game) -> None:
        position = position_text(game.position)
        super().__init__(
            f"command {number}: {text}: {reason.value}: {reason.sentence} Position: {position}"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say; the exit status is 0, or 2 when something was refused."""
    parser = argparse.ArgumentParser(
        prog="python -m engine",
        description="The rules of Yukon Solitaire, one JSON object at a time.",
        epilog=_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("action", choices=_ACTIONS, help="see below")
    parser.add_argument("words", nargs="*", metavar="ARGUMENT", help="what the action works on")
    parser.add_argument("--open", action="store_true", help="show hidden cards too")
    options = parser.parse_intermixed_args(arguments)
    act, least, most = _ACTIONS[options.action]
    if not least <= len(options.words) <= most:
        parser.error(f"{options.action} takes other arguments, see --help")
    try:
        answer = act(options.words, not options.open)
    except (EngineError, RefusedCommand, OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return REFUSED
    print(json.dumps(answer))
    return 0


def _deal(words: Sequence[str], masked: bool) -> Json:
    return _game_json(Game(words[0]), masked=masked)


def _legal(words: Sequence[str], masked: bool) -> Json:
    return _game_json(_played(words[0], words[1:]), masked=masked)


def _play(words: Sequence[str], masked: bool) -> Json:
    return _game_json(_played(words[0], words[1:] or [_STANDARD_INPUT]), masked=masked)


def _played(code: str, words: Sequence[str]) -> Game:
    """The game after the given commands, all played at the moment of the deal."""
    game = Game(code)
    for number, text in enumerate(_commands(words), 1):
        try:
            game.play(text, 0)
        except (IllegalMove, InvalidMove) as error:
            raise RefusedCommand(number, text, error.reason, game) from error
    return game


def _commands(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        yield from sys.stdin.read().split() if word == _STANDARD_INPUT else word.split()


def _game_json(game: Game, *, masked: bool) -> Json:
    """Everything there is to see of a game; hidden cards only when it is not masked."""
    position = game.position
    columns = [
        [MASK if masked and place < down else card_text(card) for place, card in enumerate(column)]
        for column, down in zip(position.columns, position.down, strict=True)
    ]
    foundations = {
        foundation_name(number, game.ruleset): len(foundation)
        for number, foundation in enumerate(position.foundations)
    }
    return {
        "code": str(game.code),
        "ruleset": game.ruleset.letter,
        "state": game.state.value,
        "position": position_text(position, masked=masked),
        "columns": columns,
        "foundations": foundations,
        "stock": len(position.stock),
        "waste": [card_text(card) for card in position.waste],
        "score": game.score,
        "ranked_score": game.ranked_score,
        "moves": game.moves,
        "version": game.version,
        "won": game.is_won,
        "blocked": game.is_blocked,
        "finishable": game.is_finishable,
        "can_undo": game.can_undo,
        "legal": sorted(move_text(move, game.ruleset) for move in game.legal_moves),
    }


def _verify(words: Sequence[str], masked: bool) -> Json:  # noqa: ARG001
    name = words[0]
    # The bytes as they are: a replay with other line ends is another text.
    data = sys.stdin.buffer.read() if name == _STANDARD_INPUT else Path(name).read_bytes()
    result = verify(data.decode())
    return {
        "code": str(result.code),
        "ruleset": result.code.letter,
        "date": result.date.isoformat(),
        "state": result.state.value,
        "won": result.time_ms is not None,
        "score": result.score,
        "ranked_score": result.ranked_score,
        "moves": result.moves,
        "version": result.version,
        "time_ms": result.time_ms,
    }


def _rules(words: Sequence[str], masked: bool) -> Json:  # noqa: ARG001
    if words:
        return _ruleset_json(ruleset(words[0].upper()))
    return {letter: _ruleset_json(rules) for letter, rules in RULESETS.items()}


def _ruleset_json(rules: Ruleset) -> Json:
    return {
        "letter": rules.letter,
        "name": rules.name,
        "sentence": rules.sentence,
        "columns": list(rules.layout.lengths),
        "face_down": list(rules.layout.face_down),
        "decks": rules.decks,
        "foundations": rules.foundations,
        "stock": rules.layout.stock_size,
        "suits": rules.suits.value,
        "steps": sorted(rules.steps),
        "take_back": rules.take_back,
        "group_limit": rules.group_limit,
        "undo_limit": rules.undo_limit,
        "undo_costs": rules.undo_costs,
        "turn_up": rules.turn_up.value,
        "automatic": rules.automatic.value,
        "lost": rules.lost,
    }


def _commitment(words: Sequence[str], masked: bool) -> Json:  # noqa: ARG001
    code = parse(words[0])
    return {"code": str(code), "commitment": commitment(code)}


_ANY = sys.maxsize
# What each action does, and the least and most arguments it takes.
_ACTIONS: dict[str, tuple[Callable[[Sequence[str], bool], Json], int, int]] = {
    "deal": (_deal, 1, 1),
    "legal": (_legal, 1, _ANY),
    "play": (_play, 1, _ANY),
    "verify": (_verify, 1, 1),
    "rules": (_rules, 0, 1),
    "commitment": (_commitment, 1, 1),
}


if __name__ == "__main__":
    sys.exit(main())
