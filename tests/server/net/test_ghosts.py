"""Late friends race ghosts over real sockets: who may, what they get, and where they stand."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import aiohttp
import pytest
import redis

from engine.game import Game
from server.core.lanes import progress_of
from server.core.ports import Created, NewSession, StoredSession
from server.core.throttle import NO_LIMITS, Limit
from server.store import keys
from tests.server.conftest import RedisServer
from tests.server.net.conftest import StartWorker
from tests.server.net.racing import (
    DONE,
    EVENING,
    EVENING_,
    LOBBY,
    READY,
    REFUSAL,
    REMATCH,
    STANDINGS,
    START,
    STATE,
    Racer,
    Two,
    finish,
    pair,
    run,
    winning_line,
)
from tests.server.net.ranking import ask
from tests.server.net.worker import Message, Worker

GHOSTS_, GHOSTS = 32, 88


@pytest.fixture(autouse=True)
def _short_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.core.racesteps.COUNTDOWN_MS", 50)


@pytest.fixture
async def workers(start_worker: StartWorker) -> Two:
    return await start_worker(), await start_worker()


async def late(workers: Two, http: aiohttp.ClientSession, room_id: str, *, at: int = 1) -> Racer:
    """Carl, who comes when the race is over."""
    carl = await Racer.make(workers[at], http)
    await carl.join(room_id, "Carl")
    return carl


async def after_a_race(
    workers: Two, http: aiohttp.ClientSession
) -> tuple[Racer, Racer, Racer, str]:
    """Two who raced without a move, a third who came too late for it, and their room."""
    anna, bert, room_id = await pair(workers, http)
    await run(anna, bert)
    await finish(anna, bert)
    return anna, bert, await late(workers, http, room_id), room_id


async def begin(racer: Racer, race: int = 1) -> Message:
    """Race the ghosts, until the board is there; the answer."""
    answer = await racer.ask(GHOSTS_, race, answer=GHOSTS)
    assert answer[0] == GHOSTS, answer
    if answer[3] is None:
        await racer.until(STATE, lambda message: message[1] == answer[2])
    return answer


async def told(worker: Any, http: aiohttp.ClientSession, room_id: str, race: int = 1) -> Any:
    status, body = await ask(worker, f"/api/ghosts/{room_id}/{race}", http)
    assert status == 200, body
    return body


def spy(worker: Worker) -> list[str]:
    """The sessions whose logs a worker reads from now on."""
    sessions, loads = worker.application.sessions, list[str]()
    load = sessions.load

    async def noted(session_id: str, player: str | None = None) -> StoredSession | None:
        loads.append(session_id)
        return await load(session_id, player)

    sessions.load = noted  # type: ignore[method-assign]
    return loads


async def test_a_late_friend_gets_the_same_cards_and_stands_among_the_ghosts(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    code, moves = winning_line()
    anna, bert, room_id = await pair(workers, http, ("C", code, 0))
    await run(anna, bert)
    for move in moves:
        await anna.play(move)
    for _ in range(3):
        await bert.play()
    await bert.resign()
    await anna.until(STANDINGS)
    carl = await late(workers, http, room_id)
    begun = await begin(carl)
    assert begun[:2] + begun[3:] == [GHOSTS, 1, None]
    assert (carl.session, carl.version, carl.snapshot[7]) == (begun[2], 0, code)
    assert carl.snapshot[10:14] == anna.snapshot[10:14]
    assert (carl.snapshot[16], carl.snapshot[17]) == (1, False)
    for move in moves:
        await carl.play(move)
    _, _, session, rows = await carl.ask(GHOSTS_, 1, answer=GHOSTS)
    assert session == begun[2]
    names = {row[2]: row for row in rows}
    assert set(names) == {"Anna", "Bert", "Carl"}
    assert [row[0] for row in rows] == [1, 2, 3]
    assert rows[-1][2] == "Bert"
    mine = names["Carl"]
    assert (mine[1], mine[3], mine[6], mine[7]) == (None, 0, names["Anna"][6], session)
    assert mine[0] == (1 if mine[4] < names["Anna"][4] else 2)
    # What was recorded of the race does not know of it.
    assert (await anna.ask(29, answer=STANDINGS))[5] == anna.standings[0][5]
    (record,) = (await carl.ask(EVENING_, answer=EVENING))[1]
    assert [place["name"] for place in json.loads(record)["places"]] == ["Anna", "Bert"]


async def test_the_ghosts_are_told_as_they_were_and_without_a_card(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, room_id = await pair(workers, http)
    await run(anna, bert)
    played: list[Message] = []
    for _ in range(6):
        await anna.play()
        played.append(list(anna.lanes.get(0, [])))
    await bert.play()
    await finish(anna, bert)
    answer = await told(workers[1], http, room_id)
    assert set(answer) == {"room", "race", "code", "limit", "ghosts"}
    assert (answer["room"], answer["race"], answer["limit"]) == (room_id, 1, 300_000)
    game = Game(answer["code"])
    first = [0, *progress_of(game)]
    by_name = {ghost["name"]: ghost for ghost in answer["ghosts"]}
    assert set(by_name) == {"Anna", "Bert"}
    for ghost in by_name.values():
        assert set(ghost) == {"seat", "name", "outcome", "ms", "steps"}
        assert ghost["outcome"] == "gave_up"
        assert ghost["steps"][0] == first
        assert ghost["ms"] >= ghost["steps"][-1][0]
        assert all(len(step) == 6 for step in ghost["steps"])
    assert [len(by_name[name]["steps"]) for name in ("Anna", "Bert")] == [7, 2]
    row = next(row for row in anna.standings[0][5] if row[2] == "Anna")
    assert by_name["Anna"]["steps"][-1][3:5] == row[5:7]
    with_tag = f"{workers[0].url}/api/ghosts/{room_id}/1"
    async with http.get(with_tag) as reply:
        assert reply.headers["Cache-Control"] == "public, max-age=60"
        tag = reply.headers["ETag"]
    async with http.get(with_tag, headers={"If-None-Match": tag}) as reply:
        assert reply.status == 304


async def test_nothing_is_told_or_dealt_before_the_race_is_over(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, room_id = await pair(workers, http)
    carl = await Racer.make(workers[1], http)
    await carl.join(room_id, seat=False)
    for racer in (anna, carl):
        assert (await racer.ask(GHOSTS_, 1))[3] == "race_not_finished"
    await run(anna, bert)
    for number in (1, 2):
        assert (await carl.ask(GHOSTS_, number))[3] == "race_not_finished"
        status, said = await ask(workers[0], f"/api/ghosts/{room_id}/{number}", http)
        assert (status, said["error"]) == (403, "not_open")
    assert (await anna.ask(GHOSTS_, 1))[3] == "race_started"
    assert carl.snapshot == []
    code = anna.room[3]
    for path in (f"{room_id}/0", f"{room_id}/x", f"{'a' * 16}/1", f"{code}/1", "%7Bx%7D/1"):
        status, said = await ask(workers[0], f"/api/ghosts/{path}", http)
        assert (status, said["error"]) == (404, "not_found")


async def test_who_was_in_the_race_does_not_race_its_ghosts(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, room_id = await pair(workers, http)
    await run(anna, bert)
    await bert.ask(27, answer=83)  # and comes back, to another seat
    await anna.resign()
    await anna.until(STANDINGS)
    await bert.join(room_id, "Bert")
    assert bert.seat == 2
    for racer in (anna, bert):
        assert (await racer.ask(GHOSTS_, 1))[3] == "already_raced"
    stranger = await Racer.make(workers[0], http)
    assert (await stranger.ask(GHOSTS_, 1))[3] == "no_room"
    answer = await told(workers[0], http, room_id)
    left = next(ghost for ghost in answer["ghosts"] if ghost["name"] == "Bert")
    assert left["outcome"] == "left"
    assert left["steps"] == [[0, *progress_of(Game(answer["code"]))]]


async def test_tabs_and_reloads_find_the_one_game(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, _bert, carl, room_id = await after_a_race(workers, http)
    begun = await begin(carl)
    await carl.play()
    again = await Racer.connect(carl.player, workers[0])
    await again.join(room_id)
    assert await begin(again) == begun
    assert (again.session, again.version) == (carl.session, 1)
    await again.play()
    while carl.version < 2:
        await carl.hear()
    # Through the next lobby it goes on, and is found among the races of the evening.
    assert (await anna.ask(REMATCH, 1, False))[0] == DONE
    await carl.in_state(LOBBY, race=2)
    await carl.play()
    assert await begin(again) == begun
    assert again.version == 3
    await again.resign()
    assert [row[2] for row in (await begin(again))[3]].count("Carl") == 1
    assert (await told(workers[1], http, room_id))["race"] == 1


async def test_the_next_race_goes_before(workers: Two, http: aiohttp.ClientSession) -> None:
    anna, _bert, carl, room_id = await after_a_race(workers, http)
    await begin(carl)
    assert (await anna.ask(REMATCH, 1, False))[0] == DONE
    assert (await anna.ask(START, True))[0] == DONE
    await carl.dealt(race=2)
    assert (await carl.ask(GHOSTS_, 1))[3] == "race_started"
    assert carl.session == f"{room_id}.2-2"


async def test_the_limit_of_the_race_is_the_late_friend_s_too(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    _anna, _bert, carl, _room_id = await after_a_race(workers, http)
    session = (await begin(carl))[2]
    with redis.Redis.from_url(redis_server.url) as store:
        assert store.ttl(keys.session(session)) > 89 * 24 * 3600
    await carl.play()
    with redis.Redis.from_url(redis_server.url) as store:
        store.hincrby(keys.session(session), "dealt_at", -300_000)
    rows = (await carl.ask(GHOSTS_, 1, answer=GHOSTS))[3]
    mine = next(row for row in rows if row[1] is None)
    assert (mine[3], mine[6]) == (4, 1)


async def test_it_counts_on_the_code_s_board_alone_and_makes_the_cards_known(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, room_id = await pair(workers, http)
    await run(anna, bert)
    for racer in (anna, bert):
        await racer.play()
    await finish(anna, bert)
    carl = await late(workers, http, room_id)
    session = (await begin(carl))[2]
    code = carl.snapshot[7]
    await carl.play()
    await carl.resign()
    recorder = workers[1].application.recorder
    await recorder.ended(session)

    async def players(path: str) -> set[str]:
        status, page = await ask(workers[1], f"/api/boards/{path}", http)
        assert status == 200, page
        return {row["player"] for row in page["rows"]}

    assert carl.player.id in await players(f"code/{code}/best")
    for span in ("day", "week", "all"):
        assert carl.player.id not in await players(f"C/{span}/best")
    # Nor do they count when the room plays the same cards again.
    assert (await anna.ask(REMATCH, 1, True))[0] == DONE
    await carl.in_state(LOBBY, race=2)
    await run(anna, bert, carl, race=2)
    assert carl.snapshot[17] is False
    assert not await recorder.histories.is_first(carl.player.id, carl.session, code)


async def test_of_who_is_forgotten_there_is_no_ghost(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    anna, bert, room_id = await pair(workers, http)
    await run(anna, bert)
    await finish(anna, bert)
    async with http.delete(f"{workers[0].url}/api/me", headers=bert.player.headers) as reply:
        assert reply.status == 204
    answer = await told(workers[0], http, room_id)
    assert [ghost["name"] for ghost in answer["ghosts"]] == ["Anna"]
    carl = await late(workers, http, room_id)
    await begin(carl)
    await carl.resign()
    assert {row[2] for row in (await begin(carl))[3]} == {"Anna", "Carl"}
    with redis.Redis.from_url(redis_server.url) as store:
        store.delete(keys.session(f"{room_id}.1-0"), keys.log(f"{room_id}.1-0"))
    assert (await carl.ask(GHOSTS_, 1))[3] == "no_ghosts"
    status, said = await ask(workers[0], f"/api/ghosts/{room_id}/1", http)
    assert (status, said["error"]) == (404, "not_found")


async def test_a_race_whose_record_is_gone_has_no_ghosts_and_a_room_that_is_gone_no_races(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    anna, _bert, carl, room_id = await after_a_race(workers, http)
    assert (await anna.ask(REMATCH, 1, False))[0] == DONE
    with redis.Redis.from_url(redis_server.url) as store:
        store.delete(keys.room_races(room_id))
        assert (await carl.ask(GHOSTS_, 1))[3] == "no_ghosts"
        store.delete(keys.room(room_id))
        assert (await carl.ask(GHOSTS_, 1))[3] == "no_such_room"


async def test_ghosts_are_limited_as_new_games_and_replays_are(
    start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    limits = replace(NO_LIMITS, replays=Limit(0.001, 3), new_games=Limit(0.001, 1))
    workers = await start_worker(), await start_worker(limits=limits)
    anna, bert, room_id = await pair(workers, http)
    for race in (1, 2):
        await run(anna, bert, race=race)
        await finish(anna, bert, race=race)
        if race == 1:
            assert (await anna.ask(REMATCH, 1, False))[0] == DONE
            await anna.in_state(LOBBY, race=2)
            assert (await bert.ask(READY, True))[0] == DONE
    carl = await late(workers, http, room_id)
    await begin(carl, 1)
    await begin(carl, 1)  # finds it again, which is no new game
    loads = spy(workers[1])
    for race in (2, 1):  # one game more, and then one look more
        answer = await carl.ask(GHOSTS_, race)
        assert (answer[0], answer[3]) == (REFUSAL, "too_fast")
    assert loads == []
    for _ in range(3):
        await told(workers[1], http, room_id)
    status, said = await ask(workers[1], f"/api/ghosts/{room_id}/1", http)
    assert (status, said["error"]) == (429, "too_fast")


async def test_logs_are_read_only_for_what_was_not_made_yet(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    _anna, bert, carl, room_id = await after_a_race(workers, http)
    loads = spy(workers[1])
    session = (await begin(carl))[2]
    assert loads == [session]  # to show it
    await carl.play()
    loads.clear()
    await begin(carl)
    await bert.join(room_id)
    assert (await bert.ask(GHOSTS_, 1))[3] == "already_raced"
    assert loads == []
    with redis.Redis.from_url(redis_server.url) as store:
        store.hincrby(keys.session(session), "dealt_at", -300_000)
    over = await begin(carl)
    assert await begin(carl) == over
    assert loads == [session]
    await carl.resign()  # which has another head
    await begin(carl)
    assert (await begin(carl))[3] == over[3]
    assert loads[1:].count(session) <= 2  # for the places, and to record the end
    loads.clear()
    url = f"{workers[1].url}/api/ghosts/{room_id}/1"
    answers = await asyncio.gather(*(told(workers[1], http, room_id) for _ in range(5)))
    assert all(answer == answers[0] for answer in answers)
    lanes = [f"{room_id}.1-0", f"{room_id}.1-1"]
    async with http.get(url) as reply:
        held = {"If-None-Match": reply.headers["ETag"]}
    async with http.get(url, headers=held) as reply:
        assert reply.status == 304
    assert sorted(one for one in loads if one != session) == lanes


async def test_a_race_that_begins_meanwhile_goes_before(
    workers: Two, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _bert, carl, room_id = await after_a_race(workers, http)
    assert (await anna.ask(REMATCH, 1, False))[0] == DONE
    sessions = workers[1].application.sessions
    deal = sessions.create

    async def slowly(new: NewSession) -> Created:
        created = await deal(new)
        assert (await anna.ask(START, True))[0] == DONE
        return created

    monkeypatch.setattr(sessions, "create", slowly)
    assert (await carl.ask(GHOSTS_, 1, answer=GHOSTS))[3] == "race_started"
    if not carl.snapshot:
        await carl.dealt(race=2)
    assert carl.session == f"{room_id}.2-2"


async def test_a_damaged_recording_is_left_out(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    anna, bert, room_id = await pair(workers, http)
    await run(anna, bert)
    await anna.play()
    await finish(anna, bert)
    with redis.Redis.from_url(redis_server.url) as store:
        store.append(keys.log(f"{room_id}.1-0"), b"nonsense")
    assert [ghost["name"] for ghost in (await told(workers[0], http, room_id))["ghosts"]] == [
        "Bert"
    ]
