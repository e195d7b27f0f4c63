"""The names of all keys and channels in Redis, and nothing else.

Keys that change together carry the same tag in braces, so that a cluster keeps them in one slot.
"""

from engine.ruleset import RULESETS

PREFIX = "yukon:"
DUE = b"yukon:due"
ENDING = b"yukon:ending"
UNTOUCHED = b"yukon:untouched"
CANARY = b"yukon:canary"


def tag_of(session_id: str) -> str:
    """Give the tag of a session: what stands before its dot, or all of it when it has none.

    A session in a race is called `<room>.<own>`, so that it lies beside its room.
    """
    return session_id.partition(".")[0]


def session(session_id: str) -> bytes:
    """Name the hash of a session."""
    return f"yukon:{{{tag_of(session_id)}}}:session:{session_id}".encode()


def log(session_id: str) -> bytes:
    """Name the log of a session."""
    return f"yukon:{{{tag_of(session_id)}}}:session:{session_id}:log".encode()


def room(room_id: str) -> bytes:
    """Name the hash of a room; it shares its tag with the sessions of its races."""
    return f"yukon:{{{room_id}}}:room:{room_id}".encode()


def room_races(room_id: str) -> bytes:
    """Name the list of a room's finished races, oldest first."""
    return f"yukon:{{{room_id}}}:room:{room_id}:races".encode()


def room_code(code: str) -> bytes:
    """Name what a room's six letters lead to."""
    return f"yukon:roomcode:{code}".encode()


def player(player_id: str) -> bytes:
    """Name the hash of a player."""
    return f"yukon:player:{{{player_id}}}".encode()


def request(player_id: str, request_id: bytes) -> bytes:
    """Name the memory of a command without a version; it shares its tag with the player."""
    return f"yukon:player:{{{player_id}}}:request:{request_id.hex()}".encode()


def session_rows(session_id: str) -> bytes:
    """Name the rows of boards that stand on a session (sorted set, score = when a row goes)."""
    return session(session_id) + b":rows"


def board(name: str, order: str) -> bytes:
    """Name a leaderboard in one order (sorted set); all of its orders share a tag."""
    return f"yukon:board:{{{name}}}:{order}".encode()


def board_members(name: str, order: str) -> bytes:
    """Name the hash of a board from a player to the player's member."""
    return board(name, order) + b":of"


def board_left(name: str, order: str) -> bytes:
    """Name the set of members that gave way on a board and whose sessions are not told yet."""
    return board(name, order) + b":left"


def daily(name: str) -> bytes:
    """Name the code of a day's deal."""
    return f"yukon:daily:{name}".encode()


def statistics(player_id: str) -> bytes:
    """Name the statistics of a player (hash, a field for each ruleset)."""
    return player(player_id) + b":statistics"


def counted(player_id: str) -> bytes:
    """Name the sessions that are in a player's statistics, in the order they came to count."""
    return player(player_id) + b":counted"


def games(player_id: str) -> bytes:
    """Name the sessions of a player (sorted set, score = when they began, Unix microseconds)."""
    return player(player_id) + b":games"


def codes(player_id: str) -> bytes:
    """Name the hash of a player from each sealed code to the session that had it first."""
    return player(player_id) + b":codes"


def codes_noted(player_id: str) -> bytes:
    """Name when each of those codes was noted (sorted set, Unix milliseconds)."""
    return codes(player_id) + b":noted"


def player_rows(player_id: str) -> bytes:
    """Name the boards that a player may have rows on (sorted set, score = when a board goes)."""
    return player(player_id) + b":rows"


def seats(player_id: str) -> bytes:
    """Name the rooms in which a player sat down (sorted set, score = when, Unix milliseconds)."""
    return player(player_id) + b":rooms"


def attempts(player_id: str, letter: str) -> bytes:
    """Name the hash of a player from a day to the session that counts in its daily deal."""
    return player(player_id) + f":daily:{letter}".encode()


def marks(player_id: str, letter: str) -> bytes:
    """Name the hash of a player from a day to what became of its daily deal."""
    return player(player_id) + f":marks:{letter}".encode()


def of_player(player_id: str) -> list[bytes]:
    """List the keys of a player beside the hash of `player` and the memory of requests.

    Those of `seats` go with the hash: as long as there is a player, it is known where they sit.
    """
    kinds = (statistics, counted, games, codes, codes_noted, player_rows)
    days = [kind(player_id, letter) for kind in (attempts, marks) for letter in RULESETS]
    return [*(kind(player_id) for kind in kinds), *days]


def worker_channel(worker_id: str) -> bytes:
    """Name the one channel on which a worker hears of what other workers committed."""
    return f"yukon:worker:{worker_id}".encode()


def topic_channel(topic: str) -> bytes:
    """Name the channel of a topic that several workers listen to, such as a room."""
    return f"yukon:topic:{topic}".encode()
