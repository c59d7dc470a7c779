"""What Prometheus reads: valid, counted right, and nothing about anybody."""

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import httpx
import pytest
from neo4j import AsyncGraphDatabase
from prometheus_client.parser import text_string_to_metric_families

from api.app import create_app
from graphmem.graph.connection import Database
from graphmem.graph.operation.totals import TotalsStore, job_totals, store_totals
from graphmem.services.operation.work import Worker
from graphmem.settings import Settings


class Figures:
    """A scrape, parsed."""

    def __init__(self, answered: httpx.Response) -> None:
        assert answered.status_code == 200
        assert answered.headers["content-type"].startswith("text/plain; version=0.0.4")
        self.text = answered.text
        self.families = {family.name: family for family in text_string_to_metric_families(answered.text)}
        self.samples = [sample for family in self.families.values() for sample in family.samples]

    def value(self, name: str, **labels: str) -> float:
        """The value of a sample, 0 where it is not there yet."""
        found = [one.value for one in self.samples if one.name == name and one.labels == labels]
        assert len(found) <= 1, f"{name} {labels} is there {len(found)} times"
        return found[0] if found else 0.0


@pytest.fixture
async def alone(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """An application of its own, whose counters begin at 0."""
    app: Any = create_app(settings)
    async with app.router.lifespan_context(app):
        await app.state.graphmem.models_loaded()
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as client:
            yield client


async def test_requests_are_counted_and_timed_by_route_never_by_path(alone: httpx.AsyncClient) -> None:
    marker = f"zqx{uuid4().hex}"
    headers = {"X-Agent-Id": marker}
    for _ in range(3):
        await alone.get(f"/api/sessions/{marker}", headers=headers)
    await alone.post("/api/sessions", json={"sessionId": marker}, headers=headers)
    await alone.get(f"/{marker}")
    await alone.request(marker.upper(), "/api/sessions")
    figures = Figures(await alone.get("/metrics"))
    route = {"method": "GET", "route": "/api/sessions/{sessionId}"}
    assert figures.value("graphmem_http_requests_total", **route, status="404") == 3
    assert figures.value("graphmem_http_request_duration_seconds_count", **route) == 3
    assert 0 < figures.value("graphmem_http_request_duration_seconds_sum", **route) < 10
    made = {"method": "POST", "route": "/api/sessions", "status": "201"}
    assert figures.value("graphmem_http_requests_total", **made) == 1
    unknown = {"method": "GET", "route": "unknown", "status": "404"}
    assert figures.value("graphmem_http_requests_total", **unknown) == 1
    assert any(one.labels.get("method") == "other" for one in figures.samples)
    assert figures.value("graphmem_http_requests_in_flight") == 1, "this one"
    assert marker not in figures.text.lower()


async def test_applications_do_not_share_their_counters(http: httpx.AsyncClient, alone: httpx.AsyncClient) -> None:
    for _ in range(2):
        await http.get("/readyz")
    figures = Figures(await alone.get("/metrics"))
    assert figures.value("graphmem_http_requests_total", method="GET", route="/readyz", status="200") == 0


async def test_process_and_build_are_told(alone: httpx.AsyncClient) -> None:
    figures = Figures(await alone.get("/metrics"))
    assert figures.value("process_resident_memory_bytes") > 10_000_000
    assert figures.value("process_cpu_seconds_total") > 0
    (build,) = figures.families["graphmem_build_info"].samples
    assert build.labels["version"]
    assert figures.value("graphmem_embedder_ready") == 1


async def test_the_store_is_counted_for_all_agents(http: httpx.AsyncClient, worker: Worker) -> None:
    before = Figures(await http.get("/metrics"))
    message = {"role": "user", "content": "lamp-service uses PostgreSQL."}
    await http.post("/api/sessions/s/messages", json={"messages": [message]})
    await http.post("/api/sessions/s/end", json={"wait": True})
    after = Figures(await http.get("/metrics"))
    assert after.value("graphmem_database_up") == 1
    for label in ("Session", "Message", "Memory", "Entity", "Attribute", "Summary"):
        assert after.value("graphmem_nodes", label=label) > before.value("graphmem_nodes", label=label), label
    assert after.value("graphmem_jobs", status="done") > before.value("graphmem_jobs", status="done")
    for status in ("queued", "running", "failed"):
        assert after.value("graphmem_jobs", status=status) >= 0
    assert {one.labels["kind"] for one in after.families["graphmem_backlog"].samples} == {"embedding", "sealing"}
    chunks = "graphmem_extraction_chunks"
    assert after.value(chunks, level="1") == before.value(chunks, level="1") + 1
    assert {one.labels["level"] for one in after.families[chunks].samples} == {"1", "2", "3"}
    for name in ("graphmem_extraction_dropped", "graphmem_extraction_fallbacks"):
        assert after.value(name) >= 0
        assert name in after.families


async def test_what_people_make_of_supersessions_is_told(http: httpx.AsyncClient) -> None:
    before = Figures(await http.get("/metrics"))
    slot = {"entity": "lamp-service", "aspect": "port", "claimKey": "port"}
    for day, port in enumerate((8080, 9090), 1):
        body = slot | {"content": f"lamp-service listens on port {port}", "validFrom": f"2026-01-0{day}T00:00:00Z"}
        kept = (await http.post("/api/memory/remember", json=body)).json()
    (record,) = kept["superseded"]
    applied = Figures(await http.get("/metrics"))
    assert {one.labels["status"] for one in applied.families["graphmem_supersessions"].samples} == {
        "proposed",
        "applied",
        "rejected",
        "undone",
    }

    def more(figures: Figures, status: str) -> float:
        name = "graphmem_supersessions"
        return figures.value(name, status=status) - before.value(name, status=status)

    assert (more(applied, "applied"), more(applied, "undone")) == (1, 0)
    await http.post(f"/api/memory/supersessions/{record['id']}/undo")
    undone = Figures(await http.get("/metrics"))
    assert (more(undone, "applied"), more(undone, "undone")) == (0, 1)
    low = undone.value("graphmem_supersession_precision")
    await http.post(f"/api/memory/supersessions/{record['id']}/accept")
    assert low < Figures(await http.get("/metrics")).value("graphmem_supersession_precision") <= 1


class Undone(Exception):
    """Rolls a transaction back."""


async def test_what_waits_and_what_failed_is_counted(database: Database) -> None:
    seen: list[Any] = []

    async def work(tx: Any) -> None:
        seen.extend([await store_totals(tx), await job_totals(tx)])
        # Many, so that what others do meanwhile does not matter.
        make = "UNWIND range(1, 1000) AS n CREATE (:Unsealed), (:Unembedded) "
        make += "CREATE (:Job {status: 'failed', availableAt: datetime()}), (:Job {status: 'done'})"
        await (await tx._run(make, {})).consume()
        seen.extend([await store_totals(tx), await job_totals(tx)])
        raise Undone

    with pytest.raises(Undone):
        await database.write(work)
    (_, unembedded, unsealed), jobs, (_, more_unembedded, more_unsealed), more_jobs = seen
    assert more_unembedded - unembedded > 500
    assert more_unsealed - unsealed > 500
    assert more_jobs["failed"] - jobs["failed"] > 500
    assert more_jobs["done"] - jobs["done"] > 500
    assert abs(more_jobs["queued"] - jobs["queued"]) < 500


async def test_the_last_runs_of_chores_are_told(http: httpx.AsyncClient, worker: Worker) -> None:
    figures = Figures(await http.get("/metrics"))
    listed = (await http.get("/api/status")).json()["upkeep"]
    ran = [run["name"] for run in listed if run["lastRun"]]
    for name in ran:
        at = figures.value("graphmem_upkeep_last_run_timestamp_seconds", chore=name)
        assert 0 < at <= time.time() + 60
    assert {one.labels["chore"] for one in figures.families["graphmem_upkeep_failed"].samples} == {
        run["name"] for run in listed
    }


async def test_a_database_that_is_away_is_told_before_prometheus_gives_up(alone: httpx.AsyncClient) -> None:
    application: Any = alone._transport
    services = application.app.state.graphmem
    async with AsyncGraphDatabase.driver("bolt://127.0.0.1:1") as nowhere:
        away = TotalsStore(Database(nowhere, "neo4j", "nowhere", nowhere))
        services.operation = replace(services.operation, totals=away)
        figures = Figures(await alone.get("/metrics"))
    assert "graphmem_database_up" in figures.families
    assert figures.value("graphmem_database_up") == 0
    assert "graphmem_jobs" not in figures.families
    assert figures.value("process_resident_memory_bytes") > 0


async def test_statements_are_counted_by_the_level_they_were_read_at(alone: httpx.AsyncClient) -> None:
    headers = {"X-Agent-Id": f"zqx{uuid4().hex}"}
    much = " ".join(f"{one}lamp-service uses {one}oil-store." for one in "abcdefghijklmn")
    for said in ("lamp-service uses Redis.", "door-service uses Redis.", much):
        assert (await alone.post("/api/memory/remember", json={"content": said}, headers=headers)).status_code == 201
    figures = Figures(await alone.get("/metrics"))
    counted = [figures.value("graphmem_extraction_statements_total", level=level) for level in "123"]
    assert counted == [2, 0, 1]
