"""Statistics of a player's games on a real Redis: each game once, those left alone too."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import Game
from engine.move import RESIGN
from server.core.messages import Origin
from server.core.statistics import UNTOUCHED_MS, Played, Statistics, of
from server.store import keys
from server.store.recorder import Recorder
from tests.server.store.conftest import Worker
from tests.server.store.earning import SEALED, WAY, deal, names_of_boards, place_of, play, sign_in


class TestUntouched:
    async def age(self, worker: Worker, session: str, by_ms: int) -> None:
        """Let a session be so much older."""
        dealt = int(await worker.link.call("HGET", keys.session(session), "dealt_at"))
        await worker.link.call("HSET", keys.session(session), "dealt_at", dealt - by_ms)
        await worker.link.call("ZINCRBY", keys.UNTOUCHED, -by_ms * 1000, session)

    async def test_a_game_left_alone_counts_as_not_won_and_never_again(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        await play(worker, "s1", WAY[:5])
        await recorder.sweep()
        assert await recorder.histories.statistics("ann") == {}
        await self.age(worker, "s1", UNTOUCHED_MS)
        await recorder.sweep()
        counted = await recorder.histories.statistics("ann")
        assert (counted["R"].games, counted["R"].wins) == (1, 0)
        assert await worker.link.call("ZCARD", keys.UNTOUCHED) == 0
        # It stands on no board, and whoever goes on and wins has the row, but no second game.
        assert await names_of_boards(worker) == set()
        await play(worker, "s1", WAY[5:])
        await recorder.ended("s1")
        assert await place_of(recorder, "R:all") == ["s1"]
        assert await recorder.histories.statistics("ann") == counted

    async def test_a_game_that_was_touched_meanwhile_is_looked_at_later(
        self, worker: Worker, recorder: Recorder
    ) -> None:
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        await play(worker, "s1", WAY[:5])
        await worker.link.call("ZADD", keys.UNTOUCHED, 1, "s1")
        await recorder.sweep()
        assert await recorder.histories.statistics("ann") == {}
        score = float(await worker.link.call("ZSCORE", keys.UNTOUCHED, "s1"))
        stored = await worker.sessions.load("s1")
        assert stored is not None
        touched = stored.dealt_at_ms + Game.from_log(stored.code, stored.log).last_ms
        assert score == (touched + UNTOUCHED_MS) * 1000

    async def test_a_game_nobody_began_is_no_game(self, worker: Worker, recorder: Recorder) -> None:
        await sign_in(worker, "ann")
        await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
        await worker.link.call("ZADD", keys.UNTOUCHED, 1, "s1")
        await recorder.sweep()
        await play(worker, "s1", [RESIGN])
        await recorder.ended("s1")
        assert await recorder.histories.statistics("ann") == {}
        assert await names_of_boards(worker) == set()


@settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    games=st.lists(
        st.tuples(st.sampled_from([0, 1, 2, 9, len(WAY)]), st.booleans(), st.booleans()),
        max_size=8,
    )
)
async def test_statistics_are_those_of_the_whole_history(
    worker: Worker, recorder: Recorder, games: list[tuple[int, bool, bool]]
) -> None:
    """Games given up, left open or won, one after the other or recorded all at once."""
    await worker.link.call("FLUSHALL")
    await sign_in(worker, "ann")
    history: dict[str, Played] = {}
    for number, (length, resigns, at_once) in enumerate(games):
        session = f"s{number}"
        await deal(worker, recorder, session, SEALED, Origin.RANKED)
        way = [*WAY[:length], *([RESIGN] if resigns and length < len(WAY) else [])]
        here = await play(worker, session, way)
        game = here.game
        if game.is_over and length > 0:
            history[session] = Played(
                game.is_won,
                game.ranked_score,
                game.elapsed(game.last_ms),
                game.moves,
                here.dealt_at_ms + game.last_ms,
            )
        if at_once:
            await recorder.ended(session)
    await recorder.sweep(0)
    order = await worker.link.call("ZRANGE", keys.counted("ann"), 0, -1)
    assert {session.decode() for session in order} == set(history)
    found = (await recorder.histories.statistics("ann")).get("R", Statistics())
    assert found == of(history[session.decode()] for session in order)


async def test_statistics_that_are_damaged_are_left_alone(
    worker: Worker, recorder: Recorder
) -> None:
    await sign_in(worker, "ann")
    await deal(worker, recorder, "s1", SEALED, Origin.RANKED)
    await play(worker, "s1", WAY)
    await worker.link.call("HSET", keys.statistics("ann"), "R", "{}")
    await recorder.ended("s1")
    assert await worker.link.call("HGET", keys.statistics("ann"), "R") == b"{}"
