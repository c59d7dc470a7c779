"""Routes of impact: what a change would affect, what would be lost without something, single points of failure."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from api.calls import Agent, Guarded, Services, reply
from api.schemas import PROBLEMS
from graphmem.model.answers import ImpactReport
from graphmem.model.impact import CriticalQuestion, CriticalReport, WhatIf, WhatIfReport
from graphmem.model.inputs import ImpactQuestion

router = APIRouter(prefix="/api/graph/impact", tags=["graph"], responses=PROBLEMS, route_class=Guarded)
ImpactFormat = Literal["json", "markdown", "graphml"]
ALSO: dict[int | str, dict[str, Any]] = {200: {"content": {"text/markdown": {}, "application/graphml+xml": {}}}}


@router.post("", response_model=ImpactReport, responses=ALSO)
async def impact(
    agent: Agent,
    graphmem: Services,
    asked: ImpactQuestion,
    format_: Annotated[
        ImpactFormat, Query(alias="format", description="`markdown` for a pull request, `graphml` for other tools")
    ] = "json",
) -> Response:
    """What a change of an entity would reach, nearest first, each with its most confident path."""
    report = await graphmem.impact.impacting.impact(agent, asked)
    if format_ == "json":
        return reply(report)
    if format_ == "markdown":
        from graphmem.rules.impact.text import impact_text

        return Response(impact_text(report), media_type="text/markdown")
    from graphmem.rules.impact.graphml import impact_graphml

    return Response("".join(impact_graphml(report)), media_type="application/graphml+xml")


@router.post("/what-if", response_model=WhatIfReport)
async def what_if(agent: Agent, graphmem: Services, asked: WhatIf) -> Response:
    """What would lose its last support if a fact were superseded or a dependency removed. Writes nothing."""
    return reply(await graphmem.impact.impacting.what_if(agent, asked))


@router.post("/critical", response_model=CriticalReport)
async def critical(agent: Agent, graphmem: Services, asked: CriticalQuestion) -> Response:
    """Single points of failure and critical paths of what a change would reach."""
    return reply(await graphmem.impact.impacting.critical(agent, asked))
