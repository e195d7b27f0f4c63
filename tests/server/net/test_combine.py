"""The client's modules as one script: does what the modules do, and refuses what it cannot do."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from server.net.combine import combine, within_page
from server.net.pages import read
from tests import needs

ROOT = Path(__file__).parent.parent.parent.parent

MODULES = {
    "js/main.js": b"""import { add, SIZE as size } from './tools/add.js';
import * as words from './words.js';
import fallback from '../locales/en.js';
const out = [];
out.push(size, add(1, 2), words.greet('there'), new words.Box().inside, fallback.hello);
const run = () => import('./later.js').then(({ say }) => say(out));
run().then(run).then(() => console.log(JSON.stringify(out)));
""",
    "js/tools/add.js": b"""import { SIZE as inner } from '../size.js';
export const SIZE = 7;
export function add(a, b) { return a + b + inner; }
""",
    "js/size.js": b"export const SIZE = 1;\n",
    "js/words.js": b"""import { SIZE } from './size.js';
export const greet = (name) => `export this: ${name}`;
export class Box { inside = SIZE; }
export async function unused() {}
""",
    "js/later.js": b"""import { SIZE } from './size.js';
let times = 0;
export function say(out) { out.push(`later ${times += SIZE}`); }
""",
    "locales/en.js": b"export default { hello: 'Hello' };\n",
}


LATER = {
    "js/main.js": b"""import { note } from './notes.js';
import { inner } from './deep/inner.js';
note(`main ${inner()}`);
const rooms = () => import('./rooms/rooms.js');
const pages = () => import('./pages.js');
rooms().then(({ open, default: name }) => open(name)).then(pages).then(({ show }) => show())
  .then(rooms).then(({ open }) => open('again'));
""",
    "js/notes.js": b"export const note = (text) => console.log(text);\n",
    "js/deep/inner.js": b"""import { note } from '../notes.js';
export const inner = () => note('in') ?? 1;
""",
    "js/rooms/rooms.js": b"""import { note } from '../notes.js';
import { count } from '../count.js';
import { own } from './own.js';
note('rooms run');
export function open(name) { note(`${name} ${count()} ${own}`); }
export default 'first';
""",
    "js/rooms/own.js": b"export const own = 'own';\n",
    "js/pages.js": b"""import { count } from './count.js';
import { note } from './notes.js';
export const show = () => import('./rooms/rooms.js').then(() => note(`pages ${count()}`));
""",
    "js/count.js": b"""import { note } from './notes.js';
note('count runs');
let n = 0;
export const count = () => n += 1;
""",
}


def run(scripts: dict[str, bytes], entry: str, folder: Path) -> str:
    """What the scripts print, loaded as a browser would."""
    folder.mkdir()
    (folder / "package.json").write_text('{"type": "module"}')
    for path, content in scripts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    ended = subprocess.run(
        [needs.node(), str(folder / entry)], capture_output=True, timeout=30, check=True
    )
    return ended.stdout.decode().strip()


@pytest.mark.parametrize("files", [MODULES, LATER], ids=["one part", "parts loaded later"])
def test_the_scripts_do_what_the_modules_do(files: dict[str, bytes], tmp_path: Path) -> None:
    scripts = combine(files, "js/main.js")
    assert len(scripts) < len(files)
    assert run(scripts, "js/main.js", tmp_path / "made") == run(
        files, "js/main.js", tmp_path / "written"
    )


def test_what_is_imported_later_has_a_script_of_its_own_and_what_two_need_is_there_once() -> None:
    scripts = combine(LATER, "js/main.js")
    assert set(scripts) == {"js/main.js", "js/rooms/rooms.js", "js/pages.js", "js/count.js"}
    for module, script in [("own.js", "js/rooms/rooms.js"), ("count.js", "js/count.js")]:
        path = next(path for path in LATER if path.endswith(module))
        line = LATER[path].split(b"\n")[-2].removeprefix(b"export ")
        assert [name for name, text in scripts.items() if line in text] == [script]


def test_a_script_within_a_page_finds_what_it_loads_later(tmp_path: Path) -> None:
    scripts = combine(LATER, "js/main.js")
    folder = f"{(tmp_path / 'made').as_uri()}/"
    page = within_page(scripts["js/main.js"].decode(), "js/main.js", folder).encode()
    expected = run(scripts, "js/main.js", tmp_path / "made")
    # Elsewhere than its own script, as a page is.
    assert run({"page.js": page}, "page.js", tmp_path / "elsewhere") == expected


def test_the_scripts_are_the_same_in_every_process() -> None:
    """Else each worker would name the files by another hash, and no browser could keep them."""
    code = "from server.net.pages import Pages, client_folder; print(Pages(client_folder()).hash)"
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            timeout=60,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(hashes) == 1


@pytest.mark.parametrize(
    "files, problem",
    [
        ({"a.js": b"import { b } from './b.js';"}, "b.js is imported and is not there"),
        ({"a.js": b"import './b.js';", "b.js": b""}, "cannot be combined: import"),
        ({"a.js": b"export { b } from './b.js';", "b.js": b""}, "cannot be combined: export"),
        ({"a.js": b"export let b = 1;"}, "cannot be combined: export let"),
        (
            {
                "a.js": b"import { b } from './b.js';",
                "b.js": b"import { a } from './a.js';\nexport const b = a;",
            },
            "a.js imports itself",
        ),
        (
            {
                "a.js": b"import { b } from './b.js';\nimport('./b.js');",
                "b.js": b"export const b = 1;",
            },
            "at once and later",
        ),
    ],
)
def test_what_cannot_be_combined_is_named(files: dict[str, bytes], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        combine(files, "a.js")


def test_every_module_of_the_client_is_in_one_of_its_scripts() -> None:
    files = read(ROOT / "client")
    combined = combine(files, "js/main.js")
    scripts = [text.decode() for text in combined.values()]
    offered = set(re.findall(r"'([^']+)': _module\d+,", combined["js/main.js"].decode()))
    taken = {path for text in scripts for path in re.findall(r"yukonModules\['([^']+)'\]", text)}
    assert taken
    assert taken <= offered
    for path, content in files.items():
        is_types = path.endswith("types.js")
        if path.endswith(".js") and not is_types and path not in ("js/early.js", "js/lazy.js"):
            first = next(
                line
                for line in content.decode().split("\n")
                if line.strip() and not line.startswith(("import", "export"))
            )
            assert any(first in script for script in scripts), path
