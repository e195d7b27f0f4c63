"""A race from GO to its end and the next one: when it goes and ends, and what is shown of it."""

from dataclasses import replace

import pytest

from engine.code import commitment, parse
from server.core import race, roommessages
from server.core.race import decide, next_due
from server.core.raceacts import (
    Archive,
    CloseGate,
    DealLanes,
    Dismiss,
    Join,
    Leave,
    Ready,
    Rematch,
    Remove,
    SettleLane,
    Wish,
)
from server.core.racesteps import COUNTDOWN_MS, EMPTY_MS, HOST_AWAY_MS
from server.core.room import Ending, Room, State
from server.core.standings import Outcome, Progress
from tests.server.core.evening import (
    COUNTDOWN,
    ENTROPY,
    FINISHED,
    LOBBY,
    RUNNING,
    START,
    TYPED,
    Evening,
    evening_in,
)


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
