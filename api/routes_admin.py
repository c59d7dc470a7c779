"""Routes of operation: status, jobs and health."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from api.auth import Access
from api.calls import Agent, Guarded, Services, Writing, reply
from api.metrics import MEDIA_TYPE, Metrics
from api.schemas import PROBLEMS, Cursor, Limit
from graphmem.model.answers import Examination, Job, Page, Status, TelemetryEvent, UpkeepRun
from graphmem.model.inputs import Instant, StartUpkeep

router = APIRouter(tags=["operation"], responses=PROBLEMS, route_class=Guarded)


@router.get("/api/status", response_model=Status)
async def status(request: Request, agent: Agent, graphmem: Services) -> Response:
    """How the memory of an agent is doing; all backlogs 0: everything accepted so far is searchable. Paths of the
    machine are among the settings for keys of the scope `admin` only."""
    access: Access = request.state.access
    return reply(await graphmem.operation.reporting.status(agent, paths=access.scope == "admin"))


@router.get("/api/doctor", response_model=Examination)
async def doctor(agent: Agent, graphmem: Services) -> Response:
    """What is wrong with the memory of an agent and the store beneath it, with what to do; it changes nothing."""
    return reply(await graphmem.operation.doctor.examine(agent))


@router.get("/api/jobs/{jobId}", response_model=Job)
async def get_job(agent: Agent, graphmem: Services, job_id: Annotated[str, Path(alias="jobId")]) -> Response:
    """What became of a promised piece of work."""
    return reply(await graphmem.operation.reporting.job(agent, job_id))


@router.post("/api/repair/upkeep", response_model=UpkeepRun)
async def start_upkeep(write: Writing, given: StartUpkeep, graphmem: Services) -> Response:
    """Have one chore of the store done at once; `upkeep` in the status names them and tells what came of it."""
    return await write(lambda _: graphmem.operation.chores.start(given.name))


@router.get("/api/telemetry/events", response_model=Page[TelemetryEvent])
async def telemetry_events(
    agent: Agent,
    graphmem: Services,
    name: Annotated[list[str] | None, Query(description="Only events of this name; several may be given")] = None,
    since: Annotated[Instant | None, Query(alias="from", description="Only events from this time on")] = None,
    until: Annotated[Instant | None, Query(alias="to", description="Only events before this time")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """What happened to the memory of an agent, newest first: names, levels and counts, no words."""
    return reply(await graphmem.operation.telemetry.events(agent, name or (), since, until, limit, cursor))


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request, graphmem: Services) -> Response:
    """How the service and its store are doing, for Prometheus: all agents together, nothing of what they said. A key
    of one agent gets figures of that agent."""
    measured: Metrics = request.app.state.metrics
    access: Access = request.state.access
    told = await (measured.of_agent(graphmem, access.agent_id) if access.one_agent else measured.text(graphmem))
    return Response(told, media_type=MEDIA_TYPE)


@router.get("/healthz", openapi_extra={"security": []})
async def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "ok"}


@router.get("/readyz", openapi_extra={"security": []})
async def readyz(graphmem: Services) -> dict[str, str]:
    """The database answers."""
    await graphmem.database.ping()
    return {"status": "ready"}
