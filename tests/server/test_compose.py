"""The container's files against what they promise: durable, private, healthy, ended in time."""

import re
import shlex
from fnmatch import fnmatch
from typing import Any

import pytest
import yaml

from server.settings import OPTIONS, load
from tests.server.programs import ROOT

COMPOSE: Any = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


def instructions(name: str) -> list[str]:
    """The arguments of each instruction of that name in the Dockerfile, in order."""
    joined = DOCKERFILE.replace("\\\n", " ")
    return re.findall(rf"^{name} (.*)$", joined, re.MULTILINE)


def default(text: str) -> str:
    """What compose makes of a value when the environment sets nothing."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", str(text))


def test_redis_keeps_every_confirmed_move() -> None:
    words = SERVICES["redis"]["command"]
    assert words[0] == "valkey-server"
    options = dict(zip(words[1::2], words[2::2], strict=True))
    assert options == {
        "--appendonly": "yes",
        "--appendfsync": "always",
        "--save": "",
        "--maxmemory-policy": "noeviction",
    }
    assert SERVICES["redis"]["volumes"] == ["games:/data"]
    assert "games" in COMPOSE["volumes"]


def test_redis_is_reached_by_the_server_alone() -> None:
    assert "ports" not in SERVICES["redis"]


def test_the_server_waits_for_a_healthy_redis() -> None:
    assert SERVICES["server"]["depends_on"] == {"redis": {"condition": "service_healthy"}}
    assert "valkey-cli ping" in SERVICES["redis"]["healthcheck"]["test"][1]


@pytest.mark.parametrize("name", list(SERVICES))
def test_everything_is_started_again(name: str) -> None:
    assert SERVICES[name]["restart"] == "unless-stopped"


def test_the_server_is_started_with_settings_it_knows() -> None:
    environment = {
        name: default(value) for name, value in SERVICES["server"]["environment"].items()
    }
    known = {variable for option in OPTIONS for variable in option.variables}
    assert set(environment) <= known
    settings = load([], environment)
    assert settings.redis_url == "redis://redis:6379/0"
    assert settings.workers == 2
    assert not settings.trust_proxy


def test_the_port_is_the_one_the_image_serves() -> None:
    (port,) = SERVICES["server"]["ports"]
    assert default(port) == "8080:8080"
    assert "YUKON_PORT=8080" in DOCKERFILE
    assert instructions("EXPOSE") == ["8080"]


def test_the_server_has_more_time_to_end_than_it_takes() -> None:
    assert int(SERVICES["server"]["stop_grace_period"].removesuffix("s")) > 10


def test_the_server_can_do_little_else() -> None:
    server = SERVICES["server"]
    assert server["read_only"] is True
    assert server["cap_drop"] == ["ALL"]
    assert server["security_opt"] == ["no-new-privileges:true"]
    assert server["tmpfs"] == ["/tmp"]
    assert server["init"] is True
    assert "privileged" not in server


def test_the_image_is_slim_and_not_root() -> None:
    assert all(":" in image and "-slim" in image for image in instructions("FROM"))
    assert instructions("USER") == ["yukon"]
    assert DOCKERFILE.index("USER yukon") < DOCKERFILE.index("ENTRYPOINT")


def test_the_image_s_health_is_the_server_s() -> None:
    (check,) = instructions("HEALTHCHECK")
    assert "/healthz" in check
    program = yaml.safe_load(check.partition("CMD ")[2])
    assert program[:2] == ["python", "-c"]
    compile(program[2], "HEALTHCHECK", "exec")


def test_the_image_starts_the_server_for_others_too() -> None:
    (entry,) = instructions("ENTRYPOINT")
    assert yaml.safe_load(entry) == ["python", "-P", "-m", "server", "--host", "0.0.0.0"]


def test_what_the_image_copies_exists_and_is_let_in() -> None:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    let_in = [line[1:] for line in lines if line.startswith("!")]
    assert "*" in lines
    for copy in instructions("COPY"):
        sources = shlex.split(copy)[:-1]
        if sources[0].startswith("--from"):
            continue
        for source in sources:
            assert (ROOT / source).exists()
            assert any(fnmatch(source, pattern) for pattern in let_in)
