"""The daily deal: days, names, streaks, calendar."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core import daily
from server.core.daily import DAY_MS, Mark, Streaks
from server.core.refusals import Code, Refused

DAY = date(2026, 11, 30)
WON, LOST = Mark(True, 625, 120, 240_000), Mark(False, 90, 30, None)
instants = st.integers(0, daily.starts(date(2200, 1, 1)))


def marks(text: str, last: date = DAY) -> dict[date, Mark]:
    """Days up to `last`: w won, l lost, . not played."""
    first = last - timedelta(days=len(text) - 1)
    made = {"w": WON, "l": LOST}
    return {first + timedelta(days=n): made[c] for n, c in enumerate(text) if c in made}


@given(instants)
def test_a_day_is_open_until_it_is_over(now: int) -> None:
    day = daily.today(now)
    assert daily.is_today(day, now)
    assert not daily.is_over(day, now)
    assert daily.starts(day) <= now < daily.ends(day)
    end = daily.ends(day)
    assert daily.is_over(day, end)
    assert not daily.is_today(day, end)
    assert daily.today(end) == day + timedelta(days=1)
    assert daily.is_over(day, end + DAY_MS)


def test_tomorrow_is_neither_open_nor_over() -> None:
    tomorrow, now = DAY + timedelta(days=1), daily.starts(DAY)
    assert not daily.is_today(tomorrow, now)
    assert not daily.is_over(tomorrow, now)


def test_names_read_as_themselves() -> None:
    assert daily.name("S", DAY) == "S:2026-11-30"
    assert daily.read_name(" s:2026-11-30") == ("S", DAY)


@pytest.mark.parametrize(
    "text", ["", "S", "X:2026-11-30", "S:2026-02-30", "S:20261130", "S:2026-W49-1", "S:2026-11-3x"]
)
def test_other_texts_are_no_names(text: str) -> None:
    with pytest.raises(Refused) as refused:
        daily.read_name(text)
    assert refused.value.code is Code.BAD_CODE


@pytest.mark.parametrize(
    "text,expected",
    [
        ("", Streaks(0, 0, 0, 0)),
        ("w", Streaks(1, 1, 1, 1)),
        ("l", Streaks(1, 1, 0, 0)),
        ("www", Streaks(3, 3, 3, 3)),
        ("www.", Streaks(3, 3, 3, 3)),
        ("www..", Streaks(0, 3, 0, 3)),
        ("wlw", Streaks(3, 3, 1, 1)),
        ("www.ll", Streaks(2, 3, 0, 3)),
        ("wwl", Streaks(3, 3, 2, 2)),
    ],
)
def test_streaks(text: str, expected: Streaks) -> None:
    assert daily.streaks(marks(text), DAY) == expected


@given(st.text("wl.", max_size=40))
def test_a_streak_is_the_longest_run_there_is(text: str) -> None:
    found = daily.streaks(marks(text), DAY)
    assert found.longest_played == max(map(len, text.replace("l", "w").split(".")))
    assert found.longest_won == max(map(len, text.replace("l", ".").split(".")))
    assert found.won <= found.longest_won <= found.longest_played
    assert found.played <= found.longest_played


@given(st.integers(1970, 2200), st.integers(1, 12))
def test_a_calendar_has_the_days_of_its_month(year: int, month: int) -> None:
    days = daily.calendar({}, year, month, daily.starts(DAY))
    assert [each.day.day for each in days] == list(range(1, len(days) + 1))
    assert 28 <= len(days) <= 31
    assert (days[-1].day + timedelta(days=1)).day == 1


def test_a_calendar_shows_what_was_made_of_each_day() -> None:
    days = daily.calendar(marks("wl"), 2026, 11, daily.starts(DAY) + 1)
    assert [each.mark for each in days[-3:]] == [None, WON, LOST]
    assert [each.open for each in days[-2:]] == [False, True]
    assert [each.over for each in days[-2:]] == [True, False]


def test_there_is_no_thirteenth_month() -> None:
    with pytest.raises(ValueError, match="month"):
        daily.calendar({}, 2026, 13, 0)
