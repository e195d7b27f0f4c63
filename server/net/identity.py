"""How a request says which player it is: a cookie, or a bearer token; it looks nobody up."""

import re
from typing import Final

from aiohttp import hdrs, web

COOKIE: Final = "yukon_player"
_COOKIE_SECONDS: Final = 400 * 24 * 3600
_TOKEN: Final = re.compile(r"[A-Za-z0-9]{1,40}\.[A-Za-z0-9_-]{20,100}")


def token_of(request: web.Request) -> str | None:
    """The token that a request brings; the header wins, since no browser adds it unasked."""
    header = request.headers.get(hdrs.AUTHORIZATION)
    if header is not None:
        scheme, _, token = header.partition(" ")
        token = token.strip() if scheme.lower() == "bearer" else ""
    else:
        token = request.cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else None


def set_cookie(response: web.StreamResponse, token: str, *, secure: bool) -> None:
    """Give a browser the token, out of reach of every script."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=_COOKIE_SECONDS,
        path="/",
        httponly=True,
        secure=secure,
        samesite="Lax",
    )


def clear_cookie(response: web.StreamResponse, *, secure: bool) -> None:
    """Take the token away from a browser."""
    response.del_cookie(COOKIE, path="/", httponly=True, secure=secure, samesite="Lax")
