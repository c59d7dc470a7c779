"""A graph is taken over: what an export holds, or dependencies by name; wrong lines cost their batch and no more."""

import asyncio
import io
import json
from dataclasses import replace
from functools import partial
from typing import Any

import httpx
import pytest

from api.cli_import_graph import parts
from graphmem.adapters.identity import new_uuid7
from graphmem.app import Graphmem
from graphmem.errors import DatabaseBusy
from graphmem.graph.operation.importing import ImportStore
from graphmem.model.caller import Caller
from graphmem.model.importing import Counted
from graphmem.rules.keeping.importing import batches

Json = dict[str, Any]
NDJSON = {"Content-Type": "application/x-ndjson"}


async def ok(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


def lines(*records: Json) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


async def take(http: httpx.AsyncClient, text: str, **headers: str) -> Json:
    return await ok(await http.post("/api/graph/import", content=text, headers=NDJSON | headers))


async def graph_of(http: httpx.AsyncClient, **headers: str) -> list[Json]:
    """All there is, without what only the place it was learned in has: when, and from which messages."""
    text = (await http.get("/api/graph/export", headers=headers)).text
    left_out = {"createdAt", "messageIds"}
    records = [{k: v for k, v in json.loads(line).items() if k not in left_out} for line in text.splitlines()]
    return sorted(records, key=lambda one: (one["record"], one["id"]))


async def test_an_export_taken_over_by_another_agent_is_the_same_graph(http: httpx.AsyncClient) -> None:
    for content, more in (
        ("gate listens on port 80", {"claimKey": "port", "validFrom": "2024-01-01"}),
        ("gate listens on port 81", {"claimKey": "port", "validFrom": "2025-01-01"}),
        ("gate must never sleep", {"kind": "constraint", "pinned": True, "importance": 0.9}),
    ):
        await ok(await http.post("/api/memory/remember", json={"content": content, "entity": "gate"} | more))
    await ok(await http.post("/api/graph/entities", json={"name": "wall", "aliases": ["rampart"], "pinned": True}))
    edges = [
        {"source": "gate", "target": "wall", "confidence": 0.8, "reason": 'ü "two\nlines"', "validFrom": "2024-01-01"},
        {"source": "wall", "target": "gate", "type": "uses", "strength": 0.9},
        {"source": "wall", "target": "wall", "confidence": 0.4},
    ]
    await ok(await http.put("/api/graph/dependencies", json={"dependencies": edges}))
    text = (await http.get("/api/graph/export", params={"includeSuperseded": "true"})).text
    other = {"X-Agent-Id": f"other-{new_uuid7()}"}
    report = await take(http, text, **other)
    assert report["errors"] == []
    assert report["skipped"] == 1, "the port that was replaced"
    assert await graph_of(http, **other) == await graph_of(http)
    again = await take(http, text, **other)
    assert {again[kind]["created"] for kind in ("entities", "attributes", "dependencies")} == {0}
    assert again["dependencies"]["there"] == 3
    assert await graph_of(http, **other) == await graph_of(http)
    # Over itself it changes nothing either, and what is looked for by name is found.
    before = await graph_of(http)
    await take(http, text)
    assert await graph_of(http) == before
    page = await ok(await http.get("/api/graph/entities/rampart", headers=other))
    assert page["entity"]["pinned"]
    doctor = await ok(await http.get("/api/doctor", headers=other))
    assert [one for one in doctor["findings"] if one["severity"] == "error"] == []


async def test_dependencies_by_name_are_drawn_and_the_later_of_two_holds(http: httpx.AsyncClient) -> None:
    text = lines(
        {"source": "web", "target": "api", "confidence": 0.6},
        {"source": "Web", "target": "API", "confidence": 0.9, "reason": "calls it"},
        {"source": "web", "target": "api", "type": "uses"},
    )
    report = await take(http, text)
    assert report["lines"] == 3
    assert report["dependencies"] == {"created": 2, "there": 0}
    page = await ok(await http.get("/api/graph/entities/web"))
    found = {edge["type"]: (edge["confidence"], edge["reason"]) for edge in page["dependencies"]["outgoing"]}
    assert found == {"depends_on": (0.9, "calls it"), "uses": (1.0, None)}
    update = await take(http, lines({"source": "web", "target": "api", "confidence": 0.3}))
    assert update["dependencies"] == {"created": 0, "there": 1}
    page = await ok(await http.get("/api/graph/entities/web"))
    assert {edge["confidence"] for edge in page["dependencies"]["outgoing"]} == {0.3, 1.0}


BATCH = 60
"""Lines of a batch, where a test needs several."""


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmem.services.operation.importing.batches", partial(batches, most=BATCH))


@pytest.mark.usefixtures("small_batches")
async def test_the_later_line_holds_across_batches_that_are_written_together(http: httpx.AsyncClient) -> None:
    first, second, some = range(1, BATCH + 1), range(BATCH + 1, 2 * BATCH + 1), range(1, 11)
    told = [
        {"source": f"part {n}", "target": f"part {n // 7}", "confidence": sure}
        for sure, parts in ((0.5, first), (0.9, first), (0.7, second), (0.4, some))
        for n in parts
    ]
    report = await take(http, lines(*told))
    assert report["dependencies"] == {"created": 2 * BATCH, "there": BATCH + 10}
    drawn = {one["source"]["name"]: one["confidence"] for one in await graph_of(http) if one["record"] == "dependency"}
    assert drawn == {one["source"]: one["confidence"] for one in told}


class FailingOnce(ImportStore):
    """The second batch of dependencies finds the database busy."""

    calls = 0

    async def edges(self, *given: Any) -> tuple[int, int]:
        self.calls += 1
        if self.calls == 2:
            raise DatabaseBusy("later")
        return await super().edges(*given)


@pytest.mark.usefixtures("small_batches")
async def test_a_batch_that_fails_ends_the_import_and_the_same_again_goes_on(graphmem: Graphmem, agent_id: str) -> None:
    told = [{"source": f"part {n}", "target": f"part {n // 7}"} for n in range(1, 4 * BATCH + 1)]
    imports = FailingOnce(graphmem.database)
    importing = replace(graphmem.operation.importing, imports=imports)
    with pytest.raises(DatabaseBusy):
        await importing.take(Caller(agent_id), lines(*told).encode())
    there = imports.calls - 1
    assert 1 <= there < 4, "nothing begins once a write has failed"
    report = await importing.take(Caller(agent_id), lines(*told).encode())
    assert report.dependencies == Counted(created=(4 - there) * BATCH, there=there * BATCH)


async def test_a_wrong_line_costs_its_batch_and_is_named(http: httpx.AsyncClient) -> None:
    good = [{"source": f"a{n}", "target": f"b{n}"} for n in range(1500)]
    text = lines(*good[:700]) + "no json\n" + lines(*good[700:1400])
    text += lines({"source": "x", "target": "y", "confidence": 2}, {"record": "fact"}, *good[1400:])
    report = await take(http, text)
    assert report["lines"] == 1503
    assert report["notWritten"] == 1503, "one wrong line in each of the two batches"
    assert [error["line"] for error in report["errors"]] == [701, 1402, 1403]
    assert "confidence" in report["errors"][1]["message"]
    assert (await ok(await http.get("/api/graph/entities")))["items"] == []
    report = await take(http, "no json\n" + lines(*({"source": "a", "target": f"b{n}"} for n in range(1000))))
    assert (report["notWritten"], report["dependencies"]["created"]) == (1000, 1)


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        '{"source": "a"}',
        '{"source": "a", "target": ""}',
        '{"source": "a", "target": "b", "confidence": NaN}',
        '{"source": "a", "target": "\\ud800"}',
        '{"record": "attribute", "content": "c", "entityId": "nobody"}',
        '{"record": "entity", "name": "x", "type": "beast"}',
    ],
)
async def test_a_line_that_is_no_graph_is_refused(http: httpx.AsyncClient, line: str) -> None:
    report = await take(http, f"\n{line}\n")
    assert [error["line"] for error in report["errors"]] == [2]
    assert report["notWritten"] == 1


async def test_two_imports_of_one_graph_at_once_draw_it_once(http: httpx.AsyncClient) -> None:
    text = lines(*({"source": f"s{n % 40}", "target": f"t{n % 37}"} for n in range(600)))
    reports = await asyncio.gather(*(take(http, text) for _ in range(4)))
    assert sum(report["dependencies"]["created"] for report in reports) == 600
    counts = (await ok(await http.get("/api/status")))["counts"]
    assert (counts["entities"], counts["dependencies"]) == (77, 600)


async def test_an_entity_of_the_cold_tier_comes_back_when_a_graph_names_it(http: httpx.AsyncClient) -> None:
    await take(http, lines({"source": "web", "target": "api"}))
    entity = (await ok(await http.get("/api/graph/entities/api")))["entity"]
    await ok(await http.delete(f"/api/graph/entities/{entity['id']}"))
    await take(http, lines({"source": "app", "target": "api"}))
    page = await ok(await http.get("/api/graph/entities/api"))
    assert page["entity"]["status"] == "active"
    assert {edge["source"]["name"] for edge in page["dependencies"]["incoming"]} == {"web", "app"}


async def test_a_repeat_with_its_key_gets_the_first_answer(http: httpx.AsyncClient) -> None:
    text = lines({"source": "web", "target": "api"})
    first = await take(http, text, **{"Idempotency-Key": "k"})
    assert first["dependencies"] == {"created": 1, "there": 0}
    assert await take(http, text, **{"Idempotency-Key": "k"}) == first


def test_a_file_goes_in_parts_and_facts_keep_their_entities() -> None:
    records: list[Json] = [{"record": "entity", "id": "e", "name": "gate"}]
    records += [{"source": f"a{n}", "target": "b"} for n in range(25_000)]
    records += [{"record": "attribute", "content": "c", "entityId": "e"}]
    sent = list(parts(io.BytesIO(lines(*records).encode())))
    assert [first for first, _ in sent] == [1, 10_001, 20_001]
    assert b"".join(part for _, part in sent).count(b"\n") == len(records)
    assert json.loads(sent[-1][1].splitlines()[-1])["entity"] == "gate"
