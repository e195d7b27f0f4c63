"""The race's table as text for people: a Mermaid diagram and the full table, for docs/races.md."""

from collections.abc import Iterator
from typing import Final

from server.core.race import TABLE, Rule
from server.core.raceacts import HAPPENINGS, Role, What
from server.core.refusals import Code
from server.core.room import State

_PLAYERS: Final = (Role.HOST, Role.SEATED, Role.GUEST, Role.REMOVED)


def diagram() -> str:
    """A Mermaid state diagram: what leads from which state to which, and who causes it."""
    lines = ["stateDiagram-v2", "    [*] --> lobby: make"]
    for source in State:
        for target in State:
            causes = [
                what.value
                for what in What
                if source is not target and target in _leads_to(what, source)
            ]
            if causes:
                lines.append(f"    {source.value} --> {target.value}: {', '.join(causes)}")
    return "\n".join(lines)


def commands_table() -> str:
    """A Markdown table: each command by each role in each state, allowed or the refusal's code."""
    return "\n".join(
        [
            f"| command | who | {' | '.join(State)} |",
            "|---|---|" + "---|" * len(State),
            *_rows([what for what in What if what not in HAPPENINGS], _PLAYERS),
        ]
    )


def happenings_table() -> str:
    """A Markdown table: in which states each happening is looked for."""
    return "\n".join(
        [
            f"| happening | {' | '.join(State)} |",
            "|---|" + "---|" * len(State),
            *(
                f"| {what} | "
                + " | ".join(_cell(what, state, Role.SERVER) for state in State)
                + " |"
                for what in HAPPENINGS
            ),
        ]
    )


def _rows(whats: list[What], roles: tuple[Role, ...]) -> Iterator[str]:
    for what in whats:
        for role in roles:
            cells = " | ".join(_cell(what, state, role) for state in State)
            yield f"| {what} | {role} | {cells} |"


def _cell(what: What, state: State, role: Role) -> str:
    cell = TABLE[what, state, role]
    if isinstance(cell, Code):
        return "–" if cell is Code.NOT_DUE else f"`{cell}`"
    return "→ " + ", ".join(cell.to) if cell.to else "yes"


def _leads_to(what: What, state: State) -> set[State]:
    cells = (TABLE[what, state, role] for role in Role)
    return {target for cell in cells if isinstance(cell, Rule) for target in cell.to}
