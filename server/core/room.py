"""What a room is: seats, settings and the race of the moment, as one document; it decides nothing.

How it lies in Redis
====================

A room is one hash, `{room}:room:<room>`, in the slot of its races' sessions. Its fields are of two
kinds, since a move must not wait for the room and the room must not miss a move:

* **The document**, changed only by compare-and-set. `doc` is this module's JSON and `v` its
  version. `race` is the number of the race that runs, absent while none does, and `ends` the Unix
  milliseconds at which it ends, absent without a limit: the gate for moves. `n` counts the
  finishes of the race of the moment.
* **The lanes**, written blindly in the same script as the move that changes them.
  `p:<race>:<seat>` is the progress of a lane (`standings.Progress.packed`), `f:<race>:<seat>` its
  finish (`standings.Finish.packed`), written once. A move passes when `race` is its race, `ends`
  is not over and its lane has no finish; a finish adds 1 to `n`, and that is its order of commit.
* **Sessions** of the race get two marks in their own hashes with the decision that causes them:
  `closed`, when the lane ended without a command of its own, and `opened`, when the race is over.
* **Presence**, `c:<player>`: the instant until which a player counts as connected, written by the
  workers that hold a socket of theirs.

A decision was made on a version and on a count of finishes, so its commit compares `v` **and** `n`:
a player who wins while another one leaves cannot make the race miss that all have ended. Places are
never stored while a race is open: they are computed from the lanes, which nothing can change once
the gate is closed.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from server.core.standings import Finish, Progress

MOST_SEATS: Final = 16
FIRST_RACE: Final = 1
LIMITS: Final = (0, 5, 10, 15, 30)
"""Time limits in minutes; 0 is none."""


class State(StrEnum):
    """Where the race of the moment is."""

    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    FINISHED = "finished"


class Ending(StrEnum):
    """Why a race ended."""

    ALL_ENDED = "all_ended"
    TIME_LIMIT = "time_limit"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the host chose. `code`: the typed game code, canonical; None for sealed cards."""

    letter: str
    code: str | None
    limit: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in the room. `joined` in Unix milliseconds."""

    number: int
    player: str
    name: str
    ready: bool
    joined: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A player's part in a race, fixed when the boards were dealt; `session` is the game played."""

    seat: int
    player: str
    name: str
    session: str


@dataclass(frozen=True, slots=True)
class Race:
    """One race. Instants are Unix milliseconds; `sealed`: the code is hidden until the end."""

    number: int
    state: State
    code: str
    sealed: bool
    go_at: int | None = None
    started: int | None = None
    ends: int | None = None
    finished: int | None = None
    ending: Ending | None = None
    lanes: tuple[Lane, ...] = ()

    def lane_of(self, player: str) -> Lane | None:
        """The lane of a player, if any; the latest, should they have left and come back."""
        return next((lane for lane in reversed(self.lanes) if lane.player == player), None)


@dataclass(frozen=True, slots=True)
class Room:
    """The document of a room. `host` is a player with a seat; None when no seat is taken."""

    id: str
    code: str
    version: int
    created: int
    host: str | None
    locked: bool
    settings: Settings
    seats: tuple[Seat, ...]
    removed: tuple[str, ...]
    race: Race

    def seat_of(self, player: str) -> Seat | None:
        """The seat of a player, if any."""
        return next((seat for seat in self.seats if seat.player == player), None)

    def seat_at(self, number: int) -> Seat | None:
        """The seat of a number, if somebody sits there."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def lane_played_by(self, player: str) -> Lane | None:
        """The lane that a player has to play now: the race runs, and they have its seat."""
        seat, lane = self.seat_of(player), self.race.lane_of(player)
        if self.race.state is not State.RUNNING or seat is None or lane is None:
            return None
        return lane if lane.seat == seat.number else None

    def with_race(self, **changes: Any) -> "Room":
        """The room with another race of the moment."""
        return replace(self, race=replace(self.race, **changes))

    def with_seat(self, changed: Seat) -> "Room":
        """The room with one seat changed; seats keep their order of joining."""
        seats = tuple(changed if seat.number == changed.number else seat for seat in self.seats)
        return replace(self, seats=seats)

    def to_json(self) -> str:
        """The document as Redis keeps it."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str | bytes) -> "Room":
        """The room that `to_json` wrote. Raises ValueError, KeyError or TypeError for others."""
        fields: dict[str, Any] = json.loads(text)
        race: dict[str, Any] = fields.pop("race")
        return cls(
            **{**fields, "seats": tuple(Seat(**seat) for seat in fields["seats"])}
            | {"settings": Settings(**fields["settings"]), "removed": tuple(fields["removed"])},
            race=_race_from(race),
        )


@dataclass(frozen=True, slots=True)
class Facts:
    """What the room's hash says besides its document, about the race of the moment.

    `progress` and `finishes` by seat; `seen`: until when each player counts as connected.
    """

    progress: Mapping[int, Progress] = field(default_factory=dict)
    finishes: Mapping[int, Finish] = field(default_factory=dict)
    seen: Mapping[str, int] = field(default_factory=dict)

    @property
    def finished(self) -> int:
        """How many lanes have ended: what a commit compares with `n`."""
        return len(self.finishes)

    def is_connected(self, player: str, now: int) -> bool:
        """Whether some worker holds a socket of this player."""
        return self.seen.get(player, 0) > now


def lane_session(room_id: str, race: int, seat: int) -> str:
    """The id of the session that a seat plays in a race; its tag is the room's."""
    return f"{room_id}.{race}-{seat}"


def lane_name(race: int, seat: int) -> str:
    """The name of a lane in its room, such as 2:15; the session of a lane keeps it."""
    return f"{race}:{seat}"


def read_lane_name(text: str) -> tuple[int, int]:
    """Race and seat of a lane's name. Raises ValueError."""
    race, _, seat = text.partition(":")
    return int(race), int(seat)


def progress_field(race: int, seat: int) -> str:
    """The hash field of a lane's progress."""
    return f"p:{lane_name(race, seat)}"


def finish_field(race: int, seat: int) -> str:
    """The hash field of a lane's finish."""
    return f"f:{lane_name(race, seat)}"


def seen_field(player: str) -> str:
    """The hash field of a player's presence."""
    return f"c:{player}"


def facts_from(race: int, fields: Mapping[str, str]) -> Facts:
    """The facts about one race in all the fields of a room's hash. Raises ValueError."""
    progress: dict[int, Progress] = {}
    finishes: dict[int, Finish] = {}
    seen: dict[str, int] = {}
    for name, value in fields.items():
        kind, _, rest = name.partition(":")
        if kind == "c":
            seen[rest] = int(value)
        elif kind in {"p", "f"}:
            number, _, seat = rest.partition(":")
            if int(number) != race:
                continue
            if kind == "p":
                progress[int(seat)] = Progress.unpack(value)
            else:
                finishes[int(seat)] = Finish.unpack(value)
    return Facts(progress, finishes, seen)


def _race_from(fields: dict[str, Any]) -> Race:
    ending = fields["ending"]
    return Race(
        **fields
        | {
            "state": State(fields["state"]),
            "ending": None if ending is None else Ending(ending),
            "lanes": tuple(Lane(**lane) for lane in fields["lanes"]),
        }
    )
