"""The page in its two forms: its policy names what it holds, and nothing in it ends too soon."""

import base64
import hashlib
import re

import pytest

from server.net.frontpage import linked, whole

PAGE = """<!doctype html>
<html data-assets="/assets/dev/">
<script src="/assets/dev/js/early.js"></script>
<link rel="icon" href="/assets/dev/icon.svg">
<link rel="stylesheet" href="/assets/dev/css/a.css">
<script type="module" src="/assets/dev/js/main.js"></script>
"""
FILES = {
    "js/early.js": b"first();\r\nsecond();\n",
    "js/main.js": b"import('./later.js');\nimport('../up.js');\n",
    "css/a.css": b"a { background: url(\"data:image/svg+xml,x\") url('#b') url(data:,) }\n",
}


def source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_linked_it_names_each_file_by_the_hash_of_all() -> None:
    page = linked(PAGE, "/assets/77/")
    assert page == PAGE.replace("/dev/", "/77/")


def test_whole_it_holds_the_files_and_its_policy_names_each() -> None:
    page, within = whole(PAGE, FILES, "/assets/77/")
    scripts = re.findall(r"<script( type=\"module\")?>(.*?)</script>", page, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert scripts == [
        ("", "first();\nsecond();\n"),
        (
            ' type="module"',
            "import('/assets/77/js/later.js');\nimport('/assets/77/up.js');\n",
        ),
    ]
    assert styles == [FILES["css/a.css"].decode()]
    assert within.scripts == tuple(source(text) for _, text in scripts)
    assert within.styles == tuple(source(text) for text in styles)
    assert '<link rel="icon" href="/assets/77/icon.svg">' in page
    assert '<html data-assets="/assets/77/">' in page
    assert "/dev/" not in page


def test_what_looks_like_a_placeholder_in_a_file_stays_as_it_is() -> None:
    files = {
        "js/early.js": b"a = '/assets/dev/js/early.js';",
        "js/main.js": b'b = \'<link rel="stylesheet" href="/assets/dev/css/a.css">\';',
        "css/a.css": b"a::before { content: '/assets/dev/' }",
    }
    page, within = whole(PAGE, files, "/assets/77/")
    for content in files.values():
        assert content.decode() in page
        assert source(content.decode()) in within.scripts + within.styles


@pytest.mark.parametrize(
    "path, content",
    [
        ("js/main.js", "const a = '</script>';"),
        ("js/early.js", "a = '</SCRIPT';"),
        ("js/early.js", "a = '<!--';"),
        ("js/early.js", "a = '<script>';"),
        ("js/main.js", "a = new URL('../a.css', import.meta.url);"),
        ("js/main.js", "1;\nimport { b } from './b.js';"),
        ("js/main.js", "1;\nexport { b } from './b.js';"),
        ("js/main.js", "a = 1;\rb = 2;"),
        ("js/main.js", "a = '\0';"),
        ("css/a.css", "\ufeffa { color: red }"),
        ("css/a.css", "a::before { content: '</style>' }"),
        ("css/a.css", "@import 'b.css';"),
        ("css/a.css", "@IMPORT 'b.css';"),
        ("css/a.css", "a { background: url(b.svg) }"),
        ("css/a.css", 'a { background: url("b.svg") }'),
        ("css/a.css", "a { background: image-set('b.png' 1x) }"),
    ],
)
def test_what_cannot_stand_within_a_page_is_named(path: str, content: str) -> None:
    with pytest.raises(ValueError, match=f"{re.escape(path)} cannot stand within a page: "):
        whole(PAGE, {**FILES, path: content.encode()}, "/assets/77/")


@pytest.mark.parametrize(
    "tag",
    [
        '<script defer src="/assets/dev/js/main.js"></script>',
        '<script src="/js/main.js"></script>',
        '<link href="/assets/dev/css/a.css" rel="stylesheet">',
        '<link rel="stylesheet" href="/assets/dev/css/a.css" media="print">',
    ],
)
def test_a_tag_of_another_form_is_named(tag: str) -> None:
    with pytest.raises(ValueError, match=re.escape(tag)):
        whole(PAGE + tag, FILES, "/assets/77/")


def test_a_file_that_is_not_there_is_named() -> None:
    files = {path: content for path, content in FILES.items() if path != "css/a.css"}
    with pytest.raises(ValueError, match=r"a\.css is on the page and is not there"):
        whole(PAGE, files, "/assets/77/")
