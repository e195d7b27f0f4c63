"""The client's modules as one script: does what the modules do, and refuses what it cannot do."""

import subprocess
from pathlib import Path

import pytest

from server.net.combine import combine
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


def run(script: bytes) -> str:
    ended = subprocess.run(
        [needs.node(), "-"], input=script, capture_output=True, timeout=30, check=True
    )
    return ended.stdout.decode().strip()


def test_one_script_does_what_the_modules_do() -> None:
    wanted = '[7,4,"export this: there",1,"Hello","later 1","later 2"]'
    assert run(combine(MODULES, "js/main.js")) == wanted


def test_what_is_imported_later_runs_later() -> None:
    files = {
        "a.js": b"console.log('a');\nimport('./b.js').then(({ b }) => b());\nconsole.log('c');\n",
        "b.js": b"console.log('b runs');\nexport const b = () => console.log('b');\n",
    }
    assert run(combine(files, "a.js")).split("\n") == ["a", "c", "b runs", "b"]


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


def test_the_client_is_one_script_of_all_its_modules() -> None:
    files = read(ROOT / "client")
    combined = combine(files, "js/main.js").decode()
    for path, content in files.items():
        if path.endswith(".js") and path not in ("js/types.js", "js/main.js"):
            first = next(
                line
                for line in content.decode().split("\n")
                if line.strip() and not line.startswith(("import", "export"))
            )
            assert first in combined, path
