"""Where players sit is known, so that whoever is turned out gives up every seat, killed or not."""

import contextlib

from server.core.raceacts import Join, Leave, Start
from server.core.refusals import Refused
from server.core.room import State
from server.core.standings import Outcome
from server.store import keys
from server.store.forgetting import forget
from server.store.rooms import MOST_SEATS_NOTED, Rooms
from server.store.seats import give_up_seats
from tests.server.store.conftest import Worker
from tests.server.store.dying import forget_dying_anywhere
from tests.server.store.earning import sign_in
from tests.server.store.tables import draw


async def made(rooms: Rooms, host: str = "host") -> str:
    return (await rooms.create(lambda: draw(host=host), host)).id


async def seated(rooms: Rooms, room_id: str) -> list[str]:
    loaded = await rooms.load(room_id)
    assert loaded is not None
    return [seat.player for seat in loaded.room.seats]


async def test_every_seat_is_given_up_and_a_race_goes_on_without(
    worker: Worker,
) -> None:
    rooms = Rooms(worker.link)
    await sign_in(worker, "ann", "host")
    running, lobby, own, left = [
        await made(rooms),
        await made(rooms),
        await made(rooms, "ann"),
        await made(rooms),
    ]
    for room_id in (running, lobby, left):
        await rooms.carry_out(room_id, "ann", Join("Ann"))
    await rooms.carry_out(left, "ann", Leave())
    await rooms.hold(running, ["host"])
    loaded = await rooms.carry_out(running, "host", Start(True))
    moved = loaded.room.with_race(go_at=loaded.now)
    await worker.link.call("HSET", keys.room(running), "doc", moved.to_json())
    assert (await rooms.look(running)).room.race.state is State.RUNNING
    assert sorted(await rooms.sat_in("ann")) == sorted([running, lobby, own, left])
    await worker.link.call("DEL", keys.room(lobby))
    await give_up_seats(rooms, "ann")
    assert await seated(rooms, running) == ["host"]
    assert await seated(rooms, own) == []
    loaded = await rooms.look(running)
    (finish,) = loaded.facts.finishes.values()
    assert (finish.outcome, loaded.room.race.state) == (Outcome.LEFT, State.RUNNING)
    await give_up_seats(rooms, "ann")
    assert await seated(rooms, left) == ["host"]


async def test_the_newest_seats_of_a_player_are_remembered(worker: Worker) -> None:
    rooms = Rooms(worker.link)
    await sign_in(worker, "ann")
    many = [(number, f"room{number:04}") for number in range(MOST_SEATS_NOTED + 5)]
    for score, room_id in many:
        await worker.link.call("ZADD", keys.seats("ann"), score, room_id)
    room_id = await made(rooms, "ann")
    found = await rooms.sat_in("ann")
    assert found == [*(each for _, each in many[6:]), room_id]
    assert await worker.link.call("TTL", keys.seats("ann")) > 0


async def test_nothing_is_kept_about_who_is_no_player(worker: Worker) -> None:
    rooms = Rooms(worker.link)
    await made(rooms, "nobody")
    assert await rooms.sat_in("nobody") == []


async def test_a_forgotten_player_sits_nowhere_also_when_the_worker_dies(worker: Worker) -> None:
    rooms = Rooms(worker.link)
    await sign_in(worker, "ann", "host")
    here, own = await made(rooms), await made(rooms, "ann")
    await rooms.carry_out(here, "ann", Join("Ann"))
    async for lives in forget_dying_anywhere(worker, "ann"):
        assert await seated(rooms, here) == ["host"], f"killed after {lives} commands"
        assert await seated(rooms, own) == []
        assert await worker.link.call("KEYS", "yukon:player:{ann}*") == []


async def test_who_sits_down_while_being_forgotten_is_taken_from_there(worker: Worker) -> None:
    """The commit comes after all seats were given up, before the player is removed."""
    rooms = Rooms(worker.link)
    await sign_in(worker, "ann", "host")
    room_id = await made(rooms)

    class Late(Rooms):
        async def sat_in(self, player: str) -> list[str]:
            found = await super().sat_in(player)
            with contextlib.suppress(Refused):
                await rooms.carry_out(room_id, "ann", Join("Ann"))
            return found

    assert await forget(worker.link, "ann", Late(worker.link))
    assert await seated(rooms, room_id) == ["host"]
