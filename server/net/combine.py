"""All modules of the client as one script, so that a page needs one request for them, not forty.

The client stays what it is, modules that a browser can load one by one; this only saves round trips
when they are served. It knows the few forms of import and export that the client uses and refuses
others with ValueError; it is no parser and changes no line of a module beside those.
"""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_IMPORT: Final = re.compile(
    r"""^import\s+(?:(?P<names>\{[^}]*\})|\*\s+as\s+(?P<all>\w+)|(?P<default>\w+))\s+"""
    r"""from\s+['"](?P<path>\.{1,2}/[^'"]+)['"];?[ \t]*$""",
    re.MULTILINE,
)
_LATER: Final = re.compile(r"""\bimport\(\s*['"](\.{1,2}/[^'"]+)['"]\s*\)""")
_EXPORT: Final = re.compile(
    r"^export\s+(?P<what>(?:async\s+)?function\*?|const|class)\s+(?P<name>[A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
_DEFAULT: Final = re.compile(r"^export\s+default\s+", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_ALIAS: Final = re.compile(r"\s+as\s+")


@dataclass(slots=True)
class _Combining:
    files: Mapping[str, bytes]
    names: dict[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    lazy: set[str] = field(default_factory=set)
    under_way: list[str] = field(default_factory=list)

    def add(self, path: str) -> str:
        """Write a module after all that it imports; the name of its exports."""
        if path in self.names:
            return self.names[path]
        if path in self.under_way:
            raise ValueError(f"{path} imports itself by way of {self.under_way[-1]}")
        self.under_way.append(path)
        source = self._source(path)
        exports = {found["name"]: found["name"] for found in _EXPORT.finditer(source)}
        source = _EXPORT.sub(r"\g<what> \g<name>", source)
        if _DEFAULT.search(source):
            exports["default"] = "_default"
            source = _DEFAULT.sub("const _default = ", source, count=1)
        source = _IMPORT.sub(lambda found: self._bind(path, found), source)
        source = _LATER.sub(lambda found: self._later(path, found), source)
        if left := _LEFT.search(source):
            raise ValueError(f"{path}: this cannot be combined: {left[0]}")
        self.under_way.pop()
        name = self.names[path] = f"_module{len(self.names)}"
        given = ", ".join(f"{outside}: {inside}" for outside, inside in exports.items())
        start, end = ("_once(() => {", "});") if path in self.lazy else ("(() => {", "})();")
        self.parts.append(f"const {name} = {start}\n{source}\nreturn {{ {given} }};\n{end}\n")
        return name

    def _source(self, path: str) -> str:
        if path not in self.files:
            raise ValueError(f"{path} is imported and is not there")
        return self.files[path].decode()

    def _bind(self, path: str, found: re.Match[str]) -> str:
        target = beside(path, found["path"])
        if target in self.lazy:
            raise ValueError(f"{target} is imported at once and later")
        name = self.add(target)
        if found["all"]:
            return f"const {found['all']} = {name};"
        if found["default"]:
            return f"const {found['default']} = {name}.default;"
        return f"const {_ALIAS.sub(': ', found['names'])} = {name};"

    def _later(self, path: str, found: re.Match[str]) -> str:
        target = beside(path, found[1])
        if target in self.names and target not in self.lazy:
            raise ValueError(f"{target} is imported at once and later")
        self.lazy.add(target)
        return f"Promise.resolve().then({self.add(target)})"


def combine(files: Mapping[str, bytes], entry: str) -> bytes:
    """The entry and everything it imports, each module in a scope of its own, imported ones first.

    What is imported by `import()` runs when it is asked for the first time, as it would by itself.
    Raises ValueError for a circle, a missing module, or a form of import or export not known here.
    """
    combining = _Combining(files)
    combining.add(entry)
    once = "const _once = (make) => { let made; return () => (made ??= make()); };\n"
    return ("'use strict';\n" + once + "".join(combining.parts)).encode()


def beside(path: str, relative: str) -> str:
    """The path that a module at `path` means by a relative one."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))
