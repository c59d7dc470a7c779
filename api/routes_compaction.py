"""The route that compacts a session."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from api.calls import Guarded, Services, Writing
from api.schemas import PROBLEMS
from graphmem.model.compaction import Compact, Compacted
from graphmem.model.inputs import OpaqueId

router = APIRouter(prefix="/api", tags=["conversation"], responses=PROBLEMS, route_class=Guarded)


@router.post("/sessions/{sessionId}/compact", response_model=Compacted)
async def compact_session(
    write: Writing,
    graphmem: Services,
    session_id: Annotated[OpaqueId, Path(alias="sessionId")],
    given: Compact = Compact(),  # noqa: B008
) -> Response:
    """Tell what was said before the fresh tail in summaries, which lead back to it. Below the threshold of the context
    window nothing is done, unless `force` is set; no message is ever changed."""
    return await write(lambda caller: graphmem.continuity.compacting.compact(caller, session_id, given))
