"""Players who are deleted or banned while they play, at every worker, over real sockets."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from engine.move import RESIGN
from server.core.messages import Close
from server.core.playernews import PlayerNews
from server.core.ports import Player as StoredPlayer
from server.core.refusals import Code
from server.store import keys
from server.store.seats import give_up_seats
from tests.server.net.conftest import StartWorker
from tests.server.net.plays import special
from tests.server.net.racing import FINISHED, JOIN, MAKE, READY, RUNNING, SEALED, START, Racer
from tests.server.net.worker import Player, Tab, Worker, request_id

CODE = "YU1-C-AAAAAAB"


async def deleted(worker: Worker, player: Player) -> int:
    async with player.http.delete(f"{worker.url}/api/me", headers=player.headers) as answer:
        return answer.status


async def banned(worker: Worker, player: Player) -> None:
    players = worker.application.players
    assert await players.set_banned(player.id, banned=True)
    await players.announce(PlayerNews(player.id, close=Close.BANNED))
    await give_up_seats(worker.application.rooms, player.id)


def closing(*tabs: Tab) -> "asyncio.Future[list[int | None]]":
    """The codes with which sockets will be closed; who does not read cannot answer a close."""
    return asyncio.gather(*(tab.closed() for tab in tabs))


async def test_a_deleted_player_is_gone_everywhere(
    worker: Worker, player: Player, start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    await http.patch(f"{worker.url}/api/player", json={"name": "Ada"}, headers=player.headers)
    tabs = [await player.connect(each) for each in (worker, await start_worker())]
    stranger = await (await Player.make(worker, http)).connect(worker)
    await tabs[0].deal(CODE)
    await special(tabs[0], RESIGN)
    replay = f"{worker.url}/api/replay/{tabs[0].session}"
    async with http.get(replay) as answer:
        assert (await answer.json())["player"]["name"] == "Ada"
    closed = closing(*tabs)
    assert await deleted(worker, player) == 204
    assert await closed == [4502, 4502]
    assert (await stranger.ask(13, 7))[:2] == [68, 7]
    async with http.get(f"{worker.url}/api/player", headers=player.headers) as answer:
        assert answer.status == 401
    async with http.get(replay) as answer:
        assert (await answer.json())["player"] == {"id": player.id, "name": None}
    assert await deleted(worker, player) == 401
    kept = await worker.application.link.call("KEYS", "yukon:player:*")
    assert [key for key in kept if player.id.encode() in key and b":request:" not in key] == []


async def test_looking_at_what_a_deleted_player_left_keeps_nothing_of_them(
    worker: Worker, player: Player, start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    tab = await player.connect(worker)
    session = (await tab.ask(2, request_id(), 2, "C"))[1]
    await tab.ask(9, 0)
    assert await deleted(worker, player) == 204
    other = await start_worker()
    stranger = await (await Player.make(other, http)).connect(other)
    assert (await stranger.ask(3, session, None))[3] == "no_such_session"
    async with http.get(f"{other.url}/api/replay/{session}") as answer:
        assert answer.status == 200
    kept = await worker.application.link.call("KEYS", f"yukon:player:{{{player.id}}}*")
    assert [key for key in kept if b":request:" not in key] == []


async def test_the_cookie_is_cleared(worker: Worker) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
        async with browser.post(f"{worker.url}/api/player") as answer:
            assert answer.status == 201
        async with browser.delete(f"{worker.url}/api/me") as answer:
            assert answer.status == 204
            assert await answer.read() == b""
        assert not list(browser.cookie_jar)


async def test_deleting_wants_the_player_and_this_site(
    worker: Worker, player: Player, http: aiohttp.ClientSession
) -> None:
    url = f"{worker.url}/api/me"
    async with http.delete(url) as answer:
        assert answer.status == 401
    elsewhere = {**player.headers, "Origin": "https://elsewhere.example"}
    async with http.delete(url, headers=elsewhere) as answer:
        assert answer.status == 403
    async with http.get(url, headers=player.headers) as answer:
        assert answer.status == 405
    async with http.get(f"{worker.url}/api/player", headers=player.headers) as answer:
        assert answer.status == 200


async def test_a_banned_player_can_still_be_forgotten(worker: Worker, player: Player) -> None:
    await banned(worker, player)
    assert await deleted(worker, player) == 204


async def test_a_ban_closes_the_sockets_of_every_worker(
    worker: Worker, player: Player, start_worker: StartWorker
) -> None:
    tabs = [await player.connect(each) for each in (worker, worker, await start_worker())]
    closed = closing(*tabs)
    await banned(worker, player)
    assert await closed == [4504, 4504, 4504]
    again = await player.connect(worker, hello=False)
    assert await again.closed() == 4504
    async with player.http.get(f"{worker.url}/api/player", headers=player.headers) as answer:
        assert answer.status == 403
        assert (await answer.json())["error"] == Code.BANNED.value


@pytest.mark.parametrize("close", [Close.BANNED, Close.NOT_SIGNED_IN])
async def test_who_is_turned_out_while_coming_in_stays_out(
    worker: Worker, player: Player, monkeypatch: pytest.MonkeyPatch, close: Close
) -> None:
    players = worker.application.players
    known, turned_out = asyncio.Event(), asyncio.Event()
    authenticate = players.authenticate

    async def slowly(token: str) -> StoredPlayer | None:
        found = await authenticate(token)
        known.set()
        await turned_out.wait()
        return found

    monkeypatch.setattr(players, "authenticate", slowly)
    coming = asyncio.create_task(player.connect(worker, hello=False))
    await known.wait()
    heard = worker.sockets.turn_out

    def turn_out(player_id: str, code: Close) -> None:
        heard(player_id, code)
        turned_out.set()

    monkeypatch.setattr(worker.sockets, "turn_out", turn_out)
    await players.announce(PlayerNews(player.id, close=close))
    assert await (await coming).closed() == close


async def test_a_ban_that_nobody_heard_of_is_found_after_a_gap(
    worker: Worker, player: Player, http: aiohttp.ClientSession
) -> None:
    gone, stays = await Player.make(worker, http), await Player.make(worker, http)
    tabs = [await each.connect(worker) for each in (player, gone, stays)]
    players = worker.application.players
    await players.set_banned(player.id, banned=True)
    await players.remove(gone.id)
    closed = closing(*tabs[:2])
    await worker.application._after_gap()
    assert await closed == [4504, 4502]
    assert (await tabs[2].ask(13, 1))[0] == 68


async def test_one_player_who_cannot_be_read_keeps_nobody_from_coming_back(
    worker: Worker, player: Player, http: aiohttp.ClientSession
) -> None:
    tab, other = (
        await player.connect(worker),
        await (await Player.make(worker, http)).connect(worker),
    )
    await worker.application.link.call("HDEL", keys.player(player.id), "created")
    await worker.application._after_gap()
    assert await tab.closed() == 4502
    assert (await other.ask(13, 1))[0] == 68


async def test_nobody_waits_in_a_race_for_who_is_gone(
    worker: Worker,
    http: aiohttp.ClientSession,
    start_worker: StartWorker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.core.racesteps.COUNTDOWN_MS", 100)
    anna = await Racer.make(worker, http)
    room_id = await anna.open_room("Anna")
    others = [await Racer.make(each, http) for each in (worker, await start_worker())]
    for racer, name in zip(others, ("Bert", "Carl"), strict=True):
        await racer.join(room_id, name)
        await racer.ask(READY, True)
    bert, carl = others
    await anna.ask(START, False)
    for racer in (anna, *others):
        await racer.in_state(RUNNING)
        await racer.dealt()
    assert await deleted(worker, anna.player) == 204
    await banned(worker, carl.player)
    while [seat[1] for seat in bert.room[17]] != ["Bert"]:
        await bert.hear()
    await bert.resign()
    await bert.in_state(FINISHED)
    while not bert.standings:
        await bert.hear()
    # Whoever was there knows with whom they played.
    assert "Anna" in str(bert.standings[-1])


@pytest.mark.parametrize("turn_out", [deleted, banned])
async def test_a_race_does_not_wait_for_who_is_turned_out_and_has_no_socket(
    worker: Worker,
    http: aiohttp.ClientSession,
    monkeypatch: pytest.MonkeyPatch,
    turn_out: Callable[[Worker, Player], Awaitable[Any]],
) -> None:
    monkeypatch.setattr("server.core.racesteps.COUNTDOWN_MS", 100)
    anna, bert = await Racer.make(worker, http), await Racer.make(worker, http)
    lobby = await bert.open_room("Bert")
    room_id = await anna.open_room("Anna")
    await bert.join(room_id, "Bert")
    await anna.ask(START, True)
    for racer in (anna, bert):
        await racer.in_state(RUNNING)
        await racer.dealt()
    await bert.ws.close()
    await turn_out(worker, bert.player)
    while [seat[1] for seat in anna.room[17]] != ["Anna"]:
        await anna.hear()
    await anna.resign()
    await anna.in_state(FINISHED)
    loaded = await worker.application.rooms.load(lobby)
    assert loaded is not None
    assert loaded.room.seats == ()


@pytest.mark.parametrize("close", [Close.BANNED, Close.NOT_SIGNED_IN])
async def test_who_sits_down_while_being_turned_out_gets_up_again(
    worker: Worker, http: aiohttp.ClientSession, close: Close
) -> None:
    anna, bert, carl = [await Racer.make(worker, http) for _ in range(3)]
    room_id = await anna.open_room("Anna")
    players = worker.application.players
    for racer in (bert, carl):  # and the workers have not heard of it
        if close is Close.BANNED:
            await players.set_banned(racer.player.id, banned=True)
        else:
            await players.remove(racer.player.id)
    await bert.send(JOIN, request_id(), room_id, "Bert", True)
    await carl.send(MAKE, request_id(), "Carl", SEALED)
    for racer in (bert, carl):
        assert (await racer.ws.receive()).type is aiohttp.WSMsgType.CLOSE
        assert racer.ws.close_code == close
    loaded = await worker.application.rooms.load(room_id)
    assert loaded is not None
    assert [seat.name for seat in loaded.room.seats] == ["Anna"]
