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


@pytest.mark.parametrize(
    "path, content, problem",
    [
        ("js/main.js", "const a = '</script>';", "main.js cannot stand within a page: </script"),
        ("js/early.js", "a = '</SCRIPT';", "early.js cannot stand within a page"),
        ("js/early.js", "a = '<!--';", "early.js cannot stand within a page: <!--"),
        ("js/early.js", "a = '<script>';", "early.js cannot stand within a page: <script"),
        ("css/a.css", "a::before { content: '</style>' }", "a.css cannot stand within a page"),
        ("css/a.css", "@import 'b.css';", "a.css cannot stand within a page: @import"),
        ("css/a.css", "a { background: url(b.svg) }", "a.css cannot stand within a page: url"),
        ("css/a.css", 'a { background: url("b.svg") }', "a.css cannot stand within a page: url"),
    ],
)
def test_what_cannot_stand_within_a_page_is_named(path: str, content: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        whole(PAGE, {**FILES, path: content.encode()}, "/assets/77/")


def test_a_file_that_is_not_there_is_named() -> None:
    files = {path: content for path, content in FILES.items() if path != "css/a.css"}
    with pytest.raises(ValueError, match=r"a\.css is on the page and is not there"):
        whole(PAGE, files, "/assets/77/")
