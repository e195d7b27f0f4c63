"""The HTTP addresses: a player's identity and name, the rules as data, and what a host asks."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import hdrs, web

from engine.rules import RULESETS
from engine.ruleset import Ruleset
from server.core.names import BadName, clean
from server.core.ports import Player, PlayerStore, Unavailable
from server.core.refusals import Code, sentence
from server.core.throttle import Credits, Limits
from server.net.identity import clear_cookie, set_cookie, token_of
from server.net.metrics import CONTENT_TYPE, Metrics
from server.net.newcomers import Newcomers
from server.net.pages import answer, asset
from server.net.security import Security, is_safe

LARGEST_BODY: Final = 4096
METRICS: Final = "/metrics"
BODY_SECONDS: Final = 10.0
"""How long a body may take to come."""

log = logging.getLogger("yukon.api")


@dataclass(frozen=True, slots=True)
class Host:
    """What the host's addresses tell: whether the store is up and its subscription proven."""

    is_store_up: Callable[[], bool]
    is_bus_proven: Callable[[], bool]
    is_stopping: Callable[[], bool]


class Api:
    """The handlers under /api/ and those for the host."""

    def __init__(
        self,
        players: PlayerStore,
        newcomers: Newcomers,
        security: Security,
        metrics: Metrics,
        limits: Limits,
        host: Host,
        on_rename: Callable[[str, str], None],
        forget: Callable[[str], Awaitable[bool]],
    ) -> None:
        """`on_rename(player id, name)` is told of each new nickname.

        `forget(player id)` removes a player with everything that is kept about them.
        """
        self._players = players
        self._newcomers = newcomers
        self._security = security
        self._metrics = metrics
        self._host = host
        self._on_rename = on_rename
        self._forget = forget
        self._requests = Credits(limits.requests)
        self._names = Credits(limits.names)
        rows = [rules_of(row) for row in RULESETS.values()]
        self._ruleset_rows = asset("rules.json", json.dumps({"rulesets": rows}).encode())

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Serve every address of this class."""
        router.add_post("/api/player", self._make_player)
        router.add_get("/api/player", self._get_player)
        router.add_patch("/api/player", self._rename)
        router.add_delete("/api/me", self._delete)
        router.add_get("/api/rules", self._rules)
        router.add_get("/healthz", self._alive)
        router.add_get("/readyz", self._ready)
        router.add_get(METRICS, self._tell_metrics)

    @web.middleware
    async def guard(
        self, request: web.Request, handler: Callable[[web.Request], Any]
    ) -> web.StreamResponse:
        """Every request: whose page it is, how many there are, and never a traceback."""
        path = request.path
        try:
            if path.startswith("/api/") or path == METRICS:
                self._check(request)
            response: web.StreamResponse = await handler(request)
        except web.HTTPException as error:
            if not path.startswith("/api/"):
                raise
            return refusal(error.status, _HTTP_CODES.get(error.status, "refused"), error.reason)
        except ApiRefusal as refused:
            return refusal(refused.status, refused.code, refused.reason)
        except Unavailable:
            return refusal(503, Code.UNAVAILABLE.value, sentence(Code.UNAVAILABLE))
        except ConnectionError:
            raise
        except Exception:
            log.exception("a request failed", extra={"method": request.method, "path": path})
            return refusal(500, "failed", "Something went wrong on the server.")
        return response

    def _check(self, request: web.Request) -> None:
        if not is_safe(request.method) and not self._security.is_own_origin(request):
            raise ApiRefusal(403, "wrong_origin", "This request comes from another site.")
        if not self._requests.spend(self._security.address(request), time.monotonic()):
            raise TOO_FAST

    async def _make_player(self, request: web.Request) -> web.StreamResponse:
        wants_token = (await body_of(request)).get("token") is True
        known = None if wants_token else await self.player_of(request)
        if known is not None:
            return web.json_response({"id": known.player_id, "name": known.name})
        made = await self._newcomers.make(request)
        if made is None:
            raise TOO_FAST
        player, token = made
        told: dict[str, object] = {"id": player.player_id, "name": None}
        if wants_token:
            return web.json_response({**told, "token": token}, status=201)
        response = web.json_response(told, status=201)
        set_cookie(response, token, secure=self._security.is_secure(request))
        return response

    async def _get_player(self, request: web.Request) -> web.StreamResponse:
        player = await self.signed_in(request)
        return web.json_response({"id": player.player_id, "name": player.name})

    async def _rename(self, request: web.Request) -> web.StreamResponse:
        player = await self.signed_in(request)
        wanted = (await body_of(request)).get("name")
        if not isinstance(wanted, str):
            raise ApiRefusal(400, "malformed", "A name is a text.")
        try:
            name = clean(wanted)
        except BadName as error:
            raise ApiRefusal(400, "bad_name", str(error)) from None
        if not self._names.spend(player.player_id, time.monotonic()):
            raise TOO_FAST
        if not await self._players.set_name(player.player_id, name):
            raise NOT_SIGNED_IN
        self._on_rename(player.player_id, name)
        return web.json_response({"id": player.player_id, "name": name})

    async def _delete(self, request: web.Request) -> web.StreamResponse:
        # Who is banned may be forgotten all the same: it gives them nothing that a visit does not.
        player = await self.player_of(request)
        if player is None or not await self._forget(player.player_id):
            raise NOT_SIGNED_IN
        log.info("player deleted", extra={"player": player.player_id})
        response = web.Response(status=204)
        clear_cookie(response, secure=self._security.is_secure(request))
        return response

    async def player_of(self, request: web.Request) -> Player | None:
        """Whose a request is, banned or not; None for nobody's."""
        token = token_of(request)
        return None if token is None else await self._players.authenticate(token)

    async def signed_in(self, request: web.Request) -> Player:
        """Whose a request is. Raises ApiRefusal for nobody's and a banned player's."""
        player = await self.player_of(request)
        if player is None:
            raise NOT_SIGNED_IN
        if player.is_banned:
            raise ApiRefusal(403, Code.BANNED.value, sentence(Code.BANNED))
        return player

    async def _rules(self, request: web.Request) -> web.StreamResponse:
        return answer(request, self._ruleset_rows, "no-cache")

    async def _alive(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002
        return web.Response(text="alive\n")

    async def _ready(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002
        state = {
            "store": self._host.is_store_up(),
            "subscription": self._host.is_bus_proven(),
            "stopping": self._host.is_stopping(),
        }
        is_ready = state["store"] and state["subscription"] and not state["stopping"]
        headers = {hdrs.CACHE_CONTROL: "no-store"}
        return web.json_response(state, status=200 if is_ready else 503, headers=headers)

    async def _tell_metrics(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002
        return web.Response(body=self._metrics.text(), headers={hdrs.CONTENT_TYPE: CONTENT_TYPE})


class ApiRefusal(Exception):
    """A request that is answered with no."""

    def __init__(self, status: int, code: str, reason: str) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.reason = reason


TOO_FAST: Final = ApiRefusal(429, Code.TOO_FAST.value, "Too many requests. Wait a moment.")
NOT_SIGNED_IN: Final = ApiRefusal(401, "not_signed_in", "No player belongs to this request.")
NOT_FOUND: Final = ApiRefusal(404, "not_found", "There is nothing at this address.")
_HTTP_CODES: Final = {
    400: Code.MALFORMED.value,
    404: "not_found",
    405: "not_allowed",
    413: Code.TOO_LARGE.value,
}


def refusal(status: int, code: str, reason: str) -> web.Response:
    """A no over HTTP, in the form of all of them."""
    headers = {hdrs.RETRY_AFTER: "2"} if status in (429, 503) else {}
    return web.json_response({"error": code, "reason": reason}, status=status, headers=headers)


async def body_of(request: web.Request) -> dict[str, Any]:
    """The JSON object in a body, empty where there is none. Raises ApiRefusal."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            raw = await request.read()
    except TimeoutError:
        raise ApiRefusal(408, "too_slow", "The request did not come in time.") from None
    if not raw:
        return {}
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise ApiRefusal(400, "malformed", "The body is not JSON.") from None
    if not isinstance(body, dict):
        raise ApiRefusal(400, "malformed", "The body is a JSON object.")
    return body


def rules_of(row: Ruleset) -> dict[str, object]:
    """A ruleset as data, for those who have no engine."""
    return {
        "letter": row.letter,
        "name": row.name,
        "sentence": row.sentence,
        "columns": row.columns,
        "foundations": row.foundations,
        "decks": row.decks,
        "stock": row.has_stock,
        "take_back": row.take_back,
        "group_limit": row.group_limit,
        "undo_limit": row.undo_limit,
        "undo_costs": row.undo_costs,
        "steps": sorted(row.steps),
        "suits": row.suits.value,
        "turn_up": row.turn_up.value,
        "automatic": row.automatic.value,
        "lost": row.lost,
    }
