"""A caller settles how facts stand to each other: several at once, all or none, and every verdict can be undone."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from graphmem.app import Graphmem
from graphmem.model.caller import Caller
from graphmem.model.inputs import StartSweep
from graphmem.services.operation.work import Worker
from tests.waiting import until

Json = dict[str, Any]
OLD, NEW = "The nursery keeps bees.", "The nursery rents its hives out."


@pytest.fixture
async def stranger(transport: httpx.ASGITransport, agent_id: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"X-Agent-Id": f"stranger-{agent_id}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=60
    ) as client:
        yield client


async def ok(response: httpx.Response, *statuses: int) -> Json:
    assert response.status_code in (statuses or (200,)), response.text
    body: Json = response.json()
    return body


async def keep(http: httpx.AsyncClient, content: str, day: int = 1, **more: Any) -> str:
    given = {"content": content, "entity": "nursery", "validFrom": f"2026-03-{day:02}"} | more
    receipt = await ok(await http.post("/api/memory/remember", json=given), 200, 201)
    return str(receipt["attributes"][0]["id"])


async def resolve(http: httpx.AsyncClient, *items: tuple[str, str, str | None], **more: Any) -> list[Json]:
    body = {"items": [{"verdict": verdict, "id": id_, "with": other} for verdict, id_, other in items]} | more
    settled: list[Json] = (await ok(await http.post("/api/memory/resolve", json=body)))["settled"]
    return settled


async def get(http: httpx.AsyncClient, id_: str) -> Json:
    return await ok(await http.get(f"/api/memory/{id_}"))


async def status(http: httpx.AsyncClient, *ids: str) -> list[str]:
    return [(await get(http, id_))["status"] for id_ in ids]


async def undo(http: httpx.AsyncClient, settled: Json) -> None:
    record = settled["supersession"]["id"]
    await ok(await http.post(f"/api/memory/supersessions/{record}/undo", json={"reason": "rash"}))


async def faults(http: httpx.AsyncClient) -> list[Json]:
    findings: list[Json] = (await ok(await http.get("/api/doctor")))["findings"]
    return [one for one in findings if one["severity"] == "error"]


async def events(http: httpx.AsyncClient, id_: str) -> list[str]:
    return [one["kind"] for one in (await ok(await http.get(f"/api/memory/{id_}/history")))["items"]]


async def test_supersedes_retires_the_other_and_is_undone(http: httpx.AsyncClient) -> None:
    old, new = await keep(http, OLD, 1), await keep(http, NEW, 2)
    (settled,) = await resolve(http, ("supersedes", new, old), reason="they were sold")
    assert (settled["id"], settled["with"], settled["verdict"]) == (new, old, "supersedes")
    record = settled["supersession"]
    assert (record["oldId"], record["newId"], record["status"]) == (old, new, "applied")
    assert (record["method"], record["reason"]) == ("user", "they were sold")
    assert await status(http, old, new) == ["superseded", "active"]
    await undo(http, settled)
    assert await status(http, old, new) == ["active", "active"]


async def test_same_keeps_the_older_with_one_more_source_and_is_undone(http: httpx.AsyncClient) -> None:
    old, new = await keep(http, OLD, 1), await keep(http, "There are hives at the nursery.", 2)
    (sources,) = [(await get(http, new))["memoryIds"]]
    before = (await get(http, old))["memoryIds"]
    (settled,) = await resolve(http, ("same", new, old))
    assert (settled["supersession"]["oldId"], settled["supersession"]["newId"]) == (new, old)
    assert settled["supersession"]["reason"] == "It says the same as the older fact."
    assert (await get(http, old))["memoryIds"] == [*before, *sources]
    assert await status(http, old, new, *sources) == ["active", "superseded", "active"]
    await undo(http, settled)
    assert await status(http, old, new) == ["active", "active"]
    assert (await get(http, old))["memoryIds"] == before
    assert await faults(http) == []


@pytest.mark.parametrize("turned", [False, True])
async def test_same_means_the_same_in_either_order(http: httpx.AsyncClient, turned: bool) -> None:
    pair = [await keep(http, OLD, 1), await keep(http, "There are hives at the nursery.", 2)]
    await resolve(http, ("same", *reversed(pair)) if turned else ("same", *pair))
    assert await status(http, *pair) == ["active", "superseded"]


async def test_both_survives_a_sweep(
    http: httpx.AsyncClient, graphmem: Graphmem, agent_id: str, worker: Worker
) -> None:
    old = await keep(http, "nursery opens at eight.", 1, aspect="hours", claimKey="opens")
    new = await keep(http, "nursery opens at nine.", 2, aspect="hours", claimKey="opens")
    (settled,) = await resolve(http, ("both", new, old), reason="summer and winter")
    assert (settled["supersession"]["oldId"], settled["supersession"]["status"]) == (old, "rejected")
    assert await status(http, old, new) == ["active", "active"]
    assert (await graphmem.knowledge.sweeping.start(Caller(agent_id), StartSweep(dry_run=True))).items == ()
    job = (await graphmem.knowledge.sweeping.start(Caller(agent_id), StartSweep())).job_id

    async def swept() -> bool:
        return bool((await ok(await http.get(f"/api/jobs/{job}")))["status"] == "done")

    await until(swept)
    assert await status(http, old, new) == ["active", "active"]
    assert await faults(http) == []


async def test_both_before_any_pass_found_the_pair_keeps_it_from_all_of_them(
    http: httpx.AsyncClient, graphmem: Graphmem, agent_id: str
) -> None:
    old, new = await keep(http, OLD, 1), await keep(http, NEW, 2)
    (settled,) = await resolve(http, ("both", old, new))
    record = settled["supersession"]
    assert (record["oldId"], record["newId"], record["status"]) == (old, new, "rejected")
    assert await resolve(http, ("both", new, old)) == [settled | {"id": new, "with": old}]
    assert await graphmem.knowledge.superseding.supersessions.recorded(agent_id, [old]) == {(old, new): "rejected"}
    await resolve(http, ("supersedes", new, old))
    assert await status(http, old, new) == ["superseded", "active"]


async def test_wrong_withdraws_and_restore_brings_back(http: httpx.AsyncClient) -> None:
    old = await keep(http, "nursery opens at eight.", 1, claimKey="opens")
    new = await keep(http, "nursery opens at nine.", 2, claimKey="opens")
    (settled,) = await resolve(http, ("wrong", new, old), reason="misheard")
    assert settled["supersession"] is None
    assert await status(http, old, new) == ["active", "deleted"]
    assert await resolve(http, ("wrong", new, None)) == [settled | {"with": None}]
    assert (await events(http, new)).count("attribute_deleted") == 1
    await ok(await http.post(f"/api/memory/{new}/restore", json={"reason": "heard well"}))
    assert await status(http, new) == ["active"]
    assert await faults(http) == []


@pytest.mark.parametrize(
    ("verdict", "record", "left"),
    [("supersedes", "applied", ["superseded", "active"]), ("both", "rejected", ["active", "active"])],
)
async def test_proposal_is_settled_by_a_verdict(
    http: httpx.AsyncClient, verdict: str, record: str, left: list[str]
) -> None:
    old = await keep(http, "Ines runs it.", 1, claim={"slot": "owner", "value": "Ines"})
    body = {"content": "The owner of the nursery is Jelle."}
    read = await ok(await http.post("/api/memory/remember", json=body), 201)
    (proposal,) = read["proposals"]
    assert (await ok(await http.get("/api/memory/supersessions?status=proposed")))["items"] == [proposal]
    (settled,) = await resolve(http, (verdict, proposal["newId"], proposal["oldId"]))
    assert settled["supersession"]["id"] == proposal["id"]
    assert settled["supersession"]["status"] == record
    assert await status(http, old, proposal["newId"]) == left
    assert (await ok(await http.get("/api/memory/supersessions?status=proposed")))["items"] == []


async def test_constraint_is_never_retired(http: httpx.AsyncClient) -> None:
    rule = await keep(http, "Never open the hives in winter.", 1, kind="constraint")
    fact = await keep(http, NEW, 2)
    for verdict, id_, other in (("supersedes", fact, rule), ("wrong", rule, None)):
        body = {"items": [{"verdict": verdict, "id": id_, "with": other}]}
        refused = await http.post("/api/memory/resolve", json=body)
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
        assert "is a constraint" in refused.json()["detail"]
    assert await status(http, rule, fact) == ["active", "active"]


async def test_all_verdicts_take_effect_or_none(http: httpx.AsyncClient) -> None:
    old, new = await keep(http, OLD, 1), await keep(http, NEW, 2)
    rule = await keep(http, "Never open the hives in winter.", 1, kind="constraint")
    items = [
        {"id": new, "with": old, "verdict": "supersedes"},
        {"id": new, "with": rule, "verdict": "supersedes"},
    ]
    assert (await http.post("/api/memory/resolve", json={"items": items})).status_code == 409
    assert await status(http, old, new, rule) == ["active"] * 3
    assert "superseded" not in await events(http, old)
    third = await keep(http, "The nursery sells honey.", 3)
    settled = await resolve(http, ("supersedes", new, old), ("both", new, third))
    assert [one["supersession"]["status"] for one in settled] == ["applied", "rejected"]
    assert len({one["supersession"]["id"] for one in settled}) == 2


async def test_repeat_with_the_same_key_gets_the_first_answer(http: httpx.AsyncClient) -> None:
    old, new = await keep(http, OLD, 1), await keep(http, NEW, 2)
    body = {"items": [{"id": new, "with": old, "verdict": "supersedes"}]}
    first, again = [
        await http.post("/api/memory/resolve", json=body, headers={"Idempotency-Key": "k"}) for _ in range(2)
    ]
    assert (first.status_code, again.status_code, again.text) == (200, 200, first.text)
    assert again.headers["Idempotency-Replayed"] == "true"
    other = {"items": [{"id": old, "with": new, "verdict": "both"}]}
    reused = await http.post("/api/memory/resolve", json=other, headers={"Idempotency-Key": "k"})
    assert reused.json()["code"] == "idempotency_key_reused"
    assert (await events(http, old)).count("superseded") == 1


async def test_facts_of_another_agent_are_unknown(http: httpx.AsyncClient, stranger: httpx.AsyncClient) -> None:
    old, new, theirs = await keep(http, OLD, 1), await keep(http, NEW, 2), await keep(stranger, OLD, 1)
    for id_, other in ((theirs, old), (new, theirs)):
        body = {"items": [{"id": new, "with": old, "verdict": "same"}, {"id": id_, "with": other, "verdict": "same"}]}
        refused = await http.post("/api/memory/resolve", json=body)
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    assert await status(http, old, new) == await status(stranger, theirs) * 2 == ["active", "active"]


@pytest.mark.parametrize(
    ("items", "wrong"),
    [
        ([], "at least 1 item"),
        ([{"id": "a", "verdict": "same"}], "give with too"),
        ([{"id": "a", "with": "a", "verdict": "both"}], "give the other fact"),
        ([{"id": "a", "with": "b", "verdict": "maybe"}], "'same', 'supersedes', 'both' or 'wrong'"),
    ],
)
async def test_verdict_that_makes_no_sense_is_refused(http: httpx.AsyncClient, items: list[Json], wrong: str) -> None:
    response = await http.post("/api/memory/resolve", json={"items": items})
    assert response.status_code == 422
    assert wrong in response.text


async def test_pair_is_named_once(http: httpx.AsyncClient) -> None:
    old, new = await keep(http, OLD, 1), await keep(http, NEW, 2)
    items = [{"id": new, "with": old, "verdict": "both"}, {"id": old, "with": new, "verdict": "same"}]
    response = await http.post("/api/memory/resolve", json={"items": items})
    assert (response.status_code, response.json()["errors"][0]["loc"][-2:]) == (422, ["items", 1])


async def test_memory_with_one_fact_stands_for_it(http: httpx.AsyncClient) -> None:
    old, new = await keep(http, OLD, 1), await keep(http, NEW, 2)
    memories = [(await get(http, id_))["memoryIds"][0] for id_ in (new, old)]
    (settled,) = await resolve(http, ("supersedes", *memories))
    assert (settled["id"], settled["with"]) == (new, old)
