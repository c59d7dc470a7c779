"""The route that imports a graph."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.calls import Guarded, Services, Writing
from api.schemas import PROBLEMS
from graphmem.model.importing import ImportReport

router = APIRouter(prefix="/api/graph", tags=["graph"], responses=PROBLEMS, route_class=Guarded)
_BODY = {
    "requestBody": {
        "required": True,
        "description": "JSON lines as `GET /api/graph/export` writes them; `source` and `target` may be names",
        "content": {
            "application/x-ndjson": {
                "schema": {"type": "string"},
                "example": '{"source": "checkout-api", "target": "billing-service", "confidence": 0.9}\n',
            }
        },
    }
}


@router.post("/import", response_model=ImportReport, openapi_extra=_BODY)
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
