"""The command line `yukon admin`: reads it, finds the Redis, prints one JSON object.

It never starts a Redis and never stops one: it uses the one that is given, or the one of a server
that runs on the data folder.
"""

import argparse
import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from server.admin import actions
from server.admin.stores import AdminError, Json, Stores
from server.settings import OPTIONS, Settings, SettingsError, load
from server.store.connect import link_to
from server.store.errors import Missing, ReplyError, Unavailable
from server.store.folder import EmbeddedError, running_url

REFUSED = 2
_PROBLEMS = (
    *(AdminError, SettingsError, EmbeddedError),
    # Of the store; Missing is what cannot be read, too.
    *(Unavailable, ReplyError, Missing),
)
_FLAGS = {
    "--redis-url": "the server's Redis, as it is given to the server; without it that of the "
    "server that runs on the data folder",
    "--data-dir": "the server's data folder; unused with a Redis URL",
}


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done: what it wants, and what it is."""

    run: Callable[..., Coroutine[None, None, Json]]
    words: tuple[str, ...]
    help: str


ACTIONS = {
    "show": Action(actions.show, ("WHAT",), "what is kept of a player or a session"),
    "rename": Action(actions.rename, ("PLAYER", "NAME"), "give a player another name"),
    "ban": Action(actions.ban, ("PLAYER",), "let a player play no more; rows stay"),
    "unban": Action(actions.unban, ("PLAYER",), "let a player in again"),
    "delete-row": Action(
        actions.delete_row, ("BOARD", "SESSION"), "take a session's row from a leaderboard"
    ),
    "delete": Action(actions.delete, ("PLAYER",), "forget a player with all that is kept"),
    "export": Action(actions.export, ("PLAYER",), "everything that is kept about a player"),
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise AdminError(f"{message} (see --help)")


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit status is 0, or 2 when something was refused."""
    try:
        chosen = vars(parser().parse_args(arguments))
        settings = _settings(chosen, os.environ)
        url = settings.redis_url or running_url(settings.data_dir)
        action = ACTIONS[chosen["action"]]
        answer = asyncio.run(_run(url, action, [chosen[word] for word in action.words]))
    except _PROBLEMS as problem:
        print(f"yukon admin: {problem}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        return 130
    # Whoever reads may have had enough.
    with contextlib.suppress(BrokenPipeError):
        print(json.dumps(answer), flush=True)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line, without reading it."""
    made = _Parser(
        prog="yukon admin",
        description="Look after the players of a server.",
        epilog="A PLAYER is a player's number, a SESSION a game's, a BOARD a name as C:all or "
        "C:day:2026-11-30. What is changed takes effect at once, on every worker.",
        allow_abbrev=False,
    )
    for option in OPTIONS:
        if option.flag in _FLAGS:
            text = f"{_FLAGS[option.flag]}. [{', '.join(option.variables)}]"
            made.add_argument(option.flag, metavar=option.metavar, default=None, help=text)
    chosen = made.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, action in ACTIONS.items():
        one = chosen.add_parser(
            name, help=action.help, description=f"{action.help}.".capitalize(), allow_abbrev=False
        )
        for word in action.words:
            one.add_argument(word)
    return made


def _settings(chosen: Mapping[str, str | None], environment: Mapping[str, str]) -> Settings:
    """Where the games are kept, read as the server reads it. Raises SettingsError."""
    options = [option for option in OPTIONS if option.flag in _FLAGS]
    given = [
        f"{option.flag}={chosen[option.field]}"
        for option in options
        if chosen[option.field] is not None
    ]
    known = {variable for option in options for variable in option.variables}
    return load(given, {name: text for name, text in environment.items() if name in known})


async def _run(url: str, action: Action, words: Sequence[str]) -> Json:
    link = link_to(url, "yukon-admin")
    await link.connect()
    try:
        return await action.run(Stores(link), *words)
    finally:
        await link.close()
