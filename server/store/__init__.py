"""Everything that talks to Redis: keys, commits, players, rooms, boards, and the embedded server."""
