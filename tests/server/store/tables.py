"""A room with players on a real Redis, for tests; instead of waiting, its instants are moved."""

import json
from collections.abc import Iterator
from itertools import count

from server.core import race
from server.core.heads import next_head
from server.core.messages import Kind, Play
from server.core.ports import Commit, Committed, LaneCommit
from server.core.raceacts import Join, Start, Wish
from server.core.room import Room, lane_session
from server.core.roomports import Loaded
from server.core.session import Accepted, Session
from server.core.standings import Progress
from server.store import keys
from server.store.rooms import Rooms
from tests.server.store.conftest import Worker

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
