"""The HTTP service: one Graphmem for each process, opened and closed with it."""

import asyncio
import gc
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any

from fastapi import Depends, FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import (
    pages,
    problems,
    routes_admin,
    routes_answering,
    routes_compaction,
    routes_condensing,
    routes_context,
    routes_erasing,
    routes_exploring,
    routes_feedback,
    routes_graph,
    routes_impact,
    routes_importing,
    routes_lattice,
    routes_mcp,
    routes_memory,
    routes_payloads,
    routes_provenance,
    routes_recap,
    routes_reindexing,
    routes_repair,
    routes_sessions,
    routes_turns,
)
from api.calls import Guarded, strict_json
from api.hosts import OnlyAllowed
from api.limits import RateLimit
from api.metrics import Metrics
from graphmem import __version__
from graphmem.adapters.identity import new_uuid7
from graphmem.adapters.neo4j_server import RunningServer
from graphmem.app import Graphmem
from graphmem.settings import Settings

log = logging.getLogger("graphmem.requests")
MAX_BODY_BYTES = 64 * 1024 * 1024
MAX_HEAD_BYTES = 64 * 1024
TOO_LONG = f"The headers of a request have at most {MAX_HEAD_BYTES} bytes together."
TOO_BIG = f"A body has at most {MAX_BODY_BYTES} bytes; send it in batches."
DESCRIPTION = """A memory for agents on Neo4j: conversations are kept word for word, knowledge is drawn from them, and
newer facts supersede older ones, with reasons. A key belongs to one agent, whose memory is meant; where no key is
required, the header `X-Agent-Id` names it. A write with an `Idempotency-Key` happens once."""
NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""OpenTelemetry of the framework would record what was sent, and reads the environment at each request."""
AS_PROBLEM = {"schema": {"$ref": "#/components/schemas/Problem"}}
KEYS = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "`graphmem keys create` makes a key."},
    "apiKey": {"type": "apiKey", "in": "header", "name": "X-Api-Key", "description": "The same key, in a header."},
}


def create_app(
    settings: Settings,
    server: RunningServer | None = None,
    beside: Callable[[Graphmem], AbstractAsyncContextManager[None]] = lambda _: nullcontext(),
) -> FastAPI:
    """The application. `server` is the managed Neo4j, running; None where the settings name another one.

    What `beside` returns is held open while the application serves: the workers, in a full service.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.graphmem = await Graphmem.open(settings, server, notice=log.debug, waiting=log.warning)
        freezing = asyncio.create_task(freeze_loaded(app.state.graphmem))
        try:
            async with routes_mcp.spoken(app, settings, MAX_BODY_BYTES), beside(app.state.graphmem):
                yield
        finally:
            freezing.cancel()
            await app.state.graphmem.close()

    app = Service(
        title="graphmem",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        telemetry=NO_TELEMETRY,
        docs_url=None,
        redoc_url=None,
    )
    app.router.route_class = Guarded
    app.state.metrics = Metrics()
    app.state.limit = RateLimit.of(settings)
    for module in (
        routes_sessions,
        routes_turns,
        routes_payloads,
        routes_provenance,
        routes_feedback,
        routes_memory,
        routes_lattice,
        routes_answering,
        routes_context,
        routes_recap,
        routes_graph,
        routes_reindexing,
        routes_impact,
        routes_exploring,
        routes_repair,
        routes_condensing,
        routes_erasing,
        routes_admin,
    ):
        app.include_router(module.router, dependencies=[Depends(strict_json)])
    app.include_router(routes_compaction.router, dependencies=[Depends(strict_json)])
    app.include_router(routes_importing.router)  # JSON lines are not JSON: each is read separately
    app.include_router(routes_mcp.router)
    pages.install(app)
    problems.install(app)
    app.add_middleware(OnlyAllowed, settings=settings)
    app.add_middleware(RequestLog, metrics=app.state.metrics)
    return app


async def freeze_loaded(graphmem: Graphmem) -> None:
    """Freeze the objects that exist once the models are loaded: they live as long as the process, and collecting
    through them delayed one request in a hundred by a tenth of a second or more."""
    await graphmem.models_loaded()
    gc.collect()
    gc.freeze()


class Service(FastAPI):
    """An application whose description says how keys are sent, and that every error is a problem."""

    def openapi(self) -> dict[str, Any]:
        document = super().openapi()
        document["components"]["securitySchemes"] = KEYS
        document["security"] = [{name: []} for name in KEYS]
        for operation in (one for methods in document["paths"].values() for one in methods.values()):
            told = operation["responses"]
            told["default"] = {"description": "Any other error", "content": {problems.MEDIA_TYPE: AS_PROBLEM}}
            for content in (answer.get("content", {}) for answer in told.values()):
                if problems.MEDIA_TYPE in content:  # the framework describes a model as JSON
                    content |= {problems.MEDIA_TYPE: content.pop("application/json", AS_PROBLEM)}
        return document


class RequestLog:
    """Gives each request an id, bounds its body, counts it, and logs one line about it, without its content.

    A plain ASGI middleware: the framework's own class wraps every body in another stream.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        request_id = headers.get(b"x-request-id", b"").decode("latin-1")[:128] or new_uuid7()
        scope[problems.REQUEST_ID] = request_id
        started = time.perf_counter()
        self._metrics.began()
        status = 500
        received = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode("latin-1"))]
            await send(message)

        async def bounded() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MAX_BODY_BYTES:  # a chunked body has no declared length
                raise HTTPException(413, TOO_BIG)
            return message

        try:
            if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEAD_BYTES:
                await problems.problem(431, "head_too_big", "The headers are too big", TOO_LONG)(scope, receive, answer)
            elif int(headers.get(b"content-length", b"0") or 0) > MAX_BODY_BYTES:
                await problems.problem(413, "body_too_big", "The body is too big", TOO_BIG)(scope, receive, answer)
            else:
                await self._app(scope, bounded, answer)
        finally:
            self._tell(scope, status, time.perf_counter() - started)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "unknown")
        self._metrics.ended(scope["method"], route, status, seconds)
        log.info(
            "request",
            extra={
                "request_id": scope[problems.REQUEST_ID],
                "method": scope["method"],
                "route": route,
                "status": status,
                "duration_ms": round(seconds * 1000, 1),
            },
        )
