"""Pure decisions of the server: no sockets, no Redis, no clock; `now` comes in as an argument."""
