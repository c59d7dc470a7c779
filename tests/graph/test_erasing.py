"""Erasing: what was said is gone from everything, for good; what rests on something else as well stays."""

import base64
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.adapters.erasures import ErasureFiles, files_holding
from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.errors import LegalHold
from graphmem.model.caller import Caller
from graphmem.model.compaction import Compact
from graphmem.model.erasing import Erase, Erased, EraseSubject, Erasure
from graphmem.rules.language.keys import agent_key, canonical_json, sha256_hex
from graphmem.rules.summaries.compaction import CompactionBounds
from graphmem.services.continuity.condensing import Condensing, CondensingSettings
from graphmem.services.continuity.summarising import Summarising
from graphmem.services.operation.erasing import signed_text
from graphmem.services.operation.housekeeping import seal
from graphmem.settings import Settings
from tests.agents import carried_out, embed
from tests.waiting import worked_until

Json = dict[str, Any]
NAME, SPEAKER = "Zoltanka", "Wendeline"
OF_NAME, OF_SPEAKER, IN_MESSAGE, IN_FILE, IN_MEMORY, IN_SESSION = (
    "Brimwick",
    "Gorsedale",
    "Pellworth",
    "Quoddle",
    "Thornby",
    "Fennimor",
)
"""Words that nothing else says: what somebody is called, and a word for each place where something is said."""
PICTURE = base64.b64encode(f"\x89PNG {IN_FILE} ".encode() * 40).decode()
SHARED = "billing-api uses PostgreSQL."
"""What two sessions say."""


async def ok(response: httpx.Response, *statuses: int) -> Json:
    assert response.status_code in (statuses or (200,)), response.text
    body: Json = response.json()
    return body


async def say(http: httpx.AsyncClient, session_id: str, *messages: Json) -> None:
    given = [{"role": "user", "messageId": f"{session_id}-{n}"} | one for n, one in enumerate(messages)]
    how = {"Idempotency-Key": f"say {session_id}"}
    await ok(await http.post(f"/api/sessions/{session_id}/messages", json={"messages": given}, headers=how), 200, 201)


async def read(graphmem: Graphmem, http: httpx.AsyncClient, session_id: str) -> None:
    """Have a worker read a session to its end."""
    receipt = await ok(await http.post(f"/api/sessions/{session_id}/end", json={"force": True}))

    async def done() -> bool:
        return bool((await ok(await http.get(f"/api/jobs/{receipt['jobId']}")))["status"] == "done")

    await worked_until(graphmem.worker(), done)


async def remember(http: httpx.AsyncClient, content: str, **more: Any) -> Json:
    how = {"Idempotency-Key": f"remember {content}"}
    return await ok(await http.post("/api/memory/remember", json={"content": content} | more, headers=how), 200, 201)


async def erase(http: httpx.AsyncClient, *, confirm: bool = True, **subject: str) -> Json:
    given = {"subject": subject, "confirm": confirm}
    return await ok(await http.post("/api/memory/erase", json=given))


async def holding(bolt: AsyncDriver, agent_id: str, word: str) -> list[str]:
    """Whatever of an agent's nodes and relationships holds a word, read past all of our code."""
    rows, _, _ = await bolt.execute_query(
        "MATCH (n) WHERE n.agent_id = $a RETURN labels(n) AS of, properties(n) AS held "
        "UNION ALL MATCH (n)-[r]->() WHERE n.agent_id = $a RETURN [type(r)] AS of, properties(r) AS held",
        a=agent_id,
    )
    texts = [json.dumps([row["of"], row["held"]], default=str, ensure_ascii=False) for row in rows]
    return [text for text in texts if word.casefold() in text.casefold()]


async def indexed(bolt: AsyncDriver, agent_id: str, word: str) -> list[str]:
    """The indexes that lead to something of an agent by a word."""
    await bolt.execute_query("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    names, _, _ = await bolt.execute_query("SHOW FULLTEXT INDEXES YIELD name RETURN name")
    found = []
    for (name,) in names:
        ask = "CALL db.index.fulltext.queryNodes($i, $q) YIELD node WHERE node.agent_id = $a RETURN count(node)"
        rows, _, _ = await bolt.execute_query(ask, i=name, q=word, a=agent_id)
        found += [name] if rows[0][0] else []
    return found


async def lived(graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str) -> Json:
    """An agent that has words in every place where some are stored; ids of what was made."""
    await ok(
        await http.post("/api/sessions", json={"sessionId": "s", "project": "p", "metadata": {"of": IN_SESSION}}), 201
    )
    calls = [{"id": "c", "function": {"name": "look", "arguments": json.dumps({"q": f"about {OF_NAME}"})}}]
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}}
    await say(
        http,
        "s",
        {"content": SHARED},
        {"content": f"My sister {NAME} lives in {OF_NAME}.", "metadata": {"note": OF_NAME}, "toolCalls": calls},
        {"content": [{"type": "text", "text": "See this"}, image]},
        {"content": f"The ledger must never store {IN_MESSAGE} numbers."},
        {"content": f"I work at {OF_SPEAKER}.", "name": SPEAKER},
        *({"content": f"Heron {n} sits by the lake and waits. " * 4} for n in range(6)),
    )
    await ok(await http.post("/api/sessions", json={"sessionId": "t", "project": "p"}), 201)
    await say(http, "t", {"content": SHARED}, {"content": "Lunch was fine."})
    for session_id in ("s", "t"):
        await read(graphmem, http, session_id)
        await ok(await http.post(f"/api/sessions/{session_id}/recap", json={}))
    await embed(graphmem, agent_id)
    await graphmem.continuity.analysing.analyse_session(agent_id, "s")
    bounds = CompactionBounds(fresh_tail=2, leaf_tokens=40, fan_in=2)
    compacting = replace(graphmem.continuity.compacting, summarising=Summarising(bounds), bounds=bounds)
    done = await compacting.compact(Caller(agent_id), "s", Compact(force=True))
    assert {one.kind for one in done.summaries} == {"leaf", "condensed"}
    dag = graphmem.continuity.condensing.data
    condensing = Condensing(dag, graphmem.operation.jobs, CondensingSettings(2, 2), utc_now, new_uuid7)
    assert await carried_out(condensing.carry_on, agent_id, "p") == {"nodes": 1}
    kept = await remember(http, f"The orchard lies by {IN_MEMORY}.", entity="orchard", importance=0.5)
    memory = kept["memory"]["id"]
    await ok(await http.patch(f"/api/memory/{memory}", json={"importance": 0.9, "reason": f"{IN_MEMORY} matters"}))
    await ok(await http.delete(f"/api/memory/{memory}", params={"reason": f"{IN_MEMORY} is far"}))
    await ok(await http.post(f"/api/memory/{memory}/restore", json={"reason": f"{IN_MEMORY} is near"}))
    await ok(await http.post("/api/memory/feedback", json={"items": [{"id": memory, "score": 1}]}))
    await remember(http, f"{NAME} grew up in {OF_NAME}.", entity=NAME)
    edges = {"dependencies": [{"source": NAME, "target": "ledger", "reason": f"as {OF_NAME} tells"}]}
    await ok(await http.put("/api/graph/dependencies", json=edges, headers={"Idempotency-Key": "edges"}))
    page = await ok(await http.get("/api/sessions/s/messages"))
    (payload,) = page["items"][2]["payloads"]
    await embed(graphmem, agent_id)
    await seal(graphmem.operation.upkeep, agent_id, utc_now() + timedelta(days=1))
    return {"memory": memory, "payload": payload["sha256"], "messages": [one["id"] for one in page["items"]]}


async def test_no_canary_is_left_of_what_is_erased_and_all_else_stays(
    graphmem: Graphmem, settings: Settings, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    """One subject of each kind after the other, and a search of everything after each."""
    made = await lived(graphmem, http, agent_id)
    subjects = {
        "payload": ({"payload": made["payload"]}, [IN_FILE]),
        "memory": ({"memoryId": made["memory"]}, [IN_MEMORY]),
        "message": ({"messageId": "s-3", "sessionId": "s"}, [IN_MESSAGE]),
        "person": ({"person": SPEAKER}, [SPEAKER, OF_SPEAKER]),
        "entity": ({"entity": NAME}, [NAME, OF_NAME]),
        "session": ({"sessionId": "s"}, [IN_SESSION, "heron"]),
    }
    stays = [word for _, words in subjects.values() for word in words if word != IN_FILE]
    gone: list[str] = []
    files = settings.data_dir / "payloads" / agent_key(agent_id)
    for kind, (subject, words) in subjects.items():
        for word in stays:
            assert await holding(bolt, agent_id, word), word
        assert bool(files_holding([files], [IN_FILE])[1]) == (IN_FILE not in gone)
        preview = (await erase(http, confirm=False, **subject))["receipt"]
        assert (preview["preview"], preview["verified"], preview["erasureId"]) == (True, False, None)
        receipt = (await erase(http, **subject))["receipt"]
        assert (receipt["verified"], receipt["left"], receipt["kind"]) == (True, [], kind)
        assert preview["deleted"] == receipt["deleted"]
        gone, stays = gone + words, [word for word in stays if word not in words]
        for word in gone:
            assert await holding(bolt, agent_id, word) == [], (kind, word)
            assert await indexed(bolt, agent_id, word) == [], (kind, word)
        for route in ("/api/verify", "/api/doctor"):
            found = await ok(await http.get(route))
            assert [one for one in found["findings"] if one["severity"] == "error"] == [], kind
    assert not files_holding([settings.data_dir], [word for word in gone if word != "heron"])[1]
    page = await ok(await http.post("/api/memory/expand", json={"entity": "billing-api"}))
    (fact,) = [one for aspect in page["aspects"] for one in aspect["attributes"]]
    assert "PostgreSQL" in fact["content"]
    assert fact["messageIds"] == ["t-0"]


async def test_what_is_sent_again_is_not_stored_again(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    """A host sends its whole history again, with ids and without: the erased message stays away."""
    named = {"messages": [{"role": "user", "content": f"note {n}", "messageId": f"n{n}"} for n in range(3)]}
    nameless = {"messages": [{"role": "user", "content": f"word {n}"} for n in range(3)]}
    for session_id, batch in (("named", named), ("nameless", nameless)):
        path = f"/api/sessions/{session_id}/messages"
        first = await ok(await http.post(path, json=batch), 200, 201)
        await erase(http, messageId=first["messages"][1]["id"])
        again = await ok(await http.post(path, json=batch), 200, 201)
        assert (again["stored"], again["duplicates"]) == (0, 3)
    assert [await holding(bolt, agent_id, word) for word in ("note 1", "word 1")] == [[], []]
    more = {"messages": [{"role": "user", "content": text} for text in ("new one", "new two")]}
    assert (await ok(await http.post("/api/sessions/nameless/messages", json=more), 200, 201))["stored"] == 2


async def test_a_receipt_is_signed_and_a_repeat_gets_the_same_one(
    http: httpx.AsyncClient, settings: Settings, agent_id: str
) -> None:
    kept = await remember(http, f"{IN_MEMORY} is where the plum trees are.")
    given = {"subject": {"memoryId": kept["memory"]["id"]}, "confirm": True}
    key = {"Idempotency-Key": "once"}
    first = await http.post("/api/memory/erase", json=given, headers=key)
    second = await http.post("/api/memory/erase", json=given, headers=key)
    assert (first.status_code, second.content, second.headers["Idempotency-Replayed"]) == (200, first.content, "true")
    erased = Erased.model_validate_json(first.content)
    assert erased.signature is not None
    assert erased.receipt.subject_sha256 == sha256_hex(canonical_json([agent_id, given["subject"]]))
    files = ErasureFiles(settings.data_dir)
    assert files.is_signed(signed_text(erased.receipt), erased.signature)
    forged = erased.receipt.model_copy(update={"verified": False})
    assert not files.is_signed(signed_text(forged), erased.signature)
    assert erased.receipt.files.state == "notOurs"
    events = await ok(await http.get("/api/telemetry/events", params={"name": "content_erased"}))
    assert [one["subjectId"] for one in events["items"]] == [erased.receipt.erasure_id]


async def test_words_that_others_say_as_well_stay_with_them(http: httpx.AsyncClient, agent_id: str) -> None:
    for session_id in ("one", "two"):
        await say(http, session_id, {"content": f"We met in {OF_NAME} by the {NAME} canal."})
    receipt = (await erase(http, sessionId="one"))["receipt"]
    assert (receipt["verified"], receipt["saidElsewhere"]) == (True, 1)
    page = await ok(await http.get("/api/sessions/two/messages"))
    assert page["items"][0]["content"] == f"We met in {OF_NAME} by the {NAME} canal."
    assert (await http.get("/api/sessions/one")).status_code == 404


async def test_a_legal_hold_keeps_what_it_names(graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str) -> None:
    await say(http, "case:1", {"content": f"{NAME} signed it."})
    held = replace(graphmem.operation.erasing, hold=("case:*",))
    given = Erase(subject=EraseSubject(person=NAME))
    assert (await held.erase(Caller(agent_id), given)).receipt.held_by == ("case:*",)
    with pytest.raises(LegalHold, match=r"case:\*"):
        await held.erase(Caller(agent_id), given.model_copy(update={"confirm": True}))
    assert (await ok(await http.get("/api/sessions/case:1/messages")))["items"][0]["content"] == f"{NAME} signed it."
    assert (await erase(http, person=NAME))["receipt"]["verified"]


@pytest.mark.parametrize(
    ("subject", "status"),
    [
        ({}, 422),
        ({"entity": "a", "person": "b"}, 422),
        ({"sessionId": "s", "memoryId": "m"}, 422),
        ({"payload": "no hash"}, 422),
        ({"entity": "nobody"}, 404),
        ({"person": "nobody"}, 404),
        ({"sessionId": "none"}, 404),
        ({"messageId": "none"}, 404),
        ({"memoryId": "none"}, 404),
        ({"payload": "0" * 64}, 404),
    ],
)
async def test_a_subject_that_is_none_is_refused(http: httpx.AsyncClient, subject: Json, status: int) -> None:
    response = await http.post("/api/memory/erase", json={"subject": subject, "confirm": True})
    assert response.status_code == status, response.text


async def test_delete_says_that_the_words_remain_and_how_to_erase_them(http: httpx.AsyncClient) -> None:
    kept = await remember(http, "The attic is dusty.", entity="attic")
    receipt = await ok(await http.delete(f"/api/memory/{kept['memory']['id']}"))
    assert "POST /api/memory/erase" in receipt["wordsRemain"]


async def test_history_that_lost_words_without_an_erasure_is_broken(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    """An erasure excuses the events that its own event names, and no other."""
    for content in (f"The barn is by {IN_MEMORY}.", "The shed is by the road."):
        kept = await remember(http, content, entity="barn")
        await ok(await http.delete(f"/api/memory/{kept['memory']['id']}", params={"reason": content}))
        await seal(graphmem.operation.upkeep, agent_id, utc_now() + timedelta(days=1))
        if IN_MEMORY in content:
            await erase(http, memoryId=kept["memory"]["id"])
    await seal(graphmem.operation.upkeep, agent_id, utc_now() + timedelta(days=1))
    found = await ok(await http.get("/api/verify"))
    assert [one["code"] for one in found["findings"]] == []
    await bolt.execute_query(
        "MATCH (e:Event {agent_id: $a, subjectId: $id}) SET e.before = null, e.after = null, e.reason = null, "
        "e.erasedBy = 'x' WITH DISTINCT 1 AS one MATCH (x:Erasure {agent_id: $a}) "
        "SET x.eventIds = x.eventIds + COLLECT { MATCH (e:Event {agent_id: $a, subjectId: $id}) RETURN e.id }",
        a=agent_id,
        id=kept["memory"]["id"],
    )
    found = await ok(await http.get("/api/verify"))
    assert [one["code"] for one in found["findings"]] == ["history_broken"]


async def test_an_interrupted_erasure_is_carried_out_by_the_chore(
    graphmem: Graphmem, http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    await say(http, "s", {"content": f"{NAME} knows the way."})
    (message,) = (await ok(await http.get("/api/sessions/s/messages")))["items"]
    erasing, past = graphmem.operation.erasing, utc_now() - timedelta(seconds=1)
    begun = Erasure(agent_id=agent_id, id=new_uuid7(), kind="message", created_at=past, message_ids=(message["id"],))
    await erasing.data.begin(begun, past)
    await ok(await http.post("/api/sessions/s/end", json={"force": True}))
    given: list[str] = []
    while job := await graphmem.operation.jobs.lease("somebody", utc_now() + timedelta(days=1), 86_400):
        given.append(job.agent_id)
    assert agent_id not in given
    await erasing.finish_interrupted()
    assert await holding(bolt, agent_id, NAME) == []
    assert await erasing.data.unfinished(utc_now()) == []
