"""What the server was told: command line and environment become Settings; nothing is opened."""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("text", "json")
REDIS_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
MOST_WORKERS = 64

_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off", "")


class SettingsError(ValueError):
    """A setting that cannot be used; its text is one line: which, and what would be right."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a host can choose.

    `redis_url` None means the embedded Redis in `data_dir`. `port` 0 means any free port.
    `public_url` is an origin without a path (`https://yukon.example`), None when players use
    the address they see. `trust_proxy` takes the player's address and scheme from
    X-Forwarded-For and X-Forwarded-Proto.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    redis_url: str | None = None
    data_dir: Path = Path("yukon-data")
    workers: int = 1
    public_url: str | None = None
    log_level: str = "info"
    log_format: str = "text"
    trust_proxy: bool = False
    rate_limits: bool = True

    def to_json(self) -> str:
        """One line for `from_json`; it may hold a password, so it is for pipes, not logs."""
        return json.dumps({**asdict(self), "data_dir": str(self.data_dir)})

    @staticmethod
    def from_json(text: str) -> "Settings":
        """The settings that `to_json` wrote."""
        fields = json.loads(text)
        return Settings(**{**fields, "data_dir": Path(fields["data_dir"])})


@dataclass(frozen=True, slots=True)
class Option:
    """One setting as it appears in --help, in the environment and in docs/operations.md."""

    flag: str
    variables: tuple[str, ...]
    metavar: str
    default: str
    help: str

    @property
    def field(self) -> str:
        """Name of the field in Settings."""
        return self.flag.removeprefix("--").replace("-", "_")


OPTIONS = (
    Option(
        "--host",
        ("YUKON_HOST",),
        "ADDRESS",
        "127.0.0.1",
        "address to listen on; 0.0.0.0 lets other machines in, :: also over IPv6",
    ),
    Option("--port", ("YUKON_PORT",), "NUMBER", "8080", "port to listen on; 0 takes a free one"),
    Option(
        "--redis-url",
        ("YUKON_REDIS_URL", "REDIS_URL"),
        "URL",
        "",
        "Redis or Valkey, 7 or newer: redis://[user:password@]host:port/0, rediss:// for TLS, "
        "unix:///path/to/socket, redis+cluster:// or rediss+cluster:// for a cluster; "
        "without it the server starts its own in the data folder. "
        "A password is better in the environment, where other users cannot read it",
    ),
    Option(
        "--data-dir",
        ("YUKON_DATA_DIR",),
        "FOLDER",
        "yukon-data",
        "folder of the server's own Redis: games, races and leaderboards; unused with a Redis URL",
    ),
    Option(
        "--workers",
        ("YUKON_WORKERS",),
        "NUMBER",
        "1",
        f"processes that share the port, 1 to {MOST_WORKERS}; one for each core is the most useful",
    ),
    Option(
        "--public-url",
        ("YUKON_PUBLIC_URL",),
        "URL",
        "",
        "address players use when it differs, as https://yukon.example behind a proxy; "
        "links and the origin check use it",
    ),
    Option("--log-level", ("YUKON_LOG_LEVEL",), "LEVEL", "info", " | ".join(LOG_LEVELS)),
    Option(
        "--log-format",
        ("YUKON_LOG_FORMAT",),
        "FORMAT",
        "text",
        " | ".join(LOG_FORMATS) + "; one line for each event in both",
    ),
    Option(
        "--trust-proxy",
        ("YUKON_TRUST_PROXY",),
        "",
        "off",
        "take the player's address from X-Forwarded-For and X-Forwarded-Proto; "
        "only behind a proxy that sets them. --no-trust-proxy turns it off",
    ),
    Option(
        "--rate-limits",
        ("YUKON_RATE_LIMITS",),
        "",
        "on",
        "refuse what comes faster than people play; --no-rate-limits is for measuring",
    ),
)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise SettingsError(f"{message} (see --help)")


def parser() -> argparse.ArgumentParser:
    """The command line, without reading it."""
    made = _Parser(
        prog="yukon",
        description="Serve Yukon Solitaire, alone or as races with friends.",
        epilog="Every option is also an environment variable; the command line wins. "
        "To look after players: yukon admin --help",
        allow_abbrev=False,
    )
    for option in OPTIONS:
        text = (
            f"{option.help}. Default: {option.default or 'none'}. [{', '.join(option.variables)}]"
        )
        if not option.metavar:
            made.add_argument(
                option.flag, action=argparse.BooleanOptionalAction, default=None, help=text
            )
        else:
            made.add_argument(option.flag, metavar=option.metavar, default=None, help=text)
    return made


def load(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """Settings from the command line, then the environment, then the defaults.

    Raises SettingsError for anything that cannot be used, and SystemExit(0) after --help.
    """
    given = vars(parser().parse_args(arguments))
    values: dict[str, str] = {}
    for option in OPTIONS:
        values[option.field] = _chosen(option, given[option.field], environment)
    return Settings(
        host=_host(values["host"]),
        port=_number("--port", values["port"], 0, 65535),
        redis_url=_redis_url(values["redis_url"]),
        data_dir=Path(values["data_dir"]).expanduser(),
        workers=_number("--workers", values["workers"], 1, MOST_WORKERS),
        public_url=_public_url(values["public_url"]),
        log_level=_one_of("--log-level", values["log_level"], LOG_LEVELS),
        log_format=_one_of("--log-format", values["log_format"], LOG_FORMATS),
        trust_proxy=_switch("--trust-proxy", values["trust_proxy"]),
        rate_limits=_switch("--rate-limits", values["rate_limits"]),
    )


def load_or_exit(arguments: Sequence[str] | None = None) -> Settings:
    """As `load`, from the real command line; a mistake is one line and exit status 2."""
    try:
        return load(sys.argv[1:] if arguments is None else arguments, os.environ)
    except SettingsError as mistake:
        print(f"yukon: {mistake}", file=sys.stderr)
        raise SystemExit(2) from None


def _chosen(option: Option, given: str | bool | None, environment: Mapping[str, str]) -> str:
    if given is not None:
        return str(given)
    for variable in option.variables:
        if environment.get(variable, "").strip():
            return environment[variable].strip()
    return option.default


def _host(text: str) -> str:
    host = text.strip()
    if not host or any(letter.isspace() or letter == "/" for letter in host):
        raise SettingsError(f"--host {text!r} is not an address; give one as 127.0.0.1 or 0.0.0.0")
    return host.removeprefix("[").removesuffix("]")


def _number(flag: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most):
        raise SettingsError(f"{flag} {text!r} is not a number from {least} to {most}")
    return int(text)


def _one_of(flag: str, text: str, choices: tuple[str, ...]) -> str:
    if text.lower() not in choices:
        raise SettingsError(f"{flag} {text!r} is not one of {', '.join(choices)}")
    return text.lower()


def _switch(flag: str, text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise SettingsError(f"{flag} {text!r} is neither on nor off")


def _redis_url(text: str) -> str | None:
    """The address, checked by its shape; messages never repeat it: it may hold a password."""
    if not text:
        return None
    wanted = "give one as redis://host:6379/0, rediss://…, unix:///path or redis+cluster://…"
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise SettingsError(f"--redis-url cannot be read; {wanted}") from None
    if parts.scheme not in REDIS_SCHEMES:
        kind = parts.scheme if "://" in text else "no scheme"
        raise SettingsError(f"--redis-url has {kind}, which is not a Redis address; {wanted}")
    if parts.scheme == "unix" and len(parts.path) < 2:
        raise SettingsError(f"--redis-url names no socket; {wanted}")
    if parts.scheme != "unix" and not parts.hostname:
        raise SettingsError(f"--redis-url names no host; {wanted}")
    database = parts.path.strip("/")
    if parts.scheme != "unix" and database and not database.isdigit():
        raise SettingsError(f"--redis-url has a database that is not a number; {wanted}")
    if parts.scheme.endswith("+cluster") and database not in ("", "0"):
        raise SettingsError("--redis-url names a database, but a cluster has only database 0")
    return text


def _public_url(text: str) -> str | None:
    if not text:
        return None
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise SettingsError(f"--public-url {text!r} is not an address as https://yukon.example")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise SettingsError(
            f"--public-url {text!r} has more than a host; the game needs a host of its own"
        )
    return f"{parts.scheme}://{parts.netloc.lower()}"
