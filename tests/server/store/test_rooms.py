"""Rooms on a real Redis: found by their names, each decision once, who is there, who is told."""

import asyncio

import pytest

from engine.diff import State as GameState
from engine.game import Game
from engine.move import RESIGN
from server.core.lanes import progress_of
from server.core.messages import Origin
from server.core.ports import Committed
from server.core.raceacts import Join, Leave, Ready, Remove, Start
from server.core.racesteps import HOST_AWAY_MS
from server.core.refusals import Code, Refused
from server.core.room import State
from server.core.roomcode import RoomName
from server.core.roomports import Heard, read_message, topic
from server.core.standings import Progress
from server.store import keys
from server.store.errors import Damaged
from server.store.rooms import Rooms
from tests.server.store.conftest import MakeWorker, Worker, eventually
from tests.server.store.tables import CODE, GO, PLAYERS, TYPED, commit_of, draw, table


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
        await at.rooms.due.no_later(f"room:{at.id}", await at.rooms.now() - 1)
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
