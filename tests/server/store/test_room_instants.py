"""What happens in rooms at an instant, on a real Redis: scheduled before, claimed once."""

from server.core import race
from server.core.raceacts import Start
from server.core.racesteps import EMPTY_MS
from server.core.room import Ending, State
from server.store import keys
from server.store.due import Due
from server.store.rooms import Rooms
from tests.server.store.conftest import Worker
from tests.server.store.tables import GO, table


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
        await survivor.due.no_later(f"room:{at.id}", await survivor.now())
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
        await at.rooms.due.no_later(f"room:{at.id}", await at.rooms.now() - 1)
        await at.rooms.sweep()
        score = float(await worker.link.call("ZSCORE", keys.DUE, f"room:{at.id}"))
        due = race.next_due(loaded.room, (await at.now()).facts, loaded.now)
        assert due is not None
        assert score == due * 1000
        for player in ("anna", "bert"):
            await at.away(player, EMPTY_MS)
        await at.rooms.due.no_later(f"room:{at.id}", await at.rooms.now() - 1)
        await at.rooms.sweep()
        assert (await at.now()).room.race.ending is Ending.EMPTY
        await at.rooms.due.no_later(f"room:{at.id}", await at.rooms.now() - 1)
        await at.rooms.sweep()
        assert await worker.link.call("ZSCORE", keys.DUE, f"room:{at.id}") is None

    async def test_a_room_that_is_gone_leaves_the_schedule(self, worker: Worker) -> None:
        rooms = Rooms(worker.link)
        await rooms.due.no_later("room:nobody", 1)
        await rooms.sweep()
        assert await worker.link.call("ZCARD", keys.DUE) == 0

    async def test_what_was_claimed_and_not_done_is_due_again(self, worker: Worker) -> None:
        due = Due(worker.link, keys.DUE)
        await due.no_later("room:x", 1)
        claimed = await due.claim(0)
        assert claimed.what == ["room:x"]
        assert (await due.claim(60_000)).what == ["room:x"]

    async def test_a_thing_scheduled_nearer_meanwhile_stays_there(self, worker: Worker) -> None:
        due = Due(worker.link, keys.DUE)
        await due.no_later("room:x", 1)
        claim = (await due.claim(60_000)).claim
        await due.no_later("room:x", 5)
        await due.again("room:x", claim, 7)
        assert float(await worker.link.call("ZSCORE", keys.DUE, "room:x")) == 5000
        claim = (await due.claim(60_000)).claim
        await due.again("room:x", claim, 7)
        assert float(await worker.link.call("ZSCORE", keys.DUE, "room:x")) == 7000
