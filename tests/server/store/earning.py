"""Sessions that earn something, for tests: dealt, played as a worker plays them, and their rows."""

from collections.abc import Sequence
from typing import Any

from engine.move import Move
from server.core.boards import Order
from server.core.messages import Kind, Play
from server.core.ports import Committed, NewSession
from server.core.session import Accepted, Session
from server.store.players import Players
from server.store.recorder import Recorder
from tests.server.lines import won
from tests.server.store.conftest import Worker

NOW = 1_796_040_000_000
OPEN = "YU1-R-AAAAAAB"
SEALED, WAY = won(0)


async def sign_in(worker: Worker, *players: str) -> None:
    for player in players:
        await Players(worker.link).create(player, b"s" * 32, NOW)


async def deal(
    worker: Worker, recorder: Recorder, session: str, code: str, origin: int, **more: Any
) -> None:
    """Deal a session to a player who sees it."""
    player = more.pop("player", "ann")
    await worker.sessions.create(NewSession(session, code, player, int(origin), **more))
    if len(code) > 15:
        await recorder.histories.note(player, session, code)


async def play(worker: Worker, session: str, actions: Sequence[Move]) -> Session:
    """Play commands in a session as a worker does."""
    stored = await worker.sessions.load(session)
    assert stored is not None
    here = Session(stored)
    for action in actions:
        decision = here.decide(Play(Kind.MOVE, here.version, action), stored.now_ms)
        assert isinstance(decision, Accepted), decision
        outcome = await worker.sessions.commit(decision.commit)
        assert isinstance(outcome, Committed)
        here.settle(decision, outcome.ms)
    return here


async def names_of_boards(worker: Worker) -> set[str]:
    names = await worker.link.call("KEYS", "yukon:board:*")
    return {name.decode().split("{")[1].replace("}", "") for name in names}


async def place_of(recorder: Recorder, board: str, order: Order = Order.BEST) -> list[str | None]:
    page = await recorder.boards.page(board, order, 2**43, after=None)
    return [row.replay for row in page.rows]
