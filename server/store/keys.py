"""The names of all keys and channels in Redis, and nothing else.

Keys that change together carry the same tag in braces, so that a cluster keeps them in one slot.
"""

PREFIX = "yukon:"
DUE = b"yukon:due"
ENDING = b"yukon:ending"
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


def worker_channel(worker_id: str) -> bytes:
    """Name the one channel on which a worker hears of what other workers committed."""
    return f"yukon:worker:{worker_id}".encode()


def topic_channel(topic: str) -> bytes:
    """Name the channel of a topic that several workers listen to, such as a room."""
    return f"yukon:topic:{topic}".encode()
