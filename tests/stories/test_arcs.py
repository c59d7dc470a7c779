"""Forty sessions of two projects: they end in arcs and an epoch that tells only what still holds, and each can be read
down to the words."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import pytest

from graphmem.services.operation.work import Worker
from tests.waiting import until

Json = dict[str, Any]
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
SERVICES = ("quay-api", "crane-api", "berth-api", "tide-api", "cargo-api", "pilot-api", "buoy-api", "lock-api")
STORES = ("PostgreSQL", "Redis", "MongoDB", "SQLite", "Cassandra", "MySQL", "Elasticsearch", "DynamoDB")
PEOPLE = ("Priya", "Tom", "Noor", "Jonas", "Ilse", "Maya", "Omar", "Lena")
RULES = (
    "must never log card numbers",
    "must always answer within two seconds",
    "must never call the billing provider twice",
    "must never store passports",
    "must always check the weight",
    "must never restart at night",
    "must always keep two replicas",
    "must never open both gates",
)
SENT_AWAY = 5
"""The rule that a person takes back."""
HARBOUR, ORCHARD = "harbour", "orchard"


def harbour(number: int) -> str:
    """What is said in a session of the first project: four rounds over its services."""
    round_, place = divmod(number, len(SERVICES))
    service = SERVICES[place]
    said = (
        f"We decided that {service} uses {STORES[place]}.",
        f"{service} {RULES[place]}.",
        f"{service} depends on {SERVICES[(place + 1) % len(SERVICES)]}.",
        f"{service} is owned by {PEOPLE[place]}.",
    )[round_]
    if number == 2:
        said += " The message broker of quay-api is RabbitMQ."
    return said + (" The message broker of quay-api is now Kafka." if number == 26 else "")


def orchard(number: int) -> str:
    return f"We decided that press-{number} uses {STORES[number]}."


class Told(NamedTuple):
    http: httpx.AsyncClient
    ended: list[Json]


@pytest.fixture(scope="module")
async def told(transport: httpx.ASGITransport, worker: Worker) -> AsyncIterator[Told]:
    """All sessions, told in turns, the fifth of each project coming in last; a rule is taken back before that."""
    order = [(HARBOUR, number) for number in range(32)]
    for number in range(8):
        order.insert(number * 5 + 2, (ORCHARD, number))
    late = [one for one in order if one[1] == 4]
    headers = {"X-Agent-Id": f"test-arcs-{uuid4().hex}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=120
    ) as http:
        ended = [await tell(http, *one) for one in order if one not in late]
        await settled(http)
        expansion = await post(http, "/api/memory/expand", {"entity": SERVICES[SENT_AWAY]})
        (rule,) = [fact for fact in expansion["constraints"] if RULES[SENT_AWAY] in fact["content"]]
        gone = await http.delete(f"/api/memory/{rule['id']}", params={"reason": "the night shift is back"})
        assert gone.status_code == 200
        ended += [await tell(http, *one) for one in late]
        await settled(http)
        yield Told(http, ended)


async def tell(http: httpx.AsyncClient, project: str, number: int) -> Json:
    """A short session, ended by force: the gate would skip some of those that are much like others."""
    session_id, at = f"{project} {number:02}", START + timedelta(days=number)
    said = (harbour if project == HARBOUR else orchard)(number)
    await post(http, "/api/sessions", {"sessionId": session_id, "project": project, "startedAt": at.isoformat()})
    messages = [
        {"role": "user", "name": "Mara", "content": said, "createdAt": at.isoformat(), "messageId": "asked"},
        {"role": "assistant", "content": "Noted.", "createdAt": at.isoformat(), "messageId": "answered"},
    ]
    await post(http, f"/api/sessions/{session_id}/messages", {"messages": messages})
    return await post(http, f"/api/sessions/{session_id}/end", {"force": True})


async def settled(http: httpx.AsyncClient) -> None:
    """Returns when everything is learned, embedded and condensed."""

    async def nothing_waits() -> bool:
        status = await get(http, "/api/status")
        assert status["jobs"]["failed"] == 0, status["jobs"]
        return not any(status["backlog"].values())

    await until(nothing_waits)


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


async def nodes(told: Told, kind: str, project: str) -> list[Json]:
    """Oldest first."""
    page = await get(told.http, "/api/sessions/summaries", kind=kind, project=project, limit=100)
    assert page["nextCursor"] is None
    return list(reversed(page["items"]))


async def children(told: Told, node: Json) -> list[Json]:
    found = await post(told.http, f"/api/sessions/summaries/{node['id']}/expand", {"maxTokens": 32_000})
    assert not found["truncated"]
    items: list[Json] = found["children"]
    return items


async def test_every_session_met_the_gate(told: Told) -> None:
    assert len(told.ended) == 40
    assert all(one["gate"]["significant"] and one["gate"]["reasons"][-1] == "forced" for one in told.ended)
    assert {one["gate"]["turnCount"] for one in told.ended} == {0}
    assert max(one["gate"]["entityOverlap"] for one in told.ended) >= 1


async def test_forty_sessions_of_two_projects_make_five_arcs_and_an_epoch(told: Told) -> None:
    for project, sessions, arcs, epochs in ((HARBOUR, 32, 4, 1), (ORCHARD, 8, 1, 0)):
        found = [await nodes(told, kind, project) for kind in ("session", "arc", "epoch")]
        assert [len(of) for of in found] == [sessions, arcs, epochs]
        assert not any(node["stale"] for of in found for node in of)
        below = [child["sessionId"] for arc in found[1] for child in await children(told, arc)]
        assert below == [f"{project} {number:02}" for number in range(sessions)], "in order, though some came late"
    (epoch,) = await nodes(told, "epoch", HARBOUR)
    assert [arc["id"] for arc in await children(told, epoch)] == [
        arc["id"] for arc in await nodes(told, "arc", HARBOUR)
    ]


async def test_arcs_tell_what_was_decided(told: Told) -> None:
    first, second, *_ = await nodes(told, "arc", HARBOUR)
    assert all(f"{service} uses {store}" in first["content"] for service, store in zip(SERVICES, STORES, strict=True))
    assert all(rule in second["content"] for rule in RULES), "what was a rule then is told, whatever became of it"


async def test_the_epoch_tells_constraints_in_force_and_nothing_that_was_retired(told: Told) -> None:
    (epoch,) = await nodes(told, "epoch", HARBOUR)
    lines = epoch["content"].splitlines()
    rules = [line for line in lines if line.startswith("- Constraint: ")]
    in_force = [f"- Constraint: {SERVICES[n]} {RULES[n]}" for n in range(8) if n != SENT_AWAY]
    assert sorted(rules) == sorted(in_force)
    assert lines[: len(rules)] == rules, "they come first"
    assert RULES[SENT_AWAY] not in epoch["content"]
    assert "RabbitMQ" not in epoch["content"]
    assert any(line.startswith("- Changed: ") and "Kafka" in line for line in lines)
    assert any("quay-api uses PostgreSQL" in line for line in lines)


async def test_an_epoch_is_read_down_to_the_words(told: Told) -> None:
    (epoch,) = await nodes(told, "epoch", HARBOUR)
    arc = (await children(told, epoch))[3]
    session = (await children(told, arc))[2]
    messages = await children(told, session)
    assert [message["content"] for message in messages] == [harbour(26), "Noted."]
    assert session["parentIds"] == [arc["id"]]
    assert (arc["parentIds"], arc["childCount"]) == ([epoch["id"]], 8)
    described = await get(told.http, f"/api/describe/{epoch['id']}")
    assert described["counts"]["messages"] == 64
    assert described["depths"] == {"d0": 32, "d1": 4}


async def test_three_sessions_and_an_arc_ago(told: Told) -> None:
    last = (await nodes(told, "session", HARBOUR))[-1]
    back = await get(told.http, "/api/sessions/summaries", before=last["id"], back=3, limit=1, kind="session")
    assert [one["sessionId"] for one in back["items"]] == ["harbour 28"]
    arcs = await nodes(told, "arc", HARBOUR)
    assert [arc["predecessorId"] for arc in arcs] == [None, *(arc["id"] for arc in arcs[:-1])]
    before = await get(told.http, "/api/sessions/summaries", before=arcs[3]["id"], back=1, limit=1)
    assert [one["id"] for one in before["items"]] == [arcs[2]["id"]]


async def test_small_talk_is_kept_and_leaves_the_dag_as_it_is(told: Told) -> None:
    before = [await nodes(told, kind, ORCHARD) for kind in ("session", "arc")]
    for name in ("hello", "hello again"):
        body = {"messages": [{"role": "user", "content": "Good morning!"}, {"role": "assistant", "content": "Hi!"}]}
        await post(told.http, "/api/sessions", {"sessionId": name, "project": "chat"})
        await post(told.http, f"/api/sessions/{name}/messages", body)
        await settled(told.http)
        ended = await post(told.http, f"/api/sessions/{name}/end", {"wait": True})
    assert (ended["pipeline"], ended["gate"]["significant"]) == ("skipped", False)
    assert [one["sessionId"] for one in await nodes(told, "session", "chat")] == ["hello"]
    assert before == [await nodes(told, kind, ORCHARD) for kind in ("session", "arc")]
    plan = await post(told.http, "/api/repair/condense", {"dryRun": True})
    assert (plan["jobId"], plan["affected"], plan["items"]) == (None, 0, [])
