"""Proves that the vectors of the client's codec are what the Python library makes.

`python tests/client/test_msgpack_vectors.py` writes them anew.
"""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import msgpack

VECTORS = Path(__file__).with_name("msgpack_vectors.json")

INTEGERS = [
    0, 1, 127, 128, 255, 256, 65535, 65536, 2**31, 2**32 - 1, 2**32, 2**53 - 1, 2**53, 2**63,
    2**64 - 1,
    -1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**53) + 1, -(2**53),
    -(2**63),
]  # fmt: skip
FLOATS = [0.5, -0.25, 1e300, 3.141592653589793]
LENGTHS = [0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536]


def described() -> list[dict[str, Any]]:
    """Each vector: how the client should see the value, and the library's bytes in hex."""
    rows: list[tuple[str, Any, Any]] = [
        ("nil", None, None),
        ("bool", True, True),
        ("bool", False, False),
    ]
    rows += [("int", str(number), number) for number in INTEGERS]
    rows += [("float", number, number) for number in FLOATS]
    rows += [("str", {"repeat": "a", "times": n}, "a" * n) for n in LENGTHS]
    rows += [
        ("str", {"repeat": text, "times": 1}, text)
        for text in ("é", "日本", "\U0001f0a1", "\ufeffa")
    ]
    rows += [("bin", n, bytes(i % 251 for i in range(n))) for n in LENGTHS]
    rows += [("array", n, [i % 3 for i in range(n)]) for n in LENGTHS]
    rows += [("map", n, {i: i % 2 == 0 for i in range(n)}) for n in (0, 1, 15, 16, 65535, 65536)]
    rows += [
        ("ext", {"type": 5, "size": n}, msgpack.ExtType(5, bytes(n)))
        for n in (1, 2, 3, 4, 8, 16, 17, 256, 65536)
    ]
    rows += [("ext", {"type": -1, "size": 4}, dt.datetime(1970, 1, 1, tzinfo=dt.UTC))]
    rows += [("json", value, value) for value in ([], [[], [[1]], "x", None], {"a": {"b": [True]}})]
    return [
        {"type": kind, "value": value, "bytes": shortened(msgpack.packb(thing, datetime=True))}
        for kind, value, thing in rows
    ]


def shortened(raw: bytes) -> str:
    """Hex; of long bytes only the beginning, which has all that the library decides."""
    return raw.hex() if len(raw) <= 600 else f"{raw[:40].hex()}…{len(raw)}"


def single_floats() -> list[dict[str, Any]]:
    packer = msgpack.Packer(use_single_float=True)
    return [{"type": "single", "value": x, "bytes": packer.pack(x).hex()} for x in (0.5, -2.0)]


def text() -> str:
    rows = [json.dumps(row, ensure_ascii=True) for row in described() + single_floats()]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def test_the_vectors_are_what_the_library_makes() -> None:
    assert VECTORS.read_text() == text()


if __name__ == "__main__":
    VECTORS.write_text(text())
