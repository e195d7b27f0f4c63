"""Random evenings on two workers: every command is answered, and all are told the same room."""

import asyncio
import random
from typing import Any

import aiohttp
import pytest
import redis

from server.core.room import Room
from server.store import keys
from tests.server.conftest import RedisServer
from tests.server.net.conftest import StartWorker
from tests.server.net.racing import (
    BOARD,
    BOARD_,
    CHANGE,
    CLOSED,
    DONE,
    EVENING,
    EVENING_,
    FINISHED,
    JOINED,
    LANES,
    LEAVE,
    LOCK,
    READY,
    REFUSAL,
    REMATCH,
    ROOM_,
    RUNNING,
    SEALED,
    START,
    TYPED,
    Racer,
)
from tests.server.net.worker import Worker

STEPS = 100


@pytest.fixture(autouse=True)
def _short_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.core.racesteps.COUNTDOWN_MS", 30)


class Evening:
    """A few friends who do anything at any time, and come and go on any worker."""

    def __init__(self, workers: list[Worker], url: str, chance: random.Random) -> None:
        self.workers = workers
        self.url = url
        self.chance = chance
        self.racers: list[Racer] = []
        self.room_id = ""
        self.answers: dict[str, int] = {}

    def stored(self) -> Room:
        with redis.Redis.from_url(self.url) as store:
            document = store.hget(keys.room(self.room_id), "doc")
        assert isinstance(document, bytes)
        return Room.from_json(document)

    async def open(self, http: aiohttp.ClientSession) -> None:
        for number in range(4):
            racer = await Racer.make(self.workers[number % 2], http)
            self.racers.append(racer)
            if number == 0:
                self.room_id = await racer.open_room("Player 0", SEALED)
            else:
                assert (await racer.join(self.room_id, f"Player {number}"))[0] == JOINED

    async def step(self) -> None:
        """One of the friends does something, and is answered."""
        number = self.chance.randrange(len(self.racers))
        racer = self.racers[number]
        race = racer.room[6]
        does: list[tuple[tuple[Any, ...], int]] = [
            ((READY, self.chance.random() < 0.7), DONE),
            ((START, self.chance.random() < 0.7), DONE),
            ((START, True), DONE),
            ((CHANGE, self.chance.choice((SEALED, TYPED))), DONE),
            ((LOCK, False), DONE),
            ((REMATCH, race, self.chance.random() < 0.5), DONE),
            ((ROOM_,), LANES),
            ((BOARD_, race, number), BOARD),
            ((EVENING_,), EVENING),
        ]
        choice = self.chance.random()
        if choice < 0.1:
            await racer.ws.close()
            worker = self.chance.choice(self.workers)
            self.racers[number] = again = await Racer.connect(racer.player, worker)
            assert (await again.join(self.room_id))[0] == JOINED
        elif choice < 0.15:
            assert await racer.ask(LEAVE, answer=CLOSED) == [CLOSED, "left"]
            racer.standings = []
            assert (await racer.join(self.room_id, f"Player {number}"))[0] == JOINED
        elif choice < 0.6 and racer.room[7] == RUNNING and racer.snapshot:
            gives_up = not racer.moves or self.chance.random() < 0.6
            self.note(await (racer.resign() if gives_up else racer.play()))
        else:
            command, answer = self.chance.choice(does)
            if command[0] in (START, CHANGE, LOCK, REMATCH) and self.chance.random() < 0.9:
                racer = next((one for one in self.racers if one.seat == racer.room[4]), racer)
            self.note(await racer.ask(*command, answer=answer))

    def note(self, answer: list[Any]) -> None:
        key = answer[3] if answer[0] == REFUSAL else str(answer[0])
        self.answers[key] = self.answers.get(key, 0) + 1

    async def settle(self) -> None:
        """Everybody hears of the room as it is, unasked."""
        version = self.stored().version
        for racer in self.racers:
            while racer.room[2] < version:
                await racer.hear()


async def finish(racer: Racer, number: int) -> None:
    """Give up whatever board there is, until the standings of the race are there."""
    given_up = False
    while not any(one[1] == number for one in racer.standings):
        is_dealt = racer.room[6:8] == [number, RUNNING] and f".{number}-" in racer.session
        if is_dealt and not given_up:
            given_up = True
            await racer.resign()
        else:
            await racer.hear()


@pytest.mark.parametrize("seed", range(4))
async def test_all_hear_the_same_of_whatever_happens(
    start_worker: StartWorker, http: aiohttp.ClientSession, redis_server: RedisServer, seed: int
) -> None:
    workers = [await start_worker(), await start_worker()]
    evening = Evening(workers, redis_server.url, random.Random(seed))
    await evening.open(http)
    for _ in range(STEPS):
        await evening.step()
    await evening.settle()
    room = evening.stored()
    host = next(one for one in evening.racers if one.player.id == room.host)
    if room.race.state == "lobby":
        assert (await host.ask(START, True))[0] == DONE
        await host.in_state(RUNNING, room.race.number)
    number = room.race.number
    await asyncio.gather(*(finish(racer, number) for racer in evening.racers))
    last = [[one for one in racer.standings if one[1] == number][-1] for racer in evening.racers]
    assert all(one == last[0] for one in last)
    for racer in evening.racers:
        await racer.in_state(FINISHED, number)
    assert evening.answers[str(DONE)] > 0
