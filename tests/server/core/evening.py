"""An evening in one room, with the store played by plain Python: what commits, happens to facts."""

from dataclasses import replace

import pytest

from server.core import race
from server.core.raceacts import (
    Archive,
    CloseGate,
    Command,
    DealLanes,
    Decision,
    Effect,
    Join,
    Remove,
    SettleLane,
    Start,
    Wish,
)
from server.core.racesteps import COUNTDOWN_MS
from server.core.refusals import Code, Refused
from server.core.room import Facts, Room, State
from server.core.standings import Finish, Outcome, Progress

ROOM_ID = "abcdefghijklmnop"
ROOM_CODE = "BCDFGH"
START = 1_796_000_000_000
SEALED = Wish("C", None, 5)
LOBBY, COUNTDOWN, RUNNING, FINISHED = State
ENTROPY = bytes(range(17))
TYPED = Wish("C", "YU1-R-AAAAAAB", 0)


class Evening:
    """A room, its facts, and a clock that only moves when told to."""

    def __init__(self, wish: Wish = SEALED, *, host: str = "anna") -> None:
        self.now = START
        self.room: Room = race.make(
            (ROOM_ID, ROOM_CODE), host, host.title(), wish, entropy=self.entropy(), now=START
        )
        self.facts = Facts()
        self.effects: list[Effect] = []
        self.archived: list[Archive] = []
        self._drawn = 0

    def entropy(self) -> bytes:
        self._drawn = getattr(self, "_drawn", 0) + 1
        return self._drawn.to_bytes(17, "big")[::-1]

    def do(self, player: str, command: Command) -> Decision:
        """Decide and commit; Refused leaves everything as it was."""
        decision = race.decide(self.room, self.facts, player, command, self.now)
        self._commit(decision)
        return decision

    def look(self) -> Decision:
        decision = race.look(self.room, self.facts, self.now)
        self._commit(decision)
        return decision

    def wait(self, milliseconds: int) -> Decision:
        """Time passes; then the room is looked at."""
        self.now += milliseconds
        return self.look()

    def stay(self, *players: str, until: int = 10**15) -> None:
        """These players are connected until then."""
        self.facts = replace(self.facts, seen={**self.facts.seen, **dict.fromkeys(players, until)})

    def lose(self, player: str) -> None:
        self.stay(player, until=self.now)

    def move(self, seat: int, progress: Progress) -> bool:
        """A move of a lane, as the commit script lets it through."""
        if not self.takes_moves(seat):
            return False
        self.facts = replace(self.facts, progress={**self.facts.progress, seat: progress})
        return True

    def finish(self, seat: int, outcome: Outcome = Outcome.WON, ms: int | None = None) -> bool:
        """A lane ends with a move of its own."""
        if not self.takes_moves(seat):
            return False
        time = self.now - (self.room.race.started or 0) if ms is None else ms
        done = Finish(outcome, time, self.facts.finished + 1)
        self.facts = replace(self.facts, finishes={**self.facts.finishes, seat: done})
        return True

    def takes_moves(self, seat: int) -> bool:
        now = self.room.race
        return (
            now.state is State.RUNNING
            and (now.ends is None or self.now < now.ends)
            and any(lane.seat == seat for lane in now.lanes)
            and seat not in self.facts.finishes
        )

    def _commit(self, decision: Decision) -> None:
        self.room = Room.from_json(decision.room.to_json())
        assert self.room == decision.room
        for effect in decision.effects:
            self._apply(effect)
        self.effects += decision.effects

    def _apply(self, effect: Effect) -> None:
        facts = self.facts
        if isinstance(effect, SettleLane):
            if effect.lane.seat not in facts.finishes:
                done = Finish(effect.outcome, effect.ms, facts.finished + 1)
                self.facts = replace(facts, finishes={**facts.finishes, effect.lane.seat: done})
        elif isinstance(effect, Archive):
            self.archived.append(effect)
            self.facts = Facts(seen=facts.seen)
        elif isinstance(effect, DealLanes):
            assert not facts.progress
            assert not facts.finishes
        elif isinstance(effect, CloseGate):
            assert self.room.race.state is State.FINISHED


def evening_in(state: State, wish: Wish = SEALED) -> Evening:
    """Anna is host, bert has a seat, carl looks on, dora was removed."""
    evening = Evening(wish)
    for player in ("bert", "dora"):
        evening.do(player, Join(player.title()))
    evening.do("anna", Remove(2))
    evening.stay("anna", "bert")
    if state is not LOBBY:
        evening.do("anna", Start(force=True))
    if state in (RUNNING, FINISHED):
        evening.wait(COUNTDOWN_MS)
    if state is FINISHED:
        evening.wait(5 * 60_000)
        if evening.room.race.state is RUNNING:  # no limit
            for seat in (0, 1):
                evening.finish(seat)
            evening.look()
    assert evening.room.race.state is state
    return evening


def refusal(evening: Evening, player: str, command: Command) -> Code:
    """The code of a command that must be refused and must change nothing."""
    before = (evening.room, evening.facts)
    with pytest.raises(Refused) as refused:
        evening.do(player, command)
    assert (evening.room, evening.facts) == before
    assert isinstance(refused.value.code, Code)
    return refused.value.code
