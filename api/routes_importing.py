"""The route that imports a graph."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.exceptions import HTTPException

from api.calls import Guarded, Services, Writing
from api.schemas import PROBLEMS
from graphmem.model.importing import ImportReport

router = APIRouter(prefix="/api/graph", tags=["graph"], responses=PROBLEMS, route_class=Guarded)
MEDIA_TYPE = "application/x-ndjson"
_BODY = {
    "requestBody": {
        "required": True,
        "description": "JSON lines as `GET /api/graph/export` writes them; `source` and `target` may be names",
        "content": {
            MEDIA_TYPE: {
                "schema": {"type": "string"},
                "example": '{"source": "checkout-api", "target": "billing-service", "confidence": 0.9}\n',
            }
        },
    }
}


async def lines_only(request: Request) -> None:
    """Refuses a body of another media type: what a browser sends for any page without asking first is one of those."""
    given = request.headers.get("content-type", "")
    if given.partition(";")[0].strip().lower() != MEDIA_TYPE:
        raise HTTPException(415, f"Send JSON lines, with the header `Content-Type: {MEDIA_TYPE}`.")


@router.post("/import", response_model=ImportReport, openapi_extra=_BODY, dependencies=[Depends(lines_only)])
async def take_graph(
    request: Request,
    write: Writing,
    graphmem: Services,
    first_line: Annotated[
        int, Query(alias="firstLine", ge=1, description="The number of the first line, of a file sent in parts")
    ] = 1,
) -> Response:
    """Take over entities, facts and dependencies, in batches of 1,000 lines, each wholly or not at all."""
    text = await request.body()
    return await write(lambda caller: graphmem.operation.importing.take(caller, text, first_line))
