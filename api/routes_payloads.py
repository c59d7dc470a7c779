"""The route of payloads: what was moved out of messages, byte for byte."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from api.calls import Agent, Guarded, Services
from api.schemas import PROBLEMS

router = APIRouter(prefix="/api/payloads", tags=["conversation"], responses=PROBLEMS, route_class=Guarded)
MAX_OFFSET = 2**53
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": "All bytes, of their own media type", "content": {"*/*": {}}},
    206: {"description": "Some of them; Content-Range says which", "content": {"*/*": {}}},
    416: {"description": "There are no bytes at this offset; Content-Range says how many there are"},
}


@router.get("/{sha256}", response_class=Response, responses=ANSWERS)
async def get_payload(
    agent: Agent,
    graphmem: Services,
    sha256: Annotated[str, Path(description="Of the bytes, in hex")],
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET, description="First byte")] = 0,
    limit: Annotated[int | None, Query(ge=1, le=MAX_OFFSET, description="Most bytes; without it, all")] = None,
) -> Response:
    """The bytes of a payload, exact, from `offset` on."""
    part = await graphmem.conversation.payloads.read(agent, sha256, offset, limit)
    end = part.offset + len(part.data)
    headers = {
        "Content-Range": f"bytes {part.offset}-{end - 1}/{part.total}",
        "ETag": f'"{sha256.lower()}"',
        # Content that a stranger sent must not run as a page of this service.
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox",
        "Content-Disposition": "attachment",
    }
    return Response(part.data, 200 if len(part.data) == part.total else 206, headers, part.media_type)
