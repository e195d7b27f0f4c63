"""A witness of boards and statistics: works them out from replays alone and compares.

It knows the engine and the rules that docs/api.md tells, and reads of the server the list of
sessions (code, player, origin, instants, log) and the order in which they came to count. It must
not import what it checks: server.core.boards, statistics, daily and recording.
"""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.code import parse
from engine.game import Game
from engine.log import records
from engine.move import PAUSE
from engine.ruleset import RULESETS

Store = Any
"""A client of redis-py, whose own types do not tell bytes from texts."""

RANKED, DAILY, RACE = 2, 3, 4
RECENT = 30
_SESSION = re.compile(rb"yukon:\{[^}]+\}:session:([\w.-]+)")
_MEMBER = re.compile(r"[0-9a-f]{21}([\w.-]+):([\w.-]+)")
_BOARD = re.compile(rb"yukon:board:\{(.+)\}:(best|moves)")


@dataclass(frozen=True, slots=True)
class Session:
    """A session and what its replay says; instants in Unix ms, `ended` None while it goes on."""

    name: str
    player: str
    code: str
    origin: int
    dealt: int
    won: bool
    ranked: int
    moves: int
    time: int
    ended: int | None
    paused: bool

    @property
    def letter(self) -> str:
        """Its ruleset."""
        return self.code.split("-")[1]

    @property
    def sealed(self) -> bool:
        """Whether its code cannot be searched for."""
        return len(self.code.split("-")[2]) > 20


def replayed(name: str, fields: Mapping[bytes, bytes], log: bytes) -> Session:
    """Play a stored log again."""
    code, dealt = fields[b"code"].decode(), int(fields[b"dealt_at"])
    game = Game.from_log(parse(code), log)
    ended, clock = None, game.last_ms
    if game.is_over:
        ended = dealt + game.last_ms
    elif b"closed" in fields:
        ended = max(int(fields[b"closed"]), dealt + game.last_ms)
        clock = ended - dealt
    return Session(
        name=name,
        player=fields[b"player"].decode(),
        code=code,
        origin=int(fields[b"origin"]),
        dealt=dealt,
        won=game.is_won,
        ranked=game.ranked_score,
        moves=game.moves,
        time=game.elapsed(clock),
        ended=ended,
        paused=any(move == PAUSE for _, move, _ in records(log)),
    )


def read_sessions(store: Store) -> list[Session]:
    """Every session there is."""
    found = []
    for key in store.scan_iter("yukon:*:session:*"):
        match = _SESSION.fullmatch(key)
        if match is not None:
            fields, log = store.hgetall(key), store.get(key + b":log")
            found.append(replayed(match[1].decode(), fields, log or b""))
    return found


def day_of(instant: int) -> dt.date:
    """The UTC day of an instant in Unix milliseconds."""
    return dt.datetime.fromtimestamp(instant / 1000, dt.UTC).date()


def boards_of(session: Session, is_first: bool, is_attempt: bool) -> list[str]:
    """The boards that an ended session may have a row on."""
    if session.ended is None or session.moves == 0 or session.paused:
        return []
    names = [f"code:{session.code}"]
    begun, ended = day_of(session.dealt), day_of(session.ended)
    is_daily = session.origin == DAILY
    if session.origin not in (RANKED, DAILY, RACE) or not session.sealed or not is_first:
        return names
    if is_daily and not (is_attempt and begun == ended):
        return names
    year, week, _ = ended.isocalendar()
    windows = (f"day:{ended}", f"week:{year}-W{week:02}", "all")
    names += [f"{session.letter}:{window}" for window in windows]
    return [*names, f"daily:{session.letter}:{begun}"] if is_daily else names


def rebuild(sessions: Iterable[Session]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Every board in both orders: player and session of each row, the first place first."""
    by_deal = sorted(sessions, key=lambda one: (one.dealt, one.name))
    first_with: dict[tuple[str, str], str] = {}
    attempts: dict[tuple[str, str, dt.date], str] = {}
    for one in by_deal:
        first_with.setdefault((one.player, one.code), one.name)
        if one.origin == DAILY:
            attempts.setdefault((one.player, one.letter, day_of(one.dealt)), one.name)
    rows: dict[tuple[str, str], dict[str, tuple[Any, ...]]] = defaultdict(dict)
    for one in by_deal:
        is_first = first_with[one.player, one.code] == one.name
        day = (one.player, one.letter, day_of(one.dealt))
        for name in boards_of(one, is_first, attempts.get(day) == one.name):
            who = f"{one.name}:{one.player}"
            entries: dict[str, tuple[Any, ...]] = {
                "best": (-one.ranked, one.time, one.moves, one.ended, who)
            }
            if one.won:
                entries["moves"] = (one.moves, one.time, one.ended, who)
            for order, entry in entries.items():
                best = rows[name, order].get(one.player)
                if best is None or entry < best:
                    rows[name, order][one.player] = entry
    return {
        board: [
            (player, entry[-1].partition(":")[0])
            for player, entry in sorted(players.items(), key=lambda item: item[1])
        ]
        for board, players in rows.items()
    }


def stored_boards(
    store: Store,
) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The boards as the server has them."""
    found = {}
    for key in store.scan_iter("yukon:board:*"):
        if (match := _BOARD.fullmatch(key)) is not None:
            members = [_MEMBER.fullmatch(one.decode()) for one in store.zrange(key, 0, -1)]
            rows = [(one[2], one[1]) for one in members if one is not None]
            found[match[1].decode(), match[2].decode()] = rows
    return found


def figures(games: list[Session]) -> dict[str, Any]:
    """The statistics of the games of one ruleset, in the order they came to count."""
    wins = [game for game in games if game.won]
    streak = longest = 0
    for game in games:
        streak = streak + 1 if game.won else 0
        longest = max(longest, streak)
    return {
        "letter": games[0].letter,
        "games": len(games),
        "wins": len(wins),
        "win_rate": len(wins) / len(games),
        "streak": streak,
        "longest_streak": longest,
        "best_time": min((game.time for game in wins), default=None),
        "mean_time": sum(game.time for game in wins) // len(wins) if wins else None,
        "fewest_moves": min((game.moves for game in wins), default=None),
        "best_score": max(game.ranked for game in games),
        "recent": [
            {
                "won": game.won,
                "score": game.ranked,
                "time": game.time,
                "moves": game.moves,
                "ended": game.ended,
            }
            for game in games[-RECENT:]
        ],
    }


def statistics_of(
    player: str, sessions: Iterable[Session], counted: Iterable[str]
) -> tuple[list[dict[str, Any]], list[str]]:
    """A player's statistics, as the address tells them, and what is wrong with what counts."""
    counts = {
        one.name: one
        for one in sessions
        if one.player == player and one.ended is not None and one.moves > 0
    }
    order = list(counted)
    wrong = [f"{player}: {name} should count" for name in sorted(set(counts) - set(order))]
    wrong += [f"{player}: {name} should not count" for name in sorted(set(order) - set(counts))]
    games: dict[str, list[Session]] = defaultdict(list)
    for name in order:
        if name in counts:
            games[counts[name].letter].append(counts[name])
    return [figures(games[letter]) for letter in RULESETS if letter in games], wrong


def differences_of_boards(sessions: list[Session], store: Store) -> list[str]:
    """Each board on which the server and the replays do not agree, in words."""
    wanted, found = rebuild(sessions), stored_boards(store)
    return [
        f"{name} by {order}: {len(found.get((name, order), []))} rows are not the "
        f"{len(wanted.get((name, order), []))} that the replays make"
        for name, order in sorted(set(wanted) | set(found))
        if wanted.get((name, order)) != found.get((name, order))
    ]
