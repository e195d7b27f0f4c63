"""The Lua scripts, read from the files beside this module; what they do is told in each of them."""

from hashlib import sha1
from importlib.resources import files
from typing import Final


class Script:
    """One script: its text and the digest by which Redis knows it."""

    __slots__ = ("name", "sha", "text")

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.text: Final = files("server.store").joinpath(f"{name}.lua").read_bytes()
        self.sha: Final = sha1(self.text, usedforsecurity=False).hexdigest().encode()


COMMIT = Script("commit")
CREATE = Script("create")
LOAD = Script("load")
WATCH = Script("watch")
SCHEDULE = Script("schedule")
CLAIM = Script("claim")
DONE = Script("done")
AMEND = Script("amend")
VISIT = Script("visit")
TRANSFER = Script("transfer")
TAKE = Script("take")
ROOM_MAKE = Script("room_make")
ROOM_LOAD = Script("room_load")
ROOM_COMMIT = Script("room_commit")
ROOM_SEEN = Script("room_seen")
SEAT = Script("seat")
REMOVE = Script("remove")
INTEND = Script("intend")
STAND = Script("stand")
BOARD_RECORD = Script("board_record")
BOARD_REMOVE = Script("board_remove")
BOARD_PAGE = Script("board_page")
BOARD_AROUND = Script("board_around")
NOTE = Script("note")
NOTE_CODE = Script("note_code")
COUNT = Script("count")
