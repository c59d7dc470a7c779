"""Turns are analysed in a real graph: in order, once, whoever does it and wherever it was interrupted."""

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import utc_now
from graphmem.app import Graphmem
from graphmem.graph.continuity.turns import TurnStore
from graphmem.graph.conversation.sessions import SessionStore
from graphmem.model.caller import Caller
from graphmem.model.inputs import EndSession, NewMessage, NewMessages, Remember
from graphmem.model.turns import Ready, Turn, TurnSettings, WaitingSession
from graphmem.services.continuity.analysing import LONG_AGO, TURNS_AT_ONCE, Analysing
from graphmem.services.operation.work import Worker
from tests.agents import embed

TALK = (
    "The goal for this quarter is that invoices go out by themselves.",
    "Sessions live in Redis; we decided that last week.",
    "ok",
    "The importer is a monolith. Split it: the parser becomes a module behind an interface.",
    "Deploy the new importer to staging, run the migration script and restart the workers.",
    "An attacker could read the access token from the logs. Encrypt it and rotate the credentials.",
    "As we said earlier, the sessions stay in Redis. See m3 too.",
    "Write a regression test for src/importer.py and review the benchmark before we merge.",
    "```python\nfor row in rows:\n    total += row.amount * row.rate\n    if total > limit:\n        return total\n```",
    "Thanks!",
    " ",
    "Deploy the new importer to production now, run the migration script there and restart the workers.",
)


def analysing_of(graphmem: Graphmem, embedder: Any = None, **settings: Any) -> Analysing:
    """Another process that analyses: it remembers nothing of what this one did."""
    turns, sessions = TurnStore(graphmem.database), SessionStore(graphmem.database)
    return Analysing(turns, sessions, embedder or graphmem.embedder, TurnSettings(**settings), utc_now, patience_s=0)


async def say(graphmem: Graphmem, agent_id: str, session_id: str, said: Sequence[str], start: int = 0) -> None:
    batch = NewMessages(
        messages=tuple(
            NewMessage(role="assistant" if place % 2 else "user", content=words, message_id=f"m{place}")
            for place, words in enumerate(said, start)
        )
    )
    await graphmem.conversation.intake.add_messages(Caller(agent_id), session_id, batch)


async def held(bolt: AsyncDriver, agent_id: str) -> list[Any]:
    """All that analysis wrote, but for when it did and the ids of nodes."""
    rows, _, _ = await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a}) RETURN m.sessionId AS session, m.messageId AS message, "
        "[m.o1, m.o2, m.o3, m.o4, m.o5, m.o6, m.o7] AS scores, m.novelty AS novelty, m.noveltyRaw AS raw, "
        "m.importance AS importance, m.paradigmShift AS shift, m.class AS class, m.tags AS tags, m.analyser AS by, "
        "COLLECT { MATCH (m)-[r:REFERENCES|SIMILAR_TO]->(o:Message) RETURN [type(r), o.messageId, r.weight, r.how] "
        "ORDER BY type(r), o.ordinal } AS links ORDER BY session, m.ordinal",
        a=agent_id,
    )
    return [row.data() for row in rows]


async def turns(graphmem: Graphmem, agent_id: str, session_id: str, *, explain: bool = True) -> list[Turn]:
    return list((await graphmem.continuity.analysing.turns(agent_id, session_id, 1000, explain=explain)).items)


async def marks(bolt: AsyncDriver, agent_id: str, session_id: str = "s") -> tuple[bool, int | None]:
    """Whether a session waits for analysis, and how far it was read."""
    rows, _, _ = await bolt.execute_query(
        "MATCH (s:Session {agent_id: $a, id: $s}) RETURN s:Unanalysed AS waits, s.analysedThrough AS through",
        a=agent_id,
        s=session_id,
    )
    return rows[0]["waits"], rows[0]["through"]


async def test_a_session_is_analysed_in_order_and_told(
    graphmem: Graphmem, bolt: AsyncDriver, http: httpx.AsyncClient, agent_id: str
) -> None:
    await say(graphmem, agent_id, "s", TALK)
    assert (await graphmem.operation.reporting.status(agent_id)).backlog.analysis == len(TALK)
    assert (await http.get("/api/sessions/s/turns")).json() == {"items": [], "nextCursor": None}
    await embed(graphmem, agent_id)
    assert await graphmem.continuity.analysing.analyse_session(agent_id, "s") == len(TALK)
    assert await marks(bolt, agent_id) == (False, len(TALK))
    assert (await graphmem.operation.reporting.status(agent_id)).backlog.analysis == 0

    found = (await http.get("/api/sessions/s/turns", params={"explain": "1"})).json()["items"]
    assert [turn["messageId"] for turn in found] == [f"m{place}" for place in range(len(TALK))]
    first, redis, ok, split, deploy, leak, back, test, code, thanks, blank, again = found
    assert (blank["class"], blank["novelty"], blank["edges"][1:]) == ("compressed", 0.2, [])
    assert (first["novelty"], ok["class"], thanks["class"]) == (0.5, "compressed", "compressed")
    for turn, overlay in ((first, "O4"), (split, "O1"), (deploy, "O5"), (leak, "O2"), (test, "O7"), (code, "O6")):
        assert turn["overlays"][overlay] >= 6, (turn["messageId"], turn["overlays"])
        assert overlay in turn["active"]
        assert turn["evidence"][overlay]
    assert {(one["messageId"], one["how"]) for one in back["references"]} == {("m1", "cue"), ("m3", "id")}
    assert test["tags"] == ["src/importer.py"]
    assert [(one["type"], one["messageId"], one["weight"]) for one in redis["edges"]] == [("temporal", "m0", 0.5)]
    assert ("semantic", "m4") in {(one["type"], one["messageId"]) for one in again["edges"]}
    met = [one for reasons in leak["evidence"].values() for one in reasons if one["via"] == "meet"]
    assert met
    assert all(-1 <= one["cosine"] <= 1 for one in met)
    assert met[0]["items"][0].startswith("O")
    assert ": " in met[0]["items"][0], "an anchor is told with its sentence"

    session = (await http.get("/api/sessions/s")).json()
    assert session["analysed"] == len(TALK)
    assert session["routineTurns"] == sum(turn["class"] == "compressed" for turn in found) > 0
    assert session["shifts"] == sum(turn["paradigmShift"] for turn in found)
    assert session["meanImportance"] == pytest.approx(sum(turn["importance"] for turn in found) / len(found))
    assert session["meanNovelty"] == pytest.approx(sum(turn["novelty"] for turn in found) / len(found))


async def test_turns_are_paged_and_explained_only_where_asked(
    graphmem: Graphmem, http: httpx.AsyncClient, agent_id: str
) -> None:
    await say(graphmem, agent_id, "s", TALK)
    await embed(graphmem, agent_id)
    await graphmem.continuity.analysing.analyse_session(agent_id, "s")
    seen: list[Any] = []
    params: dict[str, Any] = {"limit": 4}
    for _ in range(3):
        page = (await http.get("/api/sessions/s/turns", params=params)).json()
        seen += page["items"]
        params["cursor"] = page["nextCursor"]
    assert page["nextCursor"] is None
    assert [turn["ordinal"] for turn in seen] == list(range(len(TALK)))
    assert all(turn["evidence"] is turn["references"] is turn["edges"] is None for turn in seen)
    assert (await http.get("/api/sessions/s/turns", params={"cursor": "x"})).status_code == 400


async def test_an_unknown_session_has_no_turns(http: httpx.AsyncClient, graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, "somebody-else", "theirs", ["hello"])
    for session_id in ("nowhere", "theirs"):
        answer = await http.get(f"/api/sessions/{session_id}/turns")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_an_analysis_that_was_interrupted_ends_as_one_in_one_go(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = f"{agent_id}-2"
    for agent in (agent_id, other):
        await say(graphmem, agent, "s", TALK)
        await embed(graphmem, agent)
    await graphmem.continuity.analysing.analyse_session(agent_id, "s")
    monkeypatch.setattr("graphmem.services.continuity.analysing.TURNS_AT_ONCE", 3)
    for _ in range(len(TALK)):
        waiting = await graphmem.continuity.analysing._turns.sessions_waiting(Ready(True, LONG_AGO), 100)
        if not any(one.agent_id == other for one in waiting):
            break
        # Each batch is read by a process that knows nothing of those before it.
        await analysing_of(graphmem).analyse([one for one in waiting if one.agent_id == other])
    assert await held(bolt, other) == await held(bolt, agent_id)


async def test_what_is_said_later_is_held_against_all_before(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    other = f"{agent_id}-2"
    await say(graphmem, agent_id, "s", TALK)
    await embed(graphmem, agent_id)
    await graphmem.continuity.analysing.analyse_session(agent_id, "s")
    for place, words in enumerate(TALK):
        await say(graphmem, other, "s", [words], place)
        await embed(graphmem, other)
        assert await graphmem.continuity.analysing.analyse_session(other, "s") == 1
        assert await marks(bolt, other) == (False, place + 1)
    assert await held(bolt, other) == await held(bolt, agent_id)


async def test_two_that_analyse_the_same_session_do_it_once(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    other = f"{agent_id}-2"
    for agent in (agent_id, other):
        await say(graphmem, agent, "s", TALK)
        await embed(graphmem, agent)
    await graphmem.continuity.analysing.analyse_session(agent_id, "s")
    pair = (analysing_of(graphmem), analysing_of(graphmem))
    done = await asyncio.gather(*(one.analyse_session(other, "s") for one in pair))
    assert sum(done) == len(TALK)
    assert await held(bolt, other) == await held(bolt, agent_id)


async def test_a_batch_that_somebody_else_wrote_meanwhile_is_not_written_again(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await say(graphmem, agent_id, "s", TALK)
    await embed(graphmem, agent_id)
    store = TurnStore(graphmem.database)
    batch = await store.waiting(agent_id, "s", Ready(True, LONG_AGO), 4)
    assert batch is not None
    assert [turn.ordinal for turn in batch.turns] == [0, 1, 2, 3]
    assert await store.store(agent_id, "s", batch, (), "a", utc_now())
    assert not await store.store(agent_id, "s", batch, (), "b", utc_now())
    assert await marks(bolt, agent_id) == (True, 4)


async def test_a_turn_waits_for_its_vector_and_later_ones_wait_for_it(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await say(graphmem, agent_id, "s", TALK)
    await embed(graphmem, agent_id, besides=[TALK[3]])
    assert await graphmem.continuity.analysing.analyse_session(agent_id, "s") == 3
    assert await marks(bolt, agent_id) == (True, 3)
    waiting = await graphmem.continuity.analysing.sessions_waiting()
    assert agent_id not in {one.agent_id for one in waiting}
    await embed(graphmem, agent_id)
    assert await graphmem.continuity.analysing.analyse_session(agent_id, "s") == len(TALK) - 3


class Off:
    """An embedder that could not be loaded."""

    id, dimensions, state = "none", 384, "off"


async def test_without_an_embedder_words_and_shape_decide(graphmem: Graphmem, agent_id: str) -> None:
    await say(graphmem, agent_id, "s", TALK)
    patient = Analysing(
        TurnStore(graphmem.database),
        SessionStore(graphmem.database),
        Off(),
        TurnSettings(),
        utc_now,  # type: ignore[arg-type]
    )
    assert await patient.analyse_session(agent_id, "s") == 0, "the embedder may be back soon"
    assert await analysing_of(graphmem, Off()).analyse_session(agent_id, "s") == len(TALK)
    found = await turns(graphmem, agent_id, "s")
    assert {turn.analyser for turn in found} == {"turns-7 words"}
    assert found[5].overlays.o2 >= 6
    assert found[8].overlays.o6 >= 5
    assert found[4].novelty > 0.5
    assert found[6].references is not None
    assert [one.message_id for one in found[6].references] == ["m3"], "what is named by its id"


async def test_what_the_agent_knows_lifts_what_is_near_to_it(graphmem: Graphmem, agent_id: str) -> None:
    said = ["The Kestrel ledger.", "What about the Kestrel ledger and its books?"]
    await say(graphmem, agent_id, "before", said)
    await embed(graphmem, agent_id)
    await graphmem.continuity.analysing.analyse_session(agent_id, "before")
    caller = Caller(agent_id)
    rule = Remember(content="The Kestrel ledger and its books must be encrypted.", entity="Kestrel", kind="constraint")
    kept = await graphmem.knowledge.learning.remember(caller, rule)
    await say(graphmem, agent_id, "after", said)
    await embed(graphmem, agent_id)
    await graphmem.continuity.analysing.analyse_session(agent_id, "after")
    _, before = await turns(graphmem, agent_id, "before")
    _, after = await turns(graphmem, agent_id, "after")
    assert after.overlays.o2 > before.overlays.o2
    assert after.overlays.o4 > before.overlays.o4
    assert after.evidence is not None
    met = {item for reasons in after.evidence.values() for one in reasons for item in one.items if one.via == "meet"}
    assert met & {kept.memory.id, *(one.id for one in kept.attributes)}


async def test_what_a_session_itself_taught_makes_no_difference_to_it(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    other = f"{agent_id}-2"
    said = ["The ledger must never log passwords.", "We decided that the ledger uses PostgreSQL."]
    for agent in (agent_id, other):
        await say(graphmem, agent, "s", said)
    await graphmem.conversation.intake.end(Caller(other), "s", EndSession())
    while (await graphmem.knowledge.learning.read_session(other, "s")).more:
        pass
    for agent in (agent_id, other):
        await embed(graphmem, agent)
        await graphmem.continuity.analysing.analyse_session(agent, "s")
    assert await held(bolt, other) == await held(bolt, agent_id)


async def test_an_archived_session_is_not_analysed_and_is_once_it_is_back(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await say(graphmem, agent_id, "cron:1", TALK[:4])
    await embed(graphmem, agent_id)
    await graphmem.conversation.care.archive(agent_id, ["cron:*"], apply=True)
    assert await marks(bolt, agent_id, "cron:1") == (False, None)
    await say(graphmem, agent_id, "cron:1", TALK[4:6], start=4)
    assert await graphmem.continuity.analysing.analyse_session(agent_id, "cron:1") == 0
    assert await marks(bolt, agent_id, "cron:1") == (False, None)
    assert not await graphmem.continuity.analysing.waiting_of_agent(agent_id)
    await graphmem.conversation.care.restore(agent_id, ["cron:1"])
    await embed(graphmem, agent_id)
    assert await graphmem.continuity.analysing.analyse_session(agent_id, "cron:1") == 6
    await graphmem.conversation.care.archive(agent_id, ["cron:*"], apply=True)
    assert len(await turns(graphmem, agent_id, "cron:1")) == 6, "what was found is still told"


async def test_sessions_of_an_older_store_are_found_and_analysed(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await say(graphmem, agent_id, "s", TALK[:2])
    await embed(graphmem, agent_id)
    await bolt.execute_query("MATCH (s:Session {agent_id: $a}) REMOVE s:Unanalysed", a=agent_id)
    assert not await graphmem.continuity.analysing.waiting_of_session(agent_id, "s")
    while await graphmem.continuity.analysing.find_older():
        pass
    assert await graphmem.continuity.analysing.waiting_of_session(agent_id, "s")
    assert await graphmem.continuity.analysing.analyse_session(agent_id, "s") == 2


async def test_a_message_that_is_no_more_holds_nothing_up(graphmem: Graphmem, bolt: AsyncDriver, agent_id: str) -> None:
    await say(graphmem, agent_id, "s", TALK[:5])
    await embed(graphmem, agent_id)
    gone = "MATCH (m:Message {agent_id: $a}) WHERE m.ordinal IN $gone DETACH DELETE m"
    await bolt.execute_query(gone, a=agent_id, gone=[0, 2, 4])
    assert await graphmem.continuity.analysing.analyse_session(agent_id, "s") == 2
    assert await marks(bolt, agent_id) == (False, 5)
    await say(graphmem, agent_id, "s", ["And more."], 5)
    await bolt.execute_query(gone, a=agent_id, gone=[5])
    assert await graphmem.continuity.analysing.analyse([WaitingSession(agent_id, "s", 5)]) == 0
    assert await marks(bolt, agent_id) == (False, 6)


async def test_a_long_session_is_read_once_and_in_batches(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = TURNS_AT_ONCE * 3 + 5
    await say(graphmem, agent_id, "s", [f"Note {place}: {TALK[place % len(TALK)]}" for place in range(number)])
    await embed(graphmem, agent_id)
    calls: list[str] = []
    mine = analysing_of(graphmem)

    def counting(name: str) -> Any:
        of = getattr(mine._turns, name)

        async def counted(*args: Any) -> Any:
            calls.append(name)
            return await of(*args)

        return counted

    for name in ("waiting", "before", "store"):
        monkeypatch.setattr(mine._turns, name, counting(name))
    assert await mine.analyse_session(agent_id, "s") == number
    assert calls == ["waiting", "store"] * 4 + ["waiting"]


async def test_ending_with_wait_waits_for_analysis(
    worker: Worker, graphmem: Graphmem, bolt: AsyncDriver, http: httpx.AsyncClient, agent_id: str
) -> None:
    await say(graphmem, agent_id, "s", TALK)
    for _ in range(5):  # it waits a minute at most, and a slow machine has other tests' work before it
        ended = (await http.post("/api/sessions/s/end", json={"wait": True})).json()
        if ended["pipeline"] == "done":
            break
    assert ended["pipeline"] == "done"
    assert await marks(bolt, agent_id) == (False, len(TALK))
    assert len((await http.get("/api/sessions/s/turns")).json()["items"]) == len(TALK)


async def test_evidence_in_the_graph_is_json_and_the_edges_carry_the_agent(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    before = utc_now() - timedelta(seconds=1)
    await say(graphmem, agent_id, "s", TALK)
    await embed(graphmem, agent_id)
    await graphmem.continuity.analysing.analyse_session(agent_id, "s")
    rows, _, _ = await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a}) RETURN m.evidence AS evidence, m.analysedAt AS at, m.analyser AS by",
        a=agent_id,
    )
    for row in rows:
        assert set(json.loads(row["evidence"])) <= {"O1", "O2", "O3", "O4", "O5", "O6", "O7"}
        assert row["at"].to_native() >= before
        assert row["by"] == f"turns-7 {graphmem.embedder.id}"
    edges, _, _ = await bolt.execute_query(
        "MATCH (m:Message {agent_id: $a})-[r:REFERENCES|SIMILAR_TO]->(o) "
        "RETURN r.agent_id AS agent, m.ordinal - o.ordinal AS back, r.weight AS weight",
        a=agent_id,
    )
    assert edges
    assert all(row["agent"] == agent_id and row["back"] > 0 and 0 < row["weight"] <= 1 for row in edges)
