"""One player's play of one game code: what a command comes to; it commits and sends nothing."""

from datetime import date
from typing import Final, NamedTuple

from engine.code import parse
from engine.diff import Diff, State
from engine.errors import EngineError, IllegalMove, InvalidMove, Reason
from engine.game import Game
from engine.move import FINISH, RESIGN, RESUME, Move
from engine.view import view, view_diff
from server.core import answers, daily
from server.core.heads import ACTION_SIZE, RECORD_SIZE, next_head
from server.core.lanes import OUTCOMES, progress_of
from server.core.messages import Kind, Origin, Play
from server.core.ports import Commit, LaneCommit, SessionEvent, StoredSession
from server.core.recording import was_paused
from server.core.refusals import Code
from server.core.room import read_lane_name

MOST_COMMANDS: Final = 10_000
"""Commands of a session: whoever loads it plays them all again, at about 8 µs each."""
_ALWAYS: Final = (FINISH, RESUME, RESIGN)
"""What is accepted of a session that is as long as that: it leads to its end."""

# Looking up a member of an enum takes longer than comparing it.
_PLAYING: Final = State.PLAYING
_PAUSED: Final = State.PAUSED
_FAIR: Final = frozenset((Origin.RANKED, Origin.DAILY, Origin.RACE))
_OVER: Final = (State.WON, State.GIVEN_UP)


class Accepted(NamedTuple):
    """The command is legal and played in memory; it holds when `commit` is in the store."""

    commit: Commit
    diff: Diff
    changes: bytes
    with_time: bool


class Already(NamedTuple):
    """The command is in the log at its place: it arrived before."""

    version: int


class Outdated(NamedTuple):
    """The command was made on another version than the session has."""


class Broken(NamedTuple):
    """The command breaks a rule, or is not possible in this kind of session."""

    reason: Reason | Code


Decision = Accepted | Already | Outdated | Broken
OUTDATED: Final = Outdated()


class Diverged(Exception):
    """Another worker committed something that does not follow from this worker's history."""


class Session:
    """A session in memory, which is only a copy: its truth is the store's log.

    `player` may read and move it; `is_first`: these cards were new to them. Times are milliseconds,
    instants Unix milliseconds by the clock of the store.
    """

    __slots__ = (
        "closed_at_ms",
        "dealt_at_ms",
        "game",
        "head",
        "id",
        "is_first",
        "is_sealed",
        "lane",
        "opened_at_ms",
        "origin",
        "player",
        "race",
        "room",
    )

    def __init__(self, stored: StoredSession) -> None:
        """Play the stored log again. Raises EngineError when it is no game."""
        self.id = stored.session_id
        self.player = stored.player
        self.origin = stored.origin
        self.room = stored.room
        self.race = stored.race
        self.lane = read_lane_name(stored.race) if stored.race else None
        self.closed_at_ms = stored.closed_at_ms
        self.opened_at_ms = stored.opened_at_ms
        self.dealt_at_ms = stored.dealt_at_ms
        self.head = stored.head
        code = parse(stored.code)
        self.is_sealed = code.is_sealed
        self.is_first = True
        self.game = Game.from_log(code, stored.log)

    @property
    def version(self) -> int:
        """How many commands were accepted."""
        return self.game.version

    @property
    def is_over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.game.is_over or self.closed_at_ms is not None

    @property
    def hides_code(self) -> bool:
        """Whether nobody may know the code yet: drawn sealed, and still live.

        That of a daily deal opens with the end of its day, whatever becomes of the game.
        """
        if self.origin == Origin.TYPED or not self.is_sealed:
            return False
        if self.origin == Origin.DAILY:
            return True
        return self.opened_at_ms is None if self.race else not self.is_over

    @property
    def day(self) -> date | None:
        """The day whose deal this is."""
        return daily.today(self.dealt_at_ms) if self.origin == Origin.DAILY else None

    def counts(self, now_ms: int) -> bool:
        """Whether this play may enter the boards of its ruleset, as it stands."""
        if self.origin not in _FAIR or not (self.is_sealed and self.is_first):
            return False
        if was_paused(self.game.log):
            return False
        at_ms = self.dealt_at_ms + self.game.last_ms if self.is_over else now_ms
        return self.day is None or daily.is_today(self.day, at_ms)

    def elapsed_ms(self, now_ms: int) -> int:
        """The game's clock at an instant: since the deal, without pauses, final when it is over."""
        until = now_ms if self.closed_at_ms is None else min(now_ms, self.closed_at_ms)
        return self.game.elapsed(self.clock_ms(until))

    def clock_ms(self, now_ms: int) -> int:
        """Milliseconds since the deal at an instant, never less than the last record's."""
        return max(now_ms - self.dealt_at_ms, self.game.last_ms)

    def snapshot(self, now_ms: int) -> bytes:
        """The whole session as its player may see it, packed."""
        day = self.day
        is_open = day is not None and daily.is_over(day, now_ms)
        return answers.snapshot(
            self.id,
            self.origin,
            self.elapsed_ms(now_ms),
            view(self.game, hide_code=self.hides_code and not is_open),
            is_sealed=self.is_sealed,
            counts=self.counts(now_ms),
            day=None if day is None else day.isoformat(),
            first=self.is_sealed and self.is_first,
        )

    def knows(self, version: int, action: Move | bytes) -> bool:
        """Whether the command that made `version + 1` is in the log and is this one."""
        start = version * RECORD_SIZE
        return self.game.log[start : start + ACTION_SIZE] == bytes(action)

    def decide(self, command: Play, now_ms: int) -> Decision:
        """What a command comes to. An accepted one has changed the game; committing keeps it."""
        game = self.game
        version, action = command.version, command.action
        if version != game.version:
            if version < game.version and self.knows(version, action):
                return Already(version + 1)
            return OUTDATED
        if self.race and command.kind in (Kind.PAUSE, Kind.RESUME):
            return Broken(Code.NOT_IN_RACE)
        if self.closed_at_ms is not None:
            return Broken(Code.RACE_OVER)
        if version >= MOST_COMMANDS and action not in _ALWAYS:
            return Broken(Code.TOO_LONG)
        try:
            diff = game.play(action, self.clock_ms(now_ms))
        except (IllegalMove, InvalidMove) as refused:
            return Broken(refused.reason)
        changes = answers.changes_of(view_diff(diff))
        after = diff.after
        with_time = tells_time(diff)
        action_bytes = bytes(action)
        commit = Commit(
            self.id,
            version,
            self.head,
            action_bytes,
            next_head(self.head, action_bytes),
            after.state,
            after.score,
            after.ranked_score,
            after.moves,
            self._event(diff, changes, now_ms if with_time else None),
            with_time and after.state in _OVER,
            self.player,
            None if self.lane is None else self._lane_commit(self.lane),
        )
        return Accepted(commit, diff, changes, with_time)

    def _lane_commit(self, lane: tuple[int, int]) -> LaneCommit:
        outcome = OUTCOMES.get(self.game.state, "")
        return LaneCommit(self.room, *lane, progress_of(self.game).packed(), outcome)

    def settle(self, accepted: Accepted, ms: int) -> bytes:
        """Take the committed time and give the event for the session's viewers."""
        self.game.stamp(ms)
        self.head = accepted.commit.next_head
        if not accepted.with_time:
            return accepted.commit.event
        return self._event(accepted.diff, accepted.changes, self.dealt_at_ms + ms)

    def follow(self, event: SessionEvent) -> bytes:
        """Play what another worker committed on this version, and give the event for viewers.

        Raises Diverged, after which this copy is not to be used any more.
        """
        action = event.record[:ACTION_SIZE]
        ms = int.from_bytes(event.record[ACTION_SIZE:])
        if next_head(self.head, action) != event.head:
            raise Diverged
        try:
            diff = self.game.play(Move(*action), ms)
        except EngineError as error:
            raise Diverged from error
        self.head = event.head
        if not tells_time(diff):
            return event.event
        return self._event(diff, answers.changes_of(view_diff(diff)), self.dealt_at_ms + ms)

    def _event(self, diff: Diff, changes: bytes, now_ms: int | None) -> bytes:
        """The event of the last command, with the game's clock at `now_ms` where that is given."""
        game = self.game
        return answers.event(
            diff.after,
            changes,
            game.legal_moves,
            can_undo=game.can_undo,
            elapsed_ms=None if now_ms is None else self.elapsed_ms(now_ms),
        )


def tells_time(diff: Diff) -> bool:
    """Whether a command paused, resumed or ended the game, so that its event has the clock."""
    state = diff.after.state
    if state is _PLAYING:
        return diff.before.state is _PAUSED
    return state is _PAUSED or diff.before.state is _PAUSED or state in _OVER
