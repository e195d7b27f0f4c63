"""The state machine of a room's races: who may do what when, and what it comes to."""

from dataclasses import replace

import pytest

from engine.code import commitment, parse
from server.core import race, roommessages
from server.core.race import TABLE, Rule, decide, next_due, role_of
from server.core.raceacts import (
    HAPPENINGS,
    Archive,
    Change,
    CloseGate,
    Command,
    DealLanes,
    Dismiss,
    Happening,
    Join,
    Leave,
    Lock,
    Ready,
    Rematch,
    Remove,
    Rename,
    Role,
    SettleLane,
    Start,
    Watch,
    What,
    Wish,
)
from server.core.racesteps import COUNTDOWN_MS, EMPTY_MS, HOST_AWAY_MS, MOST_REMOVED, Scene
from server.core.refusals import Code, Refused
from server.core.room import MOST_SEATS, Ending, Room, State
from server.core.standings import Outcome, Progress
from tests.server.core.evening import SEALED, START, Evening

LOBBY, COUNTDOWN, RUNNING, FINISHED = State
ENTROPY = bytes(range(17))
TYPED = Wish("C", "YU1-R-AAAAAAB", 0)


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


# Who: host, seated, guest, removed. What: allowed (.), or refused, by the state of the race.
COMMANDS: dict[str, tuple[Command, str]] = {
    "join": (
        Join("Name"),
        """
        host     . . . .
        seated   . . . .
        guest    . . . .
        removed  removed removed removed removed
        """,
    ),
    "watch": (
        Watch(),
        """
        host     . . . .
        seated   . . . .
        guest    . . . .
        removed  removed removed removed removed
        """,
    ),
    "ready": (
        Ready(True),
        """
        host     . race_started race_started race_finished
        seated   . race_started race_started race_finished
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
    "start": (
        Start(force=True),
        """
        host     . race_started race_started race_finished
        seated   not_host not_host not_host not_host
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
    "change": (
        Change(Wish("S", None, 15), ENTROPY),
        """
        host     . race_started race_started race_finished
        seated   not_host not_host not_host not_host
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
    "remove": (
        Remove(1),
        """
        host     . . . .
        seated   not_host not_host not_host not_host
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
    "lock": (
        Lock(True),
        """
        host     . . . .
        seated   not_host not_host not_host not_host
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
    "leave": (
        Leave(),
        """
        host     . . . .
        seated   . . . .
        guest    . . . .
        removed  removed removed removed removed
        """,
    ),
    "rename": (
        Rename("Other"),
        """
        host     . . . .
        seated   . . . .
        guest    . . . .
        removed  removed removed removed removed
        """,
    ),
    "rematch": (
        Rematch(1, same=False, entropy=ENTROPY),
        """
        host     race_not_finished race_not_finished race_not_finished .
        seated   not_host not_host not_host not_host
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
}
PLAYERS = {"host": "anna", "seated": "bert", "guest": "carl", "removed": "dora"}
CASES = [
    (what, State(state), role, verdict)
    for what, (_, grid) in COMMANDS.items()
    for role, *verdicts in (line.split() for line in grid.strip().splitlines())
    for state, verdict in zip(State, verdicts, strict=True)
]


def test_every_command_is_tried_in_every_state_by_every_role() -> None:
    assert len(CASES) == 10 * 4 * 4
    assert set(COMMANDS) == {what.value for what in What if what not in HAPPENINGS}
    assert {command.what.value for command, _ in COMMANDS.values()} == set(COMMANDS)


@pytest.mark.parametrize("what,state,role,verdict", CASES)
def test_a_command_is_allowed_or_refused_with_its_code(
    what: str, state: State, role: str, verdict: str
) -> None:
    evening = evening_in(state)
    command, player = COMMANDS[what][0], PLAYERS[role]
    assert role_of(evening.room, player) == role
    if verdict != ".":
        assert refusal(evening, player, command) == verdict
        return
    cell = TABLE[What(what), state, Role(role)]
    assert isinstance(cell, Rule)
    evening.do(player, command)
    assert evening.room.race.state in (cell.to or (state,))


def test_the_table_has_a_cell_for_everything() -> None:
    assert set(TABLE) == {(what, state, role) for what in What for state in State for role in Role}
    for (what, _, role), cell in TABLE.items():
        if isinstance(cell, Rule):
            assert (role is Role.SERVER) == (what in HAPPENINGS)


@pytest.mark.parametrize("what", HAPPENINGS)
@pytest.mark.parametrize("player", PLAYERS.values())
def test_a_player_can_make_nothing_happen(what: What, player: str) -> None:
    evening = evening_in(RUNNING)
    role = role_of(evening.room, player)
    assert TABLE[what, RUNNING, role] is Code.NOT_DUE


@pytest.mark.parametrize("what", HAPPENINGS)
@pytest.mark.parametrize("state", State)
def test_what_is_not_due_does_not_happen(what: What, state: State) -> None:
    evening = evening_in(state)
    cell = TABLE[what, state, Role.SERVER]
    if isinstance(cell, Code):
        assert cell is Code.NOT_DUE
        return
    with pytest.raises(Refused) as refused:
        cell.step(Scene(evening.room, evening.facts, "", evening.now), Happening(what))
    assert refused.value.code is Code.NOT_DUE


class TestMaking:
    def test_the_maker_is_host_and_has_the_first_seat(self) -> None:
        room = Evening().room
        assert room.host == "anna"
        assert [(seat.number, seat.name) for seat in room.seats] == [(0, "Anna")]
        assert (room.version, room.race.number, room.race.state) == (1, 1, LOBBY)

    @pytest.mark.parametrize("limit", [0, 5, 10, 15, 30])
    def test_the_limits_that_there_are(self, limit: int) -> None:
        assert Evening(Wish("O", None, limit)).room.settings.limit == limit

    @pytest.mark.parametrize(
        "wish,code",
        [
            (Wish("C", None, 7), Code.BAD_SETTINGS),
            (Wish("C", None, -5), Code.BAD_SETTINGS),
            (Wish("X", None, 5), Code.BAD_SETTINGS),
            (Wish("", None, 5), Code.BAD_SETTINGS),
            (Wish("C", "YU1-C-AAAA", 5), Code.BAD_CODE),
            (Wish("C", "YU1-X-AAAAAAB", 5), Code.BAD_CODE),
        ],
    )
    def test_settings_that_no_race_can_have(self, wish: Wish, code: Code) -> None:
        with pytest.raises(Refused) as refused:
            Evening(wish)
        assert refused.value.code is code

    def test_a_typed_code_decides_the_ruleset(self) -> None:
        room = Evening(Wish("C", " yu1 r aaaaaab ", 0)).room
        assert (room.settings.letter, room.settings.code) == ("R", "YU1-R-AAAAAAB")
        assert (room.race.code, room.race.sealed) == ("YU1-R-AAAAAAB", False)

    @pytest.mark.parametrize("name", ["", "   ", "x" * 21, "a\u202eb", "a\nb\x00"])
    def test_a_name_that_cannot_be_shown(self, name: str) -> None:
        assert refusal(evening_in(LOBBY), "carl", Join(name)) is Code.BAD_NAME


class TestSeats:
    def test_seats_are_given_from_the_lowest(self) -> None:
        evening = evening_in(LOBBY)
        evening.do("carl", Join("Carl"))
        assert evening.room.seat_of("carl") == evening.room.seat_at(2)
        evening.do("bert", Leave())
        evening.do("emil", Join("Emil"))
        seat = evening.room.seat_of("emil")
        assert seat is not None
        assert seat.number == 1

    def test_sixteen_seats_and_no_more(self) -> None:
        evening = Evening()
        for number in range(1, MOST_SEATS):
            evening.do(f"player{number}", Join(f"Player {number}"))
        assert refusal(evening, "one-more", Join("Late")) is Code.ROOM_FULL

    def test_who_joins_again_keeps_the_seat_and_takes_the_new_name(self) -> None:
        evening = evening_in(RUNNING)
        evening.do("bert", Join("Berta"))
        assert [(seat.number, seat.name) for seat in evening.room.seats] == [
            (0, "Anna"),
            (1, "Berta"),
        ]

    def test_to_join_again_under_the_same_name_changes_nothing(self) -> None:
        evening = evening_in(RUNNING)
        before = evening.room
        evening.do("bert", Join("Bert"))
        assert evening.room == before

    def test_a_locked_room_keeps_newcomers_out_and_lets_the_seated_back(self) -> None:
        evening = evening_in(LOBBY)
        evening.do("anna", Lock(True))
        assert refusal(evening, "carl", Join("Carl")) is Code.ROOM_LOCKED
        assert refusal(evening, "carl", Watch()) is Code.ROOM_LOCKED
        evening.do("bert", Join("Bert"))
        evening.do("anna", Lock(False))
        evening.do("carl", Join("Carl"))

    def test_a_room_that_nobody_could_unlock_is_not_locked(self) -> None:
        evening = evening_in(LOBBY)
        evening.do("anna", Lock(True))
        locked = [evening.do(each, Leave()).room.locked for each in ("anna", "bert")]
        assert locked == [True, False]
        evening.do("carl", Join("Carl"))
        assert evening.room.host == "carl"

    def test_the_removed_are_told_and_cannot_come_back(self) -> None:
        evening = evening_in(LOBBY)
        decision = evening.do("anna", Remove(1))
        assert decision.effects == (Dismiss("bert"),)
        assert refusal(evening, "bert", Join("Bert")) is Code.REMOVED
        assert refusal(evening, "bert", Watch()) is Code.REMOVED

    def test_the_last_who_were_removed_stay_out(self) -> None:
        evening = evening_in(LOBBY)
        many = tuple(f"guest{number}" for number in range(MOST_REMOVED))
        evening.room = replace(evening.room, removed=many)
        evening.do("anna", Remove(1))
        assert evening.room.removed == (*many[1:], "bert")

    def test_whom_a_host_cannot_remove(self) -> None:
        evening = evening_in(LOBBY)
        assert refusal(evening, "anna", Remove(0)) is Code.NOT_YOURSELF
        assert refusal(evening, "anna", Remove(5)) is Code.NO_SUCH_SEAT

    def test_a_newcomer_in_a_race_gets_a_seat_and_no_lane(self) -> None:
        evening = evening_in(RUNNING)
        evening.do("carl", Join("Carl"))
        assert evening.room.seat_of("carl") is not None
        assert evening.room.race.lane_of("carl") is None

    def test_the_seat_of_a_leaver_is_not_given_away_while_their_lane_is_shown(self) -> None:
        evening = evening_in(RUNNING)
        evening.do("bert", Leave())
        evening.do("carl", Join("Carl"))
        evening.do("bert", Join("Bert"))
        assert [seat.number for seat in evening.room.seats] == [0, 2, 3]


class TestLobby:
    def test_a_change_of_cards_draws_them_and_takes_back_ready_marks(self) -> None:
        evening = evening_in(LOBBY)
        evening.do("bert", Ready(True))
        before = evening.room.race.code
        evening.do("anna", Change(Wish("S", None, 5), ENTROPY))
        race_now = evening.room.race
        assert race_now.code != before
        assert race_now.code.startswith("YU1-S-")
        assert not any(seat.ready for seat in evening.room.seats)

    def test_another_limit_keeps_the_cards_that_the_commitment_promised(self) -> None:
        evening = evening_in(LOBBY)
        before = evening.room.race
        evening.do("anna", Change(Wish("C", None, 30), ENTROPY))
        assert evening.room.race == before
        assert evening.room.settings.limit == 30

    def test_the_same_settings_again_change_nothing(self) -> None:
        evening = evening_in(LOBBY)
        evening.do("bert", Ready(True))
        before = evening.room
        evening.do("anna", Change(SEALED, ENTROPY))
        assert evening.room == before

    def test_start_asks_once_when_somebody_is_not_ready(self) -> None:
        evening = evening_in(LOBBY)
        assert refusal(evening, "anna", Start(force=False)) is Code.NOT_ALL_READY
        evening.do("bert", Ready(True))
        evening.do("anna", Start(force=False))
        assert evening.room.race.go_at == evening.now + COUNTDOWN_MS

    def test_ready_can_be_taken_back(self) -> None:
        evening = evening_in(LOBBY)
        evening.do("bert", Ready(True))
        evening.do("bert", Ready(False))
        assert refusal(evening, "anna", Start(force=False)) is Code.NOT_ALL_READY


class TestGo:
    def test_boards_are_dealt_at_go_and_not_before(self) -> None:
        evening = evening_in(COUNTDOWN)
        assert not evening.wait(COUNTDOWN_MS - 1).effects
        assert evening.room.race.state is COUNTDOWN
        (deal,) = evening.wait(1).effects
        assert isinstance(deal, DealLanes)
        assert deal.at == START + COUNTDOWN_MS
        assert deal.ends == deal.at + 5 * 60_000
        assert [(lane.seat, lane.player) for lane in deal.lanes] == [(0, "anna"), (1, "bert")]
        assert len({lane.session for lane in deal.lanes}) == 2
        assert {lane.session.partition(".")[0] for lane in deal.lanes} == {evening.room.id}

    def test_go_happens_once(self) -> None:
        evening = evening_in(COUNTDOWN)
        evening.wait(COUNTDOWN_MS)
        evening.wait(1)
        assert sum(isinstance(effect, DealLanes) for effect in evening.effects) == 1

    def test_a_late_go_costs_nobody_time(self) -> None:
        evening = evening_in(COUNTDOWN)
        evening.wait(COUNTDOWN_MS + 3_000)
        assert evening.room.race.started == evening.now

    def test_who_joins_in_the_countdown_races(self) -> None:
        evening = evening_in(COUNTDOWN)
        evening.do("carl", Join("Carl"))
        evening.wait(COUNTDOWN_MS)
        assert evening.room.race.lane_of("carl") is not None

    def test_who_leaves_in_the_countdown_does_not(self) -> None:
        evening = evening_in(COUNTDOWN)
        evening.do("bert", Leave())
        evening.wait(COUNTDOWN_MS)
        assert [lane.player for lane in evening.room.race.lanes] == ["anna"]

    def test_a_countdown_that_everybody_leaves_is_off(self) -> None:
        evening = evening_in(COUNTDOWN)
        evening.do("bert", Leave())
        evening.do("anna", Leave())
        assert (evening.room.race.state, evening.room.race.go_at) == (LOBBY, None)
        evening.do("carl", Join("Carl"))
        assert evening.room.host == "carl"

    def test_no_limit_means_no_end(self) -> None:
        evening = evening_in(RUNNING, Wish("C", None, 0))
        assert evening.room.race.ends is None
        evening.wait(10**9)
        assert evening.room.race.state is RUNNING


class TestTheEnd:
    def test_a_race_ends_when_all_have_ended(self) -> None:
        evening = evening_in(RUNNING)
        evening.finish(1)
        evening.look()
        assert evening.room.race.state is RUNNING
        evening.finish(0, Outcome.GAVE_UP)
        (close,) = evening.look().effects
        assert close == CloseGate(1, ())
        assert evening.room.race.ending is Ending.ALL_ENDED

    def test_a_race_ends_at_its_limit_however_late_that_is_seen(self) -> None:
        evening = evening_in(RUNNING)
        evening.finish(0)
        (close,) = evening.wait(5 * 60_000 + 7_000).effects
        assert isinstance(close, CloseGate)
        assert [lane.seat for lane in close.open_lanes] == [1]
        now = evening.room.race
        assert (now.ending, now.finished) == (Ending.TIME_LIMIT, now.ends)

    def test_a_finish_counts_before_the_limit_of_the_same_look(self) -> None:
        evening = evening_in(RUNNING)
        evening.finish(0)
        evening.finish(1)
        evening.wait(5 * 60_000)
        assert evening.room.race.ending is Ending.ALL_ENDED

    def test_a_race_ends_when_nobody_is_there_for_two_minutes(self) -> None:
        evening = evening_in(RUNNING, Wish("C", None, 0))
        evening.lose("anna")
        evening.wait(1000)
        evening.lose("bert")
        evening.wait(EMPTY_MS - 1)
        assert evening.room.race.state is RUNNING
        evening.wait(1)
        assert evening.room.race.ending is Ending.EMPTY

    def test_somebody_who_comes_back_keeps_it_going(self) -> None:
        evening = evening_in(RUNNING, Wish("C", None, 0))
        evening.lose("anna")
        evening.lose("bert")
        evening.wait(EMPTY_MS - 1)
        evening.stay("bert")
        evening.wait(EMPTY_MS)
        assert evening.room.race.state is RUNNING

    def test_a_leaver_keeps_the_place_reached(self) -> None:
        evening = evening_in(RUNNING)
        evening.move(1, Progress(8, 3, 170, 60))
        evening.move(0, Progress(2, 12, 65, 90))
        (settle,) = evening.do("bert", Leave()).effects
        assert isinstance(settle, SettleLane)
        assert not evening.move(1, Progress(9, 3, 180, 61))
        evening.finish(0, Outcome.GAVE_UP)
        evening.look()
        rows = roommessages.final_standings(evening.room, evening.facts)[-1]
        assert isinstance(rows, tuple)
        assert [(row[0], row[2], row[5]) for row in rows] == [(1, "Bert", 170), (2, "Anna", 65)]

    def test_the_last_leaver_ends_the_race(self) -> None:
        evening = evening_in(RUNNING)
        evening.finish(1)
        settle, close = evening.do("anna", Leave()).effects
        assert isinstance(settle, SettleLane)
        assert close == CloseGate(1, ())
        assert evening.room.race.state is FINISHED
        assert evening.room.host == "bert"

    def test_a_winner_who_leaves_has_still_won(self) -> None:
        evening = evening_in(RUNNING)
        evening.finish(1)
        assert not evening.do("bert", Leave()).effects
        assert evening.facts.finishes[1].outcome is Outcome.WON

    def test_the_removed_keep_their_place_too(self) -> None:
        evening = evening_in(RUNNING)
        evening.move(1, Progress(1, 20, 15, 4))
        settle, dismiss = evening.do("anna", Remove(1)).effects
        assert isinstance(settle, SettleLane)
        assert dismiss == Dismiss("bert")
        assert evening.facts.progress[1].ranked == 15

    def test_finished_is_final(self) -> None:
        evening = evening_in(FINISHED)
        now = evening.room.race
        assert not evening.finish(1)
        evening.do("bert", Leave())
        evening.wait(10**8)
        assert evening.room.race == now


class TestRematch:
    def test_new_cards_are_sealed_ones_of_the_same_ruleset(self) -> None:
        evening = evening_in(FINISHED, TYPED)
        before = evening.room.race
        (archive,) = evening.do("anna", Rematch(1, same=False, entropy=ENTROPY)).effects
        assert isinstance(archive, Archive)
        assert '"code":"YU1-R-AAAAAAB"' in archive.record
        now = evening.room.race
        assert (now.number, now.state, now.sealed, now.lanes) == (2, LOBBY, True, ())
        assert now.code.startswith("YU1-R-")
        assert now.code != before.code

    def test_the_same_cards_are_known_by_then(self) -> None:
        evening = evening_in(FINISHED)
        code = evening.room.race.code
        evening.do("anna", Rematch(1, same=True, entropy=ENTROPY))
        now = evening.room.race
        assert (now.code, now.sealed) == (code, False)
        assert roommessages.shown_code(now) == code

    def test_to_ask_twice_is_to_ask_once(self) -> None:
        evening = evening_in(FINISHED)
        rematch = Rematch(1, same=False, entropy=ENTROPY)
        evening.do("anna", rematch)
        before = evening.room
        evening.do("anna", rematch)
        assert evening.room == before
        assert len(evening.archived) == 1

    def test_nothing_of_the_last_race_is_left(self) -> None:
        evening = evening_in(FINISHED)
        evening.do("anna", Rematch(1, same=False, entropy=ENTROPY))
        assert not any(seat.ready for seat in evening.room.seats)
        assert not evening.facts.progress
        assert not evening.facts.finishes


class TestTheHost:
    @pytest.mark.parametrize("state", State)
    def test_the_role_passes_on_after_half_a_minute_away(self, state: State) -> None:
        evening = evening_in(state, Wish("C", None, 0))
        evening.lose("anna")
        evening.wait(HOST_AWAY_MS - 1)
        assert evening.room.host == "anna"
        evening.wait(1)
        assert evening.room.host == "bert"

    def test_it_passes_to_nobody_who_is_away(self) -> None:
        evening = evening_in(LOBBY)
        evening.lose("anna")
        evening.lose("bert")
        evening.wait(HOST_AWAY_MS * 10)
        assert evening.room.host == "anna"
        evening.stay("bert")
        evening.look()
        assert evening.room.host == "bert"

    def test_a_leaving_host_hands_over_to_who_is_there(self) -> None:
        evening = evening_in(LOBBY)
        evening.do("carl", Join("Carl"))
        evening.stay("carl")
        evening.lose("bert")
        evening.do("anna", Leave())
        assert evening.room.host == "carl"

    def test_an_empty_room_has_no_host_until_somebody_comes(self) -> None:
        evening = evening_in(FINISHED)
        evening.do("anna", Leave())
        evening.do("bert", Leave())
        assert evening.room.host is None
        assert not evening.wait(10**8).effects
        evening.do("carl", Join("Carl"))
        assert evening.room.host == "carl"


class TestSecrets:
    @pytest.mark.parametrize("state", [LOBBY, COUNTDOWN, RUNNING])
    def test_a_sealed_code_is_in_no_message_before_the_end(self, state: State) -> None:
        evening = evening_in(state)
        code = evening.room.race.code
        room = roommessages.room(evening.room, evening.facts, evening.now)
        assert code not in repr(room)
        assert bytes.fromhex(commitment(parse(code))) in room
        assert code not in repr(roommessages.lanes(evening.room, evening.facts, evening.now))

    def test_it_is_shown_with_the_commitment_when_the_race_is_finished(self) -> None:
        evening = evening_in(FINISHED)
        code = evening.room.race.code
        for message in (
            roommessages.room(evening.room, evening.facts, evening.now),
            roommessages.final_standings(evening.room, evening.facts),
        ):
            assert code in message
            assert bytes.fromhex(commitment(parse(code))) in message

    def test_a_typed_code_is_shown_all_along(self) -> None:
        evening = evening_in(LOBBY, TYPED)
        assert "YU1-R-AAAAAAB" in roommessages.room(evening.room, evening.facts, evening.now)

    @pytest.mark.parametrize("state", [LOBBY, COUNTDOWN, RUNNING])
    def test_there_are_no_final_standings_before_the_end(self, state: State) -> None:
        evening = evening_in(state)
        with pytest.raises(ValueError, match="not finished"):
            roommessages.final_standings(evening.room, evening.facts)

    def test_no_player_id_is_in_any_message(self) -> None:
        evening = evening_in(FINISHED)
        for player in ("anna", "bert"):
            told = repr(
                (
                    roommessages.room(evening.room, evening.facts, evening.now),
                    roommessages.lanes(evening.room, evening.facts, evening.now),
                    roommessages.final_standings(evening.room, evening.facts),
                )
            )
            assert f"'{player}'" not in told


class TestDue:
    def test_the_next_instant_is_the_first_that_matters(self) -> None:
        evening = evening_in(COUNTDOWN)
        assert next_due(evening.room, evening.facts, evening.now) == START + COUNTDOWN_MS
        evening.wait(COUNTDOWN_MS)
        assert next_due(evening.room, evening.facts, evening.now) == evening.room.race.ends

    def test_an_idle_room_needs_no_look(self) -> None:
        evening = Evening()
        evening.lose("anna")
        assert next_due(evening.room, evening.facts, evening.now) is None

    def test_a_room_whose_host_is_long_gone_waits_for_somebody(self) -> None:
        evening = evening_in(LOBBY)
        evening.lose("anna")
        evening.lose("bert")
        assert next_due(evening.room, evening.facts, evening.now) == evening.now + HOST_AWAY_MS
        evening.wait(HOST_AWAY_MS)
        assert next_due(evening.room, evening.facts, evening.now) is None


def test_the_version_rises_by_one_with_every_change_and_only_then() -> None:
    evening = evening_in(LOBBY)
    before = evening.room.version
    evening.do("bert", Ready(True))
    assert evening.room.version == before + 1
    evening.do("bert", Ready(True))
    assert evening.room.version == before + 1
    evening.look()
    assert evening.room.version == before + 1


def test_a_room_survives_its_json_in_every_state() -> None:
    for state in State:
        room = evening_in(state).room
        assert Room.from_json(room.to_json()) == room


def test_a_decision_does_not_touch_the_room_it_is_made_on() -> None:
    evening = evening_in(LOBBY)
    before = replace(evening.room)
    decide(evening.room, evening.facts, "bert", Ready(True), evening.now)
    assert evening.room == before


def test_the_renewal_of_presence_comes_well_before_it_lapses() -> None:
    assert race.LEASE_RENEWAL_MS * 2 < race.LEASE_MS < HOST_AWAY_MS
