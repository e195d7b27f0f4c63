"""docs/operations.md against the program: its tables, and what it advises for backup and users."""

import re
import shutil
from pathlib import Path

import redis
from prometheus_client.parser import text_string_to_metric_families

from server.core.throttle import Limits
from server.net.metrics import Metrics
from server.settings import OPTIONS
from server.store.embedded import EmbeddedRedis
from tests.server.conftest import RedisServer
from tests.server.programs import ROOT, Program
from tests.server.waiting import wait_for

PAGE = (ROOT / "docs" / "operations.md").read_text("utf-8")

LIMIT_WORDS = {
    "connection": "commands of one socket",
    "player": "commands of one player",
    "address": "commands of one address",
    "refused": "commands of one socket refused as too fast; then it is closed",
    "malformed": "frames of one socket that are no command; then it is closed",
    "sockets": "sockets opened by one address",
    "new_games": "new games of one player",
    "address_games": "new games from one address",
    "players": "new players of one address",
    "requests": "requests of one address to the API and for metrics",
    "names": "changes of a player's name",
    "rooms": "new rooms of one player",
    "room_codes": "rooms joined by their code from one address",
    "pictures": "pictures of links asked for by one address, of rooms and of transfers each",
    "replays": "replays and how ghosts went, asked for by one address, and ghosts raced, each",
    "transfers": "transfers to another device, made by one player or tried from one address",
}


def settings_table() -> str:
    rows = ["| option | environment | default | what it is |", "|---|---|---|---|"]
    for option in OPTIONS:
        flag = f"{option.flag} {option.metavar}".strip()
        variables = ", ".join(f"`{variable}`" for variable in option.variables)
        text = option.help.replace("|", "\\|")
        rows.append(f"| `{flag}` | {variables} | {option.default or 'none'} | {text} |")
    return "\n".join(rows)


def limits_table() -> str:
    rows = ["| what | a second | at once |", "|---|---|---|"]
    limits = Limits()
    for name in Limits.__slots__:
        limit = getattr(limits, name)
        rows.append(f"| {LIMIT_WORDS[name]} | {limit.rate:g} | {limit.burst:g} |")
    return "\n".join(rows)


def metrics_table() -> str:
    rows = ["| number | kind | what it is |", "|---|---|---|"]
    for family in text_string_to_metric_families(Metrics().text().decode()):
        if family.name.endswith("_created"):
            continue
        name = f"{family.name}_total" if family.type == "counter" else family.name
        text = family.documentation[0].lower() + family.documentation[1:]
        rows.append(f"| `{name}` | {family.type} | {text} |")
    return "\n".join(rows)


def between(marker: str) -> str:
    found = re.search(rf"<!-- {marker} -->\n(.*?)\n?<!-- /{marker} -->", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_settings_are_told() -> None:
    assert between("settings") == settings_table()


def test_the_limits_are_told() -> None:
    assert between("limits") == limits_table()


def test_the_numbers_are_told() -> None:
    assert between("metrics") == metrics_table()


def test_the_backup_restores(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path / "yukon-data")
    server.start()
    with redis.Redis.from_url(server.url) as client:
        client.set("game", "kept")
    server.stop()
    shutil.copytree(tmp_path / "yukon-data", tmp_path / "backup")
    shutil.rmtree(tmp_path / "yukon-data")
    (tmp_path / "backup").rename(tmp_path / "yukon-data")
    server = EmbeddedRedis(tmp_path / "yukon-data")
    server.start()
    try:
        with redis.Redis.from_url(server.url) as client:
            assert client.get("game") == b"kept"
    finally:
        server.stop()


def test_the_advised_user_suffices(tmp_path: Path, redis_server: RedisServer) -> None:
    found = re.search(r"`ACL SETUSER yukon on >PASSWORD ([^`]+)`", PAGE)
    assert found is not None
    with redis.Redis.from_url(redis_server.url) as client:
        client.execute_command("ACL", "SETUSER", "yukon", "on", ">pw", *found[1].split())
        try:
            url = f"{redis_server.url}?username=yukon&password=pw"
            with Program(tmp_path, "--port", "0", "--redis-url", url, module="server") as program:
                ready = wait_for("readiness", lambda: program.get("/readyz"))
                assert ready["store"] is True
                assert ready["subscription"] is True
                assert program.end() == 0
                assert "pw" not in re.sub(r"/\S*", "", program.err + program.out)
        finally:
            client.acl_deluser("yukon")
