"""Leaderboards: the order in a sorted set is the order of the rule, and who gets a row where."""

import base64
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ruleset import RULESETS
from server.core import boards, cursors
from server.core.boards import Key, Order, Result, Row, Source, Span, key
from server.core.cursors import Cursor
from server.core.refusals import Code, Refused
from tests.server.results import NOON, SEALED, WIN, at, total_order

few = st.integers(0, 3)
names = st.text("abAB01-_.", min_size=1, max_size=4)
tied = st.builds(
    lambda ranked, time, moves, ended, session, player: replace(
        WIN, ranked=ranked, time=time, moves=moves, ended=ended, session=session, player=player
    ),
    few | st.integers(0, boards.LARGEST_RANKED),
    few | st.integers(0, boards.LARGEST_TIME),
    few | st.integers(0, boards.LARGEST_MOVES),
    few | st.integers(0, boards.LARGEST_INSTANT),
    names,
    names,
)


def in_redis(found: Key) -> tuple[float, bytes]:
    """How Redis orders the members of a sorted set: by a double, then byte by byte."""
    return (float(found.score), found.member.encode())


@given(st.lists(tied, max_size=20), st.sampled_from(Order))
def test_the_order_of_a_set_is_the_order_of_the_rule(results: list[Result], order: Order) -> None:
    by_set = sorted(results, key=lambda result: in_redis(key(result, order)))
    by_rule = sorted(results, key=lambda result: total_order(result, order))
    assert [total_order(result, order) for result in by_set] == [
        total_order(result, order) for result in by_rule
    ]


@given(tied, tied, st.sampled_from(Order))
def test_two_sessions_are_never_equal_and_compare_one_way(
    one: Result, other: Result, order: Order
) -> None:
    first, second = key(one, order), key(other, order)
    if (one.session, one.player) != (other.session, other.player):
        assert first != second
    assert (first < second) == (in_redis(first) < in_redis(second))
    assert (first < second) == (total_order(one, order) < total_order(other, order))
    assert (first == second) == (total_order(one, order) == total_order(other, order))


@given(tied, st.sampled_from(Order))
def test_a_score_is_exact_in_a_double_and_a_row_reads_back(result: Result, order: Order) -> None:
    found = key(result, order)
    assert int(float(found.score)) == found.score < 2**53
    row = boards.row(order, float(found.score), found.member)
    ranked = result.ranked if order is Order.BEST else None
    assert row == Row(
        result.session, result.player, result.ended, result.moves, result.time, ranked
    )


@pytest.mark.parametrize(
    "changes",
    [{"ranked": 2048}, {"ranked": -1}, {"time": 2**40}, {"time": -1}, {"moves": 2**32}],
)
def test_figures_that_no_game_can_have_are_an_error(changes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="is not between"):
        key(replace(WIN, **changes), Order.BEST)  # type: ignore[arg-type]


def test_only_wins_are_ordered_by_moves() -> None:
    lost = replace(WIN, won=False)
    assert boards.orders(lost) == (Order.BEST,)
    assert boards.orders(WIN) == (Order.BEST, Order.MOVES)
    with pytest.raises(ValueError, match="only wins"):
        key(lost, Order.MOVES)


@pytest.mark.parametrize("member", ["", "x", "0" * 21, "0" * 21 + "s", "g" * 21 + "s:p"])
def test_other_members_are_no_rows(member: str) -> None:
    with pytest.raises(ValueError, match="not a member"):
        boards.row(Order.BEST, 0.0, member)


@given(st.lists(tied, min_size=1), st.sampled_from(Order))
def test_a_player_has_the_best_of_their_results(results: list[Result], order: Order) -> None:
    kept: Key | None = None
    for result in results:
        if kept is None or key(result, order) < kept:
            kept = key(result, order)
    assert kept == min(key(result, order) for result in results)


class TestWindows:
    @pytest.mark.parametrize(
        "instant,day,week",
        [
            ("2026-11-30T00:00:00.000", "day:2026-11-30", "week:2026-W49"),
            ("2026-11-29T23:59:59.999", "day:2026-11-29", "week:2026-W48"),
            ("2026-12-31T23:59:59.999", "day:2026-12-31", "week:2026-W53"),
            ("2027-01-01T00:00:00.000", "day:2027-01-01", "week:2026-W53"),
            ("2027-01-03T23:59:59.999", "day:2027-01-03", "week:2026-W53"),
            ("2027-01-04T00:00:00.000", "day:2027-01-04", "week:2027-W01"),
            ("2024-12-30T00:00:00.000", "day:2024-12-30", "week:2025-W01"),
            ("2028-02-29T12:00:00.000", "day:2028-02-29", "week:2028-W09"),
        ],
    )
    def test_a_window_turns_at_midnight_and_with_the_iso_year(
        self, instant: str, day: str, week: str
    ) -> None:
        assert boards.window(Span.DAY, at(instant)) == day
        assert boards.window(Span.WEEK, at(instant)) == week
        assert boards.window(Span.ALL, at(instant)) == "all"

    @given(st.integers(0, at("2200-01-01T00:00")), st.sampled_from([Span.DAY, Span.WEEK]))
    def test_a_window_lasts_until_it_ends_and_then_another_begins(
        self, now: int, span: Span
    ) -> None:
        name = boards.window(span, now)
        end = boards.window_ends(name)
        assert end is not None
        assert now < end <= now + (1 if span is Span.DAY else 7) * 86_400_000
        assert boards.window(span, end - 1) == name
        assert boards.window(span, end) != name

    def test_all_time_never_ends(self) -> None:
        assert boards.window_ends("all") is None

    @pytest.mark.parametrize(
        "name",
        [
            "",
            "year:2026",
            "day:2026-13-01",
            "day:20261130",
            "day:9999-12-31",
            "week:9999-W52",
            "day:2026-W49-1",
            "week:2026-W60",
            "week:2026W49",
            "week:2026-11-30",
            "week:x",
        ],
    )
    def test_other_names_are_no_windows(self, name: str) -> None:
        with pytest.raises(ValueError, match=r".*"):
            boards.window_ends(name)


class TestWhichBoards:
    def test_a_ranked_first_attempt_counts_everywhere(self) -> None:
        assert boards.boards(WIN) == (
            f"code:{SEALED}",
            "C:day:2026-11-30",
            "C:week:2026-W49",
            "C:all",
        )

    def test_a_sealed_race_counts_everywhere(self) -> None:
        assert boards.is_global(replace(WIN, source=Source.RACE))

    @pytest.mark.parametrize(
        "changes",
        [
            {"first": False},
            {"sealed": False},
            {"source": Source.TYPED},
            {"source": Source.RANDOM},
            {"source": Source.RACE, "sealed": False},
        ],
    )
    def test_everything_else_counts_for_its_code_alone(self, changes: dict[str, object]) -> None:
        result = replace(WIN, **changes)  # type: ignore[arg-type]
        assert boards.boards(result) == (f"code:{SEALED}",)

    @pytest.mark.parametrize("changes", [{"paused": True}, {"moves": 0}])
    def test_a_paused_game_and_one_that_nobody_played_count_nowhere(
        self, changes: dict[str, object]
    ) -> None:
        assert boards.boards(replace(WIN, **changes)) == ()  # type: ignore[arg-type]

    def test_a_daily_counts_for_its_day_too(self) -> None:
        result = replace(WIN, source=Source.DAILY)
        assert "daily:C:2026-11-30" in boards.boards(result)

    def test_a_daily_that_ends_after_its_day_is_practice(self) -> None:
        late = replace(
            WIN,
            source=Source.DAILY,
            dealt=at("2026-11-29T23:59:00"),
            ended=at("2026-11-30T00:00:00"),
        )
        assert boards.boards(late) == (f"code:{SEALED}",)
        assert boards.is_global(replace(late, ended=late.ended - 1))

    def test_the_window_is_that_of_the_end(self) -> None:
        over_midnight = replace(
            WIN, dealt=at("2026-11-29T23:59:00"), ended=at("2026-11-30T00:00:00")
        )
        assert "C:day:2026-11-30" in boards.boards(over_midnight)

    def test_names(self) -> None:
        assert boards.code_board("YU1-C-AAAAAAB") == "code:YU1-C-AAAAAAB"
        assert boards.daily_board("S", date(2026, 1, 2)) == "daily:S:2026-01-02"


class TestCursors:
    BOARD = "C:day:2026-11-30"

    def cursor(self, board: str = BOARD, order: Order = Order.BEST) -> Cursor:
        return Cursor(board, order, key(WIN, Order.BEST))

    @given(tied, st.sampled_from(Order), st.sampled_from([BOARD, "S:all", f"code:{SEALED}"]))
    def test_a_cursor_survives_its_text(self, result: Result, order: Order, board: str) -> None:
        cursor = Cursor(board, order, key(result, order))
        text = str(cursor)
        assert cursors.read(text, board, order) == cursor
        assert text.replace("-", "").replace("_", "").isalnum()

    def test_it_goes_on_in_the_window_it_began_in(self) -> None:
        text = str(self.cursor())
        assert cursors.read(text, "C:day:2026-12-01", Order.BEST).board == self.BOARD

    @pytest.mark.parametrize(
        "board,order",
        [
            ("S:day:2026-11-30", Order.BEST),
            ("C:week:2026-W49", Order.BEST),
            ("C:all", Order.BEST),
            (f"code:{SEALED}", Order.BEST),
            ("C:day:2026-11-30", Order.MOVES),
        ],
    )
    def test_it_belongs_to_its_board_and_order(self, board: str, order: Order) -> None:
        with pytest.raises(Refused) as refused:
            cursors.read(str(self.cursor()), board, order)
        assert refused.value.code is Code.BAD_CURSOR

    def test_one_deal_is_not_another(self) -> None:
        text = str(self.cursor("code:YU1-C-AAAAAAB"))
        with pytest.raises(Refused):
            cursors.read(text, "code:YU1-C-AAAAAAC", Order.BEST)

    def test_one_daily_is_not_another_ruleset(self) -> None:
        text = str(self.cursor("daily:C:2026-11-30"))
        with pytest.raises(Refused):
            cursors.read(text, "daily:S:2026-11-30", Order.BEST)

    @given(st.text(max_size=60) | st.text("ABCabc-_=", max_size=400))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        with pytest.raises(Refused):
            cursors.read(text, self.BOARD, Order.BEST)

    @pytest.mark.parametrize(
        "json",
        [
            "[]",
            "null",
            "1e999",
            "[" * 300,
            '["C:day:2026-11-30","best",true,"ab"]',
            '["C:day:2026-11-30","best",-1,"ab"]',
            '["C:day:2026-11-30","best",9007199254740993,"ab"]',
            '["C:day:2026-11-30","worst",1,"ab"]',
            '["C:day:2026-11-30","best",1,"a b"]',
            '["C:day:2026-11-30 ","best",1,"ab"]',
            '["C:day:2026-11-30","best",1]',
        ],
    )
    def test_made_up_cursors_are_refused(self, json: str) -> None:
        text = base64.urlsafe_b64encode(json.encode()).decode().rstrip("=")
        with pytest.raises(Refused):
            cursors.read(text, self.BOARD, Order.BEST)


def test_a_board_knows_its_ruleset_and_what_a_won_game_is_worth() -> None:
    assert boards.letter_of("C:day:2026-11-30") == "C"
    assert boards.letter_of("T:all") == "T"
    assert boards.letter_of("daily:D:2026-11-30") == "D"
    assert boards.letter_of(f"code:{SEALED}") == "C"
    assert boards.full_score("C") == 52 * 10 + 21 * 5
    assert all(boards.full_score(letter) <= boards.LARGEST_RANKED for letter in RULESETS)


def test_a_window_goes_a_week_after_its_end_and_a_deal_after_400_days() -> None:
    assert boards.expires("C:all", NOON) is None
    assert boards.expires("C:day:2026-11-30", NOON) == at("2026-12-08")
    assert boards.expires("C:week:2026-W49", NOON) == at("2026-12-14")
    for board in (f"code:{SEALED}", "daily:C:2026-11-30"):
        assert boards.expires(board, NOON) == NOON + 400 * 86_400_000
