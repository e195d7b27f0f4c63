"""Replays over real HTTP: what everybody may see of a game, and when; it is what was played."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import aiohttp
import msgpack
import pytest

from engine.move import Move
from server.core.daily import DAY_MS
from server.core.throttle import NO_LIMITS, Limit, Limits
from server.store import keys
from tests.server.net.conftest import StartWorker
from tests.server.net.plays import KINDS, given_up, special, won_plays
from tests.server.net.worker import Message, Player, Tab, Worker, request_id

CODE = "YU1-C-AAAAAAB"


async def replay_of(
    worker: Worker, http: aiohttp.ClientSession, session: str
) -> tuple[int, dict[str, Any]]:
    async with http.get(f"{worker.url}/api/replay/{session}") as answer:
        return answer.status, await answer.json()


async def mark(worker: Worker, session: str, **fields: str | int) -> None:
    """Change what is stored of a session, as races and days do."""
    flat = [part for field in fields.items() for part in field]
    await worker.application.link.call("HSET", keys.session(session), *flat)


async def play(tab: Tab, move: Move) -> Message:
    """Any command, and its event."""
    return await (special(tab, move) if move in KINDS else tab.play(move))


async def test_a_replay_is_what_went_over_the_wire_byte_for_byte(
    worker: Worker, player: Player, http: aiohttp.ClientSession
) -> None:
    tab = await player.connect(worker)
    code, texts = won_plays("P")[0]
    start = await tab.deal(code)
    heard = []
    assert tab.game is not None
    for text in (*texts[:4], "U", "pause", "resume", *texts[3:]):
        heard.append(await play(tab, tab.game.read(text)))  # noqa: PERF401
    assert tab.game.is_won
    await http.patch(f"{worker.url}/api/player", json={"name": "Ada"}, headers=player.headers)
    status, replay = await replay_of(worker, http, tab.session)
    assert status == 200
    told = msgpack.unpackb(bytes.fromhex(replay["start"]))
    elapsed = 9
    assert told[:elapsed] + told[elapsed + 1 :] == start[:elapsed] + start[elapsed + 1 :]
    assert [event for _, event in replay["events"]] == [
        msgpack.packb(event).hex() for event in heard
    ]
    times = [ms for ms, _ in replay["events"]]
    assert times == sorted(times)
    assert {name: replay[name] for name in ("session", "letter", "code", "state", "player")} == {
        "session": tab.session,
        "letter": "P",
        "code": code,
        "state": "won",
        "player": {"id": player.id, "name": "Ada"},
    }
    assert (replay["score"], replay["moves"]) == (tab.game.score, tab.game.moves)
    assert (replay["ranked"], replay["time"]) == (tab.game.ranked_score, heard[-1][7])


async def test_the_text_is_verified_by_the_command_line(
    worker: Worker, tab: Tab, http: aiohttp.ClientSession, tmp_path: Path
) -> None:
    code, texts = won_plays("C")[0]
    await tab.deal(code)
    assert tab.game is not None
    for text in texts:
        await play(tab, tab.game.read(text))
    async with http.get(f"{worker.url}/api/replay/{tab.session}/text") as answer:
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert answer.headers["Content-Disposition"] == (
            f'attachment; filename="yukon-{tab.session}.txt"'
        )
        text = await answer.text()
    saved = tmp_path / "saved.txt"
    saved.write_text(text)
    verified = subprocess.run(  # noqa: ASYNC221
        [sys.executable, "-m", "engine", "verify", str(saved)], capture_output=True, check=True
    )
    result = json.loads(verified.stdout)
    _, replay = await replay_of(worker, http, tab.session)
    assert (result["code"], result["state"], result["won"]) == (code, "won", True)
    assert (result["time_ms"], result["moves"]) == (replay["time"], replay["moves"])
    assert (result["score"], result["version"]) == (replay["score"], len(replay["events"]))


async def test_a_replay_is_cached_until_its_player_has_another_name(
    worker: Worker, player: Player, tab: Tab, http: aiohttp.ClientSession
) -> None:
    url = f"{worker.url}/api/replay/{await given_up(tab, CODE)}"
    async with http.get(url) as answer:
        assert answer.headers["Cache-Control"] == "public, max-age=60"
        assert answer.headers["Content-Encoding"] == "gzip"
        held = {"If-None-Match": answer.headers["ETag"]}
    for path in (url, url + "/text"):
        async with http.get(path, headers=held) as answer:
            assert answer.status == (304 if path == url else 200)
    await http.patch(f"{worker.url}/api/player", json={"name": "Ada"}, headers=player.headers)
    async with http.get(url, headers=held) as answer:
        assert answer.status == 200
        assert (await answer.json())["player"]["name"] == "Ada"


async def test_nothing_of_a_game_that_runs_is_told(
    worker: Worker, tab: Tab, http: aiohttp.ClientSession
) -> None:
    snapshot = await tab.ask(2, request_id(), 2, "C")
    session = snapshot[1]
    for path in ("", "/text"):
        async with http.get(f"{worker.url}/api/replay/{session}{path}") as answer:
            assert answer.status == 403
            assert set(said := await answer.json()) == {"error", "reason"}
            assert said["error"] == "not_open"
    await tab.ask(9, 0)
    opened = await tab.hear()
    status, replay = await replay_of(worker, http, session)
    assert (status, replay["code"]) == (200, opened[7])
    assert msgpack.unpackb(bytes.fromhex(replay["start"]))[8] == opened[8]


@pytest.mark.parametrize("session", ["nobody", "a%20b", "%7Bx%7D", "x" * 200, "a.b:c"])
async def test_what_is_not_there_is_not_found(
    worker: Worker, http: aiohttp.ClientSession, session: str
) -> None:
    status, said = await replay_of(worker, http, session)
    assert (status, said["error"]) == (404, "not_found")


async def test_a_game_of_which_the_log_is_gone_is_not_found(
    worker: Worker, tab: Tab, http: aiohttp.ClientSession
) -> None:
    session = await given_up(tab, CODE)
    await worker.application.link.call("DEL", keys.log(session))
    assert (await replay_of(worker, http, session))[0] == 404


async def test_a_race_is_open_when_it_is_over_for_all(
    worker: Worker, tab: Tab, http: aiohttp.ClientSession
) -> None:
    await tab.deal(CODE)
    assert tab.game is not None
    await tab.play(next(iter(tab.game.legal_moves)))
    dealt = int(await worker.application.link.call("HGET", keys.session(tab.session), "dealt_at"))
    await mark(worker, tab.session, race="1:0", room="room")
    assert (await replay_of(worker, http, tab.session))[0] == 403
    await mark(worker, tab.session, closed=dealt + 5_000_000)
    assert (await replay_of(worker, http, tab.session))[0] == 403
    await mark(worker, tab.session, opened=dealt + 6_000_000)
    status, replay = await replay_of(worker, http, tab.session)
    assert status == 200
    assert (replay["state"], replay["time"], len(replay["events"])) == ("over", 5_000_000, 1)


async def test_a_race_that_is_won_stays_closed_while_others_play(
    worker: Worker, tab: Tab, http: aiohttp.ClientSession
) -> None:
    session = await given_up(tab, CODE)
    await mark(worker, session, race="1:0", room="room")
    assert (await replay_of(worker, http, session))[0] == 403
    await mark(worker, session, opened=1)
    assert (await replay_of(worker, http, session))[0] == 200


async def test_a_daily_deal_is_open_when_its_day_is_over(
    worker: Worker, tab: Tab, http: aiohttp.ClientSession
) -> None:
    session = await given_up(tab, CODE)
    dealt = int(await worker.application.link.call("HGET", keys.session(session), "dealt_at"))
    await mark(worker, session, origin=3)
    assert (await replay_of(worker, http, session))[0] == 403
    await mark(worker, session, dealt_at=dealt - DAY_MS)
    assert (await replay_of(worker, http, session))[0] == 200


async def test_replays_are_limited_by_address(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    unlimited = {name: getattr(NO_LIMITS, name) for name in Limits.__slots__}
    worker = await start_worker(limits=Limits(**unlimited | {"replays": Limit(0.001, 2)}))
    seen = [(await replay_of(worker, http, "none"))[0] for _ in range(3)]
    assert seen == [404, 404, 429]


async def test_what_is_kept_of_replays_is_bounded(
    worker: Worker, tab: Tab, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.replays.MOST_KEPT_BYTES", 12_000)
    sessions = [await given_up(tab, CODE) for _ in range(12)]
    for session in sessions + sessions:
        assert (await replay_of(worker, http, session))[0] == 200
    kept = worker.application.replays
    assert 0 < kept.kept_bytes <= 12_000
