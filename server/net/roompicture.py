"""GET /r/<room>/qr.svg: the link of a room as a picture, whether there is such a room or not."""

import asyncio
import time
from functools import lru_cache
from typing import Final

from aiohttp import hdrs, web

from server.core.roomcode import InvalidRoomName, read_name
from server.core.throttle import Credits, Limits
from server.net import qr
from server.net.security import Security

_picture_of: Final = lru_cache(maxsize=256)(qr.svg)
_CACHING: Final = "public, max-age=86400"


class RoomPicture:
    """The handler of one worker."""

    def __init__(self, security: Security, limits: Limits) -> None:
        self._security = security
        self._drawn = Credits(limits.pictures)

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Serve the picture."""
        router.add_get("/r/{room}/qr.svg", self._picture)

    async def _picture(self, request: web.Request) -> web.StreamResponse:
        site = self._security.site(request)
        try:
            name = read_name(request.match_info["room"])
        except InvalidRoomName as invalid:
            return web.Response(status=404, text=f"There is no such room: {invalid}.\n")
        if not self._drawn.spend(self._security.address(request), time.monotonic()):
            return web.Response(status=429, text="Too many pictures. Wait a moment.\n")
        return web.Response(
            # It takes as long as hundreds of moves: those go on meanwhile.
            body=await asyncio.to_thread(_picture_of, f"{site}/r/{name.text}"),
            headers={
                hdrs.CONTENT_TYPE: "image/svg+xml",
                hdrs.CACHE_CONTROL: _CACHING,
                hdrs.VARY: hdrs.HOST,
            },
        )
