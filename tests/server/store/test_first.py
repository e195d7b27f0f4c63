"""Which cards are new to a player: so many are remembered, and no repeat is ever new."""

import pytest

from server.store import keys
from server.store.histories import CODE_STAYS_MS, Histories
from tests.server.store.conftest import Worker
from tests.server.store.earning import sign_in


@pytest.fixture
async def histories(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> Histories:
    monkeypatch.setattr("server.store.histories.MOST_CODES", 3)
    await sign_in(worker, "ann", "bob")
    return Histories(worker.link)


async def age(worker: Worker, *codes: str) -> None:
    """Let these codes have been noted long enough ago."""
    for code in codes:
        await worker.link.call("ZINCRBY", keys.codes_noted("ann"), -CODE_STAYS_MS, code)


async def remembered(worker: Worker) -> set[str]:
    held = {code.decode() for code in await worker.link.call("HKEYS", keys.codes("ann"))}
    listed = await worker.link.call("ZRANGE", keys.codes_noted("ann"), 0, -1)
    assert held == {code.decode() for code in listed}
    return held


async def test_cards_are_new_once(worker: Worker, histories: Histories) -> None:
    assert await histories.note("ann", "s1", "A")
    assert await histories.note("ann", "s1", "A")
    assert not await histories.note("ann", "s2", "A")
    assert await histories.note("bob", "s3", "A")
    assert await histories.is_first("ann", "s1", "A")
    assert not await histories.is_first("ann", "s2", "A")
    for key in (keys.codes("ann"), keys.codes_noted("ann")):
        assert await worker.link.call("TTL", key) > 399 * 24 * 3600


async def test_the_oldest_give_way_once_they_are_old(worker: Worker, histories: Histories) -> None:
    for code in "ABC":
        assert await histories.note("ann", f"s{code}", code)
    await age(worker, "A", "B")
    assert await histories.note("ann", "sD", "D")
    assert await remembered(worker) == {"B", "C", "D"}
    assert not await histories.note("ann", "again", "B")
    # The first session itself may be shown again.
    assert await histories.note("ann", "sA", "A")
    assert await remembered(worker) == {"A", "C", "D"}


async def test_what_there_is_no_room_for_counts_as_known(
    worker: Worker, histories: Histories
) -> None:
    for code in "ABC":
        assert await histories.note("ann", f"s{code}", code)
    assert not await histories.note("ann", "sD", "D")
    assert not await histories.is_first("ann", "sD", "D")
    assert not await histories.note("ann", "again", "A")
    assert await histories.is_first("ann", "sA", "A")
    assert await remembered(worker) == {"A", "B", "C"}
    await age(worker, "C")
    assert await histories.note("ann", "sE", "E")
    assert await remembered(worker) == {"A", "B", "E"}


async def test_nothing_is_noted_of_who_is_no_player(worker: Worker, histories: Histories) -> None:
    assert not await histories.note("nobody", "s1", "A")
    assert await worker.link.call("KEYS", "yukon:player:{nobody}*") == []
