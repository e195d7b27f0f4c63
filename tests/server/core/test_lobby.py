"""A room before and between its races: who has which seat, who is host, and what is played."""

from dataclasses import replace

import pytest

from server.core.raceacts import (
    Change,
    Dismiss,
    Join,
    Leave,
    Lock,
    Ready,
    Remove,
    Start,
    Watch,
    Wish,
)
from server.core.racesteps import COUNTDOWN_MS, HOST_AWAY_MS, MOST_REMOVED
from server.core.refusals import Code, Refused
from server.core.room import MOST_SEATS, State
from tests.server.core.evening import (
    ENTROPY,
    FINISHED,
    LOBBY,
    RUNNING,
    SEALED,
    Evening,
    evening_in,
    refusal,
)


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
