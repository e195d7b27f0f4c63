"""One game: a code, the commands accepted so far, and the position they led to. Has no clock."""

from typing import Self

from engine.cards import FIRST_FOUNDATION, STOCK
from engine.code import GameCode, parse
from engine.deal import deal
from engine.diff import Counters, Diff, Moved, State, Step, Turned
from engine.errors import EngineError, IllegalMove, InvalidLog, InvalidMove, Reason
from engine.journal import CARD_HOME, CARD_TURNED_UP, STEP, TURNED, Journal
from engine.legal import NO_MOVES, LegalMoves
from engine.log import Log, records
from engine.move import FINISH, PAUSE, RESIGN, RESUME, SPECIAL, UNDO, Move
from engine.notation import move_text, position_text, read_move, resolve
from engine.position import Position
from engine.rules import after_move, finish, is_command, legal_codes, settle_aces, why_illegal
from engine.ruleset import Automatic, Ruleset

# Looking up a member of an enum costs more than the rest of what `state` does.
_PLAYING = State.PLAYING


class Game:
    """A game that is played, or read from its log.

    Everything it does is told by commands, each with the milliseconds since the deal that the
    caller's clock shows. A refused command changes nothing. `Game(code)` is the game right after
    the deal, with the aces up where the ruleset sends them; it raises InvalidCode.
    """

    __slots__ = (
        "_blocked",
        "_code",
        "_codes",
        "_counters",
        "_given_up",
        "_journal",
        "_log",
        "_moves",
        "_score",
        "position",
        "ruleset",
    )

    def __init__(self, code: GameCode | str) -> None:
        self._code: GameCode | None = parse(code) if isinstance(code, str) else code
        self._begin(deal(self._code))

    def _begin(self, position: Position) -> None:
        self.position = position
        self.ruleset: Ruleset = position.ruleset
        if self.ruleset.automatic is Automatic.ACES:
            settle_aces(position, [])
        self._journal = Journal(self.ruleset.undo_limit)
        self._log = Log()
        self._score = position.ranked_score
        self._moves = 0
        self._given_up = False
        # What is known of the position: its legal moves, and whether there is none.
        self._codes: tuple[int, ...] | None = None
        self._blocked: bool | None = None
        self._counters: Counters | None = None

    @classmethod
    def from_position(cls, ruleset: Ruleset, position: Position) -> Self:
        """A game that starts from a copy of a position, for analysis and tests; it has no code.

        It is played by `ruleset`, which must have the same piles and cards, and starts with the
        score that the cards are worth there.
        """
        game = cls.__new__(cls)
        game._code = None  # noqa: SLF001
        game._begin(position.copy(ruleset))  # noqa: SLF001
        return game

    @classmethod
    def from_log(cls, code: GameCode | str, log: bytes) -> Self:
        """The game that wrote this log. Raises InvalidCode, or InvalidLog naming the record."""
        game = cls(code)
        for number, move, ms in records(log):
            reason = game._why_illegal(move)
            if reason is not None:
                raise InvalidLog(number, str(game._refusal(move, reason)))
            game._accept(move, ms)
        return game

    @property
    def code(self) -> GameCode | None:
        """The code that the game was dealt from; None when it started from a position."""
        return self._code

    @property
    def log(self) -> bytes:
        """All accepted commands, 8 bytes each."""
        return bytes(self._log)

    @property
    def version(self) -> int:
        """How many commands have been accepted."""
        return len(self._log)

    @property
    def moves(self) -> int:
        """The move counter: one for each accepted move, for a finish one for each card."""
        return self._moves

    @property
    def score(self) -> int:
        """10 for each card placed on a foundation, 5 for each turned up; undo takes them back."""
        return self._score

    @property
    def ranked_score(self) -> int:
        """What the cards are worth as they lie, whatever way led there."""
        return self.position.ranked_score

    @property
    def is_won(self) -> bool:
        """Whether every card is on a foundation."""
        return self.position.is_won

    @property
    def is_over(self) -> bool:
        """Whether the game is won or given up, so that nothing can be played or undone."""
        return self._given_up or self.position.is_won

    @property
    def is_paused(self) -> bool:
        """Whether only resume is accepted."""
        return self._log.is_paused

    @property
    def is_blocked(self) -> bool:
        """Whether the game has not ended and no move is legal in its position."""
        if self._blocked is None:
            self._blocked = not self._legal_codes()
        return self._blocked and not self.is_over

    @property
    def is_lost(self) -> bool:
        """Whether the game is blocked and its ruleset calls that lost."""
        return self.ruleset.lost and self.is_blocked

    @property
    def state(self) -> State:
        """Playing, paused, blocked (in every ruleset; see `is_lost`), won or given up."""
        if self._given_up:
            return State.GIVEN_UP
        if self.position.is_won:
            return State.WON
        if self._log.is_paused:
            return State.PAUSED
        if self._blocked is None:
            self._blocked = not self._legal_codes()
        return State.BLOCKED if self._blocked else _PLAYING

    @property
    def can_undo(self) -> bool:
        """Whether an undo would be accepted now."""
        return self._journal.can_undo and not self._log.is_paused and not self.is_over

    @property
    def is_finishable(self) -> bool:
        """Whether a finish would be accepted now."""
        return FINISH in self.legal_moves

    @property
    def legal_moves(self) -> LegalMoves:
        """What may be played now, the finish included; nothing while paused or when over."""
        if self._log.is_paused or self.is_over:
            return NO_MOVES
        return LegalMoves(self._legal_codes())

    @property
    def counters(self) -> Counters:
        """The numbers of the game beside its cards."""
        if self._counters is None:
            self._counters = Counters(
                len(self._log), self._moves, self._score, self.position.ranked_score, self.state
            )
        return self._counters

    @property
    def last_ms(self) -> int:
        """The time of the last record, in milliseconds since the deal; 0 without one."""
        return self._log.last_ms

    @property
    def time_ms(self) -> int | None:
        """How long a won game took: from the deal to the winning move, without pauses."""
        return self.elapsed(self.last_ms) if self.is_won else None

    def elapsed(self, now_ms: int) -> int:
        """What the game's clock shows `now_ms` milliseconds after the deal.

        It stands while the game is paused, and from its end on. It never runs backwards: an
        instant before the last record counts as the last record's.
        """
        return self._log.without_pauses(self.last_ms if self.is_over else max(now_ms, self.last_ms))

    def read(self, text: str) -> Move:
        """The command that a text stands for here, with its foundation named. InvalidMove."""
        return resolve(self.position, read_move(text, self.ruleset))

    def why_illegal(self, command: Move | str) -> Reason | None:
        """Why a command would be refused now; None when it would be accepted."""
        if isinstance(command, str):
            try:
                command = self.read(command)
            except InvalidMove as error:
                return error.reason
        return self._why_illegal(command)

    def play(self, command: Move | str, ms: int) -> Diff:
        """Do a command, `ms` milliseconds after the deal, and return what changed.

        Raises InvalidMove when it is no command, IllegalMove when the rules do not allow it, and
        ValueError when `ms` is before the last record or after LAST_MS; then nothing has changed.
        """
        move = self.read(command) if isinstance(command, str) else command
        reason = self._why_illegal(move)
        if reason is not None:
            raise self._refusal(move, reason, command if isinstance(command, str) else None)
        before = self._counters or self.counters
        steps = tuple(self._accept(move, ms))
        return Diff(move, steps, before, self.counters)

    def stamp(self, ms: int) -> None:
        """Replace the time of the last record. Raises ValueError for an impossible one."""
        self._log.stamp(ms)

    def retract(self) -> None:
        """Forget the last accepted command, as if it had never been played.

        Any command can be retracted, an undo and a pause too, and one after the other back to the
        deal. Raises EngineError when there is none.
        """
        move = self._log.pop()
        self._codes = self._blocked = self._counters = None
        if move == RESIGN:
            self._given_up = False
        elif move == UNDO:
            self._step_again(self._journal.redo())
            self._moves -= self.ruleset.undo_costs
        elif move not in (PAUSE, RESUME):
            steps = self._journal.forget()
            self._step_back(steps)
            self._moves -= len(steps) // STEP if move == FINISH else 1

    def _legal_codes(self) -> tuple[int, ...]:
        if self._codes is None:
            self._codes = tuple(legal_codes(self.position))
        return self._codes

    def _why_illegal(self, command: Move) -> Reason | None:
        special = command[0] == SPECIAL
        if special and not is_command(command):
            return Reason.UNREADABLE
        if self._given_up or self.position.is_won:
            return Reason.GAME_OVER
        if self._log.is_paused:
            return None if command == RESUME else Reason.PAUSED
        if not special:
            return why_illegal(self.position, command)
        if command == UNDO:
            return None if self._journal.can_undo else Reason.NOTHING_TO_UNDO
        if command == RESUME:
            return Reason.NOT_PAUSED
        return None if command in (PAUSE, RESIGN) else why_illegal(self.position, command)

    def _refusal(self, move: Move, reason: Reason, text: str | None = None) -> EngineError:
        written = text if text is not None else move_text(move, self.ruleset)
        if reason is Reason.UNREADABLE:
            return InvalidMove(f"{written} is no command")
        return IllegalMove(reason, written, position_text(self.position))

    def _accept(self, move: Move, ms: int) -> list[Step]:
        """Do a command that is known to be legal."""
        self._log.append(move, ms)
        self._counters = None
        if move[0] != SPECIAL:
            return self._move_cards(move)
        if move == UNDO:
            return self._undo()
        if move in (PAUSE, RESUME):
            return []
        if move == RESIGN:
            self._given_up = True
            return []
        return self._finish() if move == FINISH else self._turn_up(move[2])

    def _move_cards(self, move: Move) -> list[Step]:
        source, count, target = move
        cards = self.position.shift(source, count, target)
        steps: list[Step] = [Moved(source, count, target, tuple(cards))]
        after_move(self.position, source, steps)
        self._moves += 1
        return self._remember(steps)

    def _turn_up(self, column: int) -> list[Step]:
        steps: list[Step] = [Turned(column, self.position.turn_up(column), up=True)]
        after_move(self.position, column, steps)
        self._moves += 1
        return self._remember(steps)

    def _finish(self) -> list[Step]:
        steps: list[Step] = []
        finish(self.position, steps)
        self._moves += len(steps)
        return self._remember(steps)

    def _remember(self, steps: list[Step]) -> list[Step]:
        """Score the steps of a move and keep them for undo."""
        self._codes = self._blocked = None
        self._score += self._journal.push(steps)
        return steps

    def _undo(self) -> list[Step]:
        self._codes = None
        # The move that is undone was legal where it was played.
        self._blocked = False
        self._moves += self.ruleset.undo_costs
        return self._step_back(self._journal.undo())

    def _step_again(self, steps: bytes) -> None:
        """Do the steps of a move once more."""
        for at in range(0, len(steps), STEP):
            first, count, target = steps[at : at + STEP]
            if first == TURNED:
                self.position.turn_up(count)
                self._score += CARD_TURNED_UP
            else:
                self.position.shift(first, count, target)
                if FIRST_FOUNDATION <= target < STOCK:
                    self._score += CARD_HOME

    def _step_back(self, steps: bytes) -> list[Step]:
        """Take back the steps of a move, the last one first, and tell what that did."""
        back: list[Step] = []
        position = self.position
        for at in range(len(steps) - STEP, -1, -STEP):
            first, count, target = steps[at : at + STEP]
            if first == TURNED:
                back.append(Turned(count, position.turn_down(count), up=False))
                self._score -= CARD_TURNED_UP
            else:
                cards = position.shift(target, count, first)
                back.append(Moved(target, count, first, tuple(cards)))
                if FIRST_FOUNDATION <= target < STOCK:
                    self._score -= CARD_HOME
        return back
