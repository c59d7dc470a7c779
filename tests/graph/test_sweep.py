"""The sweep: what newer facts contradict among those kept already is retired once, and never against what a person
decided."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from api.app import create_app
from graphmem.adapters.identity import rules_id, utc_now
from graphmem.app import Graphmem
from graphmem.rules.contradiction.traits import pack, traits_of, unpack
from graphmem.rules.supersession.retirement import Swept
from graphmem.services.operation.work import Worker
from graphmem.settings import Settings
from tests.agents import snapshot, worker_at
from tests.waiting import worked_until

Json = dict[str, Any]
DAYS = [f"2026-03-0{day}T00:00:00Z" for day in range(1, 10)]
SWEEP = "/api/repair/supersession-sweep"


async def ok(response: httpx.Response, *statuses: int) -> Json:
    assert response.status_code in (statuses or (200,)), response.text
    body: Json = response.json()
    return body


def client(transport: httpx.ASGITransport, agent_id: str) -> httpx.AsyncClient:
    headers = {"X-Agent-Id": agent_id}
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=60)


@pytest.fixture
async def off(settings: Settings, agent_id: str) -> AsyncIterator[httpx.AsyncClient]:
    """The same store where facts retire nothing: what contradicts each other stays active."""
    app = create_app(settings.model_copy(update={"supersession_enabled": False}))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with app.router.lifespan_context(app), client(transport, agent_id) as opened:
        yield opened


async def keep(http: httpx.AsyncClient, content: str, day: int, **more: Any) -> str:
    given = {"content": content, "entity": "wick-service", "aspect": "hosting", "validFrom": DAYS[day]} | more
    kept = await ok(await http.post("/api/memory/remember", json=given), 200, 201)
    return str(kept["attributes"][0]["id"])


async def hosts(http: httpx.AsyncClient, count: int = 3, **more: Any) -> list[str]:
    """Facts of one slot that contradict each other, oldest first."""
    return [
        await keep(http, f"{more.get('entity', 'wick-service')} runs on host {day}", day, claimKey="host", **more)
        for day in range(count)
    ]


async def swept(graphmem: Graphmem, http: httpx.AsyncClient, **how: Any) -> Json:
    """The result of a sweep, carried out to its end."""
    job_id = (await ok(await http.post(SWEEP, json=how)))["jobId"]
    worker = graphmem.worker()

    async def ended() -> Json | None:
        job = await ok(await http.get(f"/api/jobs/{job_id}"))
        return job if job["status"] in ("done", "failed") else None

    job = await worked_until(worker, ended)
    assert job is not None
    assert job["status"] == "done", job
    result: Json = job["result"]
    return result


async def get(http: httpx.AsyncClient, id_: str) -> Json:
    return await ok(await http.get(f"/api/memory/{id_}"))


async def listed(http: httpx.AsyncClient) -> list[Json]:
    items: list[Json] = (await ok(await http.get("/api/memory/supersessions")))["items"]
    return items


async def held(bolt: AsyncDriver, agent_id: str) -> tuple[Any, int]:
    """All that the agent has, and the length of its history."""
    rows, _, _ = await bolt.execute_query("MATCH (e:Event {agent_id: $a}) RETURN count(e) AS n", a=agent_id)
    return await snapshot(bolt, agent_id), int(rows[0]["n"])


async def test_a_sweep_retires_what_contradicts_and_the_next_one_writes_nothing(
    graphmem: Graphmem, http: httpx.AsyncClient, off: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    ids = await hosts(off)
    other = await keep(off, "wick-service logs to disk", 0)
    assert await listed(http) == []
    assert await swept(graphmem, http) == {"retired": 2, "proposed": 0}
    found = [await get(http, id_) for id_ in ids]
    assert [one["supersededBy"] for one in found] == [ids[1], ids[2], None]
    assert [one["validTo"] for one in found] == [DAYS[1], DAYS[2], None]
    assert (await get(http, other))["status"] == "active"
    history = (await ok(await http.get(f"/api/memory/{ids[0]}/history")))["items"]
    (told,) = [one for one in history if one["kind"] == "superseded"]
    assert (told["actor"], told["after"]["method"], told["after"]["confidence"]) == ("sweep", "claim", 1.0)
    before = await held(bolt, agent_id)
    assert await swept(graphmem, http) == {"retired": 0, "proposed": 0}
    assert await held(bolt, agent_id) == before


async def test_a_dry_run_tells_what_a_sweep_would_do_and_writes_nothing(
    http: httpx.AsyncClient, off: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    ids = await hosts(off)
    before = await held(bolt, agent_id)
    told = await ok(await http.post(SWEEP, json={"dryRun": True}))
    assert (told["jobId"], told["affected"]) == (None, 2)
    assert [(one["oldId"], one["newId"], one["status"]) for one in told["items"]] == [
        (ids[1], ids[2], "applied"),
        (ids[0], ids[1], "applied"),
    ], "newest first"
    assert (await ok(await http.post(SWEEP, json={"dryRun": True, "limit": 1})))["affected"] == 1
    assert await held(bolt, agent_id) == before
    assert (await off.post(SWEEP)).status_code == 409
    assert (await ok(await off.post(SWEEP, json={"dryRun": True})))["affected"] == 2


async def test_a_limit_ends_a_sweep_early(graphmem: Graphmem, http: httpx.AsyncClient, off: httpx.AsyncClient) -> None:
    ids = await hosts(off)
    assert await swept(graphmem, http, limit=1) == {"retired": 1, "proposed": 0}
    assert [(await get(http, id_))["status"] for id_ in ids] == ["active", "superseded", "active"]
    assert (await swept(graphmem, http))["retired"] == 1


@pytest.mark.parametrize("setting", ["shadow_mode", "mutations_frozen"])
async def test_a_sweep_that_may_not_change_proposes_each_pair_once(
    graphmem: Graphmem,
    settings: Settings,
    http: httpx.AsyncClient,
    off: httpx.AsyncClient,
    bolt: AsyncDriver,
    agent_id: str,
    setting: str,
) -> None:
    ids = await hosts(off)
    quiet = await Graphmem.open(settings.model_copy(update={setting: True}), None, load_models=False)
    assert await swept(quiet, http) == {"retired": 0, "proposed": 2}
    assert [(await get(http, id_))["status"] for id_ in ids] == ["active"] * 3
    before = await held(bolt, agent_id)
    assert await swept(quiet, http) == {"retired": 0, "proposed": 0}
    assert await held(bolt, agent_id) == before
    await quiet.close()
    refused = next(one for one in await listed(http) if one["oldId"] == ids[0])
    await ok(await http.post(f"/api/memory/supersessions/{refused['id']}/reject"))
    assert (await swept(graphmem, http))["retired"] == 2, "what was proposed then is done now"
    assert {one["id"]: one["status"] for one in await listed(http)}[refused["id"]] == "rejected"
    assert (await get(http, ids[0]))["supersededBy"] == ids[2], "the next one that nobody rejected"


async def test_what_a_person_undid_is_left_alone(graphmem: Graphmem, http: httpx.AsyncClient) -> None:
    ids = await hosts(http, 2)
    (record,) = await listed(http)
    await ok(await http.post(f"/api/memory/supersessions/{record['id']}/undo"))
    assert await swept(graphmem, http) == {"retired": 0, "proposed": 0}
    assert [(await get(http, id_))["status"] for id_ in ids] == ["active", "active"]


async def test_what_a_person_undid_is_left_alone_though_something_had_come_in_between(
    graphmem: Graphmem, http: httpx.AsyncClient
) -> None:
    first = await keep(http, "wick-service runs on host 1", 1, claimKey="host")
    last = await keep(http, "wick-service runs on host 8", 8, claimKey="host")
    between = await keep(http, "wick-service runs on host 4", 4, claimKey="host")
    for newer in (between, last):
        (record,) = [one for one in await listed(http) if (one["oldId"], one["newId"]) == (first, newer)]
        assert record["status"] == "applied"
        await ok(await http.post(f"/api/memory/supersessions/{record['id']}/undo"))
    assert (await get(http, first))["status"] == "active"
    assert await swept(graphmem, http) == {"retired": 0, "proposed": 0}
    assert (await get(http, first))["status"] == "active"


async def test_a_sweep_never_retires_a_rule_or_what_is_pinned(
    graphmem: Graphmem, http: httpx.AsyncClient, off: httpx.AsyncClient
) -> None:
    pinned = await keep(off, "wick-service runs on host 1", 0, claimKey="host", pinned=True)
    rule = await keep(off, "wick-service must run on host 2", 1, claimKey="host", kind="constraint")
    await keep(off, "wick-service runs on host 3", 2, claimKey="host")
    assert await swept(graphmem, http) == {"retired": 0, "proposed": 0}
    assert [(await get(http, id_))["status"] for id_ in (pinned, rule)] == ["active", "active"]


async def test_a_sweep_puts_a_late_fact_in_its_place_in_the_chain(
    graphmem: Graphmem, http: httpx.AsyncClient, off: httpx.AsyncClient
) -> None:
    first = await keep(http, "wick-service runs on host 1", 0, claimKey="host")
    last = await keep(http, "wick-service runs on host 3", 2, claimKey="host")
    middle = await keep(off, "wick-service runs on host 2", 1, claimKey="host")
    assert await swept(graphmem, http) == {"retired": 2, "proposed": 0}
    assert [(await get(http, id_))["supersededBy"] for id_ in (first, middle, last)] == [middle, last, None]


async def test_a_sweep_goes_on_where_a_killed_worker_left_it(
    graphmem: Graphmem, http: httpx.AsyncClient, off: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.services.knowledge.sweeping.BATCH", 1)
    for name in ("wick-service", "lamp-service", "oil-store"):
        await hosts(off, 2, entity=name)
    job_id = (await ok(await http.post(SWEEP)))["jobId"]
    looked_at: list[str] = []
    step = type(graphmem.knowledge.sweeping).step

    async def watched(self: Any, agent: str, mark: Any) -> Any:
        if len(looked_at) == 2 and "killed" not in looked_at:
            looked_at.append("killed")
            raise KeyboardInterrupt
        looked_at.append(mark.before)
        return await step(self, agent, mark)

    monkeypatch.setattr(type(graphmem.knowledge.sweeping), "step", watched)
    began = utc_now()

    def worker(after_s: float) -> Worker:
        return worker_at(graphmem, lambda: began + timedelta(seconds=after_s), f"worker-{after_s}", lease_s=30)

    async def work(after_s: float) -> None:
        while await worker(after_s).work_once():
            pass

    with pytest.raises(KeyboardInterrupt):
        await work(1)
    killed = await ok(await http.get(f"/api/jobs/{job_id}"))
    assert (killed["status"], killed["progress"]) == ("running", pytest.approx(2 / 3))
    await work(100)
    job = await ok(await http.get(f"/api/jobs/{job_id}"))
    assert (job["status"], job["result"]) == ("done", {"retired": 3, "proposed": 0})
    assert len(set(looked_at)) == len(looked_at), "no entity is looked at twice"


async def test_the_chore_asks_for_a_sweep_of_every_agent(
    graphmem: Graphmem, http: httpx.AsyncClient, off: httpx.AsyncClient, agent_id: str
) -> None:
    await hosts(off, 2)
    assert await graphmem.knowledge.sweeping.start_all() is False
    open_jobs = await graphmem.operation.jobs.open_jobs(agent_id)
    assert [(one.kind, one.status) for one in open_jobs] == [("supersession_sweep", "queued")]
    assert (await ok(await http.get("/api/status")))["backlog"]["extraction"] == 0
    assert (await ok(await http.post(SWEEP)))["jobId"] == open_jobs[0].id, "one sweep of an agent at a time"


@pytest.mark.parametrize(("part", "elsewhere"), [(1, True), (100, False)])
async def test_facts_of_many_entities_are_compared_in_other_processes(
    graphmem: Graphmem,
    http: httpx.AsyncClient,
    off: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    part: int,
    elsewhere: bool,
) -> None:
    ids = [*await hosts(off, 2, entity="buoy-service"), *await hosts(off, 2, entity="mast-service")]
    computed: list[Swept] = []

    async def compute(work: Callable[[], Swept]) -> Swept:
        computed.append(await graphmem.knowledge.sweeping.compute(work))
        return computed[-1]

    monkeypatch.setattr("graphmem.services.knowledge.sweeping.PART", part)
    sweeping = replace(graphmem.knowledge.sweeping, compute=compute)
    watched = replace(graphmem, knowledge=replace(graphmem.knowledge, sweeping=sweeping))
    assert await swept(watched, http) == {"retired": 2, "proposed": 0}
    assert {ids[0], ids[2]} <= {one.old_id for found in computed for one in found.retirements} or not elsewhere
    assert bool(computed) == elsewhere


async def kept_traits(bolt: AsyncDriver, agent_id: str) -> dict[str, bytes | None]:
    """By what facts say."""
    rows, _, _ = await bolt.execute_query(
        "MATCH (t:Attribute {agent_id: $agent_id}) RETURN t.content AS content, t.traits AS traits", agent_id=agent_id
    )
    return {row["content"]: row["traits"] for row in rows}


async def test_what_is_found_in_the_words_of_a_fact_is_kept_beside_it_by_a_write_and_by_a_sweep(
    graphmem: Graphmem, http: httpx.AsyncClient, off: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    said = ["wick-service is open", "wick-service has two doors", "wick-service never has a third door"]
    await keep(http, said[0], 1)
    assert unpack((await kept_traits(bolt, agent_id))[said[0]], said[0], rules_id()) == traits_of(said[0])
    await keep(off, said[1], 2)
    await keep(off, said[2], 3, kind="constraint")
    assert (await kept_traits(bolt, agent_id))[said[1]] is None
    await bolt.execute_query(
        "MATCH (t:Attribute {agent_id: $agent_id, content: $content}) SET t.traits = $traits",
        agent_id=agent_id,
        content=said[0],
        traits=pack(said[0], "the rules of yesterday"),
    )
    assert await swept(graphmem, http) == {"retired": 0, "proposed": 0}
    kept = await kept_traits(bolt, agent_id)
    assert [unpack(kept[one], one, rules_id()) for one in said] == [traits_of(said[0]), traits_of(said[1]), None]


async def test_a_dry_run_keeps_no_traits(
    http: httpx.AsyncClient, off: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    await hosts(off)
    await ok(await http.post(SWEEP, json={"dryRun": True}))
    assert set((await kept_traits(bolt, agent_id)).values()) == {None}
