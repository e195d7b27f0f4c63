"""Key names: what changes together lies in one slot, and nothing else shares it by accident."""

from redis.crc import key_slot

from server.store import keys


def test_a_session_its_log_and_its_room_share_a_slot() -> None:
    names = [keys.session("r7.s1"), keys.log("r7.s1"), keys.session("r7.s2"), keys.room("r7")]
    assert len({key_slot(name) for name in names}) == 1


def test_a_session_alone_has_a_slot_of_its_own() -> None:
    assert key_slot(keys.session("s1")) == key_slot(keys.log("s1"))
    assert keys.tag_of("s1") == "s1"
    assert keys.session("s1") == b"yukon:{s1}:session:s1"
    assert len({key_slot(keys.session(f"s{number}")) for number in range(50)}) > 40


def test_a_player_and_their_requests_share_a_slot() -> None:
    assert key_slot(keys.player("ann")) == key_slot(keys.request("ann", b"12345678"))


def test_every_name_begins_alike() -> None:
    for name in (
        keys.DUE,
        keys.ENDING,
        keys.session("a"),
        keys.log("a"),
        keys.room("a"),
        keys.player("a"),
        keys.request("a", b"1"),
        keys.worker_channel("w"),
        keys.topic_channel("t"),
    ):
        assert name.startswith(keys.PREFIX.encode())
