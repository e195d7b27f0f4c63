"""Logs: one line for each event in both forms, and secrets hidden however they got in."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
from aiohttp.http_exceptions import BadStatusLine

from server import logs

SECRET = "q" * 20 + "-_" + "7" * 21


@pytest.fixture
def root_kept() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(capture=False)
    logging.raiseExceptions = True


@pytest.fixture(params=["text", "json"])
def written(request: pytest.FixtureRequest, root_kept: None) -> io.StringIO:
    stream = io.StringIO()
    logs.set_up("info", request.param, worker=3, stream=stream)
    return stream


def test_an_event_is_one_line_with_its_fields(written: io.StringIO) -> None:
    logging.getLogger("yukon.test").info("player came", extra={"player": "p1", "nick": "a\nb"})
    assert written.getvalue().count("\n") == 1
    for word in ("player came", "p1", "yukon.test", "info"):
        assert word in written.getvalue()


def test_a_traceback_is_one_line_too(written: io.StringIO) -> None:
    try:
        raise ValueError("first\nsecond\u2028third")
    except ValueError:
        logging.getLogger("yukon.test").exception("it broke")
    assert len(written.getvalue().splitlines()) == 1
    assert "ValueError: first" in written.getvalue()


def test_requests_that_are_none_fill_no_log(written: io.StringIO) -> None:
    for error in (BadStatusLine("GET \x00"), ValueError("of the program")):
        try:
            raise error
        except (BadStatusLine, ValueError):
            logging.getLogger("aiohttp.server").exception("Error handling request")
    assert written.getvalue().count("\n") == 1
    assert "of the program" in written.getvalue()


def test_below_the_level_nothing_is_written(written: io.StringIO) -> None:
    logging.getLogger("yukon.test").debug("detail")
    logging.getLogger("aiohttp.access").info("GET /")
    assert written.getvalue() == ""


@pytest.mark.parametrize(
    "message",
    [
        f"Cookie: yukon={SECRET}; other=1",
        f"set-cookie={SECRET}",
        f"Authorization: Bearer {SECRET}",
        f"sent bearer {SECRET}",
        f"token={SECRET}",
        f'{{"token": "{SECRET}"}}',
        f"player_secret: {SECRET}",
        f"redis://user:{SECRET}@host:6379",
        f"redis://:{SECRET}@host",
        f"who is {SECRET}?",
    ],
)
def test_secrets_are_hidden(written: io.StringIO, message: str) -> None:
    log = logging.getLogger("yukon.test")
    log.warning(message)
    log.warning("seen %s", message)
    log.warning("seen", extra={"line": message, "token": SECRET, "headers": {"Cookie": SECRET}})
    try:
        raise RuntimeError(message)
    except RuntimeError:
        log.exception("failed")
    assert SECRET not in written.getvalue()
    assert written.getvalue().count("\n") == 4


def test_what_is_not_secret_stays() -> None:
    commitment = "0123456789abcdef" * 4
    text = f"commitment {commitment} of https://yukon.example/play/C4-deal, room tokens: none"
    assert logs.redact(text) == text


def test_json_lines_can_be_read(root_kept: None) -> None:
    stream = io.StringIO()
    logs.set_up("info", "json", worker=1, stream=stream)
    logging.getLogger("yukon.test").info("started", extra={"pid": 7, "event": "other", "ok": True})
    line = json.loads(stream.getvalue())
    assert line["event"] == "started"
    assert (line["pid"], line["worker"], line["ok"], line["level"]) == (7, 1, True, "info")
    assert line["time"].endswith("Z")


def test_text_fields_are_quoted_where_needed(root_kept: None) -> None:
    stream = io.StringIO()
    logs.set_up("info", "text", stream=stream)
    logging.getLogger("yukon.test").info(
        "named", extra={"nick": "two words", "moves": 7, "who": ""}
    )
    assert stream.getvalue().endswith('named nick="two words" moves=7 who=""\n')


def test_a_broken_message_does_not_break_the_program(written: io.StringIO) -> None:
    logging.getLogger("yukon.test").info("%d moves", "no number")
    logging.getLogger("yukon.test").info("still here")
    assert "still here" in written.getvalue()
