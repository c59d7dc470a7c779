"""The sample story through HTTP: eight sessions come in, and what a reader knows at the end can be asked for."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import uuid4

import httpx
import pytest

from api.transcripts import BATCH, read_transcript
from graphmem.rules.language.text import canonical_name, content_words, fold
from graphmem.rules.recall.expansion import MOST_CITED
from graphmem.services.operation.work import Worker
from tests.stories.atlas_expectations import (
    AGENT_NAMES,
    BLAST,
    CONSTRAINTS,
    DEPENDENCIES,
    ENDED,
    NOT_FACTS,
    PREFERENCES,
    PROJECT,
    QUESTIONS,
    SESSIONS,
    STANDING,
    STORY,
    SUPERSEDED,
)

Json = dict[str, Any]


class Loaded(NamedTuple):
    stored: int
    duplicates: int
    ended: list[Json]


class Atlas(NamedTuple):
    """The story, loaded: a client for its agent, and what loading answered."""

    http: httpx.AsyncClient
    loaded: Loaded


async def load(http: httpx.AsyncClient) -> Loaded:
    """What `graphmem ingest` does, step by step: open, send in batches, end what brought something new."""
    with open(STORY, encoding="utf-8") as lines:  # noqa: ASYNC230
        sessions = read_transcript(lines)
    stored = duplicates = 0
    ended: list[Json] = []
    for session in sessions:
        opened = await post(
            http, "/api/sessions", session.opening.model_dump(mode="json", by_alias=True, exclude_unset=True)
        )
        fresh = 0
        for start in range(0, len(session.messages), BATCH):
            batch = [
                message.model_dump(mode="json", by_alias=True, exclude_unset=True)
                for message in session.messages[start : start + BATCH]
            ]
            receipt = await post(http, f"/api/sessions/{opened['sessionId']}/messages", {"messages": batch})
            fresh += receipt["stored"]
            duplicates += receipt["duplicates"]
        stored += fresh
        if fresh:
            ended.append(await post(http, f"/api/sessions/{opened['sessionId']}/end", {"wait": True}))
    return Loaded(stored, duplicates, ended)


@pytest.fixture(scope="module")
async def atlas(transport: httpx.ASGITransport, worker: Worker) -> AsyncIterator[Atlas]:
    headers = {"X-Agent-Id": f"test-atlas-{uuid4().hex}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=120
    ) as http:
        yield Atlas(http, await load(http))


async def post(http: httpx.AsyncClient, path: str, body: Json) -> Json:
    response = await http.post(path, json=body)
    assert response.status_code in (200, 201), response.text
    answer: Json = response.json()
    return answer


async def get(http: httpx.AsyncClient, path: str, **params: str | int) -> Json:
    response = await http.get(path, params=params)
    assert response.status_code == 200, response.text
    answer: Json = response.json()
    return answer


async def facts(atlas: Atlas, entity: str, *, superseded: bool = False) -> list[Json]:
    """Everything said about an entity, rules among it."""
    asked = {"entity": entity, "maxTokens": 32_000, "includeSuperseded": superseded}
    expansion = await post(atlas.http, "/api/memory/expand", asked)
    assert not expansion["truncated"]
    return shown_facts(expansion)


def shown_facts(expansion: Json) -> list[Json]:
    """The facts and rules of an expansion, each once: a rule is listed on its aspect too."""
    found = [fact for aspect in expansion["aspects"] for fact in aspect["attributes"]] + expansion["constraints"]
    return list({fact["id"]: fact for fact in found}.values())


async def edges(atlas: Atlas, entity: str) -> set[tuple[str, str]]:
    """(source, target) of what an entity needs now, canonical."""
    page = await get(atlas.http, "/api/graph/entities", name=entity)
    return {(named(edge["source"]["name"]), named(edge["target"]["name"])) for edge in page["dependencies"]["outgoing"]}


def named(name: str) -> str:
    return canonical_name(name)


def says(content: str, words: str) -> bool:
    return fold(words) in fold(content)


def contents(found: list[Json]) -> list[str]:
    return [f"{fact['status']}: {fact['content']}" for fact in found]


async def all_items(http: httpx.AsyncClient, path: str, **params: str | int) -> list[Json]:
    items: list[Json] = []
    page = await get(http, path, limit=1000, **params)
    while True:
        items += page["items"]
        if not page["nextCursor"]:
            return items
        page = await get(http, path, limit=1000, cursor=page["nextCursor"], **params)


async def test_every_message_is_stored_as_it_was_said(atlas: Atlas) -> None:
    with open(STORY, encoding="utf-8") as lines:  # noqa: ASYNC230
        told = [json.loads(line) for line in lines]
    assert (atlas.loaded.stored, atlas.loaded.duplicates) == (len(told), 0) == (89, 0)
    kept = {
        (session, message["messageId"]): message
        for session in SESSIONS
        for message in await all_items(atlas.http, f"/api/sessions/{session}/messages")
    }
    assert len(kept) == len(told)
    for line in told:
        message = kept[line["sessionId"], line["messageId"]]
        if isinstance(line["content"], str):
            assert message["content"] == line["content"]
        else:
            assert message["parts"] == line["content"]
        assert (message["role"], message["name"]) == (line["role"], line.get("name"))
        assert message["toolCalls"] == line.get("toolCalls")
        assert message["toolCallId"] == line.get("toolCallId")


async def test_every_session_is_read_when_its_end_is_answered(atlas: Atlas) -> None:
    assert [answer["pipeline"] for answer in atlas.loaded.ended] == ["done"] * len(SESSIONS)
    assert [answer["sessionId"] for answer in atlas.loaded.ended] == list(SESSIONS)
    status = await get(atlas.http, "/api/status")
    # Eight sessions make an arc, which a job of its own builds and a worker embeds.
    assert {name for name, waiting in status["backlog"].items() if waiting} <= {"condensation", "embedding"}
    assert status["jobs"]["failed"] == 0
    assert (status["counts"]["sessions"], status["counts"]["messages"]) == (8, 89)


@pytest.mark.parametrize("question", sorted(QUESTIONS))
async def test_the_messages_that_answer_a_question_are_among_the_first_five(atlas: Atlas, question: str) -> None:
    recalled = await post(atlas.http, "/api/memory/recall", {"query": question, "kinds": ["message"], "limit": 5})
    found = {(hit["sessionId"], id_) for hit in recalled["hits"] for id_ in hit["messageIds"]}
    assert QUESTIONS[question] <= found, [hit["text"][:80] for hit in recalled["hits"]]


@pytest.mark.parametrize("question", sorted(QUESTIONS))
async def test_an_answer_of_all_kinds_is_in_order_and_says_why(atlas: Atlas, question: str) -> None:
    hits = (await post(atlas.http, "/api/memory/recall", {"query": question}))["hits"]
    assert hits
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    for hit in hits:
        assert 0 <= hit["score"] <= 1
        assert sum(hit["why"].values()) == pytest.approx(hit["score"])
        assert hit["kind"] in ("message", "summary") or hit["status"] == "active"
        assert hit["kind"] != "summary" or hit["messageIds"] == []


@pytest.mark.parametrize(("entity", "old", "new"), SUPERSEDED)
async def test_a_newer_fact_takes_the_place_of_an_older_one(atlas: Atlas, entity: str, old: str, new: str) -> None:
    found = await facts(atlas, entity, superseded=True)
    olds = [fact for fact in found if says(fact["content"], old)]
    news = [fact for fact in found if says(fact["content"], new) and fact["status"] == "active"]
    assert olds, contents(found)
    assert news, contents(found)
    assert {fact["status"] for fact in olds} == {"superseded"}, contents(found)
    by_id = {fact["id"]: fact for fact in found}
    for fact in olds:
        successor = by_id[fact["supersededBy"]]
        assert fact["validTo"]
        assert fact["validTo"] >= fact["validFrom"]
        assert successor["validFrom"] >= fact["validFrom"]
    shown = await facts(atlas, entity)
    assert not [fact for fact in shown if says(fact["content"], old)], contents(shown)
    applied = await all_items(atlas.http, "/api/memory/supersessions", status="applied")
    assert {fact["id"] for fact in olds} <= {one["oldId"] for one in applied}


@pytest.mark.parametrize(("entity", "words"), STANDING)
async def test_what_nothing_contradicts_still_stands(atlas: Atlas, entity: str, words: str) -> None:
    found = [fact for fact in await facts(atlas, entity, superseded=True) if says(fact["content"], words)]
    assert found, contents(await facts(atlas, entity, superseded=True))
    assert {fact["status"] for fact in found} == {"active"}


@pytest.mark.parametrize(("entity", "words"), CONSTRAINTS)
async def test_a_rule_stands_as_a_constraint(atlas: Atlas, entity: str, words: str) -> None:
    found = await facts(atlas, entity, superseded=True)
    rules = [fact for fact in found if fact["kind"] == "constraint" and says(fact["content"], words)]
    assert rules, [f"{fact['kind']} {fact['content']}" for fact in found]
    assert {fact["status"] for fact in rules} == {"active"}


async def test_no_rule_was_ever_retired(atlas: Atlas) -> None:
    entities = await all_items(atlas.http, "/api/graph/entities")
    rules = [
        fact
        for entity in entities
        if entity["constraintCount"]
        for fact in await facts(atlas, entity["id"], superseded=True)
        if fact["kind"] == "constraint"
    ]
    assert len(rules) >= len(CONSTRAINTS)
    assert {rule["status"] for rule in rules} == {"active"}


@pytest.mark.parametrize(("person", "words"), PREFERENCES)
async def test_a_preference_is_kept_with_its_person(atlas: Atlas, person: str, words: str) -> None:
    found = await facts(atlas, person)
    assert [fact for fact in found if says(fact["content"], words)], contents(found)


@pytest.mark.parametrize(("source", "target"), sorted(DEPENDENCIES))
async def test_a_dependency_is_drawn(atlas: Atlas, source: str, target: str) -> None:
    found = await edges(atlas, source)
    assert (named(source), named(target)) in found, sorted(found)


@pytest.mark.parametrize(("source", "target"), sorted(ENDED | NOT_FACTS))
async def test_what_ended_or_never_was_is_no_dependency(atlas: Atlas, source: str, target: str) -> None:
    assert (named(source), named(target)) not in await edges(atlas, source)
    page = await atlas.http.get("/api/graph/entities", params={"name": target})
    assert page.status_code in (200, 404)
    if page.status_code == 200:
        report = await post(atlas.http, "/api/graph/impact", {"entityId": target, "minConfidence": 0, "maxDepth": 1})
        affected = {named(one["name"]) for group in report["groups"] for one in group["entities"]}
        assert named(source) not in affected


@pytest.mark.parametrize(("entity", "other"), sorted(NOT_FACTS))
async def test_what_was_only_asked_is_no_fact(atlas: Atlas, entity: str, other: str) -> None:
    told = [fact["content"] for fact in await facts(atlas, entity, superseded=True)]
    assert not [content for content in told if says(content, other)]


@pytest.mark.parametrize("changed", sorted(BLAST))
async def test_a_change_reaches_those_who_depend_on_it(atlas: Atlas, changed: str) -> None:
    report = await post(atlas.http, "/api/graph/impact", {"entityId": changed})
    reached = {group["depth"]: {named(one["name"]) for one in group["entities"]} for group in report["groups"]}
    labels = {group["depth"]: group["label"] for group in report["groups"]}
    for depth, names in BLAST[changed].items():
        assert {named(name) for name in names} <= reached.get(depth, set()), reached
        assert labels[depth] == {1: "WILL BREAK", 2: "LIKELY AFFECTED"}.get(depth, "MAY NEED TESTING")
    for group in report["groups"]:
        for one in group["entities"]:
            product = 1.0
            for edge in one["path"]:
                product *= edge["confidence"]
                assert edge["confidence"] >= 0.7
            assert one["confidence"] == pytest.approx(product)
            assert one["weakestEdge"]["confidence"] == min(edge["confidence"] for edge in one["path"])
            assert one["depth"] == group["depth"] <= len(one["path"])


async def test_upstream_and_downstream_are_mirrors(atlas: Atlas) -> None:
    asked = {"entityId": "storefront", "direction": "downstream", "maxDepth": 3}
    needed = await post(atlas.http, "/api/graph/impact", asked)
    names = {named(one["name"]) for group in needed["groups"] for one in group["entities"]}
    assert {"checkout api", "billing service", "postgresql", "redis"} <= names


@pytest.mark.parametrize("entity", ["billing-service", "checkout-api", PROJECT, *AGENT_NAMES])
async def test_every_line_of_an_expansion_leads_back_to_the_words(atlas: Atlas, entity: str) -> None:
    expansion = await post(atlas.http, "/api/memory/expand", {"entity": entity, "maxTokens": 8000})
    assert expansion["usedTokens"] <= 8000
    facts_shown = shown_facts(expansion)
    assert facts_shown
    every = (await get(atlas.http, f"/api/graph/entities/{expansion['entity']['id']}"))["aspects"]
    aspect_of = {fact["id"]: aspect["id"] for aspect in every for fact in aspect["attributes"]}
    stated, _, summarised = expansion["text"].partition("\nSummaries\n")
    lines = [line for line in stated.splitlines() if line.startswith("- ")]
    cited = [line.rsplit("[", 1)[1].rstrip("]").split(", ") for line in lines]
    assert len(lines) == len(facts_shown) + len(expansion["dependencies"])
    for fact in facts_shown:
        (ids,) = [ids for ids in cited if ids[1:2] == [fact["id"]]]
        assert ids[0] == aspect_of[fact["id"]]
        assert ids[2:] == (fact["messageIds"] or fact["memoryIds"])[:MOST_CITED]
        await leads_back(atlas.http, fact, expansion["entity"]["name"])
    for edge in expansion["dependencies"]:
        (ids,) = [ids for ids in cited if ids[0] == edge["id"]]
        assert ids[1:] == edge["messageIds"][:MOST_CITED]
        said = [(await get(atlas.http, f"/api/messages/{id_}"))["content"] for id_ in edge["messageIds"]]
        assert any(says(words, edge["target"]["name"]) or says(words, edge["source"]["name"]) for words in said)
    for summary in expansion["summaries"]:
        (line,) = [line for line in summarised.splitlines() if line.endswith(f"[{summary['id']}]")]
        assert set(content_words(summary["text"])) <= set(content_words(line))
        expanded = await post(atlas.http, f"/api/sessions/summaries/{summary['id']}/expand", {})
        assert expanded["children"]


async def leads_back(http: httpx.AsyncClient, fact: Json, entity: str) -> None:
    """From a fact over its memory to a message that holds its words."""
    assert (await get(http, f"/api/memory/{fact['id']}"))["content"] == fact["content"]
    assert fact["memoryIds"]
    assert fact["messageIds"]
    for memory_id in fact["memoryIds"]:
        memory = await get(http, f"/api/memory/{memory_id}")
        assert fact["id"] in memory["attributeIds"]
        assert set(memory["messageIds"]) <= set(fact["messageIds"])
    told: set[str] = set()
    for message_id in fact["messageIds"]:
        message = await get(http, f"/api/messages/{message_id}")
        assert message["messageId"] == message_id
        told |= set(content_words(f"{message['name'] or ''} {message['content']}"))
    # Facts are made absolute (names for I and we, dates for yesterday): most of their words are the message's own.
    mine = set(content_words(re.sub(r"\d{4}-\d\d-\d\d", "", fact["content"]))) - set(content_words(entity))
    assert len(mine & told) * 2 >= len(mine), (fact["content"], sorted(told))


ROUTES = {
    "messageIds": "/api/messages/{}",
    "memoryIds": "/api/memory/{}",
    "attributeIds": "/api/memory/{}",
    "entityIds": "/api/graph/entities/{}",
    "parentIds": "/api/describe/{}",
    "sessionId": "/api/sessions/{}",
    "messageId": "/api/messages/{}",
    "duplicateOf": "/api/memory/{}",
    "supersededBy": "/api/memory/{}",
    "replacedBy": "/api/memory/{}",
    "oldId": "/api/memory/{}",
    "newId": "/api/memory/{}",
    "entityId": "/api/graph/entities/{}",
    "predecessorId": "/api/describe/{}",
    "coldSourceId": "/api/describe/{}",
    "jobId": "/api/jobs/{}",
    "id": "/api/describe/{}",
}
"""Where what is named by a field of an answer can be read."""


def citations(body: Any) -> Iterator[str]:
    """The addresses of all that an answer names."""
    if isinstance(body, list):
        for item in body:
            yield from citations(item)
    elif isinstance(body, dict):
        for key, value in body.items():
            if key == "toolCallId":
                continue  # the client's own
            if key.endswith(("Id", "Ids", "By", "Of")) or key == "id":
                for id_ in [value] if isinstance(value, str) else value or []:
                    yield ROUTES[key].format(quote(id_, safe=""))
            elif key not in ("toolCalls", "parts", "metadata"):
                yield from citations(value)


async def test_every_id_that_an_answer_names_leads_to_something(atlas: Atlas) -> None:
    http = atlas.http
    question = {"query": "Who owns billing-service?", "limit": 30, "includeSuperseded": True}
    summaries = await all_items(http, "/api/sessions/summaries")
    page = await get(http, "/api/graph/entities", name="billing-service")
    answers: list[Any] = [
        atlas.loaded.ended,
        await post(http, "/api/memory/recall", question),
        await post(http, "/api/memory/expand", {"entity": "billing-service", "includeSuperseded": True}),
        await post(http, f"/api/sessions/summaries/{summaries[0]['id']}/expand", {}),
        await post(http, "/api/sessions/load", {"latest": True}),
        await post(http, "/api/memory/remember", {"content": "The kiosk is green", "entity": "kiosk"}),
        await post(http, "/api/graph/impact", {"entityId": "PostgreSQL"}),
        await all_items(http, "/api/memory/supersessions"),
        summaries,
        page,
    ]
    named = sorted(set(citations(answers)))
    missing = [address for address in named if (await http.get(address)).status_code != 200]
    assert missing == []
    met = {address.split("/")[2] for address in named}
    assert met == {"messages", "memory", "graph", "sessions", "describe", "jobs"}
    described = [await get(http, address) for address in named if address.startswith("/api/describe/")]
    assert {one["kind"] for one in described} == {
        "aspect",
        "attribute",
        "dependency",
        "entity",
        "memory",
        "message",
        "summary",
        "supersession",
    }
    children = sorted({child["id"] for one in described for child in one["children"]})
    assert [id_ for id_ in children if (await http.get(f"/api/describe/{id_}")).status_code != 200] == []


@pytest.mark.parametrize("max_tokens", [64, 200, 1000])
async def test_an_expansion_keeps_its_budget_and_its_rules_first(atlas: Atlas, max_tokens: int) -> None:
    expansion = await post(atlas.http, "/api/memory/expand", {"entity": "checkout-api", "maxTokens": max_tokens})
    assert expansion["usedTokens"] <= max_tokens
    everything = await post(atlas.http, "/api/memory/expand", {"entity": "checkout-api", "maxTokens": 32_000})
    assert expansion["truncated"] == (len(expansion["text"]) < len(everything["text"]))
    shown = [line.rsplit(" [", 1)[0] for line in expansion["text"].splitlines()]
    whole = iter(line.rsplit(" [", 1)[0] for line in everything["text"].splitlines())
    assert all(line in whole for line in shown), "what does not fit is left out, and the order stays"
    assert shown[1] == "Constraints"


async def test_each_session_has_a_summary_that_expands_into_its_messages(atlas: Atlas) -> None:
    summaries = await all_items(atlas.http, "/api/sessions/summaries", kind="session")
    assert sorted(summary["sessionId"] for summary in summaries) == sorted(SESSIONS)
    for summary in summaries:
        ids: list[str] = []
        cursor = None
        while True:
            body = {"maxTokens": 500} | ({"cursor": cursor} if cursor else {})
            page = await post(atlas.http, f"/api/sessions/summaries/{summary['id']}/expand", body)
            assert page["usedTokens"] <= 500
            ids += [child["messageId"] for child in page["children"]]
            cursor = page["nextCursor"]
            if not cursor:
                break
        messages = await all_items(atlas.http, f"/api/sessions/{summary['sessionId']}/messages")
        assert list(dict.fromkeys(ids)) == [message["messageId"] for message in messages]
        assert summary["childCount"] == len(messages)
        assert summary["project"] == PROJECT


async def test_loading_the_story_again_changes_nothing(atlas: Atlas) -> None:
    before = await get(atlas.http, "/api/status")
    supersessions = await all_items(atlas.http, "/api/memory/supersessions")
    again = await load(atlas.http)
    assert (again.stored, again.duplicates, again.ended) == (0, 89, [])
    after = await get(atlas.http, "/api/status")
    assert after["counts"] == before["counts"]
    assert after["supersession"] == before["supersession"]
    assert await all_items(atlas.http, "/api/memory/supersessions") == supersessions
