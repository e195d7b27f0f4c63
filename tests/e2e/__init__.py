"""The whole thing: a real server, a real browser, and what comes between them."""
