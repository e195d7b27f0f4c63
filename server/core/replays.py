"""A finished game as a replay, its events and its text; whether it may be shown says opening.py.

Everything is played again from the log and told by the engine's views, as the events were that the
player got while playing.
"""

from collections.abc import Iterator
from typing import Final

from engine.code import parse
from engine.game import Game
from engine.log import records
from engine.replay import to_text
from engine.view import view, view_diff
from server.core import answers, daily
from server.core.ports import StoredSession
from server.core.session import tells_time

OVER: Final = "over"
"""The state of a game that its race ended before its player did."""


class Replay:
    """A session played again, from its deal to its end. Raises EngineError when it is no game.

    Use `events` once, to its end; the other things are true after it.
    """

    def __init__(self, stored: StoredSession) -> None:
        self._stored = stored
        self._code = parse(stored.code)
        self._game = Game(self._code)

    def start(self) -> bytes:
        """The board after the deal, as a snapshot at version 0; ask for it before the events."""
        seen = view(self._game, hide_code=False)
        stored = self._stored
        return answers.snapshot(
            stored.session_id, stored.origin, 0, seen, is_sealed=self._code.is_sealed
        )

    def events(self) -> Iterator[tuple[int, bytes]]:
        """Each command's milliseconds since the deal and its event, as it went to the player."""
        game = self._game
        for _, move, ms in records(self._stored.log):
            diff = game.play(move, ms)
            yield (
                ms,
                answers.event(
                    diff.after,
                    answers.changes_of(view_diff(diff)),
                    game.legal_moves,
                    can_undo=game.can_undo,
                    elapsed_ms=game.elapsed(ms) if tells_time(diff) else None,
                ),
            )

    def text(self) -> str:
        """The replay as the text that anyone can check."""
        return to_text(self._game, daily.today(self._stored.dealt_at_ms))

    def summary(self) -> dict[str, object]:
        """What the game came to, as data."""
        game, stored = self._game, self._stored
        return {
            "session": stored.session_id,
            "letter": game.ruleset.letter,
            "code": str(self._code),
            "state": game.state.value if game.is_over else OVER,
            "score": game.score,
            "ranked": game.ranked_score,
            "moves": game.moves,
            "time": game.elapsed(self._ended_ms()),
            "dealt": stored.dealt_at_ms,
        }

    def _ended_ms(self) -> int:
        closed = self._stored.closed_at_ms
        return 0 if closed is None else max(0, closed - self._stored.dealt_at_ms)
