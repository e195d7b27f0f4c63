"""Who asks, from where, and what a browser may do with the answer; it knows no game."""

import ipaddress
import re
from typing import Final
from urllib.parse import urlsplit

from aiohttp import hdrs, web

from server.net.frontpage import NOTHING_WITHIN, Within

_HOST: Final = re.compile(
    r"[A-Za-z0-9.\-]{1,255}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?"
)
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITES: Final = frozenset({"same-origin", "none"})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
FIXED_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Security:
    """Reads requests under the host's settings.

    `public_url` is an origin without a path, None when players use the address they see.
    """

    def __init__(self, *, public_url: str | None, trust_proxy: bool) -> None:
        self._trust_proxy = trust_proxy
        self._public_url = public_url

    def address(self, request: web.Request) -> str:
        """Where limits are counted: an IPv4 address or an IPv6 network of 64 bits.

        Behind a trusted proxy it is the last address of X-Forwarded-For, the one the proxy saw.
        """
        seen = request.remote or ""
        if self._trust_proxy:
            forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
            seen = forwarded or seen
        return _network(seen)

    def is_secure(self, request: web.Request) -> bool:
        """Whether the player came by https, so that the cookie must too."""
        if self._public_url is not None and self._public_url.startswith("https:"):
            return True
        if self._trust_proxy:
            forwarded = request.headers.get("X-Forwarded-Proto", "").rpartition(",")[2].strip()
            if forwarded:
                return forwarded.lower() == "https"
        return request.secure

    def site(self, request: web.Request) -> str:
        """What stands before the paths of links to this site: `https://yukon.example`.

        Raises HTTPBadRequest where nobody said it and the request does not either.
        """
        if self._public_url is not None:
            return self._public_url
        if not _HOST.fullmatch(request.host):
            raise web.HTTPBadRequest(reason="The request names no host that a link could lead to.")
        scheme = "https" if self.is_secure(request) else "http"
        return f"{scheme}://{request.host}"

    def is_own_origin(self, request: web.Request) -> bool:
        """Whether the request comes from a page of this server, or from no page at all.

        Browsers name the page's origin on every WebSocket and on every request that is not a GET;
        programs name none, and have no cookie that somebody could borrow.
        """
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None:
            return request.headers.get("Sec-Fetch-Site", "none") in _OWN_SITES
        if origin == self._public_url:
            return True
        try:
            page = urlsplit(origin)
            page_port = page.port or _DEFAULT_PORTS[page.scheme]
            here = urlsplit(f"{page.scheme}://{request.host}")
            here_port = here.port or _DEFAULT_PORTS[page.scheme]
        except (KeyError, ValueError):
            return False
        return page.hostname is not None and (page.hostname, page_port) == (
            here.hostname,
            here_port,
        )

    async def add_headers(self, request: web.BaseRequest, response: web.StreamResponse) -> None:
        """The security headers of every answer; a signal handler of aiohttp."""
        if response.status == 101:
            return
        headers = response.headers
        headers.update(FIXED_HEADERS)
        # A page that holds scripts of its own has said which.
        headers.setdefault(
            "Content-Security-Policy", content_policy(request.headers.get(hdrs.HOST, ""))
        )
        if self._public_url is not None and self._public_url.startswith("https:"):
            headers["Strict-Transport-Security"] = "max-age=31536000"


def content_policy(host: str, within: Within = NOTHING_WITHIN) -> str:
    """What a page of this server may load: its own files, and the socket of the same host.

    Of what stands within the page it runs only what is named by its hash.
    """
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    scripts = " ".join(["'self'", *within.scripts])
    styles = " ".join(["'self'", *within.styles])
    return (
        f"default-src 'self'; script-src {scripts}; style-src {styles}; img-src 'self' data:; "
        f"connect-src 'self'{sockets}; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )


def is_safe(method: str) -> bool:
    """Whether a request of this method changes nothing."""
    return method in _SAFE_METHODS


def _network(text: str) -> str:
    """The address that limits count; anything unreadable is one address of its own."""
    try:
        address = ipaddress.ip_address(
            text.strip().removeprefix("[").removesuffix("]").split("%")[0]
        )
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
