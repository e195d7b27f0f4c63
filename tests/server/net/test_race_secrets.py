"""What leaks would look like, byte by byte: no card before GO, no rival's card, no sealed code."""

import aiohttp
import msgpack
import pytest
import redis

from server.core.room import Room
from server.store import keys
from tests.server.conftest import RedisServer
from tests.server.net.conftest import StartWorker
from tests.server.net.racing import (
    BOARD,
    BOARD_,
    FINISHED,
    READY,
    ROOM_,
    START,
    Racer,
)

# welcome, refusal, pong, notice; room, lanes, closed, joined, done
HARMLESS = {64, 67, 68, 71, 80, 81, 83, 84, 87}
SEALED_IN_A_RACE = ("C", None, 0)


@pytest.fixture(autouse=True)
def _short_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.core.racesteps.COUNTDOWN_MS", 300)


def room_of(redis_server: RedisServer, room_id: str) -> Room:
    with redis.Redis.from_url(redis_server.url) as store:
        document = store.hget(keys.room(room_id), "doc")
    assert isinstance(document, bytes)
    return Room.from_json(document)


def kinds(frames: list[bytes]) -> set[int]:
    return {msgpack.unpackb(frame)[0] for frame in frames}


def piles(racer: Racer) -> list[bytes]:
    """The cards of the longer columns, as they are written in every message that has any."""
    return [column[1:] for column in racer.snapshot[10] if len(column) >= 4]


def count(frames: list[bytes], what: bytes) -> int:
    return sum(what in frame for frame in frames)


class Secrets:
    """A sealed race of two with a watcher, on two workers, and what nobody may learn too early."""

    def __init__(self, racers: tuple[Racer, Racer], watcher: Racer, room: Room) -> None:
        self.racers = racers
        self.everybody = (*racers, watcher)
        self.watcher = watcher
        self.room_id = room.id
        self.body = room.race.code.rpartition("-")[2].encode()
        assert len(self.body) == 26

    async def ask_everything(self) -> None:
        """Ask for all that might tell something, on every socket."""
        for racer in self.everybody:
            rival = f"{self.room_id}.1-{1 if racer is self.racers[0] else 0}"
            for question in ((ROOM_,), (BOARD_, 1, 0), (BOARD_, 2, 0), (3, rival, None)):
                await racer.send(*question)
            await racer.send(13, 7)
            await racer.until(68)

    def check_code(self) -> None:
        """The code is in no byte that anybody was sent."""
        for racer in self.everybody:
            assert count(racer.frames, self.body) == 0


@pytest.fixture
async def secrets(
    start_worker: StartWorker,
    http: aiohttp.ClientSession,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Secrets:
    with monkeypatch.context() as patch:  # a deal in which the ways below differ
        patch.setattr("server.app.secrets.token_bytes", lambda size: bytes(range(size)))
        workers = await start_worker(), await start_worker()
    anna, bert, watcher = [await Racer.make(workers[at], http) for at in (0, 1, 1)]
    room_id = await anna.open_room("Anna", SEALED_IN_A_RACE)
    await bert.join(room_id, "Bert")
    await watcher.join(room_id, seat=False)
    return Secrets((anna, bert), watcher, room_of(redis_server, room_id))


async def test_before_go_no_byte_has_a_card_or_the_code(
    secrets: Secrets, redis_server: RedisServer
) -> None:
    anna, bert = secrets.racers
    for racer in (anna, bert):
        await racer.ask(READY, True)
    await secrets.ask_everything()
    await anna.ask(START, False)
    await secrets.ask_everything()
    assert room_of(redis_server, secrets.room_id).race.started is None, "asked too late"
    secrets.check_code()
    for racer in secrets.everybody:
        assert kinds(racer.frames) <= HARMLESS
    for racer in (anna, bert):
        await racer.dealt()
    cards = piles(anna)
    assert len(cards) >= 4
    assert cards == piles(bert)
    for racer in (anna, bert):
        before = racer.frames[: racer.frames.index(msgpack.packb(racer.snapshot))]
        assert kinds(before) <= HARMLESS
        assert not [pile for pile in cards if count(before, pile)]
    assert not [pile for pile in cards if count(secrets.watcher.frames, pile)]


async def test_while_it_runs_no_byte_has_a_rivals_card_or_the_code(secrets: Secrets) -> None:
    anna, bert = secrets.racers
    await anna.ask(START, True)
    for racer in (anna, bert):
        await racer.dealt()
    dealt = b"|".join(piles(anna))
    # Each goes a way of their own, so that they have piles that the other has not.
    for _ in range(6):
        await anna.play(anna.moves[0])
        await bert.play(bert.moves[-1])
    await secrets.ask_everything()
    for racer in (anna, bert):
        await racer.send(11)
        await racer.until(65)
    own = {racer: [pile for pile in piles(racer) if pile not in dealt] for racer in (anna, bert)}
    for racer, rival in ((anna, bert), (bert, anna)):
        seen = b"|".join(piles(racer))
        secret = [pile for pile in own[rival] if pile not in seen]
        assert secret
        assert not [pile for pile in secret if count(racer.frames, pile)]
        assert not [pile for pile in own[rival] if count(secrets.watcher.frames, pile)]
        assert len([frame for frame in racer.frames if msgpack.unpackb(frame)[0] == 66]) == 6
    assert kinds(secrets.watcher.frames) <= HARMLESS
    secrets.check_code()


async def test_when_it_is_finished_everything_is_open(secrets: Secrets) -> None:
    anna, bert = secrets.racers
    await anna.ask(START, True)
    for racer in (anna, bert):
        await racer.dealt()
    await anna.resign()
    await secrets.ask_everything()
    secrets.check_code()
    await bert.resign()
    for racer in secrets.everybody:
        await racer.in_state(FINISHED)
        while not racer.standings:
            await racer.hear()
        assert racer.standings[0][3].encode().endswith(secrets.body)
        assert (await racer.ask(BOARD_, 1, 1, answer=BOARD))[3:] == anna.snapshot[10:14]


async def test_who_has_left_learns_the_code_no_sooner_than_the_others(
    start_worker: StartWorker, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    worker = await start_worker()
    anna, bert = [await Racer.make(worker, http) for _ in range(2)]
    room_id = await anna.open_room("Anna", SEALED_IN_A_RACE)
    await bert.join(room_id, "Bert")
    await anna.ask(START, True)
    for racer in (anna, bert):
        await racer.dealt()
    await bert.resign()
    await bert.ask(27, answer=83)
    for question in ((11,), (3, bert.session, None)):
        await bert.send(*question)
        await bert.until(65)
    body = room_of(redis_server, room_id).race.code.rpartition("-")[2].encode()
    assert count(bert.frames, body) == 0
    await anna.resign()
    await anna.in_state(FINISHED)
    await bert.until(65, lambda message: message[7] is not None)
    assert count(bert.frames, body) == 1
