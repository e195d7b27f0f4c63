"""Settings: where each comes from, what is refused, and that --help tells all of them."""

from pathlib import Path

import pytest

from server.settings import OPTIONS, Settings, SettingsError, load, load_or_exit, parser


def test_defaults_are_the_dataclass_defaults() -> None:
    assert load([], {}) == Settings()


def test_the_command_line_wins_over_the_environment() -> None:
    environment = {"YUKON_PORT": "9000", "YUKON_HOST": "0.0.0.0"}
    settings = load(["--port", "9001"], environment)
    assert (settings.host, settings.port) == ("0.0.0.0", 9001)


def test_every_option_is_read_from_its_environment_variable() -> None:
    values = {
        "YUKON_HOST": "::1",
        "YUKON_PORT": "0",
        "YUKON_REDIS_URL": "rediss://player:pass@redis.example:6380/2",
        "YUKON_DATA_DIR": "/var/lib/yukon",
        "YUKON_WORKERS": "4",
        "YUKON_PUBLIC_URL": "https://Yukon.example/",
        "YUKON_LOG_LEVEL": "Debug",
        "YUKON_LOG_FORMAT": "json",
        "YUKON_TRUST_PROXY": "yes",
        "YUKON_RATE_LIMITS": "off",
    }
    assert set(values) == {option.variables[0] for option in OPTIONS}
    assert load([], values) == Settings(
        host="::1",
        port=0,
        redis_url="rediss://player:pass@redis.example:6380/2",
        data_dir=Path("/var/lib/yukon"),
        workers=4,
        public_url="https://yukon.example",
        log_level="debug",
        log_format="json",
        trust_proxy=True,
        rate_limits=False,
    )


def test_redis_url_is_also_read_from_the_customary_variable() -> None:
    assert load([], {"REDIS_URL": "redis://one"}).redis_url == "redis://one"
    both = {"REDIS_URL": "redis://one", "YUKON_REDIS_URL": "redis://two"}
    assert load([], both).redis_url == "redis://two"


def test_an_empty_variable_counts_as_unset() -> None:
    assert load([], {"REDIS_URL": "", "YUKON_PORT": " "}) == Settings()


def test_trust_proxy_can_be_turned_off_again() -> None:
    assert load(["--trust-proxy"], {}).trust_proxy
    assert not load(["--no-trust-proxy"], {"YUKON_TRUST_PROXY": "1"}).trust_proxy


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://:p%40ss@10.0.0.1:6379/0",
        "rediss://redis.example:6380",
        "unix:///run/redis.sock",
        "redis+cluster://one.example:7000",
        "rediss+cluster://one.example",
    ],
)
def test_redis_addresses_that_are_taken(url: str) -> None:
    assert load(["--redis-url", url], {}).redis_url == url


@pytest.mark.parametrize(
    "arguments,words",
    [
        (["--port", "eighty"], "--port 'eighty' is not a number from 0 to 65535"),
        (["--port", "65536"], "--port '65536'"),
        (["--port", "-1"], "--port"),
        (["--port", "²"], "--port '²'"),
        (["--workers", "0"], "--workers '0' is not a number from 1 to 64"),
        (["--workers", "65"], "--workers '65'"),
        (["--host", ""], "--host"),
        (["--host", "http://x"], "--host"),
        (["--redis-url", "localhost:6379"], "no scheme, which is not a Redis address"),
        (["--redis-url", "http://localhost"], "http, which is not a Redis address"),
        (["--redis-url", "redis://"], "names no host"),
        (["--redis-url", "unix://"], "names no socket"),
        (["--redis-url", "redis://h:port"], "cannot be read"),
        (["--redis-url", "redis://h/games"], "database that is not a number"),
        (["--redis-url", "redis+cluster://h/1"], "only database 0"),
        (["--public-url", "yukon.example"], "is not an address as https://yukon.example"),
        (["--public-url", "ftp://yukon.example"], "is not an address"),
        (["--public-url", "https://yukon.example/game"], "more than a host"),
        (["--public-url", "https://me:pw@yukon.example"], "is not an address"),
        (["--log-level", "loud"], "is not one of debug, info, warning, error"),
        (["--log-format", "xml"], "is not one of text, json"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["--data"], "--data"),
    ],
)
def test_a_mistake_is_one_line(arguments: list[str], words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(arguments, {})
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_mistake_in_the_environment_is_told_too() -> None:
    with pytest.raises(SettingsError, match="--trust-proxy 'maybe' is neither on nor off"):
        load([], {"YUKON_TRUST_PROXY": "maybe"})


def test_a_wrong_redis_url_is_not_repeated() -> None:
    with pytest.raises(SettingsError) as caught:
        load(["--redis-url", "http://me:hunter2@redis.example"], {})
    assert "hunter2" not in str(caught.value)


def test_a_mistake_ends_with_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        load_or_exit(["--port", "x"])
    assert caught.value.code == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("yukon: --port 'x'")
    assert output.err.count("\n") == 1


def test_help_tells_every_option_with_its_variables_and_default() -> None:
    text = " ".join(parser().format_help().split())
    for option in OPTIONS:
        assert option.flag in text
        for variable in option.variables:
            assert variable in text
    assert text.count("Default: ") == len(OPTIONS)


def test_every_field_of_settings_is_an_option() -> None:
    assert [option.field for option in OPTIONS] == list(Settings.__slots__)


def test_settings_survive_the_pipe_to_a_worker() -> None:
    settings = Settings(redis_url="redis://:pä ss@h", data_dir=Path("/tmp/ä"), trust_proxy=True)
    line = settings.to_json()
    assert "\n" not in line
    assert Settings.from_json(line) == settings
