"""How events are logged: one line each, text or JSON; it never lets a token or a cookie through."""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import IO

HIDDEN = "***"

_SECRET_NAMES = re.compile(r"token|secret|cookie|authorization|password", re.IGNORECASE)
_SECRETS = (
    # user:password@ of an address
    (re.compile(r"(\w://)[^\s/@]*@"), rf"\1{HIDDEN}@"),
    # a whole Cookie, Set-Cookie or Authorization header
    (re.compile(r"(?i)\b((?:set-)?cookie|authorization)(['\"]?\s*[:=]\s*).*"), rf"\1\2{HIDDEN}"),
    (re.compile(r"(?i)\b(bearer\s+)\S+"), rf"\1{HIDDEN}"),
    (
        re.compile(r"(?i)\b([\w-]*(?:token|secret|password))(['\"]?\s*[:=]\s*['\"]?)[^\s'\",;&]+"),
        rf"\1\2{HIDDEN}",
    ),
    # 32 bytes in URL-safe base64: the form of a player's secret, wherever it comes from
    (re.compile(r"(?<![\w-])[A-Za-z0-9_-]{43}(?![\w-])"), HIDDEN),
)
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def redact(text: str) -> str:
    """The text with everything that looks like a secret hidden."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


class Redaction(logging.Filter):
    """Second line of defence: whoever logs does not pass secrets; this hides those that slip in."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite message, fields and traceback in place; every record passes."""
        try:
            message = record.getMessage()
        except (TypeError, ValueError):
            # A wrong format string is a mistake in the program, but no reason to lose the event.
            message = f"{record.msg} {record.args!r}"
        record.msg, record.args = redact(message), ()
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = redact(record.exc_text)
        for name, value in fields(record).items():
            record.__dict__[name] = HIDDEN if _SECRET_NAMES.search(name) else _plain(value)
        return True


class WithoutStrangers(logging.Filter):
    """Drops what the HTTP library says of requests that are none: anybody can send those."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record passes."""
        kind = record.exc_info[0] if record.exc_info else None
        return kind is None or kind.__module__ != "aiohttp.http_exceptions"


class TextFormatter(logging.Formatter):
    """`2026-03-01T12:00:00.000Z info yukon.redis started pid=7`, line breaks escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        parts = [_instant(record), record.levelname.lower(), record.name, record.getMessage()]
        parts += [f"{name}={_word(value)}" for name, value in fields(record).items()]
        if record.exc_text:
            parts.append(f"error={_word(record.exc_text)}")
        return _one_line(" ".join(parts))


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, event, then the event's own fields."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line: dict[str, object] = {
            "time": _instant(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in fields(record).items() if name not in line}
        if record.exc_text:
            line["error"] = record.exc_text
        # ASCII, since some readers take U+2028 and its like for the end of a line.
        return json.dumps(line)


class _Constant(logging.Filter):
    """Adds the same field to every record, such as the worker's number."""

    def __init__(self, name: str, value: object) -> None:
        super().__init__()
        self._field = (name, value)

    def filter(self, record: logging.LogRecord) -> bool:
        record.__dict__.setdefault(*self._field)
        return True


_WITHOUT_STRANGERS = WithoutStrangers()


def set_up(
    level: str, form: str, *, worker: int | None = None, stream: IO[str] | None = None
) -> None:
    """Send the whole process's log to standard error, from `level` up, as `text` or `json`.

    Fields of an event are given as `log.info("started", extra={"pid": 7})`.
    """
    handler = logging.StreamHandler(stream if stream is not None else sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    if worker is not None:
        handler.addFilter(_Constant("worker", worker))
    handler.addFilter(Redaction())
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    # Libraries tell each connection at info; that is this program's own log's work.
    for name in ("asyncio", "aiohttp.access", "redis", "push_response"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    logging.getLogger("aiohttp.server").addFilter(_WITHOUT_STRANGERS)
    logging.raiseExceptions = False
    logging.captureWarnings(capture=True)


def fields(record: logging.LogRecord) -> dict[str, object]:
    """The event's own fields: what was given as `extra`."""
    return {name: value for name, value in vars(record).items() if name not in _STANDARD}


def _instant(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _plain(value: object) -> object:
    return value if isinstance(value, int | float | None) else redact(str(value))


def _word(value: object) -> str:
    text = str(value)
    return (
        text if text and not re.search(r"[\s\"=]", text) else json.dumps(text, ensure_ascii=False)
    )


def _one_line(text: str) -> str:
    # splitlines knows every character that any reader takes for the end of a line.
    return "\\n".join(text.splitlines())
