"""The one total order of a race's lanes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.standings import (
    Finish,
    Outcome,
    Progress,
    order_key,
    outcome_of,
    standings,
)

ended = [Outcome.WON, Outcome.GAVE_UP, Outcome.LEFT]
# Few values, so that ties are the rule.
progresses = st.builds(
    Progress,
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 3),
    st.booleans(),
)
lanes = st.lists(
    st.tuples(progresses, st.none() | st.tuples(st.sampled_from(ended), st.integers(0, 3))),
    min_size=1,
    max_size=16,
)
Lanes = list[tuple[Progress, tuple[Outcome, int] | None]]


def facts(field: Lanes, order: list[int]) -> tuple[dict[int, Progress], dict[int, Finish]]:
    """Seats by place in the list; finishes are committed in `order`."""
    progress = {seat: lane[0] for seat, lane in enumerate(field)}
    finishes: dict[int, Finish] = {}
    for seat in order:
        if (finish := field[seat][1]) is not None:
            finishes[seat] = Finish(*finish, order=len(finishes) + 1)
    return progress, finishes


@given(lanes, st.data())
def test_the_order_is_total_and_does_not_depend_on_how_it_is_asked(
    field: Lanes, data: st.DataObject
) -> None:
    seats = list(range(len(field)))
    progress, finishes = facts(field, data.draw(st.permutations(seats)))
    keys = {seat: order_key(seat, progress[seat], finishes.get(seat)) for seat in seats}
    for one in seats:
        for other in seats:
            assert (keys[one] < keys[other]) + (keys[other] < keys[one]) == (one != other)
    rows = standings(data.draw(st.permutations(seats)), progress, finishes, over=True)
    assert rows == standings(seats, progress, finishes, over=True)
    assert [row.place for row in rows] == list(range(1, len(seats) + 1))
    assert sorted(row.seat for row in rows) == seats


@given(lanes, st.data())
def test_the_places_are_as_the_rule_is_worded(field: Lanes, data: st.DataObject) -> None:
    seats = list(range(len(field)))
    progress, finishes = facts(field, data.draw(st.permutations(seats)))
    rows = standings(seats, progress, finishes, over=True)
    for better, worse in pairwise(rows):
        first, second = finishes.get(better.seat), finishes.get(worse.seat)
        won = [f is not None and f.outcome is Outcome.WON for f in (first, second)]
        assert won != [False, True]
        if all(won):
            assert first is not None
            assert second is not None
            assert first.ms <= second.ms
            if first.ms == second.ms:
                assert better.moves <= worse.moves
                if better.moves == worse.moves:
                    assert first.order < second.order
        elif not any(won):
            assert better.ranked >= worse.ranked
            if better.ranked == worse.ranked:
                assert better.moves <= worse.moves
                if better.moves == worse.moves:
                    assert better.seat < worse.seat


@given(lanes)
def test_one_more_lane_changes_no_order_among_the_others(field: Lanes) -> None:
    seats = list(range(len(field)))
    progress, finishes = facts(field, seats)
    whole = [row.seat for row in standings(seats, progress, finishes, over=True)]
    for gone in seats:
        rest = [seat for seat in seats if seat != gone]
        less = [row.seat for row in standings(rest, progress, finishes, over=True)]
        assert less == [seat for seat in whole if seat != gone]


def test_winners_come_by_time_then_moves_then_commit() -> None:
    won = Outcome.WON
    progress = {seat: Progress(52, 0, 625, moves) for seat, moves in enumerate((90, 80, 80, 70))}
    finishes = {
        0: Finish(won, 1000, 1),
        1: Finish(won, 1000, 4),
        2: Finish(won, 1000, 3),
        3: Finish(won, 1001, 2),
    }
    rows = standings(range(4), progress, finishes, over=True)
    assert [row.seat for row in rows] == [2, 1, 0, 3]
    assert [row.ms for row in rows] == [1000, 1000, 1000, 1001]


def test_the_others_come_by_ranked_score_then_moves_then_seat() -> None:
    progress = {0: Progress(ranked=50, moves=9), 1: Progress(ranked=60, moves=99)}
    progress |= {2: Progress(ranked=50, moves=8), 3: Progress(ranked=50, moves=8)}
    finishes = {1: Finish(Outcome.LEFT, 5, 1), 4: Finish(Outcome.WON, 10**9, 2)}
    rows = standings([3, 4, 2, 1, 0], progress, finishes, over=True)
    assert [row.seat for row in rows] == [4, 1, 2, 3, 0]
    assert [row.ms for row in rows] == [10**9, None, None, None, None]


@pytest.mark.parametrize(
    "progress,finish,over,outcome",
    [
        (Progress(), None, False, Outcome.PLAYING),
        (Progress(stuck=True), None, False, Outcome.PLAYING),
        (Progress(), None, True, Outcome.OUT_OF_TIME),
        (Progress(stuck=True), None, True, Outcome.BLOCKED),
        (Progress(stuck=True), Finish(Outcome.LEFT, 1, 1), True, Outcome.LEFT),
        (Progress(), Finish(Outcome.WON, 1, 1), False, Outcome.WON),
    ],
)
def test_what_became_of_a_lane(
    progress: Progress, finish: Finish | None, over: bool, outcome: Outcome
) -> None:
    assert outcome_of(progress, finish, over=over) is outcome


@given(progresses)
def test_progress_survives_its_text(progress: Progress) -> None:
    assert Progress.unpack(progress.packed()) == progress


@given(st.builds(Finish, st.sampled_from(ended), st.integers(0, 2**40), st.integers(1, 16)))
def test_a_finish_survives_its_text(finish: Finish) -> None:
    assert Finish.unpack(finish.packed()) == finish


@pytest.mark.parametrize("text", ["", "1,2,3", "a,b,c,d,e", "1,2,3,4,5,6"])
def test_other_texts_are_no_progress(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        Progress.unpack(text)
