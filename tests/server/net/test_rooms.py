"""Rooms over real sockets: every command and its answer, who sees what, and slow readers."""

import json
from typing import Any

import aiohttp
import pytest
import redis

from server.core.raceacts import Leave, Remove
from server.core.roomports import topic
from server.store import keys
from tests.server.conftest import RedisServer
from tests.server.net.racing import (
    BOARD,
    BOARD_,
    CHANGE,
    CLOSED,
    COUNTDOWN,
    DONE,
    EVENING,
    EVENING_,
    JOIN,
    JOINED,
    LANES,
    LEAVE,
    LOBBY,
    LOCK,
    MAKE,
    OPEN_CODE,
    READY,
    REFUSAL,
    REMATCH,
    REMOVE,
    ROOM,
    ROOM_,
    RUNNING,
    SEALED,
    STANDINGS,
    START,
    TYPED,
    Racer,
    Two,
    finish,
    pair,
    run,
)
from tests.server.net.worker import request_id

REQUEST = b"12345678"
pytestmark = pytest.mark.usefixtures("short_countdown")


async def test_a_whole_evening_on_two_workers(workers: Two, http: aiohttp.ClientSession) -> None:
    anna, bert = [await Racer.make(worker, http) for worker in workers]
    room_id = await anna.open_room("Anna")
    assert anna.room[1] == room_id
    assert anna.room[17] == [[0, "Anna", False, True]]
    joined = await bert.join(anna.room[3], "Bert")
    assert joined[0] == JOINED
    assert joined[2:] == [room_id, 1, None]
    assert (await bert.ask(READY, True))[:2] == [DONE, READY]
    assert (await anna.ask(START, False))[:2] == [DONE, START]
    for racer in (anna, bert):
        await racer.in_state(COUNTDOWN)
        await racer.in_state(RUNNING)
        await racer.dealt()
    assert anna.snapshot[10:14] == bert.snapshot[10:14]
    assert anna.room[18] == [[0, "Anna"], [1, "Bert"]]
    for _ in range(5):
        assert (await anna.play())[0] == 66
    while bert.lanes.get(0, [0] * 6)[5] != 5:
        await bert.hear()
    await finish(anna, bert)
    assert anna.standings == bert.standings
    _, race, ending, code, commitment, rows = anna.standings[0]
    assert (race, ending) == (1, 0)
    assert commitment == anna.snapshot[8]
    assert [row[0] for row in rows] == [1, 2]
    assert {row[2] for row in rows} == {"Anna", "Bert"}
    assert {row[3] for row in rows} == {1}
    # The board shows the code now, to those who played it.
    for racer in (anna, bert):
        while racer.snapshot[7] != code:
            await racer.hear()
    assert (await anna.ask(REMATCH, 1, True))[0] == DONE
    for racer in (anna, bert):
        await racer.in_state(LOBBY, race=2)
    assert anna.room[9] == code
    await run(anna, bert, race=2)
    assert anna.snapshot[7] == code
    await finish(anna, bert, race=2)
    assert anna.standings == bert.standings
    assert len(anna.standings) == 2
    evening = await bert.ask(EVENING_, answer=EVENING)
    assert [json.loads(record)["race"] for record in evening[1]] == [1, 2]
    assert json.loads(evening[1][0])["code"] == code


async def test_every_command_is_answered(workers: Two, http: aiohttp.ClientSession) -> None:
    anna, bert, room_id = await pair(workers, http)
    allowed: tuple[tuple[Any, ...], ...] = (
        *((READY, True), (CHANGE, TYPED), (CHANGE, SEALED), (LOCK, True), (LOCK, False)),
    )
    for command in allowed:
        answer = await anna.ask(*command)
        assert answer[:2] == [DONE, command[0]]
        assert answer[2] >= anna.room[2]
    assert (await anna.ask(ROOM_, answer=LANES)) == [LANES, 1, []]
    assert (await bert.ask(START, True))[3] == "not_host"
    assert (await anna.ask(START, False))[3] == "not_all_ready"
    assert (await anna.ask(REMOVE, 0))[3] == "not_yourself"
    assert (await anna.ask(REMOVE, 9))[3] == "no_such_seat"
    assert (await anna.ask(CHANGE, ("Q", None, 0)))[3] == "bad_settings"
    assert (await anna.ask(CHANGE, ("C", "nonsense", 0)))[3] == "bad_code"
    assert (await anna.ask(REMATCH, 1, False))[3] == "race_not_finished"
    assert (await anna.ask(BOARD_, 1, 0))[3] == "race_not_finished"
    assert (await anna.ask(EVENING_, answer=EVENING)) == [EVENING, []]
    assert (await bert.ask(LEAVE, answer=CLOSED)) == [CLOSED, "left"]
    all_of_them: tuple[tuple[Any, ...], ...] = (
        *((READY, True), (START, False), (CHANGE, SEALED), (REMOVE, 0), (LOCK, True), (LEAVE,)),
        *((REMATCH, 1, False), (ROOM_,), (BOARD_, 1, 0), (EVENING_,)),
    )
    for command in all_of_them:
        assert (await bert.ask(*command))[:4] == [REFUSAL, command[0], None, "no_room"]
    assert (await anna.ask(READY, 1))[3] == "malformed"
    assert (await bert.join(room_id, "Bert"))[3] == 1


async def test_who_may_not_come_in_is_told_so_about_their_request(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, room_id = await pair(workers, http)
    carl = await Racer.make(workers[1], http)
    for message, code in (
        ((MAKE, request_id(), "\u202eevil", SEALED), "bad_name"),
        ((MAKE, request_id(), "Carl", ("C", None, 7)), "bad_settings"),
        ((JOIN, request_id(), "a" * 16, "Carl", True), "no_such_room"),
        ((JOIN, request_id(), "BCDFGH", "Carl", True), "no_such_room"),
        ((JOIN, request_id(), "no room!", "Carl", True), "no_such_room"),
        ((JOIN, request_id(), room_id, None, True), "bad_name"),
        ((JOIN, request_id(), room_id, "", True), "bad_name"),
    ):
        answer = await carl.ask(*message, answer=JOINED)
        assert answer[:4] == [REFUSAL, message[0], message[1], code]
    assert (await anna.ask(LOCK, True))[0] == DONE
    assert (await carl.join(room_id, "Carl"))[3] == "room_locked"
    assert (await carl.join(room_id, seat=False))[3] == "room_locked"
    assert (await anna.ask(REMOVE, 1))[0] == DONE
    assert (await bert.until(CLOSED)) == [CLOSED, "removed"]
    assert (await bert.join(room_id, "Bert"))[3] == "removed"
    assert len(workers[1].application.tables) == 0


async def test_a_make_that_comes_again_finds_its_room(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna = await Racer.make(workers[0], http)
    request = request_id()
    first = await anna.ask(MAKE, request, "Anna", SEALED, answer=JOINED)
    again = await Racer.connect(anna.player, workers[1])
    assert await again.ask(MAKE, request, "Anna", SEALED, answer=JOINED) == first


async def test_one_name_everywhere(workers: Two, http: aiohttp.ClientSession) -> None:
    anna = await Racer.make(workers[0], http)
    room_id = await anna.open_room("  Anna \u00a0 B ")
    assert anna.room[17][0][1] == "Anna B"
    assert (await anna.until(71))[1:] == ["name", "Anna B"]
    tab = await Racer.connect(anna.player, workers[1])
    other_room = await tab.ask(MAKE, request_id(), "Other", SEALED, answer=JOINED)
    async with http.get(f"{workers[1].url}/api/player", headers=anna.player.headers) as answer:
        assert (await answer.json())["name"] == "Anna B"
    # Without a name one is called as always, and with a seat as the seat is.
    assert (await tab.join(room_id))[2:4] == [room_id, 0]
    assert tab.room[17][0][1] == "Anna B"
    assert (await tab.join(other_room[2]))[0] == JOINED
    assert tab.room[17][0][1] == "Other"
    body = {"name": "Zoé"}
    async with http.patch(
        f"{workers[0].url}/api/player", headers=anna.player.headers, json=body
    ) as answer:
        assert answer.status == 200
    for racer in (anna, tab):
        while racer.room[17][0][1] != "Zoé":
            await racer.hear()


async def test_a_new_name_gives_no_seat_back_to_who_just_left(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, room_id = await pair(workers, http)
    # The other worker does not know yet that Bert is leaving, and hears of his name.
    heard = workers[1].application.tables
    rooms = workers[1].application.rooms
    await rooms.carry_out(room_id, bert.player.id, Leave())
    await heard._rename(room_id, bert.player.id, "Bertram")
    loaded = await rooms.load(room_id)
    assert loaded is not None
    assert [seat.name for seat in loaded.room.seats] == ["Anna"]
    await heard._rename(room_id, anna.player.id, "Anne")
    while anna.room[17][0][1] != "Anne":
        await anna.hear()


async def test_a_watcher_sees_the_rivals_progress_and_no_card(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, room_id = await pair(workers, http)
    watcher = await Racer.make(workers[1], http)
    assert (await watcher.join(anna.room[3], seat=False))[3:] == [None, None]
    await run(anna, bert)
    await watcher.in_state(RUNNING)
    for _ in range(3):
        await anna.play()
        await bert.play()
    while [watcher.lanes.get(seat, [0] * 6)[5] for seat in (0, 1)] != [3, 3]:
        await watcher.hear()
    assert all(lane[1] & 1 for lane in watcher.lanes.values())
    for kind in (READY, START, LOCK):
        assert (await watcher.ask(kind, True))[3] == "not_seated"
    assert (await watcher.ask(3, anna.session, None))[3] == "no_such_session"
    assert (await watcher.ask(BOARD_, 1, 0))[3] == "race_not_finished"
    assert (await watcher.join(room_id, seat=False))[0] == JOINED
    assert len(watcher.lanes) == 2
    await anna.resign()
    await bert.resign()
    await watcher.until(STANDINGS)
    assert {frame[1] for frame in watcher.frames if frame[0] & 0xF0 == 0x90} <= {
        *(64, 67, 71, 80, 81, 82, 84)
    }
    for seat in (0, 1):
        board = await watcher.ask(BOARD_, 1, seat, answer=BOARD)
        assert board[:3] == [BOARD, 1, seat]
    assert (await watcher.ask(BOARD_, 1, 7))[3] == "no_such_seat"
    assert (await watcher.ask(BOARD_, 2, 0))[3] == "race_not_finished"


async def test_a_board_is_what_its_player_saw_at_the_end(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, _ = await pair(workers, http)
    await run(anna, bert)
    for _ in range(4):
        await anna.play()
    await finish(anna, bert)
    await anna.send(11)
    last = await anna.until(65, lambda message: message[2] == 5)
    board = await bert.ask(BOARD_, 1, 0, answer=BOARD)
    assert board[3:] == last[10:14]
    assert (await anna.ask(REMATCH, 1, False))[0] == DONE
    assert await bert.ask(BOARD_, 1, 0, answer=BOARD) == board


async def test_who_leaves_keeps_the_place_and_the_others_go_on(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, room_id = await pair(workers, http)
    carl = await Racer.make(workers[1], http)
    await carl.join(room_id, "Carl")
    await run(anna, bert, carl)
    await bert.play()
    version, moves = bert.version, bert.moves
    assert (await bert.ask(LEAVE, answer=CLOSED)) == [CLOSED, "left"]
    # The session is still shown, and takes no more.
    assert (await bert.command(4, version, *moves[0]))[:4] == [REFUSAL, 4, version, "race_over"]
    for racer in (anna, carl):
        while not racer.lanes.get(1, [0, 0])[1] & 16:
            await racer.hear()
        assert [seat[1] for seat in racer.room[17]] == ["Anna", "Carl"]
        assert [lane[1] for lane in racer.room[18]] == ["Anna", "Bert", "Carl"]
    # Back in the room he watches the race on a seat of his own.
    assert (await bert.join(room_id, "Bert"))[3:] == [3, None]
    await finish(anna, carl)
    assert sorted(row[1] for row in anna.standings[0][5]) == [0, 1, 2]
    assert {row[1]: row[3] for row in anna.standings[0][5]} == {0: 1, 1: 2, 2: 1}
    await bert.until(STANDINGS)
    assert bert.standings == anna.standings


async def test_a_host_who_leaves_hands_over(workers: Two, http: aiohttp.ClientSession) -> None:
    anna, bert, _ = await pair(workers, http)
    assert anna.room[4] == 0
    await anna.ask(LEAVE, answer=CLOSED)
    while bert.room[4] != 1:
        await bert.hear()
    assert (await bert.ask(START, False))[0] == DONE
    await bert.dealt()


async def test_a_room_that_is_gone_is_closed(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    anna, bert, room_id = await pair(workers, http)
    with redis.Redis.from_url(redis_server.url) as store:
        store.delete(keys.room(room_id))
        assert (await anna.ask(READY, True))[3] == "no_such_room"
        store.publish(keys.topic_channel(f"room:{room_id}"), "c")
    for racer in (anna, bert):
        assert await racer.until(CLOSED) == [CLOSED, "gone"]
        assert (await racer.ask(ROOM_, answer=ROOM))[3] == "no_room"


async def test_a_room_that_is_gone_or_closed_can_be_left(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    anna, bert, room_id = await pair(workers, http)
    # Bert's worker has not heard of it.
    rooms = workers[0].application.rooms
    tables, bus = workers[1].application.tables, workers[1].application.bus
    bus.unlisten(topic(room_id), tables._tables[room_id].listener)
    await rooms.carry_out(room_id, anna.player.id, Remove(1))
    assert await bert.ask(LEAVE, answer=CLOSED) == [CLOSED, "removed"]
    with redis.Redis.from_url(redis_server.url) as store:
        store.delete(keys.room(room_id))
    assert await anna.ask(LEAVE, answer=CLOSED) == [CLOSED, "gone"]
    assert (await anna.ask(ROOM_, answer=ROOM))[3] == "no_room"


async def test_a_socket_shows_one_room_and_a_player_one_seat(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, room_id = await pair(workers, http)
    await bert.open_room("Bert")
    assert bert.room[1] != room_id
    while anna.room[17][1][3]:
        await anna.hear()
    tab = await Racer.connect(bert.player, workers[0])
    assert (await tab.join(room_id))[3] == 1
    while not anna.room[17][1][3]:
        await anna.hear()
    await bert.join(room_id)
    await tab.ws.close()  # the other socket of the same player keeps him there
    assert bert.room[17][1][3]
    await run(anna, bert)
    assert (await bert.ask(ROOM_, answer=LANES))[0] == LANES
    while [lane[1] & 1 for lane in bert.lanes.values()] != [1, 1]:
        await bert.hear()


async def test_who_comes_back_at_another_worker_goes_on_where_they_were(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, room_id = await pair(workers, http)
    await run(anna, bert)
    await bert.play()
    await bert.play()
    await bert.ws.close()
    while anna.room[17][1][3]:
        await anna.hear()
    back = await Racer.connect(bert.player, workers[0])
    joined = await back.join(room_id)
    assert joined[3:] == [1, bert.session]
    assert (await back.dealt())[2] == 2
    assert back.moves == bert.moves
    while not anna.room[17][1][3]:
        await anna.hear()
    for _ in range(3):
        assert (await back.play())[0] == 66
    while anna.lanes[1][5] != 5:
        await anna.hear()


async def test_pausing_is_not_for_races(workers: Two, http: aiohttp.ClientSession) -> None:
    anna, bert, _ = await pair(workers, http)
    await run(anna, bert)
    for kind in (7, 8):
        assert (await anna.command(kind, anna.version))[3] == "not_in_race"


async def test_a_typed_code_is_known_to_all_and_decides_the_ruleset(
    workers: Two, http: aiohttp.ClientSession
) -> None:
    anna, bert, _ = await pair(workers, http, ("C", "yu1 o aaaaaab", 0))
    assert anna.room[8:12] == bert.room[8:12] == ["O", OPEN_CODE, None, 0]
    await run(anna, bert)
    assert anna.snapshot[7] == OPEN_CODE


async def test_who_only_follows_a_link_changes_nothing(
    workers: Two, http: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    anna, _, room_id = await pair(workers, http)
    with redis.Redis.from_url(redis_server.url) as store:
        before = sorted(store.keys()), anna.room[2]
        for path in (f"/r/{room_id}", f"/r/{anna.room[3]}", f"/r/{room_id}/qr.svg"):
            for worker in workers:
                async with http.get(worker.url + path) as answer:
                    assert answer.status == 200
                    assert "Set-Cookie" not in answer.headers
        room = await anna.ask(ROOM_, answer=ROOM)
        assert (sorted(store.keys()), room[2]) == before
