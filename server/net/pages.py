"""The browser client's files: read, hashed and compressed once, and then only handed out.

All files share one hash: a page names `/assets/<hash>/js/main.js`, which holds all modules of the
start in one request. The modules by themselves are there too, at addresses with the same hash.
Whoever was never here gets the page whole, with those files within.
"""

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from aiohttp import hdrs, web

from server.net.combine import combine
from server.net.frontpage import NOTHING_WITHIN, linked, whole
from server.net.identity import COOKIE
from server.net.security import content_policy

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_ENTRY: Final = "js/main.js"
_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*$", re.MULTILINE)
_NO_WEIGHT: Final = re.compile(r"0(\.0*)?")
_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
# What stands within the page is named by its hash: nobody on the way may rewrite it.
_AS_IT_IS: Final = "no-cache, no-transform"
# The addresses that the client reads itself; a GET of any of them shows the same page.
_PAGES: Final = (
    *("/", "/g/{code}", "/r/{room}", "/replay/{session}"),
    *("/boards", "/daily", "/me", "/transfer"),
)
_ROBOTS: Final = b"User-agent: *\nAllow: /$\nDisallow: /\n"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent; `packed` is None where gzip does not make it smaller."""

    content: bytes
    packed: bytes | None
    content_type: str
    etag: str

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return len(self.content) + len(self.packed or b"")


class Page:
    """The client's page, with its files by their `hash`: linked, or whole with those of the start.

    A browser that was here has the files, or fetches them once; a new one has all in one answer.
    """

    def __init__(self, page: str, files: Mapping[str, bytes], files_hash: str) -> None:
        folder = f"/assets/{files_hash}/"
        text, self._within = whole(page, files, folder)
        self._whole = asset("index.html", text.encode())
        self._linked = asset("index.html", linked(page, folder).encode())

    def answer(self, request: web.Request) -> web.Response:
        """The form that fits; a browser that has the whole one already keeps it."""
        is_whole = COOKIE not in request.cookies or holds(request, self._whole)
        response = answer(request, self._whole if is_whole else self._linked, _AS_IT_IS)
        response.headers[hdrs.VARY] = f"{hdrs.ACCEPT_ENCODING}, {hdrs.COOKIE}"
        # Also with "not modified": some browsers take its headers in place of those they kept.
        response.headers["Content-Security-Policy"] = content_policy(
            request.headers.get(hdrs.HOST, ""), self._within if is_whole else NOTHING_WITHIN
        )
        return response


class Pages:
    """Everything under the client's folder; `folder` None or without index.html has no page."""

    def __init__(self, folder: Path | None) -> None:
        files = {} if folder is None else read(folder)
        if _ENTRY in files:
            files |= combine(files, _ENTRY)
        self.hash = _hash(files)
        index = files.pop("index.html", None)
        self._assets = {path: asset(path, content) for path, content in files.items()}
        self._page = None if index is None else Page(index.decode(), files, self.hash)

    @property
    def client(self) -> str | None:
        """The hash by which a page knows that it is today's; None where no client is installed."""
        return None if self._page is None else self.hash

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Serve the page, its files and what robots ask for."""
        for path in _PAGES:
            router.add_get(path, self._show)
        router.add_get("/assets/{hash}/{path:.+}", self._asset)
        router.add_get("/favicon.ico", self._favicon)
        router.add_get("/robots.txt", self._robots)

    async def _show(self, request: web.Request) -> web.StreamResponse:
        if self._page is None:
            return web.Response(status=404, text="The browser client is not installed here.\n")
        return self._page.answer(request)

    async def _asset(self, request: web.Request) -> web.StreamResponse:
        found = self._assets.get(request.match_info["path"])
        if found is None:
            return web.Response(status=404, text="There is no such file.\n")
        # A page from before an upgrade asks with the old hash: it gets today's file, not for ever.
        is_current = request.match_info["hash"] == self.hash
        return answer(request, found, _FOREVER if is_current else _ASK_AGAIN)

    async def _favicon(self, request: web.Request) -> web.StreamResponse:
        for path in ("favicon.ico", "icons/favicon.ico", "favicon.svg", "icons/favicon.svg"):
            if path in self._assets:
                return answer(request, self._assets[path], "public, max-age=86400")
        return web.Response(status=404, text="There is no icon.\n")

    async def _robots(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002
        return web.Response(body=_ROBOTS, content_type="text/plain")


def client_folder() -> Path | None:
    """Where the client lies: client/ of a checkout, server/client/ of an installed package."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "client", package.parent / "client"):
        if (folder / "index.html").is_file():
            return folder
    return None


def asset(path: str, content: bytes) -> Asset:
    """A file, compressed where that helps."""
    packed = gzip.compress(content, 9, mtime=0)
    return Asset(
        content,
        packed if len(packed) < len(content) else None,
        _TYPES[PurePosixPath(path).suffix],
        hashlib.sha256(content).hexdigest()[:20],
    )


def answer(request: web.Request, found: Asset, caching: str) -> web.Response:
    """The file, or that the browser has it already."""
    packed = packed_for(request, found)
    headers = {
        hdrs.CACHE_CONTROL: caching,
        hdrs.ETAG: f'"{tag_of(found, is_packed=packed is not None)}"',
        hdrs.VARY: hdrs.ACCEPT_ENCODING,
    }
    if holds(request, found):
        return web.Response(status=304, headers=headers)
    headers[hdrs.CONTENT_TYPE] = found.content_type
    if packed is None:
        return web.Response(body=found.content, headers=headers)
    headers[hdrs.CONTENT_ENCODING] = "gzip"
    return web.Response(body=packed, headers=headers)


def holds(request: web.Request, found: Asset) -> bool:
    """Whether the browser has the file, in the form that it would get."""
    tag = tag_of(found, is_packed=packed_for(request, found) is not None)
    return any(held.value in (tag, "*") for held in request.if_none_match or ())


def packed_for(request: web.Request, found: Asset) -> bytes | None:
    """The file compressed, if it is and the browser takes it so."""
    return found.packed if takes_gzip(request.headers.get(hdrs.ACCEPT_ENCODING, "")) else None


def tag_of(found: Asset, *, is_packed: bool) -> str:
    """Each form has its own: what is sent differs, so a cache must not take one for the other."""
    return f"{found.etag}-gzip" if is_packed else found.etag


def takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding header lets an answer come packed: named, or meant by `*`."""
    weights: dict[str, bool] = {}
    for part in accepted.split(","):
        coding, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weight = next((each[2:] for each in parameters if each.startswith("q=")), "1")
        weights[coding] = not _NO_WEIGHT.fullmatch(weight)
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", False)))


def without_comments(source: bytes) -> bytes:
    """A script without the comments that have lines of their own; every line keeps its number.

    A third of what the modules weigh is for people who read them, not for players.
    """
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source.decode()).encode()


def read(folder: Path) -> dict[str, bytes]:
    """Files with a known ending by their path; hidden ones are none of them."""
    return {
        path.relative_to(folder).as_posix(): _content(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.suffix in _TYPES
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    return without_comments(content) if path.suffix == ".js" else content


def _hash(files: dict[str, bytes]) -> str:
    total = hashlib.sha256()
    for path, content in files.items():
        total.update(f"{len(path)} {path} {len(content)} ".encode())
        total.update(content)
    return total.hexdigest()[:16]
