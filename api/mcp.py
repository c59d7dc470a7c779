"""The MCP door: the tools of `mcp_tools` over the services, at `/mcp` of the running service or over stdio.

No session is kept between requests: any process of the service can answer any of them.
"""

import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from api import problems
from api.mcp_aliases import ALIASES
from api.mcp_answers import written
from api.mcp_tools import INSTRUCTIONS, OFFERS, Offer
from graphmem import __version__

if TYPE_CHECKING:  # takes seconds: over stdio the protocol is answered meanwhile
    from api.auth import Access
    from graphmem.app import Graphmem

log = logging.getLogger("graphmem.tools")

Context: TypeAlias = ServerRequestContext[Any, Any]
Reach = Callable[[Context], Awaitable[tuple["Graphmem", "Access"]]]
"""The services for a request, and its access."""


def make_server(reach: Reach, *, aliases: bool = False) -> Server[Any]:
    """The protocol with our tools, for either transport; with `aliases` tool names of older memory systems are accepted
    too."""
    listed = [offer.tool() for offer in OFFERS.values()]

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=listed)

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        arguments = params.arguments or {}
        name = params.name
        if aliases and name in ALIASES and name not in OFFERS:
            name, arguments = ALIASES[name].translate(arguments)
        offer = OFFERS.get(name)
        if offer is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name!r}, only {', '.join(OFFERS)}.")
        return await _call(offer, arguments, reach, ctx)

    return Server(
        "graphmem",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _call(offer: Offer[Any], arguments: dict[str, Any], reach: Reach, ctx: Context) -> CallToolResult:
    """The answer of the tool, or the problem, as JSON in one text: some clients give a model an object beside it too,
    and others only one of the two."""
    started = time.perf_counter()
    request_id = ctx.request.scope[problems.REQUEST_ID] if ctx.request else str(ctx.request_id)
    code = "ok"
    try:
        graphmem, access = await reach(ctx)
        access.require(offer.needs)
        text = await offer.answer(graphmem, access.agent_id, offer.read(arguments))
    except Exception as error:  # noqa: BLE001 - as over HTTP, any error is returned as a problem
        problem = json.loads(bytes(problems.told(error, request_id).body))
        text, code = written(problem), problem["code"]
    log.info(
        "tool called",
        extra={
            "request_id": request_id,
            "tool": offer.name,
            "answer": code,
            "duration_ms": round((time.perf_counter() - started) * 1000, 1),
        },
    )
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=code != "ok")
