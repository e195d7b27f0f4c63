"""Playing over a real socket: every command, what it is answered, and what others see of it."""

import aiohttp
import pytest

from engine.game import Game
from engine.move import PAUSE, RESIGN, RESUME, UNDO, Move
from server.core.ports import Commit, Committed, RaceOver, Stale
from server.store import keys
from tests.server.net.conftest import StartWorker
from tests.server.net.plays import special, won_plays
from tests.server.net.worker import Message, Player, Tab, Worker, codes, forwards, request_id

CODE = "YU1-C-AAAAAAB"
ALL_CODES = [f"YU1-{letter}-AAAAAAB" for letter in "CROTYSAPD"]


async def test_a_random_deal_is_shown_and_hides_what_lies_face_down(tab: Tab) -> None:
    snapshot = await tab.ask(2, request_id(), 0, "C")
    assert snapshot[0] == 65
    assert snapshot[2:6] == [0, 0, 0, 0]
    assert [column[0] for column in snapshot[10]] == [0, 1, 2, 3, 4, 5, 6]
    game = Game(snapshot[7])
    piles = zip(game.position.columns, game.position.down, strict=True)
    assert [bytes(column[down:]) for column, down in piles] == [
        column[1:] for column in snapshot[10]
    ]
    assert snapshot[14] == codes(game)
    assert snapshot[15:] == [0, 0, False, None, False]


async def test_the_log_tells_a_deal_without_its_code(
    tab: Tab, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    session = (await tab.ask(2, request_id(), 2, "C"))[1]
    (told,) = [vars(record) for record in caplog.records if record.msg == "session dealt"]
    assert (told["session"], told["ruleset"], told["origin"]) == (session, "C", 2)


@pytest.mark.parametrize("code", ALL_CODES)
async def test_every_ruleset_is_played_and_every_event_is_true(tab: Tab, code: str) -> None:
    await tab.deal(code)
    assert tab.game is not None
    for _ in range(30):
        move = next(iter(forwards(tab.game)), None)
        if move is None:
            break
        if move.source == 255:
            kind = {1: (6, tab.game.version), 7: (10, tab.game.version, move.target)}[move.count]
            tab.follow(await tab.ask(*kind), move)
        else:
            await tab.play(move)
    await tab.check()
    while tab.game.can_undo:
        await special(tab, UNDO)
    await tab.check()


@pytest.mark.parametrize("code,texts", won_plays("CTP"), ids="CTP")
async def test_a_won_game_ends_with_its_time(tab: Tab, code: str, texts: list[str]) -> None:
    await tab.deal(code)
    assert tab.game is not None
    event: Message = []
    for text in texts:
        move = tab.game.read(text)
        if text == "*":
            event = await tab.ask(6, tab.game.version)
            tab.follow(event, move)
        elif text == "U":
            event = await special(tab, move)
        else:
            event = await tab.play(move)
    assert tab.game.is_won
    assert event[2] == 16
    assert event[7] >= 0
    snapshot = await tab.check()
    assert snapshot[9] == event[7]
    refusal = await tab.ask(4, tab.game.version, 0, 1, 1)
    assert refusal[:4] == [67, 4, tab.game.version, "game_over"]


async def test_pause_stops_the_clock_and_everything_else(tab: Tab) -> None:
    await tab.deal(CODE)
    assert tab.game is not None
    move = next(iter(tab.game.legal_moves))
    paused = await special(tab, PAUSE)
    assert paused[2] == 8
    assert paused[6] == b""
    refusal = await tab.ask(4, 1, *move)
    assert refusal[:4] == [67, 4, 1, "paused"]
    assert refusal[5] is False
    assert (await tab.check())[9] == paused[7]
    resumed = await special(tab, RESUME)
    assert resumed[7] == paused[7]
    assert (await tab.ask(8, 2))[3] == "not_paused"
    await tab.play(move)


async def test_giving_up_ends_the_game(tab: Tab) -> None:
    await tab.deal(CODE)
    event = await special(tab, RESIGN)
    assert event[2] == 32
    assert len(event) == 8
    assert (await tab.ask(5, 1))[3] == "game_over"


async def test_a_refused_move_says_which_rule_and_changes_nothing(tab: Tab) -> None:
    await tab.deal(CODE)
    assert tab.game is not None
    for source in range(27):
        for target in (*range(7), 16, 22, 25, 30):
            reason = tab.game.why_illegal(Move(source, 1, target))
            if reason is not None:
                assert await tab.ask(4, 0, source, 1, target) == [
                    *(67, 4, 0, reason.value, reason.sentence, False)
                ]
    assert (await tab.ask(5, 0))[3] == "nothing_to_undo"
    assert (await tab.ask(6, 0))[3] == "not_finishable"
    assert (await tab.ask(10, 0, 6))[3] == "nothing_to_turn_up"
    await tab.check()


async def test_a_ranked_game_hides_its_code_until_it_is_over(tab: Tab) -> None:
    snapshot = await tab.ask(2, request_id(), 2, "T")
    assert snapshot[6:8] == ["T", None]
    assert len(snapshot[8]) == 32
    assert snapshot[16] == 2
    event = await tab.ask(9, 0)
    assert event[0] == 66
    revealed = await tab.hear()
    assert revealed[0] == 65
    assert revealed[7].startswith("YU1-T-")
    assert len(revealed[7]) == 32
    assert revealed[8] == snapshot[8]


@pytest.mark.parametrize(
    "origin,text,says",
    [
        (1, "YU1-C-AAA", ""),
        (1, "", ""),
        (0, "Q", "no such ruleset"),
        (0, "YU1-C-AAAAAAB", "no such ruleset"),
        (2, "", "no such ruleset"),
        (3, "YU1-C-AAAAAAB", "no such ruleset"),
        (9, "C", "no way to deal"),
    ],
)
async def test_what_cannot_be_dealt_is_refused_in_words(
    tab: Tab, origin: int, text: str, says: str
) -> None:
    request = request_id()
    refusal = await tab.ask(2, request, origin, text)
    assert refusal[:4] == [67, 2, request, "bad_code"]
    assert says in refusal[4]
    assert refusal[4].endswith(".") or not says
    assert refusal[5] is False


async def test_a_code_in_any_writing_deals_the_same(tab: Tab) -> None:
    snapshot = await tab.ask(2, request_id(), 1, "  yu1 c aaaa-AAB ")
    assert snapshot[7] == CODE
    assert snapshot[16] == 1


async def test_the_same_request_deals_once(worker: Worker, player: Player, tab: Tab) -> None:
    request = request_id()
    first = await tab.ask(2, request, 0, "C")
    again = await tab.ask(2, request, 0, "C")
    assert again[1] == first[1]
    other = await player.connect(worker)
    assert (await other.ask(2, request, 0, "C"))[1] == first[1]
    assert (await other.ask(2, request_id(), 0, "C"))[1] != first[1]


async def test_two_tabs_stay_in_step(worker: Worker, player: Player, tab: Tab) -> None:
    await tab.deal(CODE)
    assert tab.game is not None
    other = await player.connect(worker)
    shown = await other.ask(3, tab.session, None)
    assert shown[1:3] == [tab.session, 0]
    other.session, other.game = tab.session, Game(CODE)
    for here, there in ((tab, other), (other, tab)) * 5:
        assert here.game is not None
        move = next(iter(here.game.legal_moves))
        await here.play(move)
        there.follow(await there.hear(), move)
    await other.check()
    paused = await special(tab, PAUSE)
    assert await other.hear() == paused


async def test_what_a_socket_no_longer_shows_it_does_not_hear(
    worker: Worker, player: Player, tab: Tab
) -> None:
    await tab.deal(CODE)
    assert tab.game is not None
    other = await player.connect(worker)
    await other.ask(3, tab.session, 0)
    assert await other.ask(12) == [70]
    await tab.play(next(iter(tab.game.legal_moves)))
    assert (await other.ask(13, 7))[:2] == [68, 7]
    assert (await other.ask(4, 1, 0, 1, 1))[3] == "no_session"
    assert (await other.ask(11))[3] == "no_session"


async def test_others_can_neither_read_nor_move_a_session(
    worker: Worker, tab: Tab, http: aiohttp.ClientSession
) -> None:
    await tab.deal(CODE)
    stranger = await (await Player.make(worker, http)).connect(worker)
    refusal = await stranger.ask(3, tab.session, None)
    assert refusal[:4] == [67, 3, None, "no_such_session"]
    assert (await stranger.ask(3, "A" * 16, None))[:4] == refusal[:4]
    assert (await stranger.ask(3, "", None))[3] == "no_such_session"
    assert (await stranger.ask(3, "}{*\n\x00é", None))[3] == "no_such_session"
    assert (await stranger.ask(4, 0, 0, 1, 1))[3] == "no_session"
    await tab.check()


async def test_a_stranger_leaves_nothing_behind_at_another_worker(
    worker: Worker, tab: Tab, start_worker: StartWorker, http: aiohttp.ClientSession
) -> None:
    await tab.deal(CODE)
    link = worker.application.link
    before = await link.call("HGETALL", keys.session(tab.session))
    other = await start_worker()
    stranger = await (await Player.make(other, http)).connect(other)
    assert (await stranger.ask(3, tab.session, None))[3] == "no_such_session"
    assert len(other.application.hub) == 0
    assert await link.call("HGETALL", keys.session(tab.session)) == before


async def test_a_refused_open_leaves_the_session_that_is_shown(tab: Tab) -> None:
    await tab.deal(CODE)
    assert (await tab.ask(3, "A" * 16, None))[3] == "no_such_session"
    await tab.check()


async def test_a_command_sent_again_is_confirmed_and_happens_once(
    worker: Worker, player: Player, tab: Tab
) -> None:
    await tab.deal(CODE)
    assert tab.game is not None
    first = next(iter(tab.game.legal_moves))
    await tab.play(first)
    await tab.play(next(iter(tab.game.legal_moves)))
    await tab.ws.close()
    back = await player.connect(worker)
    back.session, back.game = tab.session, tab.game
    assert (await back.ask(3, tab.session, 0))[2] == 2
    assert await back.ask(4, 0, *first) == [69, 1]
    await back.check()


async def test_a_command_on_another_version_is_stale_and_shows_the_session(tab: Tab) -> None:
    await tab.deal(CODE)
    assert tab.game is not None
    moves = list(tab.game.legal_moves)
    await tab.play(moves[0])
    for version, move in ((0, moves[1]), (7, moves[0]), (2**31 - 1, moves[0])):
        refusal = await tab.ask(4, version, *move)
        assert refusal[:4] == [67, 4, version, "stale"]
        assert (await tab.hear())[:3] == [65, tab.session, 1]
    await tab.check()


async def test_frames_are_as_small_as_the_design_wants(tab: Tab) -> None:
    await tab.deal(CODE)
    assert tab.game is not None
    sizes = []
    for _ in range(60):
        move = next(iter(forwards(tab.game)))
        await tab.send(4, tab.game.version, *move)
        frame = await tab.ws.receive()
        sizes.append(len(frame.data))
        tab.game.play(move, tab.game.last_ms)
    assert sorted(sizes)[30] <= 32
    assert max(sizes) <= 64
    await tab.send(11)
    assert len((await tab.ws.receive()).data) <= 160


async def test_a_command_is_answered_also_when_another_board_was_shown_meanwhile(
    worker: Worker, tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    await tab.deal("YU1-C-AAAAAAB")
    sessions, hub = worker.application.sessions, worker.application.hub
    (connection,) = worker.sockets._open
    commit = sessions.commit

    async def slowly(command: Commit) -> Committed | Stale | RaceOver:
        outcome = await commit(command)
        hub.leave(connection)  # as a race does that begins
        return outcome

    monkeypatch.setattr(sessions, "commit", slowly)
    assert await tab.ask(9, 0) == [69, 1]
