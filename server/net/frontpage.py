"""The client's page in two forms: with links to its files, and whole, with all of the start within.

Whole it needs one answer instead of two in turn, which on a slow line is the time of a round trip.
It holds scripts and styles as they are served elsewhere, and the policy that goes with it names
each by its hash, so that nothing else on it runs. Knows nothing of requests.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from server.net.combine import within_page

PLACEHOLDER: Final = "/assets/dev/"
"""What the page's links begin with until the hash of the files is known."""

_STYLE: Final = re.compile(rf'<link rel="stylesheet" href="{PLACEHOLDER}(?P<path>[^"]+)">')
_SCRIPT: Final = re.compile(rf'<script(?P<kind>[^>]*) src="{PLACEHOLDER}(?P<path>[^"]+)"></script>')
_ENDS_SCRIPT: Final = re.compile(r"<!--|</?script", re.IGNORECASE)
_ENDS_STYLE: Final = re.compile(r"</style", re.IGNORECASE)
_RELATIVE: Final = re.compile(r"""@import|url\(["']?+(?!data:|#)""")


@dataclass(frozen=True, slots=True)
class Within:
    """The scripts and styles that a page holds, as sources of a Content-Security-Policy."""

    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()


NOTHING_WITHIN: Final = Within()


def linked(page: str, folder: str) -> str:
    """The page with links to its files below `folder`, an address that ends with a slash."""
    return page.replace(PLACEHOLDER, folder)


def whole(page: str, files: Mapping[str, bytes], folder: str) -> tuple[str, Within]:
    """The page with its styles and scripts within, and what its policy must allow.

    Raises ValueError for a file that is not there, or cannot stand within a page.
    """
    scripts: list[str] = []
    styles: list[str] = []

    def hold_style(found: re.Match[str]) -> str:
        text = _text(files, found["path"])
        for pattern in (_ENDS_STYLE, _RELATIVE):
            _refuse(pattern, text, found["path"])
        styles.append(_source(text))
        return f"<style>{text}</style>"

    def hold_script(found: re.Match[str]) -> str:
        path = found["path"]
        text = within_page(_text(files, path).encode(), path, folder).decode()
        _refuse(_ENDS_SCRIPT, text, path)
        scripts.append(_source(text))
        return f"<script{found['kind']}>{text}</script>"

    page = _SCRIPT.sub(hold_script, _STYLE.sub(hold_style, page))
    return linked(page, folder), Within(tuple(scripts), tuple(styles))


def _text(files: Mapping[str, bytes], path: str) -> str:
    """A file as a browser reads it within a page, where every line ends in the same way."""
    if path not in files:
        raise ValueError(f"{path} is on the page and is not there")
    return files[path].decode().replace("\r\n", "\n")


def _refuse(pattern: re.Pattern[str], text: str, path: str) -> None:
    if found := pattern.search(text):
        raise ValueError(f"{path} cannot stand within a page: {found[0]}")


def _source(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
