"""Whatever a room is asked, in whatever order, some things always hold."""

import contextlib
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.core import roommessages
from server.core.race import decide, look, next_due, role_of
from server.core.raceacts import (
    Archive,
    Change,
    CloseGate,
    Command,
    DealLanes,
    Join,
    Leave,
    Lock,
    Ready,
    Rematch,
    Remove,
    Rename,
    Role,
    Start,
    Watch,
    Wish,
)
from server.core.refusals import Refused
from server.core.room import LIMITS, MOST_SEATS, Race, State
from server.core.standings import Outcome, Progress
from tests.server.core.evening import Evening

PLAYERS = [f"player{number}" for number in range(18)]
players = st.sampled_from(PLAYERS[:6]) | st.sampled_from(PLAYERS)
entropies = st.binary(min_size=17, max_size=17)
wishes = st.builds(
    Wish,
    st.sampled_from("CROTYSAPD"),
    st.none() | st.sampled_from(["YU1-C-AAAAAAB", "yu1sabcdefg"]),
    st.sampled_from(LIMITS),
)
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(Join, st.sampled_from(["Anna", "Bert", "Zoë 🃏"])),
    st.just(Watch()),
    st.builds(Ready, st.booleans()),
    st.builds(Start, st.booleans()),
    st.builds(Change, wishes, entropies),
    st.builds(Remove, st.integers(0, MOST_SEATS)),
    st.builds(Lock, st.booleans()),
    st.just(Leave()),
    st.builds(Rename, st.sampled_from(["Anna", "Cleo"])),
    st.builds(Rematch, st.integers(1, 4), st.booleans(), entropies),
)
progresses = st.builds(
    Progress,
    st.integers(0, 52),
    st.integers(0, 21),
    st.integers(0, 625),
    st.integers(0, 300),
    st.booleans(),
)


class RoomMachine(RuleBasedStateMachine):
    """Random evenings; the store is played by plain Python."""

    @initialize(wish=wishes)
    def make(self, wish: Wish) -> None:
        self.evening = Evening(wish, host=PLAYERS[0])
        self.finished: dict[int, Race] = {}
        self.commitments: dict[int, Any] = {}

    @rule(player=players, command=commands)
    def anything(self, player: str, command: Command) -> None:
        before = (self.evening.room, self.evening.facts)
        try:
            self.evening.do(player, command)
        except Refused:
            assert (self.evening.room, self.evening.facts) == before

    @rule(name=st.sampled_from(PLAYERS[:5]))
    def somebody_joins(self, name: str) -> None:
        self.anything(name, Join("Guest"))

    @precondition(lambda self: self.evening.room.host is not None)
    @rule(
        command=st.just(Start(True))
        | st.builds(Change, wishes, entropies)
        | st.builds(Remove, st.integers(0, 4))
    )
    def the_host(self, command: Command) -> None:
        assert self.evening.room.host is not None
        self.anything(self.evening.room.host, command)

    @precondition(lambda self: self.evening.room.race.state is State.FINISHED)
    @rule(same=st.booleans(), entropy=entropies)
    def again(self, same: bool, entropy: bytes) -> None:
        room = self.evening.room
        if room.host is not None:
            self.evening.do(room.host, Rematch(room.race.number, same, entropy))

    @rule(
        milliseconds=st.sampled_from([0, 1, 3_999, 4_000, 15_000, 30_000, 120_000, 300_000])
        | st.integers(0, 2_000_000)
    )
    def time_passes(self, milliseconds: int) -> None:
        self.evening.wait(milliseconds)

    @precondition(lambda self: self.evening.room.race.state is State.COUNTDOWN)
    @rule()
    def go(self) -> None:
        self.evening.wait(4_000)
        assert self.evening.room.race.state is not State.COUNTDOWN

    @precondition(lambda self: self.evening.room.race.state is State.RUNNING)
    @rule(pick=st.integers(0, 15), progress=progresses)
    def a_move(self, pick: int, progress: Progress) -> None:
        lanes = self.evening.room.race.lanes
        self.evening.move(lanes[pick % len(lanes)].seat, progress)

    @precondition(lambda self: self.evening.room.race.state is State.RUNNING)
    @rule(
        pick=st.integers(0, 15),
        outcome=st.sampled_from([Outcome.WON, Outcome.GAVE_UP]),
        ms=st.none() | st.integers(0, 5),
        looked_at=st.booleans(),
    )
    def an_end(self, pick: int, outcome: Outcome, ms: int | None, looked_at: bool) -> None:
        lanes = self.evening.room.race.lanes
        self.evening.finish(lanes[pick % len(lanes)].seat, outcome, ms)
        if looked_at:
            self.evening.look()

    @rule(player=players, connected=st.booleans())
    def connection(self, player: str, connected: bool) -> None:
        if connected:
            self.evening.stay(player, until=self.evening.now + 60_000)
        else:
            self.evening.lose(player)

    @invariant()
    def one_host_among_the_seats(self) -> None:
        room = self.evening.room
        hosts = [seat for seat in room.seats if role_of(room, seat.player) is Role.HOST]
        assert len(hosts) == (1 if room.seats else 0)
        assert (room.host is None) == (not room.seats)

    @invariant()
    def seats_are_unique_and_few(self) -> None:
        room = self.evening.room
        assert len({seat.number for seat in room.seats}) == len(room.seats) <= MOST_SEATS
        assert len({seat.player for seat in room.seats}) == len(room.seats)
        assert all(0 <= seat.number < MOST_SEATS for seat in room.seats)
        assert not {seat.player for seat in room.seats} & set(room.removed)
        taken = {lane.seat: lane.player for lane in room.race.lanes}
        assert len(taken) == len(room.race.lanes)
        for seat in room.seats:
            assert taken.get(seat.number, seat.player) == seat.player

    @invariant()
    def nothing_secret_is_told(self) -> None:
        room, facts, now = self.evening.room, self.evening.facts, self.evening.now
        told = repr((roommessages.room(room, facts, now), roommessages.lanes(room, facts, now)))
        if room.race.sealed and room.race.state is not State.FINISHED:
            assert room.race.code not in told
        else:
            assert room.race.code in told
        assert not any(f"'{player}'" in told for player in PLAYERS)

    @invariant()
    def sealed_cards_stay_what_was_promised(self) -> None:
        race = self.evening.room.race
        if race.state is State.LOBBY:
            self.commitments.pop(race.number, None)
            return
        promised = roommessages.shown_commitment(race)
        assert self.commitments.setdefault(race.number, promised) == promised

    @invariant()
    def finished_is_final(self) -> None:
        race = self.evening.room.race
        if race.state is State.FINISHED:
            assert self.finished.setdefault(race.number, race) == race
            assert race.ending is not None
            assert race.finished is not None
        else:
            assert race.number not in self.finished

    @invariant()
    def go_and_the_end_happen_once_for_each_race(self) -> None:
        for kind in (DealLanes, CloseGate, Archive):
            numbers = [e.race for e in self.evening.effects if isinstance(e, kind)]
            assert len(set(numbers)) == len(numbers)
        dealt = {e.race for e in self.evening.effects if isinstance(e, DealLanes)}
        closed = {e.race for e in self.evening.effects if isinstance(e, CloseGate)}
        assert closed <= dealt
        race = self.evening.room.race
        assert (race.number in dealt) == (race.state in (State.RUNNING, State.FINISHED))
        assert (race.number in closed) == (race.state is State.FINISHED)

    @invariant()
    def lanes_are_there_from_go_on(self) -> None:
        race = self.evening.room.race
        assert bool(race.lanes) == (race.state in (State.RUNNING, State.FINISHED))
        assert (race.started is None) == (not race.lanes)

    @invariant()
    def places_are_one_to_n(self) -> None:
        room, facts = self.evening.room, self.evening.facts
        if room.race.state is State.FINISHED:
            rows = roommessages.final_standings(room, facts)[-1]
            assert isinstance(rows, tuple)
            assert [row[0] for row in rows] == list(range(1, len(room.race.lanes) + 1))

    @invariant()
    def a_look_finds_all_there_is(self) -> None:
        room, facts, now = self.evening.room, self.evening.facts, self.evening.now
        once = look(room, facts, now)
        if once.room == room:
            due = next_due(room, facts, now)
            assert due is None or due > now
        elif not once.effects:
            assert look(once.room, facts, now).room == once.room

    @rule(player=players)
    def a_new_name_gives_nobody_a_seat(self, player: str) -> None:
        before = [(seat.number, seat.player) for seat in self.evening.room.seats]
        with contextlib.suppress(Refused):
            self.evening.do(player, Rename("Dora"))
        assert [(seat.number, seat.player) for seat in self.evening.room.seats] == before

    @invariant()
    def deciding_changes_nothing(self) -> None:
        room = self.evening.room
        before = room.to_json()
        with contextlib.suppress(Refused):
            decide(room, self.evening.facts, PLAYERS[0], Leave(), self.evening.now)
        assert room.to_json() == before


TestRoom = RoomMachine.TestCase
