"""A room as a worker has it, whatever the order in which the store's answers and messages come."""

import msgpack
import pytest

from server.core import race
from server.core.raceacts import Join, Leave, Rematch, Start, Wish
from server.core.room import Facts, Room, State
from server.core.roomports import Heard, Loaded
from server.core.standings import Finish, Outcome, Progress
from server.net.table import News, Table
from tests.contract.evening import ANNA, BERT, ENTROPY, NOW, ROOM_CODE, ROOM_ID, decided

HERE = Facts(seen={ANNA: NOW + 15_000, BERT: NOW + 15_000})


@pytest.fixture
def table() -> Table:
    return Table(ROOM_ID, lambda table, payload: None)


def lobby() -> Room:
    room = race.make(
        (ROOM_ID, ROOM_CODE), ANNA, "Anna", Wish("C", None, 5), entropy=ENTROPY, now=NOW
    )
    return decided(room, HERE, BERT, Join("Bert"), NOW)


def counting() -> Room:
    return decided(lobby(), HERE, ANNA, Start(True), NOW)


def running() -> Room:
    return race.look(counting(), HERE, NOW + 4000).room


def facts(**moves: int) -> Facts:
    """Facts in which the lanes a (0) and b (1) have made so many moves."""
    progress = {"ab".index(lane): Progress(moves=number) for lane, number in moves.items()}
    return Facts(progress, {}, HERE.seen)


def lane(seat: int, moves: int, finish: str = "", number: int = 1) -> Heard:
    return Heard(lane=(number, seat), progress=Progress(moves=moves).packed(), finish=finish)


def rows(payload: bytes | None) -> dict[int, int]:
    """The moves of each lane in a message."""
    return {} if payload is None else {row[0]: row[5] for row in msgpack.unpackb(payload)[2]}


def test_an_answer_that_was_overtaken_changes_nothing(table: Table) -> None:
    assert table.take(Loaded(running(), facts(a=1, b=1), NOW + 5000)) == News()
    assert table.take(Loaded(counting(), HERE, NOW + 6000)) is None
    assert table.take(Loaded(running(), facts(a=0, b=0), NOW + 4500)) is None
    assert rows(table.lanes_message(NOW)) == {0: 1, 1: 1}


def test_a_lane_that_was_heard_of_is_not_set_back_by_what_was_loaded_before(table: Table) -> None:
    assert not table.hear(lane(0, 3))  # before the room itself is known
    table.take(Loaded(running(), facts(a=2, b=1), NOW + 5000))
    assert rows(table.lanes_message(NOW)) == {0: 3, 1: 1}
    assert table.hear(lane(1, 2))
    table.take(Loaded(running(), facts(a=3, b=1), NOW + 5001))
    assert rows(table.lanes_message(NOW)) == {0: 3, 1: 2}


def test_a_lane_of_another_race_does_not_touch_this_one(table: Table) -> None:
    table.take(Loaded(running(), facts(a=2, b=1), NOW + 5000))
    assert not table.hear(lane(0, 9, number=2))
    assert not table.hear(lane(0, 7, number=1))
    assert rows(table.lanes_message(NOW)) == {0: 2, 1: 1}


def test_after_a_doubt_the_store_is_right_also_when_it_is_behind(table: Table) -> None:
    table.take(Loaded(running(), facts(a=2, b=1), NOW + 5000))
    table.hear(lane(0, 9))
    table.doubt()
    assert table.take(Loaded(counting(), HERE, NOW + 6000)) == News()
    assert table.version == counting().version
    assert table.take(Loaded(running(), facts(a=1, b=1), NOW + 7000)) is not None
    assert rows(table.lanes_message(NOW)) == {0: 1, 1: 1}


def test_only_what_changed_is_told_again(table: Table) -> None:
    table.take(Loaded(running(), facts(a=1, b=1), NOW + 5000))
    assert rows(table.news_of_lanes(NOW)) == {0: 1, 1: 1}
    assert table.news_of_lanes(NOW) is None
    table.hear(lane(1, 2))
    table.hear(lane(1, 3))
    assert rows(table.news_of_lanes(NOW)) == {1: 3}
    assert table.news_of_room(NOW) is not None
    assert table.news_of_room(NOW) is None
    # Somebody's lease runs out, and nothing but the time says so.
    assert table.news_of_room(NOW + 15_000) is not None
    assert rows(table.news_of_lanes(NOW + 15_000)) == {0: 1, 1: 3}


def test_go_and_the_end_are_news_once(table: Table) -> None:
    assert table.take(Loaded(counting(), HERE, NOW)) == News()
    assert table.next_instant(NOW) == NOW + 4000
    assert table.take(Loaded(running(), HERE, NOW + 4000)) == News(is_dealt=True)
    assert table.take(Loaded(running(), HERE, NOW + 4001)) == News()
    sessions = tuple(lane.session for lane in running().race.lanes)
    ended = race.look(running(), HERE, NOW + 10**6).room
    assert ended.race.state is State.FINISHED
    assert table.take(Loaded(ended, HERE, NOW + 10**6)) == News(False, 1, sessions)
    assert table.take(Loaded(ended, HERE, NOW + 10**6 + 1)) == News()
    again = decided(ended, HERE, ANNA, Rematch(1, same=True, entropy=ENTROPY), NOW + 10**6)
    assert table.take(Loaded(again, HERE, NOW + 10**6 + 2)) == News()


def test_an_end_that_was_missed_is_news_in_the_next_lobby(table: Table) -> None:
    table.take(Loaded(running(), HERE, NOW + 4000))
    ended = race.look(running(), HERE, NOW + 10**6).room
    again = decided(ended, HERE, ANNA, Rematch(1, same=True, entropy=ENTROPY), NOW + 10**6)
    sessions = tuple(lane.session for lane in running().race.lanes)
    assert table.take(Loaded(again, HERE, NOW + 10**6)) == News(False, 1, sessions)


def test_a_lane_that_was_left_has_a_mark_in_the_store(table: Table) -> None:
    table.take(Loaded(running(), HERE, NOW + 4000))
    left = decided(running(), HERE, BERT, Leave(), NOW + 5000)
    gone = Facts({}, {1: Finish(Outcome.LEFT, 1000, 1)}, HERE.seen)
    assert table.take(Loaded(left, gone, NOW + 5000)) == News(marked=(f"{ROOM_ID}.1-1",))


def test_it_is_seen_here_when_all_have_ended(table: Table) -> None:
    assert not table.has_all_ended
    table.take(Loaded(running(), HERE, NOW + 4000))
    table.hear(lane(0, 5, finish=Finish(Outcome.WON, 5000, 1).packed()))
    assert not table.has_all_ended
    table.hear(lane(1, 5, finish=Finish(Outcome.GAVE_UP, 6000, 2).packed()))
    assert table.has_all_ended


def test_nothing_is_told_of_a_room_that_is_not_known(table: Table) -> None:
    assert table.news_of_lanes(NOW) is None
    assert table.version == 0
    assert table.seated() == set()
    with pytest.raises(LookupError):
        table.room_message(NOW)
