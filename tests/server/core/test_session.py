"""What a command on a session comes to, without a store: decided, settled, followed."""

import msgpack
import pytest

from engine.errors import EngineError, Reason
from engine.game import Game
from engine.move import FINISH, PAUSE, RESIGN, RESUME, UNDO, Move
from server.core.heads import head_of
from server.core.messages import Kind, Origin, Play
from server.core.ports import Commit, SessionEvent, StoredSession
from server.core.refusals import Code
from server.core.session import OUTDATED, Accepted, Already, Broken, Diverged, Session

CODE = "YU1-C-AAAAAAB"
SEALED = "YU1-C-" + "A" * 26
DEALT = 1_700_000_000_000


def stored(code: str = CODE, log: bytes = b"", **other: object) -> StoredSession:
    values: dict[str, object] = {
        "session_id": "s" * 16,
        "code": code,
        "player": "p",
        "origin": 1,
        "room": "",
        "race": "",
        "dealt_at_ms": DEALT,
        "now_ms": DEALT,
        "head": head_of(code, log),
        "state": "playing",
        "score": 0,
        "ranked": 0,
        "moves": 0,
        "log": log,
        **other,
    }
    return StoredSession(**values)  # type: ignore[arg-type]


def play(session: Session, action: Move, ms: int) -> tuple[Commit, bytes]:
    decision = session.decide(Play(Kind.MOVE, session.version, action), DEALT + ms)
    assert isinstance(decision, Accepted)
    return decision.commit, session.settle(decision, ms)


def first(session: Session) -> Move:
    return next(iter(session.game.legal_moves))


def test_the_log_of_settled_commands_is_the_game() -> None:
    here, book = Session(stored()), Game(CODE)
    for ms in range(0, 30_000, 1000):
        action = first(here)
        commit, _ = play(here, action, ms)
        book.play(action, ms)
        assert commit.version + 1 == here.version == book.version
        assert (commit.state, commit.score, commit.moves) == ("playing", book.score, book.moves)
    assert here.game.log == book.log
    assert here.head == head_of(CODE, book.log)
    again = Session(stored(log=book.log))
    assert again.snapshot(DEALT + 40_000) == here.snapshot(DEALT + 40_000)


def test_a_version_behind_is_known_or_outdated_and_one_ahead_is_outdated() -> None:
    here = Session(stored())
    action = first(here)
    other = list(here.game.legal_moves)[1]
    play(here, action, 0)
    assert here.decide(Play(Kind.MOVE, 0, action), DEALT) == Already(1)
    assert here.decide(Play(Kind.MOVE, 0, other), DEALT) is OUTDATED
    assert here.decide(Play(Kind.MOVE, 2, other), DEALT) is OUTDATED
    assert here.decide(Play(Kind.UNDO, 0, UNDO), DEALT) is OUTDATED
    assert here.version == 1


def test_what_breaks_a_rule_changes_nothing() -> None:
    here = Session(stored())
    before = here.snapshot(DEALT)
    for action, reason in (
        (Move(0, 1, 0), Reason.SAME_PILE),
        (Move(30, 1, 0), Reason.NO_SUCH_PILE),
        (UNDO, Reason.NOTHING_TO_UNDO),
        (RESUME, Reason.NOT_PAUSED),
        (Move(255, 99, 0), Reason.UNREADABLE),
    ):
        assert here.decide(Play(Kind.MOVE, 0, action), DEALT) == Broken(reason)
    assert here.snapshot(DEALT) == before


def test_the_clock_stands_while_paused_and_at_the_end() -> None:
    here = Session(stored())
    assert here.elapsed_ms(DEALT + 500) == 500
    assert here.elapsed_ms(DEALT - 500) == 0
    _, event = play(here, PAUSE, 1000)
    assert msgpack.unpackb(event)[7] == 1000
    assert here.elapsed_ms(DEALT + 5000) == 1000
    _, event = play(here, RESUME, 6000)
    assert msgpack.unpackb(event)[7] == 1000
    assert here.elapsed_ms(DEALT + 7000) == 2000
    _, event = play(here, first(here), 7000)
    assert len(msgpack.unpackb(event)) == 7
    commit, event = play(here, RESIGN, 9000)
    assert commit.ends
    assert msgpack.unpackb(event)[7] == 4000
    assert here.elapsed_ms(DEALT + 99_000) == 4000
    assert here.is_over


def test_a_clock_that_stepped_back_is_held() -> None:
    here = Session(stored())
    play(here, first(here), 5000)
    decision = here.decide(Play(Kind.MOVE, 1, first(here)), DEALT + 10)
    assert isinstance(decision, Accepted)
    assert here.game.last_ms == 5000


def test_the_committed_time_is_the_one_that_counts() -> None:
    here = Session(stored())
    decision = here.decide(Play(Kind.PAUSE, 0, PAUSE), DEALT + 900)
    assert isinstance(decision, Accepted)
    assert msgpack.unpackb(decision.commit.event)[7] == 900
    assert msgpack.unpackb(here.settle(decision, 1100))[7] == 1100


def test_another_worker_s_commits_are_followed_exactly() -> None:
    there, here = Session(stored()), Session(stored())
    for number, action in enumerate((first(there), PAUSE, RESUME, UNDO, RESIGN)):
        commit, event = play(there, action, number * 1000)
        record = bytes(action) + (number * 1000).to_bytes(5)
        heard = SessionEvent(there.id, there.version, there.head, record, commit.event)
        assert here.follow(heard) == event
        assert here.snapshot(DEALT) == there.snapshot(DEALT)


@pytest.mark.parametrize("head", [None, b"\x00" * 8])
def test_what_does_not_follow_is_told(head: bytes | None) -> None:
    here = Session(stored())
    action = bytes(UNDO if head is None else first(here))
    right = head_of(CODE, action + bytes(5))
    event = SessionEvent(here.id, 1, head or right, action + bytes(5), b"")
    with pytest.raises(Diverged):
        here.follow(event)


def test_a_stored_log_that_is_no_game_is_refused() -> None:
    with pytest.raises(EngineError):
        Session(stored(log=bytes(UNDO) + bytes(5)))


def test_a_sealed_code_is_hidden_until_it_is_over() -> None:
    drawn = Session(stored(SEALED, origin=Origin.RANKED))
    assert drawn.hides_code
    assert SEALED.encode() not in drawn.snapshot(DEALT)
    play(drawn, RESIGN, 0)
    assert SEALED.encode() in drawn.snapshot(DEALT)
    assert not Session(stored(SEALED, origin=Origin.TYPED)).hides_code
    assert not Session(stored(origin=Origin.RANKED)).hides_code


def test_in_a_race_the_code_stays_hidden_and_nobody_pauses() -> None:
    racing = Session(stored(SEALED, origin=Origin.RANKED, room="r", race="1:0"))
    assert racing.decide(Play(Kind.PAUSE, 0, PAUSE), DEALT) == Broken(Code.NOT_IN_RACE)
    play(racing, RESIGN, 0)
    assert racing.hides_code


def test_a_session_as_long_as_it_may_be_can_still_be_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.core.session.MOST_COMMANDS", 3)
    here = Session(stored())
    for action in (first(here), UNDO, PAUSE):
        play(here, action, 0)
    assert here.decide(Play(Kind.UNDO, 3, UNDO), DEALT) == Broken(Code.TOO_LONG)
    play(here, RESUME, 0)
    for action in (first(here), UNDO, PAUSE):
        assert here.decide(Play(Kind.MOVE, 4, action), DEALT) == Broken(Code.TOO_LONG)
    assert here.version == 4
    refused = here.decide(Play(Kind.FINISH, 4, FINISH), DEALT)
    assert refused == Broken(Reason.NOT_FINISHABLE)
    play(here, RESIGN, 0)
    assert here.is_over
