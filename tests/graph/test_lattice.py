"""Lattice queries over HTTP, on turns as an analysis leaves them."""

from collections.abc import Sequence
from random import Random
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.rules.lattice.answer import Answer, Turn, ask
from graphmem.rules.lattice.grammar import parse
from graphmem.rules.lattice.terms import SHIFT, label
from tests.lattice_queries import some_query, some_turn

Json = dict[str, Any]
SESSIONS = ("alpha", "beta")
QUERIES = 300


async def ok(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


async def asked(http: httpx.AsyncClient, query: str, **more: Any) -> Json:
    return await ok(await http.post("/api/memory/query", json={"query": query} | more))


def ids(answer: Json) -> list[str]:
    return [turn["messageId"] for turn in answer["items"]]


async def tell(http: httpx.AsyncClient, session_id: str, roles: Sequence[str]) -> None:
    messages = [
        {"messageId": f"{session_id}-{n}", "role": role, "content": f"line {n}"} for n, role in enumerate(roles)
    ]
    await ok(await http.post(f"/api/sessions/{session_id}/messages", json={"messages": messages}))


async def analyse(bolt: AsyncDriver, agent_id: str, turns: Sequence[Json]) -> None:
    """Write what an analysis writes, for messages in the order they are given."""
    rows = [
        {key: turn[key] for key in ("messageId", "novelty", "importance", "paradigmShift", "class", "tags")}
        | {f"o{n}": score for n, score in enumerate(turn["overlays"], 1)}
        | {"embedding": turn["embedding"], "noveltyRaw": turn["novelty"], "analyser": "by hand"}
        for turn in turns
    ]
    await bolt.execute_query(
        "UNWIND $rows AS row MATCH (m:Message {agent_id: $a, messageId: row.messageId}) "
        "SET m += row, m.analysedAt = datetime(), m.embedding = row.embedding REMOVE m:Unembedded",
        rows=rows,
        a=agent_id,
    )


@pytest.fixture
async def turns(http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str) -> list[Json]:
    """Two sessions of thirty turns each, and one of an agent's that is not analysed."""
    rng = Random(8)
    told = [some_turn(rng, session_id) for session_id in SESSIONS for _ in range(30)]
    for session_id in SESSIONS:
        await tell(http, session_id, [str(turn["role"]) for turn in told if turn["sessionId"] == session_id])
    for n, turn in enumerate(told):
        turn["messageId"] = f"{turn['sessionId']}-{n % 30}"
    await analyse(bolt, agent_id, told)
    await tell(http, "waiting", ["user", "assistant"])
    return told


def rule_turn(turn: Json) -> Turn:
    labels = {label("role", turn["role"]), label("session_id", turn["sessionId"])}
    labels |= {label("tag", tag) for tag in turn["tags"]} | ({SHIFT} if turn["paradigmShift"] else set())
    vector = turn["embedding"]
    scores = (*turn["overlays"], turn["importance"], turn["novelty"])
    return Turn(scores, frozenset(labels), tuple(vector) if vector else None)


async def test_the_store_answers_as_the_rules_do_over_the_same_turns(
    http: httpx.AsyncClient, turns: list[Json]
) -> None:
    rng = Random(20)
    compared = 0
    for _ in range(QUERIES):
        session_id = rng.choice((None, *SESSIONS))
        scope = [turn for turn in turns if session_id in (None, turn["sessionId"])]
        query = some_query(rng, SESSIONS)
        expected = ask(parse(query), [rule_turn(turn) for turn in scope])
        answer = await asked(http, query, sessionId=session_id, limit=1000)
        assert answer["nextCursor"] is None or len(expected.pairs or ()) > 1000
        compared += same(answer, expected, scope, query)
    assert compared > QUERIES / 10, "hardly a query compares meaning"


def same(answer: Json, expected: Answer, scope: Sequence[Json], query: str) -> bool:
    """Holds an answer to what was expected; whether meaning was compared."""
    names = [turn["messageId"] for turn in scope]
    if expected.pairs is None:
        assert answer["pairs"] is None
        assert ids(answer) == [names[place] for place in expected.places], query
        return False
    pairs = [(pair["left"], pair["right"], pytest.approx(pair["similarity"], abs=1e-5)) for pair in answer["pairs"]]
    told = [(names[pair.left], names[pair.right], pair.similarity) for pair in expected.pairs]
    assert sorted(pairs, key=lambda pair: pair[:2]) == sorted(told[: len(pairs)]) or len(told) > 1000, query
    return True


async def test_a_turn_is_told_with_its_scores(http: httpx.AsyncClient, turns: list[Json]) -> None:
    answer = await asked(http, "O1 >= 0", sessionId="beta", limit=1)
    (found,) = answer["items"]
    told = next(turn for turn in turns if turn["sessionId"] == "beta")
    expected = {
        "messageId": "beta-0",
        "sessionId": "beta",
        "ordinal": 0,
        "role": told["role"],
        "overlays": {f"O{n}": score for n, score in enumerate(told["overlays"], 1)},
        "active": [f"O{n}" for n, score in enumerate(told["overlays"], 1) if score >= 5],
        **{key: told[key] for key in ("novelty", "importance", "paradigmShift", "class", "tags")},
    }
    assert found["id"]
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize("query", ["O1 + NOT O1", "NOT (O1 ~ O2) + O1 + O2"])
async def test_pages_join_to_the_whole_list(http: httpx.AsyncClient, turns: list[Json], query: str) -> None:
    found: list[str] = []
    cursor = None
    while True:
        page = await asked(http, query, limit=7, cursor=cursor)
        assert len(page["items"]) <= 7
        found += ids(page)
        cursor = page["nextCursor"]
        if cursor is None:
            break
    assert found == [turn["messageId"] for turn in turns]


@pytest.mark.usefixtures("turns")
async def test_pages_of_pairs_join_to_the_whole_list(http: httpx.AsyncClient) -> None:
    whole = (await asked(http, "O1 ~ O2", limit=1000))["pairs"]
    first = await asked(http, "O1 ~ O2", limit=3)
    second = await asked(http, "O1 ~ O2", limit=1000, cursor=first["nextCursor"])
    assert len(whole) > 3
    assert first["items"] == []
    assert first["pairs"] + second["pairs"] == whole
    assert [pair["similarity"] for pair in whole] == sorted((pair["similarity"] for pair in whole), reverse=True)
    assert all(pair["leftId"] != pair["rightId"] for pair in whole)


@pytest.mark.usefixtures("turns")
async def test_what_a_projection_leads_to_comes_with_the_pairs_that_lead_there(http: httpx.AsyncClient) -> None:
    page = await asked(http, "O1 > 7 -> O2 > 7", limit=2)
    assert len(page["items"]) == 2
    assert {pair["right"] for pair in page["pairs"]} == set(ids(page))


@pytest.mark.usefixtures("turns")
async def test_archived_sessions_are_left_out(http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str) -> None:
    await bolt.execute_query("MATCH (s:Session {agent_id: $a, id: 'alpha'}) SET s.archivedAt = datetime()", a=agent_id)
    for query in ("O1 >= 0", "NOT (O1 ~ O1) + O1 >= 0"):
        assert {turn["sessionId"] for turn in (await asked(http, query))["items"]} == {"beta"}
        assert (await asked(http, query, sessionId="alpha"))["items"] == []


@pytest.mark.usefixtures("turns")
async def test_another_agent_finds_nothing(http: httpx.AsyncClient) -> None:
    headers = {"X-Agent-Id": "somebody-else"}
    for query in ("O1 >= 0", "NOT (O1 ~ O1)"):
        for session_id in (None, "alpha"):
            body = {"query": query, "sessionId": session_id}
            answer = await ok(await http.post("/api/memory/query", json=body, headers=headers))
            assert answer["items"] == []
            assert answer["nextCursor"] is None


@pytest.mark.parametrize(
    ("query", "kind", "position"),
    [("O1 and O2", "lower_case", 3), ("", "unexpected_end", 0), ("O9", "unknown_overlay", 0)],
)
async def test_a_mistake_is_a_problem_with_its_place(
    http: httpx.AsyncClient, query: str, kind: str, position: int
) -> None:
    response = await http.post("/api/memory/query", json={"query": query})
    body = response.json()
    assert response.status_code == 422
    assert response.headers["content-type"].startswith("application/problem+json")
    assert (body["code"], body["kind"], body["position"]) == ("invalid_query", kind, position)
    assert body["errors"][0]["loc"] == ["query"]


@pytest.mark.parametrize("cursor", ["", "!", "WyJhIl0", "W10"])
@pytest.mark.parametrize("query", ["O1", "O1 ~ O2"])
async def test_a_damaged_cursor_is_refused(http: httpx.AsyncClient, query: str, cursor: str) -> None:
    response = await http.post("/api/memory/query", json={"query": query, "cursor": cursor})
    assert (response.status_code, response.json()["code"]) == (400, "invalid_cursor")
