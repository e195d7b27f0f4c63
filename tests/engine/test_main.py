"""The command line: one JSON object, or status 2 with everything on standard error."""

import datetime as dt
import io
import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.code import commitment, parse
from engine.replay import to_text
from engine.ruleset import RULESETS
from tests.engine.boards import played, vectors

KEYS = [
    *("code", "ruleset", "state", "position", "columns", "foundations", "stock", "waste"),
    *("score", "ranked_score", "moves", "version"),
    *("won", "blocked", "finishable", "can_undo", "legal"),
]
CODE = "YU1-C-AAAAAAB"
PROGRAM = str(Path(__file__).parents[2] / "engine" / "__main__.py")
DAY = dt.date(2025, 11, 30)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str) -> Any:
        assert main(arguments) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert out.count("\n") == 1
        return json.loads(out)

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Any:
    def refused(*arguments: str) -> str:
        try:
            status = main(arguments)
        except SystemExit as stop:
            status = int(str(stop.code))
        out, err = capsys.readouterr()
        assert status == 2
        assert out == ""
        return err

    return refused


def test_deal(run: Any) -> None:
    answer = run("deal", "yu1 c aaaaaab")
    assert list(answer) == KEYS
    assert answer["code"] == CODE
    assert (answer["ruleset"], answer["state"]) == ("C", "playing")
    assert answer["columns"][1] == ["##", "3c", "8d", "4d", "6c", "Jc"]
    assert answer["position"].startswith("2s/(##)3c8d4d6cJc/")
    assert answer["foundations"] == {"s": 0, "h": 0, "d": 0, "c": 0}
    assert (answer["stock"], answer["waste"]) == (0, [])
    assert answer["legal"] == ["T2:5>T4", "T3:4>T1", "T4:2>T2", "T5:5>T4", "T6:3>T2", "T7:5>T3"]
    assert not any(answer[key] for key in ("won", "blocked", "finishable", "can_undo"))


@pytest.mark.parametrize(
    "arguments", [("deal", CODE, "--open"), ("--open", "deal", CODE), ("deal", "--open", CODE)]
)
def test_open(run: Any, arguments: tuple[str, ...]) -> None:
    answer = run(*arguments)
    assert answer["columns"][1][0] == "As"
    assert answer["position"].startswith("2s/(As)3c")
    assert "##" not in json.dumps(answer)


def test_legal_and_play(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run("legal", CODE, "T3:4>T1", "T2:5>T4", "U")
    assert answer == run("play", CODE, "T3:4>T1", "T2:5>T4", "U")
    assert answer == run("play", CODE, "T3:4>T1 T2:5>T4 U")
    assert answer == run("play", CODE, "T3:4>T1", "--open", "T2:5>T4", "U") | {
        key: answer[key] for key in ("columns", "position")
    }
    assert (answer["version"], answer["moves"], answer["can_undo"]) == (3, 2, True)
    assert run("legal", CODE) == run("deal", CODE)
    for arguments in (("play", CODE), ("play", CODE, "-"), ("legal", CODE, "-")):
        monkeypatch.setattr(sys, "stdin", io.StringIO("T3:4>T1\nT2:5>T4  U\n"))
        assert run(*arguments) == answer
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run("play", CODE) == run("deal", CODE)


def test_two_decks_and_a_stock(run: Any) -> None:
    answer = run("play", "YU1-D-AAAAAAB", "T3>F")
    assert list(answer["foundations"]) == ["s", "s2", "h", "h2", "d", "d2", "c", "c2"]
    assert answer["foundations"]["h"] == 1
    answer = run("play", "YU1-P-AAAAAAB", "D", "D")
    assert (answer["stock"], answer["waste"]) == (22, ["3s", "5h"])


@pytest.mark.parametrize(
    "commands,number,text,reason",
    [
        (["T3:4>T1", "T1:9>T2"], 2, "T1:9>T2", "not_that_many"),
        (["nonsense"], 1, "nonsense", "unreadable"),
        (["T3:4>T1", "U", "U"], 3, "U", "nothing_to_undo"),
    ],
)
def test_a_refused_command(
    refused: Any, commands: list[str], number: int, text: str, reason: str
) -> None:
    for action in ("legal", "play"):
        for option in ([], ["--open"]):
            told = refused(action, CODE, *commands, *option)
            assert told.startswith(f"command {number}: {text}: {reason}: ")
            assert "/(##)3c8d4d6cJc/" in told
            assert told.count("\n") == 1


@pytest.mark.parametrize(
    "arguments,says",
    [
        ([], "arguments are required"),
        (["dance"], "invalid choice"),
        (["deal"], "deal takes other arguments"),
        (["deal", CODE, "T3:4>T1"], "deal takes other arguments"),
        (["verify"], "verify takes other arguments"),
        (["rules", "C", "R"], "rules takes other arguments"),
        (["deal", CODE, "--shut"], "unrecognized arguments"),
        (["deal", "YU1-X-AAAAAAB"], "no ruleset 'X'"),
        (["play", "nonsense", "U"], "starts with YU1"),
        (["commitment", "YU1-C-A"], "here are 1"),
        (["rules", "X"], "no ruleset 'X'"),
        (["verify", "there/is/no/such.file"], "No such file"),
    ],
)
def test_what_else_is_refused(refused: Any, arguments: list[str], says: str) -> None:
    assert says in refused(*arguments)


def test_verify(run: Any, refused: Any, tmp_path: Path) -> None:
    row = next(row for row in vectors("plays") if row["checks"][-1]["won"])
    game = played(row["code"], row["moves"], 1234)
    file = tmp_path / "game.replay"
    file.write_text(to_text(game, DAY), "utf-8", newline="")
    check = row["checks"][-1]
    assert run("verify", str(file)) == {
        "code": row["code"],
        "ruleset": row["code"][4],
        "date": "2025-11-30",
        "state": "won",
        "won": True,
        "score": check["score"],
        "ranked_score": check["ranked_score"],
        "moves": check["moves"],
        "version": check["version"],
        "time_ms": 1234,
    }
    file.write_text(to_text(game, DAY)[:-1], "utf-8", newline="")
    assert refused("verify", str(file)).startswith(f"line {game.version + 3}: it is cut short")
    file.write_bytes(b"\xff\xfe")
    assert "decode" in refused("verify", str(file))


def test_verify_reads_standard_input(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    text = to_text(played(CODE, "T3:4>T1"), DAY)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    answer = run("verify", "-")
    assert (answer["state"], answer["won"], answer["time_ms"]) == ("playing", False, None)


def test_rules(run: Any) -> None:
    answer = run("rules")
    assert list(answer) == list(RULESETS)
    assert run("rules", "d") == answer["D"]
    assert answer["D"]["decks"] == 2
    assert answer["D"]["foundations"] == 8
    assert answer["P"]["stock"] == 24
    assert answer["C"]["group_limit"] == 20
    assert answer["A"]["steps"] == [-1, 1]


def test_commitment(run: Any) -> None:
    sealed = "YU1-C-ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert run("commitment", sealed.lower()) == {
        "code": sealed,
        "commitment": commitment(parse(sealed)),
    }


def test_the_command_line_wins_the_recorded_games(
    run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for row in vectors("plays"):
        check = row["checks"][-1]
        if not check["won"]:
            continue
        monkeypatch.setattr(sys, "stdin", io.StringIO(row["moves"]))
        answer = run("play", row["code"])
        assert {key: answer[key] for key in check if key != "after"} == {
            key: value for key, value in check.items() if key != "after"
        }
        file = tmp_path / "won.replay"
        file.write_text(to_text(played(row["code"], row["moves"]), DAY), "utf-8", newline="")
        assert run("verify", str(file))["won"]


def test_it_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [PROGRAM, "play", CODE, "T1>F"])
    with pytest.raises(SystemExit) as stop:
        runpy.run_path(PROGRAM, run_name="__main__")
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith("command 1: T1>F: wants_next: ")


def test_it_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine", "play", CODE],
        input="T3:4>T1 U",
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert json.loads(done.stdout)["version"] == 2
    assert done.stderr == ""
