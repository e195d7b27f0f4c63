"""Leaderboards on a real Redis: who has which row, where, what stands on it, who sees what."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.core import boards as rules
from server.core.boardports import BoardRow
from server.core.boards import Order, Result
from server.core.messages import Origin
from server.core.ports import NewSession
from server.core.recording import Place
from server.store import keys
from server.store.boards import Boards, topic
from server.store.players import Players
from tests.server.results import NOON, SEALED, WIN, at, total_order
from tests.server.store.conftest import MakeWorker, Worker

BEST = Place("C:all", Order.BEST)
SECRET = b"s" * 32


@pytest.fixture
def store(worker: Worker) -> Boards:
    return Boards(worker.link)


async def record(store: Boards, result: Result, board: str = "C:all") -> None:
    """What the recorder does for each row."""
    for order in rules.orders(result):
        place = Place(board, order)
        await store.intend(result.player, result.session, {place: None})
        recorded = await store.record(place, result.player, rules.key(result, order), None)
        if not recorded.stands:
            await store.let_go(result.session, (place,))
        await store.release(place, recorded.left)


async def deal(worker: Worker, session: str, player: str, origin: int = Origin.RANDOM) -> None:
    await worker.sessions.create(NewSession(session, SEALED, player, int(origin), state="won"))


async def rows(store: Boards, board: str = "C:all", order: Order = Order.BEST) -> list[BoardRow]:
    return list((await store.page(board, order, NOON)).rows)


async def test_a_player_has_one_row_the_best_one(worker: Worker, store: Boards) -> None:
    for session in ("s1", "s2", "s3"):
        await deal(worker, session, "p1")
    await record(store, replace(WIN, session="s1", time=200_000, moves=130))
    await record(store, replace(WIN, session="s2", time=300_000, moves=110))
    await record(store, replace(WIN, session="s3", time=100_000, moves=150, ended=NOON + 1))
    (best,) = await rows(store)
    (fewest,) = await rows(store, order=Order.MOVES)
    assert (best.place, best.player, best.time, best.moves) == (1, "p1", 100_000, 150)
    assert (best.score, best.won, best.ended, best.replay) == (625, True, NOON + 1, "s3")
    assert best.code == SEALED
    assert (fewest.time, fewest.moves, fewest.score, fewest.replay) == (300_000, 110, 625, "s2")


async def test_recording_again_changes_nothing(worker: Worker, store: Boards) -> None:
    await deal(worker, "s1", "p1")
    await record(store, WIN)
    before = await rows(store)
    for _ in range(3):
        await record(store, WIN)
    assert await rows(store) == before
    assert await store.total("C:all") == 1


async def test_where_a_player_may_have_rows_is_forgotten_with_the_boards(
    worker: Worker, store: Boards
) -> None:
    await deal(worker, "s1", "p1")
    gone, stays, later = (Place(f"C:day:2026-11-{day}", Order.BEST) for day in (1, 2, 3))
    now = int((await worker.link.call("TIME"))[0]) * 1000
    await store.intend("p1", "s1", {gone: now - 1, stays: now + 90_000})
    await store.intend("p1", "s1", {later: None, stays: now + 80_000})
    assert await store.places_of("p1") == [stays, later]
    key = keys.player_rows("p1")
    assert await worker.link.call("ZSCORE", key, str(stays)) == str(now + 90_000).encode()
    assert 399 * 24 * 3600 < await worker.link.call("TTL", key) <= 400 * 24 * 3600


async def test_a_log_lives_while_a_row_stands_on_it(worker: Worker, store: Boards) -> None:
    async def is_kept(session: str) -> bool:
        names = (keys.session(session), keys.log(session))
        left = [await worker.link.call("TTL", name) for name in names]
        assert left == [-1, -1] or all(0 < seconds <= 30 * 24 * 3600 for seconds in left)
        return left == [-1, -1]

    await deal(worker, "s1", "p1")
    await deal(worker, "s2", "p1")
    await record(store, WIN)
    assert await is_kept("s1")
    # It gives way in the one order and stays in the other.
    await record(store, replace(WIN, session="s2", time=1, moves=200))
    assert await is_kept("s1")
    await deal(worker, "s3", "p1")
    await record(store, replace(WIN, session="s3", time=0, moves=100))
    assert not await is_kept("s1")
    assert not await is_kept("s2")
    assert await is_kept("s3")
    # A worse one never stood on anything.
    await deal(worker, "s4", "p1")
    await record(store, replace(WIN, session="s4", time=9, moves=300))
    assert not await is_kept("s4")


async def test_a_window_and_what_stands_on_it_go_together(worker: Worker, store: Boards) -> None:
    await deal(worker, "s1", "p1")
    now = int((await worker.link.call("TIME"))[0]) * 1000
    goes = now + 50 * 24 * 3600 * 1000
    place = Place("C:day:2026-11-30", Order.BEST)
    await store.intend("p1", "s1", {place: goes})
    await store.record(place, "p1", rules.key(WIN, Order.BEST), goes)
    for key in (
        keys.board(*place),
        keys.board_members(*place),
        keys.session("s1"),
        keys.log("s1"),
        keys.session_rows("s1"),
    ):
        assert await worker.link.call("PEXPIRETIME", key) == goes, key
    # The same board by a result that came late does not go earlier.
    await store.record(place, "p1", rules.key(WIN, Order.BEST), goes - 1000)
    assert await worker.link.call("PEXPIRETIME", keys.board(*place)) == goes


async def test_places_pages_and_ties(worker: Worker, store: Boards) -> None:
    """103 players of whom many are equal but for who was first: every row on one page, in order."""
    results = [
        replace(
            WIN,
            session=f"s{number}",
            player=f"p{number:03}",
            time=100_000 + number // 40,
            moves=100,
            ended=NOON + number % 40,
        )
        for number in range(103)
    ]
    await asyncio.gather(*(record(store, result) for result in results))
    for order in Order:
        wanted = sorted(results, key=lambda result: total_order(result, order))
        seen: list[BoardRow] = []
        sizes = []
        after = None
        while True:
            page = await store.page("C:all", order, NOON, after=after)
            assert page.total == 103
            sizes.append(len(page.rows))
            if not page.rows:
                break
            seen += page.rows
            after = page.rows[-1].key
        assert sizes == [50, 50, 3, 0]
        assert [row.player for row in seen] == [result.player for result in wanted]
        assert [row.place for row in seen] == list(range(1, 104))
        for place in (1, 2, 6, 50, 51, 102, 103):
            player = wanted[place - 1].player
            around = await store.around("C:all", order, player, NOON)
            assert (around.place, around.total) == (place, 103)
            assert list(around.rows) == seen[max(0, place - 6) : place + 5]
    nobody = await store.around("C:all", Order.BEST, "nobody", NOON)
    assert nobody == (103, None, ())


async def test_a_page_goes_on_after_a_row_that_is_gone(worker: Worker, store: Boards) -> None:
    players = [f"p{number}" for number in range(9)]
    for number, player in enumerate(players):
        await record(
            store, replace(WIN, player=player, session=f"s{player}", moves=10 + number % 2)
        )
    ordered = [row.player for row in await rows(store, order=Order.MOVES)]
    first = await store.page("C:all", Order.MOVES, NOON, size=4)
    assert [row.player for row in first.rows] == ordered[:4]
    for player in (ordered[3], ordered[0]):
        assert await store.remove_player(player) == 2
    rest = await store.page("C:all", Order.MOVES, NOON, after=first.rows[-1].key, size=4)
    assert [row.player for row in rest.rows] == ordered[4:8]
    assert [row.place for row in rest.rows] == [3, 4, 5, 6]
    assert rest.total == 7


few = st.integers(0, 3)
result_lists = st.lists(
    st.builds(
        lambda player, ranked, time, moves, ended: replace(
            WIN,
            player=f"p{player}",
            ranked=ranked,
            won=ranked == 625,
            time=time,
            moves=moves,
            ended=ended,
        ),
        few,
        st.sampled_from([0, 5, 625]),
        few,
        few,
        few,
    ),
    max_size=12,
)


@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(results=result_lists)
async def test_whatever_is_recorded_in_whatever_order_the_board_is_the_best_of_each(
    worker: Worker, store: Boards, results: list[Result]
) -> None:
    await worker.link.call("FLUSHALL")
    results = [replace(result, session=f"s{number}") for number, result in enumerate(results)]
    for result in [*results, *results]:
        await record(store, result)
    for order in Order:
        best: dict[str, Result] = {}
        for result in results:
            if order not in rules.orders(result):
                continue
            old = best.get(result.player)
            if old is None or total_order(result, order) < total_order(old, order):
                best[result.player] = result
        wanted = sorted(best.values(), key=lambda result: total_order(result, order))
        assert [(row.player, row.moves, row.ended) for row in await rows(store, order=order)] == [
            (result.player, result.moves, result.ended) for result in wanted
        ]


async def test_a_name_is_looked_up_when_it_is_shown(worker: Worker, store: Boards) -> None:
    players = Players(worker.link)
    await players.create("p1", SECRET, 1)
    await record(store, WIN)
    await record(store, WIN, "code:" + SEALED)
    for name in ("Zoé", "Ann"):
        await players.set_name("p1", name)
        for board in ("C:all", "code:" + SEALED):
            assert [row.name for row in await rows(store, board)] == [name]
    await worker.link.call("DEL", keys.player("p1"))
    assert [row.name for row in await rows(store)] == [None]


async def test_what_is_hidden_stays_hidden_until_its_deal_is_open(
    worker: Worker, store: Boards
) -> None:
    sealed = "YU1-C-" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    dealt = at("2026-11-30T23:00")
    for session, origin, race in (("d", Origin.DAILY, ""), ("r.1-0", Origin.RACE, "1:0")):
        await worker.sessions.create(
            NewSession(
                session, sealed, f"p{origin}", int(origin), "won", race=race, dealt_at_ms=dealt
            )
        )
        await record(store, replace(WIN, session=session, player=f"p{origin}"))

    async def shown(now: int) -> dict[str, tuple[str | None, str | None]]:
        page = await store.page("C:all", Order.BEST, now)
        return {row.player: (row.code, row.replay) for row in page.rows}

    hidden = (None, None)
    assert await shown(at("2026-11-30T23:59:59")) == {"p3": hidden, "p4": hidden}
    assert await shown(at("2026-12-01")) == {"p3": (sealed, "d"), "p4": hidden}
    await worker.link.call("HSET", keys.session("r.1-0"), "opened", 5)
    assert await shown(NOON) == {"p3": hidden, "p4": (sealed, "r.1-0")}
    await worker.link.call("DEL", keys.session("r.1-0"))
    assert await shown(NOON) == {"p3": hidden, "p4": hidden}


async def test_rows_are_removed_by_player_and_by_session(worker: Worker, store: Boards) -> None:
    for session, player in (("s1", "p1"), ("s2", "p1"), ("s3", "p2")):
        await deal(worker, session, player)
        for board in ("C:all", "C:day:2026-11-30"):
            moves = {"s1": 100, "s2": 200, "s3": 150}[session]
            result = replace(WIN, session=session, player=player, moves=moves, time=1000 - moves)
            await record(store, result, board)
    # In the order `best` p1 stands there with s2, in `moves` with s1.
    assert await store.remove_session("s2", "C:week:2026-W49") == 0
    assert await store.remove_session("s2", "C:day:2026-11-30") == 1
    assert [row.player for row in await rows(store)] == ["p1", "p2"]
    assert await worker.link.call("TTL", keys.session("s2")) == -1
    assert await store.remove_session("s2") == 1
    assert [row.player for row in await rows(store)] == ["p2"]
    assert [row.player for row in await rows(store, order=Order.MOVES)] == ["p1", "p2"]
    assert await worker.link.call("TTL", keys.session("s2")) > 0
    assert await store.remove_session("s2") == 0
    assert await store.remove_session("nothing") == 0
    assert await store.remove_player("p1") == 2
    assert await store.remove_player("p1") == 0
    assert [row.player for row in await rows(store, order=Order.MOVES)] == ["p2"]
    assert await worker.link.call("TTL", keys.session("s1")) > 0
    assert await worker.link.call("EXISTS", keys.player_rows("p1")) == 0


async def test_who_listens_hears_of_rows_that_enter_and_leave(
    make_worker: MakeWorker, worker: Worker, store: Boards
) -> None:
    other = await make_worker("w2")
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    await other.bus.listen(topic("C:all"), heard.put_nowait)
    await record(store, replace(WIN, won=False, ranked=5))
    await record(store, replace(WIN, session="worse", won=False, ranked=0))
    await record(store, replace(WIN, session="better", won=False, ranked=10))
    await store.remove_player("p1")
    await other.publish(topic("C:all"), b"end")
    told = []
    while (message := await heard.get()) != b"end":
        told.append(message)
    assert len(told) == 3
