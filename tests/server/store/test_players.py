"""Players: known by a secret that nobody else can read, kept once they play."""

import pytest

from server.store import keys
from server.store.errors import Damaged
from server.store.players import (
    SECONDS_AT_FIRST,
    SECONDS_KEPT,
    Credentials,
    Players,
    new_credentials,
)
from tests.server.store.conftest import Played, Worker, deal, eventually, play

NOW = 1_800_000_000_000


async def made(players: Players) -> Credentials:
    credentials = new_credentials()
    await players.create(credentials.player_id, credentials.secret_hash, NOW)
    return credentials


async def test_a_player_is_known_by_their_token_alone(worker: Worker) -> None:
    players = Players(worker.link)
    ann, bob = await made(players), await made(players)
    player = await players.authenticate(ann.token)
    assert player is not None
    assert (player.player_id, player.name, player.created_ms) == (ann.player_id, None, NOW)
    assert not player.is_banned
    bobs_secret = bob.token.partition(".")[2]
    for wrong in (
        "",
        ".",
        "nobody.secret",
        ann.player_id,
        f"{ann.player_id}.",
        f"{ann.player_id}.{bobs_secret}",
        ann.token + "x",
        ann.token[:-1],
        f"{ann.player_id}}}:request.x",
        "é" + ann.token,
        ann.token + "x" * 1000,
    ):
        assert await players.authenticate(wrong) is None


async def test_the_secret_itself_is_not_stored(worker: Worker) -> None:
    ann = await made(Players(worker.link))
    secret = ann.token.partition(".")[2]
    fields = await worker.link.call("HGETALL", keys.player(ann.player_id))
    assert not any(secret.encode() in value for value in fields)
    assert len(secret) == 43  # 256 bits


async def test_two_players_are_never_alike() -> None:
    many = [new_credentials() for _ in range(200)]
    assert len({each.player_id for each in many}) == len({each.token for each in many}) == 200


async def test_a_player_takes_a_name(worker: Worker) -> None:
    players = Players(worker.link)
    ann = await made(players)
    assert await players.set_name(ann.player_id, "Änne ♠")
    player = await players.get(ann.player_id)
    assert player is not None
    assert player.name == "Änne ♠"
    assert player.player_id == ann.player_id


async def test_a_player_who_is_gone_does_not_come_back_half(worker: Worker) -> None:
    players = Players(worker.link)
    assert not await players.set_name("nobody", "Ann")
    assert not await players.set_banned("nobody", banned=True)
    await players.keep("nobody")
    assert await players.get("nobody") is None
    assert await worker.link.call("EXISTS", keys.player("nobody")) == 0


async def test_a_banned_player_is_known_as_such(worker: Worker) -> None:
    players = Players(worker.link)
    ann = await made(players)
    for banned in (True, False):
        assert await players.set_banned(ann.player_id, banned=banned)
        player = await players.authenticate(ann.token)
        assert player is not None
        assert player.is_banned is banned


async def test_a_visitor_is_kept_for_long_once_they_play(worker: Worker) -> None:
    players = Players(worker.link)
    ann = await made(players)
    key = keys.player(ann.player_id)

    async def left() -> int:
        seconds: int = await worker.link.call("TTL", key)
        return seconds

    assert SECONDS_AT_FIRST - 10 < await left() <= SECONDS_AT_FIRST
    await players.authenticate(ann.token)
    assert await left() <= SECONDS_AT_FIRST
    played = await deal(worker)
    await worker.sessions.commit(played.commit()._replace(player=ann.player_id))

    async def is_kept() -> bool:
        return await left() > SECONDS_KEPT - 10

    await eventually(is_kept)
    beside = keys.games(ann.player_id)
    for each in (key, beside):
        await worker.link.call("EXPIRE", each, SECONDS_KEPT // 2)
    await players.authenticate(ann.token)
    assert await is_kept()
    assert await worker.link.call("TTL", beside) > SECONDS_KEPT - 10


async def test_visitors_who_stay_are_kept_for_a_day_more(worker: Worker) -> None:
    players = Players(worker.link)
    lifetimes = {"soon": 100, "long": SECONDS_KEPT, "ever": 0, "gone": -1}
    for player_id, seconds in lifetimes.items():
        if seconds >= 0:
            await players.create(player_id, b"s" * 32, 1)
            name = keys.player(player_id)
            await worker.link.call(*(("EXPIRE", name, seconds) if seconds else ("PERSIST", name)))
    await players.stay(lifetimes)
    left = {each: await worker.link.call("TTL", keys.player(each)) for each in lifetimes}
    assert SECONDS_AT_FIRST - 10 < left["soon"] <= SECONDS_AT_FIRST
    assert left["long"] > SECONDS_KEPT - 10
    assert (left["ever"], left["gone"]) == (-1, -2)


async def test_only_a_first_command_looks_after_the_player(worker: Worker) -> None:
    played = await play(worker, await deal(worker), 1)
    assert isinstance(played, Played)
    await worker.link.call("HSET", keys.player("ann"), "created", NOW)
    await play(worker, played, 3)
    assert await worker.link.call("TTL", keys.player("ann")) == -1


async def test_a_damaged_player_is_an_error(worker: Worker) -> None:
    players = Players(worker.link)
    ann = await made(players)
    await worker.link.call("HDEL", keys.player(ann.player_id), "created")
    with pytest.raises(Damaged):
        await players.get(ann.player_id)


async def test_the_secret_of_a_transfer_is_not_stored(worker: Worker) -> None:
    players = Players(worker.link)
    ann = await made(players)
    transfer = await players.open_transfer(ann.player_id)
    assert transfer is not None
    secret = transfer.secret.partition(".")[2]
    fields = await worker.link.call("HGETALL", keys.player(ann.player_id))
    assert not any(secret.encode() in value for value in fields)
    taken = await players.take_transfer(transfer.secret)
    assert taken is not None
    fields = await worker.link.call("HGETALL", keys.player(ann.player_id))
    assert b"transfer" not in fields[::2]
    assert not any(taken[1].partition(".")[2].encode() in value for value in fields)


async def test_only_whole_hashes_are_compared(worker: Worker) -> None:
    players = Players(worker.link)
    ann = await made(players)
    key = keys.player(ann.player_id)
    await worker.link.call("HSET", key, "secret", ann.secret_hash[1:] + ann.secret_hash)
    assert await players.authenticate(ann.token) is None
    await worker.link.call("HSET", key, "secret", bytes(32) + ann.secret_hash)
    assert await players.authenticate(ann.token) is not None


async def test_nobody_s_transfer_makes_no_player(worker: Worker) -> None:
    players = Players(worker.link)
    assert await players.open_transfer("nobody") is None
    assert await players.take_transfer("nobody.secret") is None
    assert await worker.link.call("EXISTS", keys.player("nobody")) == 0
