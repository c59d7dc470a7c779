"""Hostile requests at every route, some of each: `make fuzz` sends thousands of them, and random ones."""

import json
from collections import Counter
from itertools import islice

import httpx

from benchmarks.hostile import STORY, Description, Known, chosen, filled, learn, names_of, wrong
from graphmem.services.operation.work import Worker

REQUESTS, SEED = 120, 7
LONG = 50_000
"""A megabyte that is stored keeps the worker beside the test busy for longer than the test takes."""


async def test_every_answer_to_a_hostile_request_is_as_described(http: httpx.AsyncClient, worker: Worker) -> None:
    known: Known = {}
    for step in STORY:
        method, path, body = filled(step, known)
        answered = await http.request(method, path, json=body)
        assert answered.is_success, answered.text
        learn(step, answered.json(), known)
    assert known.keys() == names_of(STORY)

    about = Description((await http.get("/openapi.json")).json())
    operations = {(method, path): operation for method, path, operation in about.operations()}
    found, statuses = [], Counter[int]()
    some = (one for one in chosen(about, known, 2 * REQUESTS, SEED) if len(one.value) < LONG)
    for one in islice(some, REQUESTS):
        headers = {name: value.encode("latin-1") for name, value in one.headers.items()}
        answer = await http.request(one.method, one.target, headers=headers, content=one.body)
        statuses[answer.status_code] += 1
        kind = answer.headers.get("content-type", "")
        what = wrong(
            about,
            operations[one.method, one.template],
            answer.status_code,
            kind,
            answer.content,
            must_refuse=one.must_refuse,
        )
        found += [f"{one}: {what}"] if what else []
    assert not found, "\n".join(found)
    assert statuses[200] > 10, "they come as far as the services"
    assert statuses[422] > 30


async def test_a_question_may_be_one_word_of_thousands_of_letters(http: httpx.AsyncClient) -> None:
    """An index refuses such a word inside of others, and did so for some words only."""
    await http.post("/api/memory/remember", json={"content": "The kiln is hot.", "entity": "kiln"})
    for word in ("W1tb" * 1000, "ab" * 2000, "aaaab" * 800):
        asked = {"question": word, "entity": "kiln"}
        for path, body in (
            ("/api/memory/expand-query", {"question": word}),
            ("/api/memory/recall", {"query": word}),
            ("/api/memory/expand", asked),
            ("/api/memory/grep", {"pattern": word[:1000]}),
        ):
            answered = await http.post(path, json=body)
            assert answered.status_code == 200, (path, answered.text)


def test_an_answer_that_is_not_as_described_is_noticed() -> None:
    thing = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    told = {"200": {"content": {"application/json": {"schema": thing}}}}
    problem = {"type": "object", "required": ["status", "code"]}
    about = Description({"paths": {}, "components": {"schemas": {"Problem": problem}}})

    def noticed(status: int, kind: str, body: object, *, must_refuse: bool = False) -> str:
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        return wrong(about, {"responses": told}, status, kind, sent, must_refuse=must_refuse) or ""

    assert not noticed(200, "application/json; charset=utf-8", {"id": "a"})
    assert not noticed(503, "application/problem+json", {"status": 503, "code": "database_unavailable"})
    assert "500" in noticed(500, "application/problem+json", {"status": 500, "code": "internal"})
    assert "Traceback" in noticed(200, "application/json", b"Traceback (most recent call last)")
    assert "another body" in noticed(200, "application/json", {"id": 1})
    assert "not described" in noticed(201, "application/json", {"id": "a"})
    assert "text/html" in noticed(200, "text/html", b"")
    assert "application/json" in noticed(404, "application/json", {"status": 404, "code": "not_found"})
    assert "tells 400" in noticed(404, "application/problem+json", {"status": 400, "code": "not_found"})
    assert "must refuse" in noticed(200, "application/json", {"id": "a"}, must_refuse=True)
