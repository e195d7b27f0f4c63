"""The running hash over a session's history; it knows no rules and no clock.

A head names one history exactly, where a version only counts it: a command that was validated
against another history with as many commands is told apart by the head. Times are not part of it,
since the server learns the committed time only after it made the next head.
"""

from hashlib import blake2b

HEAD_SIZE = 8
RECORD_SIZE = 8
ACTION_SIZE = 3


def first_head(code: str) -> bytes:
    """Give the head of a session nothing was played in, 8 bytes; other cards, other heads."""
    return blake2b(code.encode(), digest_size=HEAD_SIZE).digest()


def next_head(head: bytes, action: bytes) -> bytes:
    """Give the head after an action (3 bytes: source, count, target) was accepted at `head`."""
    return blake2b(head + action, digest_size=HEAD_SIZE).digest()


def head_of(code: str, log: bytes) -> bytes:
    """Give the head of a whole log (8 bytes a record, the first 3 of them the action)."""
    head = first_head(code)
    for start in range(0, len(log), RECORD_SIZE):
        head = next_head(head, log[start : start + ACTION_SIZE])
    return head
