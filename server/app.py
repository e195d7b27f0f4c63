"""The only place where store, sockets and pages are put together; it runs one worker."""

import asyncio
import contextlib
import gc
import logging
import secrets
import socket
import time
from collections.abc import Callable, Coroutine
from functools import partial

from aiohttp import web

from server.core import playernews
from server.core.deals import Deals
from server.core.messages import New, Watch
from server.core.playernews import PlayerNews
from server.core.ports import SessionEvent, Unavailable
from server.core.raceacts import CloseGate, DealLanes, Decision, SettleLane
from server.core.session import Accepted, Session
from server.core.throttle import NO_LIMITS, Limits
from server.net.api import LARGEST_BODY, Api, Host
from server.net.beside import keep_up
from server.net.boardsapi import BoardsApi
from server.net.boardwatch import BoardWatch
from server.net.connection import Connection
from server.net.dispatch import Dispatch
from server.net.ghosts import Ghosts
from server.net.hub import Hub
from server.net.meapi import MeApi
from server.net.metrics import Metrics
from server.net.newcomers import Newcomers
from server.net.newgames import NewGames
from server.net.pages import Pages, client_folder
from server.net.replays import Replays
from server.net.roomdesk import RoomDesk
from server.net.roompicture import RoomPicture
from server.net.rooms import Tables
from server.net.security import Security
from server.net.transfers import Transfers
from server.net.websocket import Sockets
from server.settings import Settings
from server.store.boards import topic
from server.store.briefs import briefs
from server.store.bus import Bus
from server.store.connect import bus_address, link_to
from server.store.forgetting import forget
from server.store.players import Players, new_credentials
from server.store.recorder import Recorder, keep_sweeping
from server.store.rooms import Rooms
from server.store.sessions import Sessions

log = logging.getLogger("yukon.app")

_TIDY_SECONDS = 5.0
_SWEEP_SECONDS = 2.0
_DRAW_SECONDS = 3600.0
_STAY_SECONDS = 3600.0
_HANDLER_SECONDS = 1.0
IDLE_SECONDS = 150.0
"""A connection without a request is closed after this long; proxies let go of theirs before."""


class Application:
    """One worker's parts, wired. `start` opens the store, `stop` ends everything in order."""

    def __init__(self, settings: Settings, redis_url: str, limits: Limits | None = None) -> None:
        if limits is None:
            limits = Limits() if settings.rate_limits else NO_LIMITS
        worker_id = secrets.token_hex(6)
        self.metrics = Metrics()
        self.link = link_to(redis_url, f"yukon-{worker_id}", on_batch=self.metrics.batch)
        self.sessions = Sessions(self.link, worker_id, on_commit=self.metrics.commit)
        self.players = Players(self.link)
        self.bus = Bus(bus_address(redis_url), self.link, worker_id, self._hear, self._after_gap)
        self.recorder = Recorder(self.link, self.sessions)
        self.hub = Hub(
            self.sessions,
            self.metrics,
            self.recorder.histories.note,
            on_commit=self._committed,
            on_race_over=self._race_over,
        )
        self.rooms = Rooms(self.link, on_commit=self._decided)
        self.tables = Tables(self.rooms, self.bus, self.hub, self.metrics)
        pages = Pages(client_folder())
        self.dispatch = Dispatch(self.hub, self.metrics, pages.client)
        self._deals = Deals(secrets.token_bytes)
        new_games = NewGames(self.hub, self.sessions, self.recorder.dailies, self._deals, limits)
        self.boards = BoardWatch(self.recorder.boards, self.bus, topic)
        self.dispatch.handlers |= {New: new_games.new, Watch: self.boards.watch}
        self.dispatch.handlers |= RoomDesk(
            self.tables,
            self.rooms,
            self.sessions,
            self.players,
            secrets.token_bytes,
            limits,
            self._renamed,
        ).handlers
        security = Security(public_url=settings.public_url, trust_proxy=settings.trust_proxy)
        ghosts = Ghosts(
            self.hub,
            self.rooms,
            self.sessions,
            partial(briefs, self.link),
            self.players,
            new_games.spend,
            security,
            limits,
        )
        self.dispatch.handlers |= ghosts.handlers
        newcomers = Newcomers(self.players, new_credentials, security, limits)
        self.sockets = Sockets(
            self.hub,
            self.dispatch,
            self.players,
            newcomers,
            security,
            self.metrics,
            limits,
            on_gone=self._gone,
        )
        self._stopping = False
        host = Host(
            is_store_up=lambda: self.link.is_up,
            is_bus_proven=lambda: self.bus.is_proven,
            is_stopping=lambda: self._stopping,
        )
        self._api = Api(
            self.players,
            newcomers,
            security,
            self.metrics,
            limits,
            host,
            self._renamed,
            lambda player_id: forget(self.link, player_id, self.rooms),
        )
        self.web = web.Application(middlewares=[self._api.guard], client_max_size=LARGEST_BODY)
        self.web.on_response_prepare.append(security.add_headers)
        self._api.add_routes(self.web.router)
        self.replays = Replays(self.sessions, self.players, security, limits)
        self.replays.add_routes(self.web.router)
        ghosts.add_routes(self.web.router)
        transfers = Transfers(self.players, self._api.signed_in, security, limits)
        transfers.add_routes(self.web.router)
        recorder = self.recorder
        now_ms = recorder.dailies.now_ms
        BoardsApi(recorder.boards, self._api.signed_in, now_ms).add_routes(self.web.router)
        stores = recorder.boards, recorder.histories, recorder.dailies
        me = MeApi(stores, self._api.signed_in, self._api.player_of)
        me.add_routes(self.web.router)
        self.web.router.add_get("/ws", self.sockets.handle)
        RoomPicture(security, limits).add_routes(self.web.router)
        pages.add_routes(self.web.router)
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Open the store and begin what runs beside the sockets. Raises Unavailable."""
        await self.link.connect()
        await self.bus.start()
        await self.bus.listen(playernews.TOPIC, self._hear_player)
        await self._learn_time()
        for work in (
            self.metrics.keep,
            self._look_around,
            self._tidy,
            self.tables.hold,
            self.tables.sweep,
            lambda: keep_sweeping(self.recorder, _SWEEP_SECONDS),
            self._keep_drawing,
            self._keep_visitors,
        ):
            self._beside(keep_up(work, log))

    async def stop(self) -> None:
        """Finish commits under way, close every socket with "come back", leave the store."""
        self._stopping = True
        await self.sockets.stop()
        await self.tables.stop()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.bus.close()
        await self.link.close()

    def _beside(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of the worker failed", exc_info=error)

    async def _learn_time(self) -> None:
        """Know the store's clock before anything is asked: it says when a day's deals open."""
        asked = time.time() * 1000
        stored = await self.recorder.dailies.now_ms()
        self.hub.note_time(asked, time.time() * 1000, stored)

    async def _look_around(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            self.sockets.look_around()
            self.metrics.gauges(len(self.sockets), len(self.hub), len(self.tables))

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(_TIDY_SECONDS)
            with contextlib.suppress(Unavailable):
                await self.hub.tidy()

    async def _keep_drawing(self) -> None:
        """Have the deals of today and tomorrow drawn before anybody needs them."""
        while True:
            with contextlib.suppress(Unavailable):
                await self.recorder.dailies.draw_ahead(
                    lambda letter: str(self._deals.sealed(letter))
                )
            await asyncio.sleep(_DRAW_SECONDS)

    async def _keep_visitors(self) -> None:
        """Let nobody be forgotten while they have a page open, before they have played anything."""
        while True:
            await asyncio.sleep(_STAY_SECONDS)
            with contextlib.suppress(Unavailable):
                await self.players.stay(self.sockets.players())

    def _hear(self, event: SessionEvent) -> None:
        self.hub.hear(event)

    def _renamed(self, player_id: str, name: str) -> None:
        self._beside(self._tell(PlayerNews(player_id, name=name)))

    async def _tell(self, news: PlayerNews) -> None:
        """Tell every worker, this one too."""
        with contextlib.suppress(Unavailable):
            await self.players.announce(news)

    def _hear_player(self, payload: bytes) -> None:
        news = PlayerNews.read(payload)
        if news.name is not None:
            self.sockets.rename(news.player, news.name)
            self.tables.rename(news.player, news.name)
        if news.close is not None:
            self.sockets.turn_out(news.player, news.close)

    async def _after_gap(self) -> None:
        log.info("the store is back")
        await self.sessions.rewatch()
        await self.sockets.check_players()
        await self.hub.resync_all()
        self.tables.resync()
        self.boards.resync()

    def _committed(self, session: Session, accepted: Accepted) -> None:
        if accepted.commit.ends:
            log.info(
                "session ended",
                extra={
                    "session": session.id,
                    "player": session.player,
                    "state": accepted.commit.state,
                    "score": accepted.commit.ranked,
                    "moves": accepted.commit.moves,
                },
            )
            self._beside(self._record(session.id))
            if session.room:
                self.tables.look_soon(session.room)

    def _gone(self, connection: Connection) -> None:
        self.tables.leave(connection)
        self.boards.leave(connection)

    def _race_over(self, session: Session) -> None:
        self.tables.look_soon(session.room)

    def _decided(self, decision: Decision) -> None:
        for effect in decision.effects:
            room, race = decision.room, decision.room.race
            about = {"room": room.id, "race": race.number, "lanes": len(race.lanes)}
            if isinstance(effect, DealLanes):
                self.metrics.race("dealt")
                log.info("race dealt", extra={**about, "ruleset": room.settings.letter})
            elif isinstance(effect, CloseGate):
                self.metrics.race("finished")
                log.info("race finished", extra={**about, "ending": race.ending})
                for lane in effect.open_lanes:
                    self._beside(self._record(lane.session))
            elif isinstance(effect, SettleLane):
                self._beside(self._record(effect.lane.session))

    async def _record(self, session_id: str) -> None:
        with contextlib.suppress(Unavailable):
            await self.recorder.ended(session_id)


def calm_collector() -> None:
    """Let the collector look at what is new more rarely, and at what stays for ever not at all.

    A move makes a few hundred short-lived objects and no cycle; looking for some was a tenth of
    its time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


async def serve(
    settings: Settings, listener: socket.socket, redis_url: str, ready: Callable[[], None]
) -> None:
    """Serve on the listening socket until cancelled; `ready` is called when it does."""
    application = Application(settings, redis_url)
    await application.start()
    runner = web.AppRunner(
        application.web,
        access_log=None,
        handle_signals=False,
        shutdown_timeout=_HANDLER_SECONDS,
        keepalive_timeout=IDLE_SECONDS,
        handler_cancellation=False,
    )
    await runner.setup()
    calm_collector()
    site = web.SockSite(runner, listener, backlog=1024)
    await site.start()
    ready()
    try:
        await asyncio.Event().wait()
    finally:
        await site.stop()
        await application.stop()
        await runner.cleanup()
