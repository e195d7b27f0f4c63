"""Races on a real Redis: a move and its race are one commit, and the end loses nothing."""

import asyncio
import json

from engine.move import RESIGN
from server.core import race, roommessages
from server.core.heads import first_head, next_head
from server.core.lanes import progress_of
from server.core.messages import Kind, Play
from server.core.ports import Commit, Committed, RaceOver, Stale
from server.core.raceacts import Leave, Rematch, Wish
from server.core.refusals import Code
from server.core.room import Ending, State, lane_session
from server.core.session import Accepted, Broken
from server.core.standings import Outcome
from server.store import keys
from server.store.rooms import Rooms
from tests.server.store.conftest import Worker
from tests.server.store.tables import CODE, ENTROPY, PLAYERS, TYPED, commit_of, table


class TestMoves:
    async def test_a_move_and_its_progress_are_one_commit(self, worker: Worker) -> None:
        at = await table(worker, TYPED)
        await at.go()
        session = await at.play(1, moves=5)
        loaded = await at.now()
        assert loaded.facts.progress[1] == progress_of(session.game)
        assert loaded.facts.progress[1].moves == 5
        assert loaded.facts.progress[0].moves == 0
        assert loaded.room.version == 4

    async def test_a_stale_move_does_not_touch_the_lane(self, worker: Worker) -> None:
        at = await table(worker, TYPED)
        await at.go()
        early = await at.session(0)
        await at.play(0, moves=2)
        before = (await at.now()).facts
        assert isinstance(await worker.sessions.commit(commit_of(early, moves=99)), Stale)
        after = (await at.now()).facts
        assert (after.progress, after.finishes) == (before.progress, before.finishes)

    async def test_finishes_are_numbered_in_the_order_of_their_commits(
        self, worker: Worker, other: Worker
    ) -> None:
        at = await table(worker, TYPED, PLAYERS)
        await at.go()
        both = worker.sessions, other.sessions
        commits = [commit_of(await at.session(seat), outcome="won", seat=seat) for seat in range(4)]
        outcomes = await asyncio.gather(
            *(both[seat % 2].commit(commit) for seat, commit in enumerate(commits))
        )
        loaded = await at.now()
        assert sorted(finish.order for finish in loaded.facts.finishes.values()) == [1, 2, 3, 4]
        for seat, outcome in enumerate(outcomes):
            assert isinstance(outcome, Committed)
            assert loaded.facts.finishes[seat].ms == outcome.ms
            assert loaded.facts.finishes[seat].outcome is Outcome.WON
        loaded = await at.rooms.look(at.id)
        assert loaded.room.race.ending is Ending.ALL_ENDED

    async def test_a_lane_that_has_ended_takes_no_more(self, worker: Worker) -> None:
        at = await table(worker, TYPED)
        await at.go()
        session = await at.session(0)
        await worker.sessions.commit(commit_of(session, outcome="won"))
        log = await worker.link.call("GET", keys.log(session.id))
        again = await at.worker.sessions.load(session.id)
        assert again is not None
        more = commit_of(session)._replace(version=1, head=again.head)
        assert await worker.sessions.commit(more) == RaceOver()
        assert await worker.link.call("GET", keys.log(session.id)) == log

    async def test_no_move_gets_in_after_the_limit_though_nobody_looked(
        self, worker: Worker
    ) -> None:
        at = await table(worker)
        await at.go()
        await at.back(5 * 60_000, "ends", "started")
        session = await at.session(0)
        move = next(iter(session.game.legal_moves))
        decision = session.decide(Play(Kind.MOVE, 0, move), 0)
        assert isinstance(decision, Accepted)
        assert await worker.sessions.commit(decision.commit) == RaceOver()
        assert (await at.now()).room.race.state is State.RUNNING
        loaded = await at.rooms.look(at.id)
        assert loaded.room.race.ending is Ending.TIME_LIMIT
        assert (await at.session(0)).version == 0

    async def test_a_session_of_its_own_is_not_kept_from_moving(self, worker: Worker) -> None:
        at = await table(worker, TYPED)
        await at.go()
        session = await at.session(0)
        alone = commit_of(session)._replace(lane=None)
        assert isinstance(await worker.sessions.commit(alone), Committed)

    async def test_whole_games_to_the_end_come_to_right_standings(self, worker: Worker) -> None:
        at = await table(worker, Wish("O", "YU1-O-AAAAAAB", 0))
        await at.go()
        await at.play(0, moves=20)
        session = await at.session(1)
        decision = session.decide(Play(Kind.RESIGN, session.version, RESIGN), 0)
        assert isinstance(decision, Accepted)
        assert decision.commit.lane is not None
        assert decision.commit.lane.outcome == Outcome.GAVE_UP
        await worker.sessions.commit(decision.commit)
        await at.rooms.carry_out(at.id, "anna", Leave())
        loaded = await at.now()
        assert loaded.room.race.state is State.FINISHED
        rows = roommessages.final_standings(loaded.room, loaded.facts)[-1]
        assert isinstance(rows, tuple)
        reached = (await at.session(0)).game.ranked_score
        assert rows[0][1] == (0 if reached else 1)
        assert {row[3] for row in rows} == {1, 2}


class TestTheEnd:
    async def test_a_closed_session_says_so_and_opens_its_cards(self, worker: Worker) -> None:
        at = await table(worker)
        await at.go()
        await at.play(0)
        await at.back(5 * 60_000, "ends")
        await at.rooms.look(at.id)
        session = await at.session(0)
        assert session.is_over
        assert not session.hides_code
        assert session.elapsed_ms(10**14) == session.elapsed_ms(10**15)
        move = next(iter(session.game.legal_moves))
        assert session.decide(Play(Kind.MOVE, 1, move), 0) == Broken(Code.RACE_OVER)

    async def test_who_leaves_is_closed_but_learns_no_code_before_the_end(
        self, worker: Worker
    ) -> None:
        at = await table(worker)
        await at.go()
        await at.rooms.carry_out(at.id, "bert", Leave())
        session = await at.session(1)
        assert session.is_over
        assert session.hides_code
        loaded = await at.now()
        assert loaded.facts.finishes[1].outcome is Outcome.LEFT

    async def test_sessions_that_end_with_the_race_wait_for_their_record(
        self, worker: Worker
    ) -> None:
        at = await table(worker)
        await at.go()
        await at.back(5 * 60_000, "ends")
        await at.rooms.look(at.id)
        waiting, _ = await worker.sessions.take_ending(0)
        assert sorted(waiting) == [lane_session(at.id, 1, 0), lane_session(at.id, 1, 1)]

    async def test_a_win_beside_the_last_leave_always_ends_the_race(
        self, worker: Worker, other: Worker
    ) -> None:
        for _ in range(10):
            at = await table(worker, TYPED)
            await at.go()
            commit = commit_of(await at.session(0), outcome="won")
            looks = Rooms(other.link)

            async def win(
                commit: Commit = commit, looks: Rooms = looks, room_id: str = at.id
            ) -> None:
                await other.sessions.commit(commit)
                await looks.look(room_id)

            await asyncio.gather(win(), at.rooms.carry_out(at.id, "bert", Leave()))
            loaded = await at.now()
            assert loaded.room.race.state is State.FINISHED
            assert loaded.facts.finishes[0].outcome is Outcome.WON
            assert sorted(finish.order for finish in loaded.facts.finishes.values()) == [1, 2]

    async def test_a_finish_since_the_load_refuses_a_commit(self, worker: Worker) -> None:
        at = await table(worker, TYPED)
        await at.go()
        loaded = await at.now()
        await worker.sessions.commit(commit_of(await at.session(0), outcome="won"))
        decision = race.decide(loaded.room, loaded.facts, "bert", Leave(), loaded.now)
        assert decision.room.race.state is State.RUNNING
        assert not await at.rooms._commit(loaded, decision)
        again = await at.rooms.carry_out(at.id, "bert", Leave())
        assert again.room.race.state is State.FINISHED

    async def test_rematch_archives_the_race_and_starts_clean(self, worker: Worker) -> None:
        at = await table(worker)
        await at.go()
        await at.play(0, moves=3)
        await at.back(5 * 60_000, "ends")
        before = (await at.rooms.look(at.id)).room.race
        loaded = await at.rooms.carry_out(at.id, "anna", Rematch(1, same=False, entropy=b"x" * 17))
        assert (loaded.room.race.number, loaded.room.race.state) == (2, State.LOBBY)
        assert (dict(loaded.facts.progress), dict(loaded.facts.finishes)) == ({}, {})
        fields = await worker.link.call("HKEYS", keys.room(at.id))
        assert not [field for field in fields if field.startswith((b"p:1", b"f:1"))]
        (record,) = map(json.loads, await at.rooms.evening(at.id))
        assert record["code"] == before.code
        assert [row["session"] for row in record["places"]]
        loaded = await at.go()
        assert [lane.session for lane in loaded.room.race.lanes] == [f"{at.id}.2-0", f"{at.id}.2-1"]
        assert (await at.session(0)).version == 0

    async def test_a_late_move_of_the_last_race_does_not_touch_the_next(
        self, worker: Worker
    ) -> None:
        at = await table(worker, TYPED)
        await at.go()
        old = await at.session(1)
        for seat in (0, 1):
            session = await at.session(seat)
            decision = session.decide(Play(Kind.RESIGN, 0, RESIGN), 0)
            assert isinstance(decision, Accepted)
            await worker.sessions.commit(decision.commit)
        await at.rooms.look(at.id)
        await at.rooms.carry_out(at.id, "anna", Rematch(1, same=True, entropy=ENTROPY))
        before = (await at.go()).facts
        after_resign = next_head(first_head(CODE), bytes(RESIGN))
        late = commit_of(old, outcome="won", seat=1)._replace(version=1, head=after_resign)
        assert await worker.sessions.commit(late) == RaceOver()
        assert (await at.now()).facts.finishes == before.finishes == {}
