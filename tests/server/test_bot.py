"""The example bot plays whole games over the socket of a real server and believes nothing."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import pytest

from bench.bot import ENDED, WON, Bot, Mismatch, Refused, choose_homeward, choose_random
from engine.code import from_number
from engine.game import Game
from engine.move import RESIGN, UNDO, Move
from engine.notation import read_move, resolve
from tests.server.programs import ROOT, Program

LETTERS = "CROTYSAPD"


def won_games() -> dict[str, tuple[str, list[str]]]:
    """A game that is won, of each ruleset: its code and its moves."""
    found: dict[str, tuple[str, list[str]]] = {}
    for line in (ROOT / "tests/engine/vectors/plays.jsonl").read_text().splitlines():
        play = json.loads(line)
        if play["checks"][-1]["won"]:
            found.setdefault(play["code"][4], (play["code"], play["moves"].split()))
    return found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("server")
    options = ["--host", "127.0.0.1", "--port", "0", "--data-dir", str(folder / "data")]
    with Program(folder, *options, "--no-rate-limits", module="server") as program:
        yield program.address()
        assert program.end() == 0
        assert "Traceback" not in program.err


@pytest.fixture
async def bot(address: str) -> AsyncIterator[Bot]:
    async with aiohttp.ClientSession() as http:
        bot = Bot(address, http)
        await bot.sign_in()
        await bot.connect()
        yield bot
        await bot.close()


def test_the_vectors_have_a_won_game_of_each_ruleset() -> None:
    assert set(won_games()) == set(LETTERS)


@pytest.mark.parametrize("letter", LETTERS)
async def test_play_a_whole_game_until_it_is_won(bot: Bot, letter: str) -> None:
    code, moves = won_games()[letter]
    await bot.new_game(code)
    assert bot.game is not None
    for text in moves:
        assert not bot.flags & ENDED
        await bot.play(resolve(bot.game.position, read_move(text, bot.game.ruleset)))
    assert bot.flags & WON
    assert bot.version == bot.game.version == len(moves)
    assert bot.legal == []
    with pytest.raises(Refused, match="game_over"):
        await bot.play(UNDO)


@pytest.mark.parametrize("letter", LETTERS)
async def test_play_random_games(bot: Bot, letter: str) -> None:
    for number in (1, 2):
        await bot.new_game(str(from_number(letter, number)))
        await bot.play_on(choose_random, 100)
        assert bot.game is not None
        assert bot.version == bot.game.version > 0


async def test_play_by_the_better_policy_and_resign(bot: Bot) -> None:
    await bot.new_game("YU1-C-AAAAAAB")
    await bot.play_on(choose_homeward, 60)
    if not bot.flags & ENDED:
        await bot.play(RESIGN)
    assert bot.flags & ENDED


async def test_go_on_with_a_session_on_a_second_socket(bot: Bot) -> None:
    await bot.new_game("YU1-C-AAAAAAB")
    await bot.play(bot.legal[0])
    other = Bot(bot.address, bot.http, token=bot.token)
    await other.connect()
    await other.open_session(bot.session)
    assert (other.version, other.flags, other.legal) == (bot.version, bot.flags, bot.legal)
    await other.play(UNDO)
    assert other.version == 2
    await other.close()


async def test_notice_an_event_that_is_not_the_engines(bot: Bot) -> None:
    await bot.new_game("YU1-C-AAAAAAB")
    move = bot.legal[0]
    other = Game("YU1-C-AAAAAAB")
    other.play(move, 0)
    other.play(UNDO, 0)
    bot.game = other
    with pytest.raises(Mismatch):
        await bot.play(move)


async def test_a_refused_move_changes_nothing(bot: Bot) -> None:
    await bot.new_game("YU1-C-AAAAAAB")
    with pytest.raises(Refused) as refused:
        await bot.play(Move(0, 1, 0))
    assert refused.value.code == "same_pile"
    assert not refused.value.again
    await bot.play(bot.legal[0])
    assert bot.version == 1


async def test_a_command_sent_again_is_confirmed_and_played_once(bot: Bot) -> None:
    await bot.new_game("YU1-C-AAAAAAB")
    assert bot.game is not None
    move = bot.legal[0]
    await bot.play(move)
    # As if the event had been lost with the connection.
    bot.version, bot.game = 0, Game("YU1-C-AAAAAAB")
    await bot.play_surely(move)
    assert (bot.confirmed, bot.version, bot.game.version) == (1, 1, 1)
    assert bot.socket is not None
    await bot.socket.close()
    await bot.play_surely(bot.legal[0])
    assert (bot.reconnects, bot.version) == (1, 2)
