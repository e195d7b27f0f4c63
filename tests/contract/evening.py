"""The golden messages of rooms: one evening of a sealed race, decided by the pure rules."""

from collections.abc import Iterator
from typing import Any

from engine.game import Game
from engine.view import view
from server.core import answers, ghosts, race, racesteps, roommessages
from server.core.raceacts import Command, Join, Ready, Start, Wish
from server.core.refusals import Code
from server.core.room import Facts, Room
from server.core.roommessages import Message, RoomKind
from server.core.standings import Finish, Outcome, Progress

NOW = 1_800_000_000_000
ROOM_ID = "abcdefghijklmnop"
ROOM_CODE = "BCDFGH"
REQUEST = bytes(range(16))
ENTROPY = bytes(range(17))
ANNA, BERT = "0123456789abcdef0123", "9876543210fedcba9876"
CARL = "aaaaaaaaaaaaaaaaaaaa"

COMMANDS: dict[str, tuple[Any, ...]] = {
    "make a room": (20, REQUEST, "Zoé", ("C", None, 10)),
    "make a room with a typed code": (20, REQUEST, "Zoé", ("C", "yu1 o aaaaaab", 0)),
    "join by code": (21, REQUEST, "bcd-fgh", "Bert", True),
    "watch by id": (21, REQUEST[:8], ROOM_ID, None, False),
    "ready": (22, True),
    "start": (23, False),
    "start though some are not ready": (23, True),
    "change the settings": (24, ("P", None, 30)),
    "remove a player": (25, 15),
    "lock the room": (26, True),
    "leave the room": (27,),
    "rematch with other cards": (28, 1, False),
    "ask for the room": (29,),
    "ask for a board": (30, 1, 0),
    "ask for the evening": (31,),
    "race the ghosts": (32, 1),
}
MALFORMED: dict[str, tuple[str, str]] = {
    "a ready mark that is a number": ("921601", "malformed"),
    "settings that are a text": ("9218a143", "malformed"),
    "settings without a limit": ("921892a143c0", "malformed"),
    "a seat that no room has": ("921910", "malformed"),
    "a rematch of race 0": ("931c00c2", "malformed"),
    "ghosts of race 0": ("922000", "malformed"),
    "a room named by a number": ("9515c408000102030405060707c0c3", "malformed"),
}


def messages() -> Iterator[tuple[str, bytes]]:
    """Every message of rooms."""
    for name, message in _messages():
        yield name, answers.packed(message)
    yield "refusal to join", answers.no(RoomKind.JOIN, Code.ROOM_FULL, REQUEST)
    yield "refusal to start", answers.no(RoomKind.START, Code.NOT_ALL_READY)


def _messages() -> Iterator[tuple[str, Message]]:
    facts = Facts(seen={ANNA: NOW + 15_000, BERT: NOW + 15_000})
    names = ROOM_ID, ROOM_CODE
    lobby = race.make(names, ANNA, "Zoé", Wish("C", None, 10), entropy=ENTROPY, now=NOW)
    yield "joined as the maker", roommessages.joined(REQUEST, lobby, ANNA)
    yield "joined as a watcher", roommessages.joined(REQUEST[:8], lobby, BERT)
    lobby = decided(lobby, facts, BERT, Join("Bert"), NOW + 1000)
    lobby = decided(lobby, facts, BERT, Ready(True), NOW + 2000)
    yield "done", roommessages.done(RoomKind.READY, lobby)
    yield "room in the lobby", roommessages.room(lobby, facts, NOW + 2000)
    counting = decided(lobby, facts, ANNA, Start(False), NOW + 3000)
    yield "room in the countdown", roommessages.room(counting, facts, NOW + 3000)
    running = race.look(counting, facts, NOW + 7000).room
    yield "joined while the race runs", roommessages.joined(REQUEST, running, BERT)
    yield "room while the race runs", roommessages.room(running, facts, NOW + 7000)
    facts = reached(running, Progress(2, 19, 20, 3), Progress(0, 21, 0, 0))
    yield "lanes while the race runs", roommessages.lanes(running, facts, NOW + 9000)
    yield "lanes that changed", roommessages.lanes(running, facts, NOW + 9000, only=(0,))
    finishes = {0: Finish(Outcome.WON, 61_000, 1), 1: Finish(Outcome.GAVE_UP, 65_000, 2)}
    facts = Facts({0: Progress(52, 0, 700, 120), 1: Progress(5, 11, 55, 40)}, finishes, facts.seen)
    finished = race.look(running, facts, NOW + 72_000).room
    yield "room when the race is finished", roommessages.room(finished, facts, NOW + 72_000)
    yield "lanes when the race is finished", roommessages.lanes(finished, facts, NOW + 72_000)
    yield "standings", roommessages.final_standings(finished, facts)
    yield "board", roommessages.board(1, 1, view(Game(finished.race.code)))
    record = racesteps.record(finished, facts)
    yield "evening", roommessages.evening([record])
    yield from _ghosts(record)
    for reason in ("left", "removed", "gone"):
        yield f"closed: {reason}", roommessages.closed(reason)


def _ghosts(record: str) -> Iterator[tuple[str, Message]]:
    past = ghosts.Race.read(record)
    session = ghosts.session_of(ROOM_ID, past.number, CARL)
    yield "ghosts to race", roommessages.ghosts(past.number, session, None, "Carl")
    later = past.lanes[0]._replace(seat=ghosts.LATER, session=session, ms=64_000, moves=130)
    rows = ghosts.placed(past.lanes, later)
    yield "ghosts that were raced", roommessages.ghosts(past.number, session, rows, "Carl")


def decided(room: Room, facts: Facts, player: str, command: Command, now: int) -> Room:
    """The room after a command."""
    return race.decide(room, facts, player, command, now).room


def reached(room: Room, *progress: Progress) -> Facts:
    """What the lanes have reached, with everybody there."""
    seen = {seat.player: NOW + 100_000 for seat in room.seats}
    return Facts(dict(enumerate(progress)), {}, seen)
