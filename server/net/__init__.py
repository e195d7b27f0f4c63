"""Sockets and pages: how decisions reach people; nothing here decides a game."""
