"""What no longer holds says so wherever it is shown, and what a person deleted is not shown."""

from typing import Any

import httpx
import pytest

from graphmem.services.operation.work import Worker
from tests.waiting import until

Json = dict[str, Any]
SAID = "The heron-service uses PostgreSQL. The heron-service is owned by Noor."


@pytest.fixture
async def told(http: httpx.AsyncClient, worker: Worker) -> httpx.AsyncClient:
    """A session that states two things of a service, read and summarised."""
    await tell(http, SAID)
    return http


async def tell(http: httpx.AsyncClient, said: str) -> None:
    await post(http, "/api/sessions", {"sessionId": "s", "startedAt": "2026-01-05T09:00:00Z"})
    messages = [
        {"role": "user", "name": "Mara", "content": said, "createdAt": "2026-01-05T09:00:00Z"},
        {"role": "assistant", "content": "Thanks, that helps.", "createdAt": "2026-01-05T09:01:00Z"},
    ]
    await post(http, "/api/sessions/s/messages", {"messages": messages})
    await post(http, "/api/sessions/s/end", {"force": True, "wait": True})

    async def settled() -> bool:
        status = (await http.get("/api/status")).json()
        return not any(status["backlog"].values())

    await until(settled)


async def post(http: httpx.AsyncClient, path: str, body: Json) -> Json:
    response = await http.post(path, json=body)
    assert response.status_code in (200, 201), response.text
    answer: Json = response.json()
    return answer


async def replaced(http: httpx.AsyncClient) -> Json:
    """The fact about the database gives way to a newer one, because a person says so."""
    old = await fact(http, "PostgreSQL")
    new = await post(
        http,
        "/api/memory/remember",
        {
            "content": "heron-service uses SQLite",
            "entity": "heron-service",
            "validFrom": "2026-03-01T00:00:00Z",
        },
    )
    await post(
        http, "/api/memory/supersede", {"oldId": old["id"], "newId": new["attributes"][0]["id"], "reason": "migrated"}
    )
    return {"old": old, "new": new["attributes"][0]}


async def fact(http: httpx.AsyncClient, word: str) -> Json:
    page = await post(http, "/api/memory/expand", {"entity": "heron-service", "maxTokens": 8000})
    found = [one for part in page["aspects"] for one in part["attributes"] if word in one["content"]]
    assert len(found) == 1, page["aspects"]
    one: Json = found[0]
    return one


async def hits(http: httpx.AsyncClient, query: str, kind: str) -> list[Json]:
    found: list[Json] = (await post(http, "/api/memory/recall", {"query": query, "kinds": [kind]}))["hits"]
    return found


def marked(hit: Json) -> list[str]:
    return [hit["text"][part["start"] : part["end"]] for part in hit["outdated"]]


@pytest.mark.parametrize("kind", ["message", "summary"])
async def test_a_text_with_several_statements_marks_the_one_that_was_replaced(
    told: httpx.AsyncClient, kind: str
) -> None:
    before = (await hits(told, "What does heron-service use?", kind))[0]
    assert (before["status"], before["outdated"]) == ("active", [])
    facts = await replaced(told)
    hit = next(one for one in await hits(told, "What does heron-service use?", kind) if one["id"] == before["id"])
    (words,) = marked(hit)
    assert "PostgreSQL" in words
    assert "Noor" not in words
    assert hit["status"] == "active"
    (part,) = hit["outdated"]
    assert part["replacedBy"] == facts["new"]["id"]
    assert part["since"].startswith("2026-03-01")


@pytest.mark.parametrize("kind", ["message", "memory", "summary"])
async def test_a_sentence_that_says_two_things_marks_the_half_that_was_replaced(
    http: httpx.AsyncClient, worker: Worker, kind: str
) -> None:
    await tell(http, "The heron-service uses PostgreSQL and is owned by Noor.")
    facts = await replaced(http)
    (hit,) = [one for one in await hits(http, "What does heron-service use?", kind) if "Noor" in one["text"]]
    (words,) = marked(hit)
    assert ("PostgreSQL" in words, "Noor" in words, hit["status"]) == (True, False, "active")
    assert hit["outdated"][0]["replacedBy"] == facts["new"]["id"]
    answer = await post(http, "/api/memory/expand-query", {"question": "Who owns heron-service?"})
    assert "Noor" in answer["answer"]
    assert answer["outdated"] == [], answer


async def test_an_expanded_summary_marks_its_own_line_and_those_of_its_messages(told: httpx.AsyncClient) -> None:
    (summary,) = (await told.get("/api/sessions/summaries", params={"kind": "session"})).json()["items"]
    facts = await replaced(told)
    shown = await post(told, f"/api/sessions/summaries/{summary['id']}/expand", {"maxTokens": 4000})
    for one in (shown["summary"], shown["children"][0]):
        (part,) = one["outdated"]
        words = one["content"][part["start"] : part["end"]]
        assert ("PostgreSQL" in words, "Noor" in words) == (True, False)
        assert part["replacedBy"] == facts["new"]["id"]
    assert shown["children"][1]["outdated"] == []


async def test_an_expanded_message_marks_what_was_replaced(told: httpx.AsyncClient) -> None:
    await replaced(told)
    message = (await told.get("/api/sessions/s/messages")).json()["items"][0]
    shown = (await told.get(f"/api/expand/{message['id']}")).json()["message"]
    (part,) = shown["outdated"]
    assert shown["content"][part["start"] : part["end"]].strip() == "The heron-service uses PostgreSQL."


async def test_a_recap_marks_the_line_that_was_replaced(told: httpx.AsyncClient) -> None:
    before = (await told.get("/api/sessions/s/recap", params={"mode": "chat"})).json()
    assert before["outdated"] == []
    await replaced(told)
    after = (await told.get("/api/sessions/s/recap", params={"mode": "chat"})).json()
    marks = [after["text"][part["start"] : part["end"]] for part in after["outdated"]]
    assert all("PostgreSQL" in words and "Noor" not in words for words in marks)
    assert "uses PostgreSQL" not in _without(after["text"], after["outdated"])


def _without(text: str, parts: list[Json]) -> str:
    for part in reversed(parts):
        text = text[: part["start"]] + text[part["end"] :]
    return text


async def test_a_text_says_what_it_said_on_the_day_that_is_asked_for(told: httpx.AsyncClient) -> None:
    await replaced(told)
    asked = {"query": "What does heron-service use?", "asOf": "2026-02-01T00:00:00Z"}
    found = (await post(told, "/api/memory/recall", asked))["hits"]
    texts = [hit for hit in found if hit["kind"] in ("message", "summary")]
    assert texts
    assert not any(marked(hit) for hit in texts)


async def test_an_answer_about_a_day_marks_nothing_that_held_then(told: httpx.AsyncClient) -> None:
    await replaced(told)
    asked = {"question": "What does heron-service use?", "asOf": "2026-02-01T00:00:00Z"}
    answer = await post(told, "/api/memory/expand-query", asked)
    assert "PostgreSQL" in answer["answer"]
    assert (answer["outdated"], "SQLite" in answer["answer"]) == ([], False)
    assert {citation["status"] for citation in answer["citations"]} == {"active"}


async def test_an_undone_supersession_takes_the_mark_away(told: httpx.AsyncClient) -> None:
    await replaced(told)
    (record,) = (await told.get("/api/memory/supersessions", params={"status": "applied"})).json()["items"]
    await post(told, f"/api/memory/supersessions/{record['id']}/undo", {})
    for kind in ("message", "summary"):
        found = await hits(told, "What does heron-service use?", kind)
        assert found
        assert not any(marked(hit) for hit in found)


async def test_a_context_leaves_out_what_no_longer_holds(told: httpx.AsyncClient) -> None:
    await replaced(told)
    await post(told, "/api/sessions", {"sessionId": "next"})
    asked = {"contextWindow": 16000, "query": "What does heron-service use, and who owns heron-service?"}
    items = (await post(told, "/api/sessions/next/context", asked))["items"]
    assert any("Noor" in item["text"] for item in items)
    assert not any("PostgreSQL" in item["text"] for item in items)


async def test_the_context_of_a_session_that_goes_on_marks_lines_of_its_summary(told: httpx.AsyncClient) -> None:
    await replaced(told)
    await post(told, "/api/sessions", {"sessionId": "next", "continues": "s"})
    items = (await post(told, "/api/sessions/next/context", {"contextWindow": 16000}))["items"]
    (summary,) = [item for item in items if item["kind"] == "summary"]
    (words,) = marked(summary)
    assert "PostgreSQL" in words
    assert words.endswith("(superseded)")
    assert "Noor" in summary["text"]
    assert "Noor" not in words


async def test_an_answer_names_what_took_the_place_first_and_marks_the_old(told: httpx.AsyncClient) -> None:
    facts = await replaced(told)
    answer = await post(told, "/api/memory/expand-query", {"question": "What does heron-service use?"})
    if "PostgreSQL" in answer["answer"]:
        assert answer["answer"].index("SQLite") < answer["answer"].index("PostgreSQL")
        assert all("PostgreSQL" in answer["answer"][one["start"] : one["end"]] for one in answer["outdated"])
        assert {one["replacedBy"] for one in answer["outdated"]} == {facts["new"]["id"]}
    assert "SQLite" in answer["answer"]


async def test_what_a_person_deleted_is_no_longer_said_by_its_message_or_summary(told: httpx.AsyncClient) -> None:
    gone = await fact(told, "PostgreSQL")
    assert (await told.delete(f"/api/memory/{gone['id']}", params={"reason": "nobody's business"})).status_code == 200
    question = "What does heron-service use, and who owns heron-service?"
    found = (await post(told, "/api/memory/recall", {"query": question}))["hits"]
    answer = await post(told, "/api/memory/expand-query", {"question": question})
    await post(told, "/api/sessions", {"sessionId": "next"})
    context = await post(told, "/api/sessions/next/context", {"contextWindow": 16000, "query": question})
    shown = [*(hit["text"] for hit in found), answer["answer"], *(item["text"] for item in context["items"])]
    assert not [text for text in shown if "PostgreSQL" in text]
    assert any("Noor" in text for text in shown), "the rest of the message is there"
    kept = (await told.get("/api/sessions/s/messages")).json()["items"][0]
    assert kept["content"] == SAID
    await post(told, f"/api/memory/{gone['id']}/restore", {})
    found = (await post(told, "/api/memory/recall", {"query": question}))["hits"]
    assert any("PostgreSQL" in hit["text"] for hit in found)


async def test_its_own_context_stored_again_as_words_changes_nothing(told: httpx.AsyncClient) -> None:
    await replaced(told)
    await post(told, "/api/sessions", {"sessionId": "next"})
    asked = {"contextWindow": 16000, "query": "Who owns heron-service, and what does it use?", "format": "text"}
    text = (await post(told, "/api/sessions/next/context", asked))["text"]
    assert "Noor" in text
    before = await everything(told)
    for number in range(3):
        session = f"echo-{number}"
        await post(told, "/api/sessions", {"sessionId": session})
        words = {"role": "user", "content": f"{text}\n\nWhat should we do first?"}
        await post(told, f"/api/sessions/{session}/messages", {"messages": [words]})
        await post(told, f"/api/sessions/{session}/end", {"force": True, "wait": True})
    assert await everything(told) == before


async def everything(http: httpx.AsyncClient) -> tuple[list[str], list[str]]:
    """The texts of all facts, active and superseded, with their status, and the ids of all supersessions."""
    facts = []
    for entity in (await http.get("/api/graph/entities", params={"limit": 100})).json()["items"]:
        asked = {"entity": entity["id"], "maxTokens": 8000, "includeSuperseded": True}
        page = await post(http, "/api/memory/expand", asked)
        found = [*page["constraints"], *(one for part in page["aspects"] for one in part["attributes"])]
        facts += [f"{entity['name']}: {one['content']} ({one['status']})" for one in found]
    records = (await http.get("/api/memory/supersessions", params={"limit": 100})).json()["items"]
    return sorted(facts), sorted(record["id"] for record in records)
