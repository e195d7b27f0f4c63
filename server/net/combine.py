"""The client's modules as few scripts: one for the start, one for each part that is loaded later.

The client stays what it is, modules that a browser can load one by one; this only saves round trips
when they are served. It knows the few forms of import and export that the client uses and refuses
others with ValueError; it is no parser and changes no line of a module beside those.

A module that is imported by `import()` begins a script of its own. What the first script holds is
there once: later scripts find it in `yukonModules`, a name of the page, and need not know whether
the first script came by itself or within the page. What several later scripts need has its own
script.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping
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
_LEFT: Final = re.compile(r"^(?:import\b(?!\()|export\b).*$", re.MULTILINE)
_ALIAS: Final = re.compile(r"\s+as\s+")
_REGISTER: Final = "globalThis.yukonModules"


def combine(files: Mapping[str, bytes], entry: str) -> dict[str, bytes]:
    """The scripts by the path of the module that each begins with: `entry`, and the later ones.

    Each module has a scope of its own and runs after those that it imports, once. Raises ValueError
    for a circle, a missing module, or a form of import or export not known here.
    """
    graph = _Graph(files)
    graph.follow(entry)
    scripts = graph.scripts(entry)
    offered = [path for path, script in scripts.items() if script == entry]
    return {
        script: _Script(graph, script, scripts, entry, offered).text().encode()
        for script in dict.fromkeys(scripts.values())
    }


def within_page(script: str, path: str, folder: str) -> str:
    """A script of `combine` for a page that holds it: what it loads later, it finds below `folder`.

    `path` is where the script lies below that folder, which ends with a slash.
    """
    return _LATER.sub(lambda found: f"import('{folder}{beside(path, found[1])}')", script)


def beside(path: str, relative: str) -> str:
    """The path that a module at `path` means by a relative one."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))


class _Graph:
    """Which module imports which, at once and later."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self.at_once: dict[str, list[str]] = {}
        self.later: dict[str, list[str]] = {}

    def source(self, path: str) -> str:
        if path not in self._files:
            raise ValueError(f"{path} is imported and is not there")
        return self._files[path].decode()

    def follow(self, entry: str) -> None:
        """Find every module that the entry may need."""
        waiting = [entry]
        while waiting:
            path = waiting.pop()
            if path in self.at_once:
                continue
            source = self.source(path)
            self.at_once[path] = [beside(path, one["path"]) for one in _IMPORT.finditer(source)]
            self.later[path] = [beside(path, one) for one in _LATER.findall(source)]
            waiting += self.at_once[path] + self.later[path]

    def needed(self, root: str) -> list[str]:
        """A module with all that it imports at once, imported ones first. Raises ValueError."""
        order: list[str] = []
        under_way: list[str] = []

        def visit(path: str) -> None:
            if path in under_way:
                raise ValueError(f"{path} imports itself by way of {under_way[-1]}")
            if path in order:
                return
            under_way.append(path)
            for imported in self.at_once[path]:
                visit(imported)
            under_way.pop()
            order.append(path)

        visit(root)
        return order

    def scripts(self, entry: str) -> dict[str, str]:
        """The script of each module, named by the module that it begins with."""
        first = self.needed(entry)
        found = dict.fromkeys(first, entry)
        roots = list(dict.fromkeys(one for path in self.later for one in self.later[path]))
        for root in roots:
            if root in found:
                raise ValueError(f"{root} is imported at once and later")
        users: dict[str, list[str]] = {}
        for root in roots:
            for path in self.needed(root):
                if path not in found:
                    users.setdefault(path, []).append(root)
        for path, by in users.items():
            found[path] = by[0] if len(by) == 1 else path
        return found


@dataclass
class _Script:
    """One script while it is written: the modules of `scripts` that belong to it."""

    graph: _Graph
    name: str
    scripts: Mapping[str, str]
    entry: str
    offered: Iterable[str]
    """The modules of the entry: an open page may load the later scripts of a newer version."""
    names: dict[str, str] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    exports: list[str] = field(default_factory=list)

    def text(self) -> str:
        parts = [
            self._module(path)
            for path in self.graph.needed(self.name)
            if self.scripts[path] == self.name
        ]
        imports = [
            f"import * as {name} from '{self._relative(script)}';\n"
            for script, name in self.others.items()
        ]
        register = self._register() if self.name == self.entry else ""
        return "".join([*imports, *parts, self._exports(), register])

    def _module(self, path: str) -> str:
        name = self.names[path] = f"_module{len(self.names)}"
        source = self.graph.source(path)
        exports = {found["name"]: found["name"] for found in _EXPORT.finditer(source)}
        source = _EXPORT.sub(r"\g<what> \g<name>", source)
        if _DEFAULT.search(source):
            exports["default"] = "_default"
            source = _DEFAULT.sub("const _default = ", source, count=1)
        source = _IMPORT.sub(lambda found: self._bind(path, found), source)
        source = _LATER.sub(
            lambda found: f"import('{self._relative(beside(path, found[1]))}')", source
        )
        if left := _LEFT.search(source):
            raise ValueError(f"{path}: this cannot be combined: {left[0]}")
        if path == self.name:
            self.exports = list(exports)
        given = ", ".join(f"{outside}: {inside}" for outside, inside in exports.items())
        return f"const {name} = (() => {{\n{source}\nreturn {{ {given} }};\n}})();\n"

    def _bind(self, path: str, found: re.Match[str]) -> str:
        module = self._reach(beside(path, found["path"]))
        if found["all"]:
            return f"const {found['all']} = {module};"
        if found["default"]:
            return f"const {found['default']} = {module}.default;"
        return f"const {_ALIAS.sub(': ', found['names'])} = {module};"

    def _reach(self, path: str) -> str:
        """The expression for the exports of a module, here or in another script."""
        script = self.scripts[path]
        if script == self.name:
            return self.names[path]
        if script == self.entry:
            return f"{_REGISTER}['{path}']"
        return self.others.setdefault(script, f"_script{len(self.others)}")

    def _register(self) -> str:
        """What the entry leaves for the scripts that are loaded later."""
        modules = "".join(f"'{path}': {self.names[path]}, " for path in self.offered)
        return f"{_REGISTER} = {{ {modules}}};\n" if modules else ""

    def _exports(self) -> str:
        """The exports of the module that this script begins with, under names that hide nothing."""
        root = self.names[self.name]
        return "".join(
            f"const _export{number} = {root}.{name};\nexport {{ _export{number} as {name} }};\n"
            for number, name in enumerate(self.exports)
        )

    def _relative(self, path: str) -> str:
        relative = posixpath.relpath(path, posixpath.dirname(self.name))
        return relative if relative.startswith(".") else f"./{relative}"
