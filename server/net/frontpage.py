"""The client's page in two forms: with links to its files, and whole, with all of the start within.

Whole it needs one answer instead of two in turn, which on a slow line is the time of a round trip.
It holds scripts and styles as they are served elsewhere, and the policy that goes with it names
each by its hash, so that no other inline script runs on it. Knows nothing of requests.
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

_TAG: Final = re.compile(
    r"<script\b[^>]*\bsrc=[^>]*>\s*</script>|<link\b[^>]*\bstylesheet\b[^>]*>", re.IGNORECASE
)
_STYLE: Final = re.compile(rf'<link rel="stylesheet" href="{PLACEHOLDER}(?P<path>[^"]+)">')
_SCRIPT: Final = re.compile(
    rf'<script(?P<kind>| type="module") src="{PLACEHOLDER}(?P<path>[^"]+)"></script>'
)
# What a browser reads otherwise than it is written, so that its hash would be another.
_READ_OTHERWISE: Final = "\r|\0|\ufeff"
_NOT_IN_SCRIPT: Final = re.compile(
    rf"<!--|</?script|\bimport\.meta\b|^import\b(?!\()|^export\b.*\bfrom\b|{_READ_OTHERWISE}",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_IN_STYLE: Final = re.compile(
    rf"""</style|@import|image-set\(|url\(["']?+(?!data:|#)|{_READ_OTHERWISE}""", re.IGNORECASE
)


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

    Raises ValueError for a file that is not there or cannot stand within a page, and for a tag
    other than `<link rel="stylesheet" href>`, `<script src>` or `<script type="module" src>`.
    """
    scripts: list[str] = []
    styles: list[str] = []
    parts: list[str] = []
    end = 0
    for tag in _TAG.finditer(page):
        parts.append(linked(page[end : tag.start()], folder))
        end = tag.end()
        if style := _STYLE.fullmatch(tag[0]):
            text = _text(files, style["path"], _NOT_IN_STYLE)
            styles.append(_source(text))
            parts.append(f"<style>{text}</style>")
        elif script := _SCRIPT.fullmatch(tag[0]):
            text = _text(files, script["path"], _NOT_IN_SCRIPT)
            text = within_page(text, script["path"], folder)
            scripts.append(_source(text))
            parts.append(f"<script{script['kind']}>{text}</script>")
        else:
            raise ValueError(f"the page has a tag that cannot hold its file: {tag[0]}")
    parts.append(linked(page[end:], folder))
    return "".join(parts), Within(tuple(scripts), tuple(styles))


def _text(files: Mapping[str, bytes], path: str, refused: re.Pattern[str]) -> str:
    """A file for a page; checked-out files may have the line ends of another system."""
    if path not in files:
        raise ValueError(f"{path} is on the page and is not there")
    text = files[path].decode().replace("\r\n", "\n")
    if found := refused.search(text):
        raise ValueError(f"{path} cannot stand within a page: {found[0]!r}")
    return text


def _source(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
