"""Rooms on a real Redis: one commit for a move and its race, each decision once, nothing lost."""

import asyncio
import json
from collections.abc import Iterator
from itertools import count

import pytest

from engine.diff import State as GameState
from engine.game import Game
from engine.move import RESIGN
from server.core import race, roommessages
from server.core.heads import first_head, next_head
from server.core.lanes import progress_of
from server.core.messages import Kind, Origin, Play
from server.core.ports import Commit, Committed, LaneCommit, RaceOver, Stale
from server.core.raceacts import Join, Leave, Ready, Rematch, Remove, Start, Wish
from server.core.racesteps import EMPTY_MS, HOST_AWAY_MS
from server.core.refusals import Code, Refused
from server.core.room import Ending, Room, State, lane_session
from server.core.roomcode import RoomName
from server.core.roomports import Heard, Loaded, read_message, topic
from server.core.session import Accepted, Broken, Session
from server.core.standings import Outcome, Progress
from server.store import keys
from server.store.due import Due
from server.store.errors import Damaged
from server.store.rooms import Rooms
from tests.server.store.conftest import MakeWorker, Worker, eventually

ENTROPY = bytes(range(17))
CODE = "YU1-C-AAAAAAB"
SEALED, TYPED = Wish("C", None, 5), Wish("C", CODE, 0)
GO, PLAYERS = 4_000, ("anna", "bert", "carl", "dora")
numbers: Iterator[int] = count()


def draw(wish: Wish = SEALED, host: str = "anna", code: str | None = None) -> Room:
    number = next(numbers)
    letters = "".join("BCDFGHJK"[number >> 3 * place & 7] for place in range(6))
    room_id = f"room{number:012}".translate(str.maketrans("0189", "abcd"))
    return race.make((room_id, code or letters), host, host.title(), wish, entropy=ENTROPY, now=1)


class Table:
    """A room on one worker; instead of waiting, the instants that it says are moved."""

    def __init__(self, worker: Worker, room: Room) -> None:
        self.worker = worker
        self.rooms = Rooms(worker.link)
        self.id = room.id

    async def now(self) -> Loaded:
        loaded = await self.rooms.load(self.id)
        assert loaded is not None
        return loaded

    async def back(self, milliseconds: int, *fields: str) -> None:
        """Put instants of the document back, as if that much time had passed."""
        loaded = await self.now()
        document = json.loads(loaded.room.to_json())
        for field in fields:
            document["race"][field] -= milliseconds
        await self.worker.link.call("HSET", keys.room(self.id), "doc", json.dumps(document))
        if "ends" in fields:
            await self.worker.link.call(
                "HSET", keys.room(self.id), "ends", document["race"]["ends"]
            )

    async def away(self, player: str, milliseconds: int) -> None:
        """This player was last connected so long ago."""
        at = await self.rooms.now() - milliseconds
        await self.worker.link.call("HSET", keys.room(self.id), f"c:{player}", at)

    async def go(self) -> Loaded:
        await self.rooms.carry_out(self.id, "anna", Start(force=True))
        await self.back(GO, "go_at")
        return await self.rooms.look(self.id)

    async def session(self, seat: int) -> Session:
        loaded = await self.now()
        session_id = lane_session(self.id, loaded.room.race.number, seat)
        stored = await self.worker.sessions.load(session_id)
        assert stored is not None
        return Session(stored)

    async def play(self, seat: int, moves: int = 1) -> Session:
        session = await self.session(seat)
        for _ in range(moves):
            move = next(iter(session.game.legal_moves))
            kind = Kind.FINISH if move.source == 255 else Kind.MOVE
            decision = session.decide(Play(kind, session.version, move), 0)
            assert isinstance(decision, Accepted)
            outcome = await self.worker.sessions.commit(decision.commit)
            assert isinstance(outcome, Committed)
            session.settle(decision, outcome.ms)
        return session


async def table(
    worker: Worker, wish: Wish = SEALED, players: tuple[str, ...] = PLAYERS[:2]
) -> Table:
    rooms = Rooms(worker.link)
    room = await rooms.create(lambda: draw(wish), "anna")
    for player in players[1:]:
        await rooms.carry_out(room.id, player, Join(player.title()))
    await rooms.hold(room.id, players)
    return Table(worker, room)


def commit_of(session: Session, *, outcome: str = "", seat: int = 0, moves: int = 1) -> Commit:
    """A commit as a worker would make it, of any claim: the script does not know the rules."""
    action = bytes((3, 4, 6))
    progress = Progress(10, 3, 170, moves).packed()
    return Commit(
        session_id=session.id,
        version=session.version,
        head=session.head,
        action=action,
        next_head=next_head(session.head, action),
        state="won" if outcome == "won" else "playing",
        score=5,
        ranked=5,
        moves=moves,
        ends=bool(outcome),
        lane=LaneCommit(session.room, 1, seat, progress, outcome),
    )


class TestMaking:
    async def test_a_room_is_found_by_id_and_by_code(self, worker: Worker) -> None:
        rooms = Rooms(worker.link)
        room = await rooms.create(draw, "anna")
        assert await rooms.find(RoomName(room.code, is_code=True)) == room.id
        assert await rooms.find(RoomName(room.id, is_code=False)) == room.id
        loaded = await rooms.load(room.id)
        assert loaded is not None
        assert loaded.room == room
        assert await rooms.find(RoomName("ZZZZZZ", is_code=True)) is None
        assert await rooms.load("nobody") is None

    async def test_a_request_that_comes_again_finds_its_room(self, worker: Worker) -> None:
        rooms = Rooms(worker.link)
        request = b"12345678"
        made = await asyncio.gather(*(rooms.create(draw, "anna", request) for _ in range(5)))
        assert len({room.id for room in made}) == 1
        assert len({room.code for room in made}) == 1
        assert await rooms.find(RoomName(made[0].code, is_code=True)) == made[0].id
        other = await rooms.create(draw, "bert", request)
        assert other.id != made[0].id

    async def test_a_code_in_use_is_drawn_again(self, worker: Worker) -> None:
        rooms = Rooms(worker.link)
        first = await rooms.create(draw, "anna")
        drawn = iter([draw(code=first.code), draw(code=first.code), draw()])
        second = await rooms.create(lambda: next(drawn), "bert")
        assert second.code != first.code
        assert await rooms.find(RoomName(first.code, is_code=True)) == first.id

    async def test_nothing_of_a_room_lives_for_ever(self, worker: Worker) -> None:
        at = await table(worker)
        await at.go()
        code = keys.room_code((await at.now()).room.code)
        found = await worker.link.call("KEYS", f"*{at.id}*")
        assert len(found) == 1 + 2 * 2  # the room, and for each seat a session and a log
        for key in (*found, code):
            assert await worker.link.call("TTL", key) > 0, key

    async def test_what_is_no_room_is_damage_and_not_a_crash(self, worker: Worker) -> None:
        at = await table(worker)
        await worker.link.call("HSET", keys.room(at.id), "doc", "{}")
        with pytest.raises(Damaged):
            await at.rooms.load(at.id)


class TestDecidingOnce:
    async def test_sixteen_join_at_once_on_two_workers(self, worker: Worker, other: Worker) -> None:
        room = await Rooms(worker.link).create(draw, "anna")
        both = Rooms(worker.link), Rooms(other.link)
        answers = await asyncio.gather(
            *(both[n % 2].carry_out(room.id, f"player{n}", Join(f"Player {n}")) for n in range(20)),
            return_exceptions=True,
        )
        loaded = await both[0].load(room.id)
        assert loaded is not None
        assert [seat.number for seat in loaded.room.seats] == list(range(16))
        refused = [answer for answer in answers if isinstance(answer, Refused)]
        assert [answer.code for answer in refused] == [Code.ROOM_FULL] * 5
        assert loaded.room.version == 16

    async def test_a_refused_command_changes_nothing(self, worker: Worker) -> None:
        at = await table(worker)
        before = await worker.link.call("HGETALL", keys.room(at.id))
        with pytest.raises(Refused) as refused:
            await at.rooms.carry_out(at.id, "bert", Start(force=True))
        assert refused.value.code is Code.NOT_HOST
        assert await worker.link.call("HGETALL", keys.room(at.id)) == before

    async def test_a_room_that_is_gone_is_refused(self, worker: Worker) -> None:
        with pytest.raises(Refused) as refused:
            await Rooms(worker.link).carry_out("nobody", "anna", Ready(True))
        assert refused.value.code is Code.NO_SUCH_ROOM

    async def test_go_happens_once_on_two_workers(self, worker: Worker, other: Worker) -> None:
        at = await table(worker)
        await at.rooms.carry_out(at.id, "anna", Start(force=True))
        await at.back(GO, "go_at")
        both = Rooms(worker.link), Rooms(other.link)
        await asyncio.gather(*(both[n % 2].look(at.id) for n in range(10)))
        loaded = await at.now()
        assert loaded.room.race.state is State.RUNNING
        assert loaded.room.version == 4  # made, joined, started, dealt

    async def test_everybody_gets_the_same_board_at_the_same_instant(self, worker: Worker) -> None:
        at = await table(worker, players=PLAYERS)
        loaded = await at.go()
        sessions = [await at.session(seat) for seat in range(4)]
        assert {session.dealt_at_ms for session in sessions} == {loaded.room.race.started}
        assert {str(session.game.code) for session in sessions} == {loaded.room.race.code}
        assert [session.player for session in sessions] == list(PLAYERS)
        assert {session.origin for session in sessions} == {Origin.RACE}
        assert all(session.hides_code for session in sessions)
        assert [loaded.facts.progress[seat] for seat in range(4)] == [Progress(0, 21)] * 4

    async def test_nothing_is_dealt_before_go(self, worker: Worker) -> None:
        at = await table(worker)
        await at.rooms.carry_out(at.id, "anna", Start(force=True))
        await at.rooms.look(at.id)
        assert not await worker.link.call("KEYS", "*:session:*")
        assert (await at.now()).room.race.state is State.COUNTDOWN


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


class TestInstants:
    async def test_go_comes_from_the_schedule_when_its_worker_is_gone(
        self, worker: Worker, other: Worker
    ) -> None:
        at = await table(worker)
        await at.rooms.carry_out(at.id, "anna", Start(force=True))
        await worker.link.close()
        survivor = Rooms(other.link)
        at.rooms, at.worker = survivor, other
        await at.back(GO, "go_at")
        await survivor.due.schedule(f"room:{at.id}", await survivor.now())
        await survivor.sweep()
        assert (await at.now()).room.race.state is State.RUNNING

    async def test_the_start_has_scheduled_go_before_it_is_committed(self, worker: Worker) -> None:
        at = await table(worker)
        loaded = await at.now()
        decision = race.decide(loaded.room, loaded.facts, "anna", Start(True), loaded.now)
        await worker.link.call("HSET", keys.room(at.id), "v", 99)  # somebody else was first
        assert not await at.rooms._commit(loaded, decision)
        score = await worker.link.call("ZSCORE", keys.DUE, f"room:{at.id}")
        assert float(score) == (loaded.now + GO) * 1000

    async def test_a_later_need_does_not_push_an_earlier_one_away(self, worker: Worker) -> None:
        at = await table(worker)
        await at.rooms.carry_out(at.id, "anna", Start(force=True))
        go_at = (await at.now()).room.race.go_at
        assert go_at is not None
        await at.rooms.due.no_later(f"room:{at.id}", go_at + 10_000)
        score = await worker.link.call("ZSCORE", keys.DUE, f"room:{at.id}")
        assert float(score) == go_at * 1000

    async def test_a_look_schedules_the_next_and_an_idle_room_none(self, worker: Worker) -> None:
        at = await table(worker)
        loaded = await at.go()
        await at.rooms.due.schedule(f"room:{at.id}", await at.rooms.now() - 1)
        await at.rooms.sweep()
        score = float(await worker.link.call("ZSCORE", keys.DUE, f"room:{at.id}"))
        due = race.next_due(loaded.room, (await at.now()).facts, loaded.now)
        assert due is not None
        assert score == due * 1000
        for player in ("anna", "bert"):
            await at.away(player, EMPTY_MS)
        await at.rooms.due.schedule(f"room:{at.id}", await at.rooms.now() - 1)
        await at.rooms.sweep()
        assert (await at.now()).room.race.ending is Ending.EMPTY
        await at.rooms.due.schedule(f"room:{at.id}", await at.rooms.now() - 1)
        await at.rooms.sweep()
        assert await worker.link.call("ZSCORE", keys.DUE, f"room:{at.id}") is None

    async def test_a_room_that_is_gone_leaves_the_schedule(self, worker: Worker) -> None:
        rooms = Rooms(worker.link)
        await rooms.due.schedule("room:nobody", 1)
        await rooms.sweep()
        assert await worker.link.call("ZCARD", keys.DUE) == 0

    async def test_what_was_claimed_and_not_done_is_due_again(self, worker: Worker) -> None:
        due = Due(worker.link, keys.DUE)
        await due.schedule("room:x", 1)
        claimed = await due.claim(0)
        assert claimed.what == ["room:x"]
        assert (await due.claim(60_000)).what == ["room:x"]

    async def test_a_thing_scheduled_nearer_meanwhile_stays_there(self, worker: Worker) -> None:
        due = Due(worker.link, keys.DUE)
        await due.schedule("room:x", 1)
        claim = (await due.claim(60_000)).claim
        await due.schedule("room:x", 5)
        await due.again("room:x", claim, 7)
        assert float(await worker.link.call("ZSCORE", keys.DUE, "room:x")) == 5000
        claim = (await due.claim(60_000)).claim
        await due.again("room:x", claim, 7)
        assert float(await worker.link.call("ZSCORE", keys.DUE, "room:x")) == 7000


class TestPresence:
    async def test_who_is_held_is_connected_and_who_is_let_go_is_not(self, worker: Worker) -> None:
        at = await table(worker)
        loaded = await at.now()
        assert loaded.facts.is_connected("bert", loaded.now)
        await at.rooms.let_go(at.id, "bert")
        loaded = await at.now()
        assert not loaded.facts.is_connected("bert", loaded.now)
        assert loaded.facts.is_connected("anna", loaded.now)

    async def test_the_host_of_a_dead_worker_hands_over(self, worker: Worker) -> None:
        at = await table(worker)
        await at.away("anna", HOST_AWAY_MS)  # a lease that nobody renewed
        await at.rooms.due.schedule(f"room:{at.id}", await at.rooms.now() - 1)
        await at.rooms.sweep()
        assert (await at.now()).room.host == "bert"

    async def test_the_hand_over_waits_in_the_schedule_once_the_host_is_gone(
        self, worker: Worker
    ) -> None:
        at = await table(worker)
        await at.rooms.let_go(at.id, "anna")
        score = float(await worker.link.call("ZSCORE", keys.DUE, f"room:{at.id}"))
        seen = (await at.now()).facts.seen["anna"]
        assert score <= (seen + HOST_AWAY_MS) * 1000

    async def test_who_comes_back_to_a_room_without_its_host_takes_over(
        self, worker: Worker
    ) -> None:
        at = await table(worker)
        await at.away("anna", HOST_AWAY_MS)
        await at.away("bert", 1)
        await at.rooms.look(at.id)
        assert (await at.now()).room.host == "anna"
        await at.rooms.hold(at.id, ["bert"])
        assert (await at.now()).room.host == "bert"

    async def test_nothing_is_kept_of_the_presence_of_who_left(self, worker: Worker) -> None:
        at = await table(worker)
        await at.away("bert", HOST_AWAY_MS)
        for command in (Leave(), Join("Bert"), Leave()):
            await at.rooms.carry_out(at.id, "bert", command)
            assert set((await at.now()).facts.seen) == {"anna"}
            # Their worker may be late to tell that they went.
            await at.rooms.let_go(at.id, "bert")
            assert set((await at.now()).facts.seen) == {"anna"}

    async def test_presence_in_a_room_that_is_gone_makes_none(self, worker: Worker) -> None:
        rooms = Rooms(worker.link)
        await rooms.hold("nobody", ["anna"])
        await rooms.let_go("nobody", "anna")
        assert not await worker.link.call("KEYS", "*nobody*")


class TestTelling:
    async def test_workers_hear_of_changes_moves_and_presence(
        self, worker: Worker, make_worker: MakeWorker
    ) -> None:
        at = await table(worker, TYPED)
        await at.go()
        far = await make_worker("far")
        heard: list[Heard] = []

        async def hears(expected: Heard) -> None:
            await eventually(lambda: expected in heard)

        await far.bus.listen(topic(at.id), lambda message: heard.append(read_message(message)))
        session = await at.play(1)
        progress = progress_of(session.game).packed()
        await hears(Heard(lane=(1, 1), progress=progress))
        outcome = await worker.sessions.commit(commit_of(await at.session(0), outcome="won"))
        assert isinstance(outcome, Committed)
        finish = f"won,{outcome.ms},1"
        await hears(Heard(lane=(1, 0), progress=Progress(10, 3, 170, 1).packed(), finish=finish))
        await at.rooms.let_go(at.id, "bert")
        await hears(Heard())
        await at.rooms.carry_out(at.id, "anna", Remove(1))
        version = (await at.now()).room.version
        await hears(Heard(version=version, dismissed=("bert",)))

    @pytest.mark.parametrize("message", [b"", b"x 1", b"r", b"r x", b"l 1 2 3", b"l 1:1", b"\xff"])
    def test_other_messages_are_refused(self, message: bytes) -> None:
        with pytest.raises((ValueError, IndexError)):
            read_message(message)


def test_the_states_of_a_finished_game_are_those_that_end_a_lane() -> None:
    game = Game(CODE)
    game.play(RESIGN, 0)
    assert game.state is GameState.GIVEN_UP
