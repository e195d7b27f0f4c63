"""Holds the program to the golden messages, which the client's tests read too."""

import json
from typing import Any

import msgpack
import pytest

from engine.move import FINISH, PAUSE, RESIGN, RESUME, UNDO, Move, turn_up
from server.core import codec
from server.core import raceacts as acts
from server.core import roomcommands as r
from server.core.codec import Command
from server.core.messages import Ask, Hello, Kind, New, Open, Ping, Play, Watch
from server.core.refusals import Code, Unreadable
from server.core.roommessages import RoomKind
from tests.contract.evening import ROOM_ID
from tests.contract.golden import HERE, REQUEST, files, from_json

FILES = files()


def rows(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((HERE / name).read_text("utf-8"))
    return loaded


@pytest.mark.parametrize("name", FILES)
def test_the_program_still_says_what_the_files_say(name: str) -> None:
    assert rows(name) == FILES[name]
    names = [one["name"] for one in rows(name)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", ["commands.json", "messages.json"])
def test_bytes_and_json_are_the_same_message(name: str) -> None:
    for one in rows(name):
        frame = bytes.fromhex(one["hex"])
        message = from_json(one["message"])
        assert msgpack.unpackb(frame) == message, one["name"]
        assert msgpack.packb(message) == frame, one["name"]


ZOE, BERT = "Zoé", "Bert"
MEANINGS: dict[str, Command] = {
    "hello": Hello(1, (), "web"),
    "hello of a later client": Hello(2, ("ghosts",), "later 2.0"),
    "new random deal": New(REQUEST, 0, "C"),
    "new typed code": New(REQUEST[:8], 1, "yu1 c aaaaaab"),
    "new ranked game": New(REQUEST, 2, "T"),
    "new daily deal": New(REQUEST, 3, "C"),
    "open": Open("AbCdEfGhIjKlMn-_", None),
    "open again": Open("AbCdEfGhIjKlMn-_", 117),
    "move": Play(Kind.MOVE, 17, Move(2, 3, 5)),
    "move to a foundation": Play(Kind.MOVE, 300, Move(6, 1, 19)),
    "draw": Play(Kind.MOVE, 0, Move(24, 1, 25)),
    "undo": Play(Kind.UNDO, 18, UNDO),
    "finish": Play(Kind.FINISH, 90, FINISH),
    "pause": Play(Kind.PAUSE, 70000, PAUSE),
    "resume": Play(Kind.RESUME, 70001, RESUME),
    "resign": Play(Kind.RESIGN, 3, RESIGN),
    "turn up": Play(Kind.TURN_UP, 5, turn_up(6)),
    "snapshot": Ask(Kind.SNAPSHOT),
    "leave": Ask(Kind.LEAVE),
    "ping": Ping(123456789012),
    "watch a leaderboard": Watch("C:day:2026-11-30"),
    "watch no leaderboard": Watch(None),
    "make a room": r.Make(REQUEST, ZOE, acts.Wish("C", None, 10)),
    "make a room with a typed code": r.Make(REQUEST, ZOE, acts.Wish("C", "yu1 o aaaaaab", 0)),
    "join by code": r.Join(REQUEST, "bcd-fgh", BERT, seat=True),
    "watch by id": r.Join(REQUEST[:8], ROOM_ID, None, seat=False),
    "ready": r.Act(RoomKind.READY, acts.Ready(True)),
    "start": r.Act(RoomKind.START, acts.Start(False)),
    "start though some are not ready": r.Act(RoomKind.START, acts.Start(True)),
    "change the settings": r.Change(acts.Wish("P", None, 30)),
    "remove a player": r.Act(RoomKind.REMOVE, acts.Remove(15)),
    "lock the room": r.Act(RoomKind.LOCK, acts.Lock(True)),
    "leave the room": r.AskRoom(RoomKind.LEAVE),
    "rematch with other cards": r.Rematch(1, same=False),
    "ask for the room": r.AskRoom(RoomKind.ASK_ROOM),
    "ask for a board": r.AskBoard(1, 0),
    "ask for the evening": r.AskRoom(RoomKind.ASK_EVENING),
    "race the ghosts": r.AskGhosts(1),
}


def test_every_command_is_read_as_it_is_meant() -> None:
    commands = rows("commands.json")
    assert {one["name"] for one in commands} == set(MEANINGS)
    for one in commands:
        assert codec.decode(bytes.fromhex(one["hex"])) == MEANINGS[one["name"]]


def test_what_is_malformed_is_refused_with_its_code() -> None:
    for one in rows("malformed.json"):
        with pytest.raises(Unreadable) as refused:
            codec.decode(bytes.fromhex(one["hex"]))
        assert refused.value.code is Code(one["code"]), one["name"]


def test_messages_are_as_small_as_the_design_wants() -> None:
    for one in rows("messages.json"):
        size, name = len(one["hex"]) // 2, one["name"]
        if name.startswith("snapshot"):
            assert size <= (280 if "Double" in name else 180 if "ranked" in name else 160), name
        if name.startswith("event"):
            assert size <= 64, name
