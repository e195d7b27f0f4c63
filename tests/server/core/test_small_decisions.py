"""Names, credits, clocks and deals."""

import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.clock import StoreClock
from server.core.deals import Deals
from server.core.messages import Origin
from server.core.names import BadName, clean
from server.core.refusals import Code, Refused
from server.core.throttle import NO_LIMITS, Credit, Credits, Limit


@given(st.text(max_size=30))
def test_a_clean_name_is_short_visible_and_stays_as_it_is(text: str) -> None:
    try:
        name = clean(text)
    except BadName as refused:
        no = refused
    else:
        assert 1 <= len(name) <= 20
        assert clean(name) == name
        assert name == name.strip()
        assert not {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} & {unicodedata.category(c) for c in name}
        return
    assert str(no).endswith(".")


def test_a_credit_lets_a_burst_through_and_then_its_rate() -> None:
    credit = Credit(Limit(rate=2, burst=5))
    assert [credit.spend(100.0) for _ in range(7)] == [True] * 5 + [False] * 2
    assert not credit.spend(100.4)
    assert credit.spend(100.5)
    assert not credit.spend(100.6)
    assert not credit.is_full(100.6)
    assert credit.is_full(104.0)
    assert [credit.spend(200.0) for _ in range(6)] == [True] * 5 + [False]


@given(
    st.floats(0.1, 50),
    st.integers(1, 50),
    st.lists(st.floats(0, 3), min_size=1, max_size=200),
)
def test_a_credit_never_lets_more_through_than_it_says(
    rate: float, burst: int, pauses: list[float]
) -> None:
    credit = Credit(Limit(rate, burst))
    now = 1000.0
    let_through = 0
    for pause in pauses:
        now += pause
        let_through += credit.spend(now)
    assert let_through <= burst + rate * (now - 1000.0) + 1e-3
    assert let_through >= 1


def test_credits_of_others_are_not_touched_and_full_ones_are_forgotten() -> None:
    few = Credits(Limit(1, 1), sweep_at=10)
    for number in range(100):
        assert few.spend(str(number), float(number))
        assert not few.spend(str(number), float(number))
    assert len(few) <= 20
    crowd = Credits(Limit(0.001, 1), sweep_at=10)
    for number in range(100):
        assert crowd.spend(str(number), 0.0)
    assert len(crowd) == 100
    assert not any(crowd.spend(str(number), 0.0) for number in range(100))


@pytest.mark.parametrize("rate,burst", [(0, 1), (-1, 1), (1, 0)])
def test_a_limit_that_lets_nothing_through_is_a_mistake(rate: float, burst: float) -> None:
    with pytest.raises(ValueError, match="at least one"):
        Limit(rate, burst)


def test_without_limits_everything_passes() -> None:
    credit = Credit(NO_LIMITS.connection)
    assert all(credit.spend(0.0) for _ in range(10_000))


def test_a_clock_follows_the_quick_answers() -> None:
    clock = StoreClock()
    assert clock.at(500.0) == 500
    clock.note(1000.0, 1002.0, 6001)
    assert clock.at(1002.0) == 6002
    clock.note(2000.0, 2900.0, 9999)  # such an answer tells nothing
    assert clock.at(2900.0) == 7900
    for number in range(200):  # the store's clock was set
        clock.note(3000.0 + number, 3010.0 + number, 13_005 + number)
    assert clock.at(4000.0) == 14_000


def test_numbers_and_letters_come_from_the_one_source() -> None:
    asked = []

    def source(count: int) -> bytes:
        asked.append(count)
        return bytes(count)

    deals = Deals(source)
    assert str(deals.code_for(Origin.RANDOM, "c ")) == "YU1-C-AAAAAAA"
    assert str(deals.code_for(Origin.RANKED, "D")) == "YU1-D-" + "A" * 26
    assert deals.session_id() == "A" * 16
    assert asked == [5, 17, 12]
    highest = Deals(lambda count: b"\xff" * count)
    assert str(highest.random("S")) == "YU1-S-7777777"
    assert highest.session_id() == "_" * 16


def test_ids_use_every_letter() -> None:
    state = iter(range(1, 10_000))
    deals = Deals(lambda count: (next(state) * 0x9E3779B97F4A7C15 % 2**96).to_bytes(count))
    letters = Counter("".join(deals.session_id() for _ in range(500)))
    assert len(letters) == 64


@pytest.mark.parametrize("text", ["", "Q", "CC", "ß", "YU1-C-AAAAAAB"])
def test_a_letter_that_is_no_ruleset_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        Deals(bytes).code_for(Origin.RANDOM, text)
    assert refused.value.code is Code.BAD_CODE
