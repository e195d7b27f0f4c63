"""Statistics: what counts, and that game by game comes to the same as the whole history."""

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core import statistics
from server.core.statistics import RECENT, UNTOUCHED_MS, Fate, Played, Statistics, add, fate

games = st.lists(
    st.builds(
        Played,
        st.booleans(),
        st.integers(0, 625),
        st.integers(0, 2**40 - 1),
        st.integers(1, 5000),
        st.integers(0, 2**44),
    ),
    max_size=80,
)


@given(games)
def test_game_by_game_is_the_whole_history(history: list[Played]) -> None:
    assert reduce(add, history, Statistics()) == statistics.of(history)


@given(games)
def test_the_figures_are_what_they_are_called(history: list[Played]) -> None:
    figures = statistics.of(history)
    wins = [game for game in history if game.won]
    assert figures.wins <= figures.games == len(history)
    assert figures.streak <= figures.longest_streak <= figures.wins
    assert figures.recent == tuple(history)[-RECENT:]
    assert (figures.win_rate is None) == (not history)
    assert (figures.mean_time is None) == (not wins)
    if wins:
        assert figures.best_time is not None
        assert figures.mean_time is not None
        assert figures.best_time <= figures.mean_time
        assert figures.fewest_moves == min(game.moves for game in wins)
    if figures.streak:
        assert all(game.won for game in history[-figures.streak :])


@given(games)
def test_statistics_survive_their_fields(history: list[Played]) -> None:
    figures = statistics.of(history)
    assert Statistics.from_fields(figures.to_fields()) == figures


def test_an_evening() -> None:
    history = [
        Played(True, 625, 300_000, 130, 1),
        Played(True, 625, 200_000, 150, 2),
        Played(False, 240, 900_000, 20, 3),
        Played(True, 625, 400_001, 140, 4),
    ]
    figures = reduce(add, history, Statistics())
    assert (figures.games, figures.wins, figures.win_rate) == (4, 3, 0.75)
    assert (figures.streak, figures.longest_streak) == (1, 2)
    assert (figures.best_time, figures.mean_time) == (200_000, 300_000)
    assert (figures.fewest_moves, figures.best_score) == (130, 625)


@pytest.mark.parametrize(
    "moves,won,ended,idle,expected",
    [
        (0, False, False, 0, Fate.UNPLAYED),
        (0, False, True, 0, Fate.UNPLAYED),
        (0, False, False, UNTOUCHED_MS, Fate.UNPLAYED),
        (1, False, False, 0, Fate.OPEN),
        (1, False, False, UNTOUCHED_MS - 1, Fate.OPEN),
        (1, False, False, UNTOUCHED_MS, Fate.NOT_WON),
        (1, False, True, 0, Fate.NOT_WON),
        (9, True, True, 0, Fate.WON),
        (9, True, True, UNTOUCHED_MS, Fate.WON),
    ],
)
def test_what_a_session_came_to(
    moves: int, won: bool, ended: bool, idle: int, expected: Fate
) -> None:
    assert fate(moves=moves, won=won, ended=ended, touched=1000, now=1000 + idle) is expected
