"""Who may do what when in a room: every command in every state of the race by every role."""

import pytest

from server.core.race import TABLE, Rule, role_of
from server.core.raceacts import (
    HAPPENINGS,
    Change,
    Command,
    Happening,
    Join,
    Leave,
    Lock,
    Ready,
    Rematch,
    Remove,
    Rename,
    Role,
    Start,
    Watch,
    What,
    Wish,
)
from server.core.racesteps import Scene
from server.core.refusals import Code, Refused
from server.core.room import State
from tests.server.core.evening import ENTROPY, RUNNING, evening_in, refusal

# Who: host, seated, guest, removed. What: allowed (.), or refused, by the state of the race.
COMMANDS: dict[str, tuple[Command, str]] = {
    "join": (
        Join("Name"),
        """
        host     . . . .
        seated   . . . .
        guest    . . . .
        removed  removed removed removed removed
        """,
    ),
    "watch": (
        Watch(),
        """
        host     . . . .
        seated   . . . .
        guest    . . . .
        removed  removed removed removed removed
        """,
    ),
    "ready": (
        Ready(True),
        """
        host     . race_started race_started race_finished
        seated   . race_started race_started race_finished
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
    "start": (
        Start(force=True),
        """
        host     . race_started race_started race_finished
        seated   not_host not_host not_host not_host
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
    "change": (
        Change(Wish("S", None, 15), ENTROPY),
        """
        host     . race_started race_started race_finished
        seated   not_host not_host not_host not_host
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
    "remove": (
        Remove(1),
        """
        host     . . . .
        seated   not_host not_host not_host not_host
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
    "lock": (
        Lock(True),
        """
        host     . . . .
        seated   not_host not_host not_host not_host
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
    "leave": (
        Leave(),
        """
        host     . . . .
        seated   . . . .
        guest    . . . .
        removed  removed removed removed removed
        """,
    ),
    "rename": (
        Rename("Other"),
        """
        host     . . . .
        seated   . . . .
        guest    . . . .
        removed  removed removed removed removed
        """,
    ),
    "rematch": (
        Rematch(1, same=False, entropy=ENTROPY),
        """
        host     race_not_finished race_not_finished race_not_finished .
        seated   not_host not_host not_host not_host
        guest    not_seated not_seated not_seated not_seated
        removed  removed removed removed removed
        """,
    ),
}


PLAYERS = {"host": "anna", "seated": "bert", "guest": "carl", "removed": "dora"}


CASES = [
    (what, State(state), role, verdict)
    for what, (_, grid) in COMMANDS.items()
    for role, *verdicts in (line.split() for line in grid.strip().splitlines())
    for state, verdict in zip(State, verdicts, strict=True)
]


def test_every_command_is_tried_in_every_state_by_every_role() -> None:
    assert len(CASES) == 10 * 4 * 4
    assert set(COMMANDS) == {what.value for what in What if what not in HAPPENINGS}
    assert {command.what.value for command, _ in COMMANDS.values()} == set(COMMANDS)


@pytest.mark.parametrize("what,state,role,verdict", CASES)
def test_a_command_is_allowed_or_refused_with_its_code(
    what: str, state: State, role: str, verdict: str
) -> None:
    evening = evening_in(state)
    command, player = COMMANDS[what][0], PLAYERS[role]
    assert role_of(evening.room, player) == role
    if verdict != ".":
        assert refusal(evening, player, command) == verdict
        return
    cell = TABLE[What(what), state, Role(role)]
    assert isinstance(cell, Rule)
    evening.do(player, command)
    assert evening.room.race.state in (cell.to or (state,))


def test_the_table_has_a_cell_for_everything() -> None:
    assert set(TABLE) == {(what, state, role) for what in What for state in State for role in Role}
    for (what, _, role), cell in TABLE.items():
        if isinstance(cell, Rule):
            assert (role is Role.SERVER) == (what in HAPPENINGS)


@pytest.mark.parametrize("what", HAPPENINGS)
@pytest.mark.parametrize("player", PLAYERS.values())
def test_a_player_can_make_nothing_happen(what: What, player: str) -> None:
    evening = evening_in(RUNNING)
    role = role_of(evening.room, player)
    assert TABLE[what, RUNNING, role] is Code.NOT_DUE


@pytest.mark.parametrize("what", HAPPENINGS)
@pytest.mark.parametrize("state", State)
def test_what_is_not_due_does_not_happen(what: What, state: State) -> None:
    evening = evening_in(state)
    cell = TABLE[what, state, Role.SERVER]
    if isinstance(cell, Code):
        assert cell is Code.NOT_DUE
        return
    with pytest.raises(Refused) as refused:
        cell.step(Scene(evening.room, evening.facts, "", evening.now), Happening(what))
    assert refused.value.code is Code.NOT_DUE
