"""The game server: keeps every game in Redis and pushes what changed to the players."""
