"""A player is forgotten with all that is kept, also when the worker that does it is killed."""

import pytest

from server.core.boards import Order
from server.core.messages import Close, Origin
from server.core.playernews import PlayerNews
from server.store import keys
from server.store.forgetting import forget
from server.store.players import Players
from server.store.recorder import Recorder
from tests.server.store.conftest import Worker
from tests.server.store.dying import forget_dying_anywhere
from tests.server.store.earning import SEALED, WAY, deal, play, sign_in


async def played(worker: Worker) -> Recorder:
    """Two players with a won game each on the same boards."""
    recorder = Recorder(worker.link, worker.sessions)
    await sign_in(worker, "ann", "bob")
    for session, player in (("s1", "ann"), ("s2", "bob")):
        await deal(worker, recorder, session, SEALED, Origin.RANKED, player=player)
        await play(worker, session, WAY)
        await recorder.ended(session)
    await Players(worker.link).set_name("ann", "Ann")
    return recorder


async def left_of_ann(worker: Worker) -> list[str]:
    """The keys that bear her number, and the boards she is on."""
    found = [name.decode() for name in await worker.link.call("KEYS", "yukon:player:{ann}*")]
    for name in await worker.link.call("KEYS", "yukon:board:*:of"):
        if await worker.link.call("HEXISTS", name, "ann"):
            found.append(name.decode())  # noqa: PERF401
    return found


async def test_nothing_of_a_forgotten_player_is_left_and_others_stay(worker: Worker) -> None:
    recorder = await played(worker)
    assert len(await left_of_ann(worker)) > 8
    assert await forget(worker.link, "ann")
    assert await left_of_ann(worker) == []
    assert not await forget(worker.link, "ann")
    page = await recorder.boards.page("R:all", Order.BEST, 2**43)
    assert [(row.player, row.replay) for row in page.rows] == [("bob", "s2")]
    assert await worker.link.call("TTL", keys.session("s1")) > 0
    assert await worker.sessions.load("s1") is not None


async def test_a_worker_that_dies_anywhere_leaves_a_player_who_can_be_forgotten(
    worker: Worker,
) -> None:
    await played(worker)
    async for lives in forget_dying_anywhere(worker, "ann"):
        assert await left_of_ann(worker) == [], f"killed after {lives} commands"


@pytest.mark.parametrize(
    "news",
    [PlayerNews("ann", name="Zoé ♠"), PlayerNews("ann", close=Close.BANNED), PlayerNews("ann")],
)
def test_news_survives_its_bytes(news: PlayerNews) -> None:
    assert PlayerNews.read(news.packed()) == news


@pytest.mark.parametrize("payload", [b"", b"{", b"[1]", b'["ann", null, 1]', b"\xff"])
def test_other_bytes_are_no_news(payload: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        PlayerNews.read(payload)
