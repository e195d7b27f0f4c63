"""What the host of a server does by hand: look after players, their names and their rows."""
