"""MCP over streamable HTTP at `/mcp`: each POST is answered with one JSON object and then forgotten."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI, Request, Response
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from api.auth import Access
from api.calls import Guarded
from api.mcp import Context, make_server
from graphmem.app import Graphmem
from graphmem.settings import Settings

# Not in the OpenAPI document: `tools/list` describes it.
router = APIRouter(route_class=Guarded, include_in_schema=False)


@router.post("/mcp")
async def post_mcp(request: Request) -> Response:
    """One message of the protocol."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "Send each message as JSON, with the header `Content-Type: application/json`.")
    return _HandedOn(request.app.state.mcp)


@router.get("/mcp")
async def get_mcp() -> Response:
    """Refused, as the protocol requires for a service that sends nothing unprompted."""
    raise HTTPException(405, "This service opens no stream: send each message as a POST.", {"Allow": "POST"})


class _HandedOn(Response):
    """A response that the protocol's own transport answers."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        super().__init__()
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


@asynccontextmanager
async def spoken(app: FastAPI, settings: Settings, max_body_bytes: int) -> AsyncIterator[None]:
    """While this is held, `app` answers at `/mcp`."""
    manager = StreamableHTTPSessionManager(
        make_server(_reach, aliases=settings.mcp_aliases),
        json_response=True,
        stateless=True,
        # Hosts and origins are looked at in front of every route: api/hosts.py.
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=max_body_bytes,
    )
    app.state.mcp = manager
    ready, over = asyncio.Event(), asyncio.Event()

    async def run() -> None:
        async with manager.run():
            ready.set()
            await over.wait()

    # A separate task: the manager's task group must be left by the task that entered it.
    running = asyncio.create_task(run())
    await ready.wait()
    try:
        yield
    finally:
        over.set()
        await running


async def _reach(ctx: Context) -> tuple[Graphmem, Access]:
    assert ctx.request is not None  # noqa: S101 - this transport has one for every message
    return ctx.request.app.state.graphmem, ctx.request.state.access
