"""Everything that talks to Redis: keys, commits, players, rooms, boards, the embedded server."""
