"""Sessions that are read again: the same reading changes nothing, a newer extractor adds what it finds, and what it no
longer finds goes cold, says why, and comes back."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

import hypothesis
import pytest
from hypothesis import strategies as st
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.errors import Conflict, ModelUnavailable, NotFound
from graphmem.graph.conversation.sessions import SessionStore
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.model.caller import Caller
from graphmem.model.extraction import Extraction, Limits, SourceMessage
from graphmem.model.inputs import Correction, NewMessage, NewMessages, Recall, Remember
from graphmem.model.parsed import ParsedText
from graphmem.rules.extraction.extraction import extract
from graphmem.services.knowledge import extracting
from graphmem.services.knowledge.learning import Learning
from graphmem.services.knowledge.rereading import Rereading
from tests.agents import learn, nodes_of, snapshot

Blind = Callable[..., None]


def newer(graphmem: Graphmem, number: int = 2, **changed: Any) -> Rereading:
    """A reader of sessions whose extractor has another name than the one that read them first."""
    settings = replace(graphmem.knowledge.rereading.settings, extractor=f"rules-test-{number}", **changed)
    return replace(graphmem.knowledge.rereading, settings=settings)


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> Blind:
    """From then on extraction finds no fact or dependency with one of these words; statements only where all of what
    they say is left out, or with `whole`. Without words it finds everything again."""

    def use(*words: str, whole: bool = True) -> None:
        def read(messages: Sequence[SourceMessage], parsed: Sequence[ParsedText], **how: Any) -> Extraction:
            return _without(extract(messages, parsed, **how), words, whole=whole)

        monkeypatch.setattr(extracting, "extract", read)

    return use


def _without(found: Extraction, words: Sequence[str], *, whole: bool) -> Extraction:
    def has(text: str) -> bool:
        return any(word in text for word in words)

    lost = {n for n, one in enumerate(found.statements) if whole and has(one.content)}
    place = {old: new for new, old in enumerate(n for n in range(len(found.statements)) if n not in lost)}
    return found.model_copy(
        update={
            "entities": tuple(one for one in found.entities if not (whole and has(one.name))),
            "statements": tuple(one for n, one in enumerate(found.statements) if n not in lost),
            "attributes": tuple(
                one.model_copy(update={"statement": place[one.statement]})
                for one in found.attributes
                if one.statement not in lost and not has(one.content)
            ),
            "dependencies": tuple(
                one.model_copy(update={"statement": place[one.statement]})
                for one in found.dependencies
                if one.statement not in lost and not has(f"{one.source} {one.target}")
            ),
        }
    )


async def state(bolt: AsyncDriver, agent_id: str) -> list[Any]:
    """All that the agent has, but for which extractor has read its sessions, and found what where."""
    return [
        (
            id_,
            labels,
            {key: value for key, value in held.items() if key != "extractor"},
            [
                (kind, to, {key: v for key, v in how.items() if key not in ("lost", "lostIn")})
                for kind, to, how in links
            ],
        )
        for id_, labels, held, links in await snapshot(bolt, agent_id)
    ]


async def events(bolt: AsyncDriver, agent_id: str) -> list[tuple[str, str]]:
    rows, _, _ = await bolt.execute_query(
        "MATCH (v:Event {agent_id: $a}) RETURN v.kind AS kind, v.subjectId AS about ORDER BY v.at, v.id", a=agent_id
    )
    return [(row["kind"], row["about"]) for row in rows]


async def facts(bolt: AsyncDriver, agent_id: str) -> dict[str, str]:
    """What is said of each thing, and how it stands."""
    rows, _, _ = await bolt.execute_query(
        "MATCH (t:Attribute {agent_id: $a}) RETURN t.content AS content, t.status AS status", a=agent_id
    )
    return {row["content"]: row["status"] for row in rows}


async def found(bolt: AsyncDriver, agent_id: str, label: str, key: str, value: str) -> dict[str, Any]:
    rows, _, _ = await bolt.execute_query(
        f"MATCH (n:{label} {{agent_id: $a, {key}: $value}}) RETURN properties(n) AS held, labels(n) AS labels",
        a=agent_id,
        value=value,
    )
    (row,) = rows
    return dict(row["held"]) | {"labels": row["labels"]}


async def extractor(bolt: AsyncDriver, agent_id: str, session_id: str) -> str | None:
    held = await found(bolt, agent_id, "Session", "id", session_id)
    return held.get("extractor")


TALK = (
    "lamp-service uses Redis",
    "lamp-service runs on port 7000",
    "lamp-service must never run as root",
    "door-service depends on lamp-service",
)


async def test_a_session_that_the_extractor_has_read_is_not_read_again(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", *TALK)
    before, told = await snapshot(bolt, agent_id), await events(bolt, agent_id)
    assert await graphmem.knowledge.rereading.stale(agent_id) == []
    assert await graphmem.knowledge.rereading.enqueue(agent_id, "s") is None
    assert (await graphmem.knowledge.rereading.read_again(agent_id, "s")).unchanged
    assert await snapshot(bolt, agent_id) == before
    assert await events(bolt, agent_id) == told


async def test_a_session_read_on_by_another_extractor_is_read_again(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", TALK[0])
    name = await extractor(bolt, agent_id, "s")
    assert name == graphmem.knowledge.rereading.settings.extractor
    await learn(graphmem, agent_id, "s", TALK[1])
    assert await extractor(bolt, agent_id, "s") == name
    assert (await newer(graphmem).read_again(agent_id, "s")).messages == 2
    assert await extractor(bolt, agent_id, "s") == "rules-test-2"
    await learn(graphmem, agent_id, "s", TALK[2])
    assert await extractor(bolt, agent_id, "s") is None
    assert await graphmem.knowledge.rereading.stale(agent_id) == ["s"]


SENTENCES = [
    *TALK,
    "door-service uses Postgres and the lamp-service.",
    "lamp-service does not use Redis.",
    "lamp-service runs on port 9000.",
    "Ana owns the door-service.",
    "I prefer Helix.",
    "We moved from Kafka to RabbitMQ yesterday.",
    "attic-service uses Redis. cellar-service uses Kafka. roof-service uses NATS. wick-service uses SQLite.",
    "oil-store needs wick-service. glass-store needs oil-store. ash-store needs glass-store.",
    "Always back up oil-store. Never restart wick-service by hand.",
    "Sounds good, thanks!",
    "What does door-service use?",
]
said = st.lists(
    st.tuples(
        st.sampled_from(SENTENCES), st.sampled_from(["Ana", "Ben", None]), st.sampled_from(["user", "assistant"])
    ),
    min_size=1,
    max_size=7,
)


@hypothesis.settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow],
)
@hypothesis.given(talk=said, most=st.integers(1, 4), room=st.integers(1, 8))
async def test_reading_a_session_twice_changes_nothing(
    graphmem: Graphmem,
    bolt: AsyncDriver,
    talk: list[tuple[str, str | None, str]],
    most: int,
    room: int,
) -> None:
    """Whatever was said, in chunks of any size, within limits that cut or do not."""
    agent_id = f"test-{uuid4().hex}"
    narrow: dict[str, Any] = {"limits": Limits(max_new_entities=room, max_strict_entities=2), "chunk_messages": most}
    settings = newer(graphmem, 1, **narrow).settings
    sessions, knowledge = SessionStore(graphmem.database), KnowledgeStore(graphmem.database)
    learning = Learning(
        sessions, knowledge, graphmem.world.parser, settings, utc_now, new_uuid7, graphmem.conversation.guards
    )
    batch = NewMessages(messages=tuple(NewMessage(role=role, content=words, name=name) for words, name, role in talk))
    await graphmem.conversation.intake.add_messages(Caller(agent_id), "s", batch)
    while (await learning.read_session(agent_id, "s")).more:
        pass
    before, told = await state(bolt, agent_id), await events(bolt, agent_id)
    again = await newer(graphmem, 2, **narrow).read_again(agent_id, "s")
    assert again.messages == len(talk)
    assert not again.changes
    assert await state(bolt, agent_id) == before
    assert await events(bolt, agent_id) == told
    lost = f"{await nodes_of(bolt)} MATCH (n)-[r]->() WHERE r.lost OR r.lostIn IS NOT NULL RETURN count(r) AS n"
    rows, _, _ = await bolt.execute_query(lost, a=agent_id)
    assert rows[0]["n"] == 0


async def test_a_dense_session_is_read_in_smaller_pieces_and_nothing_is_cut(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    woods = ("oak", "elm", "ash", "fir", "yew", "larch", "beech", "cedar")
    said = [f"lamp-{wood} uses wick-{wood}. wick-{wood} depends on jar-{wood}." for wood in woods]
    await learn(graphmem, agent_id, "s", *said)
    session = await found(bolt, agent_id, "Session", "id", "s")
    assert session["chunksLevel1"] >= 3
    assert (session.get("chunksLevel2", 0), session.get("chunksLevel3", 0), session.get("dropped", 0)) == (0, 0, 0)
    assert len(await facts(bolt, agent_id)) == 2 * len(said)
    again = await newer(graphmem).read_again(agent_id, "s")
    assert (again.messages, again.changes) == (len(said), 0)


async def test_what_is_no_longer_found_goes_cold_and_says_why(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, blind: Blind
) -> None:
    await learn(graphmem, agent_id, "s", *TALK)
    gone = (await found(bolt, agent_id, "Memory", "content", TALK[0]))["id"]
    redis = (await found(bolt, agent_id, "Entity", "name", "Redis"))["id"]
    blind("Redis")
    would = await newer(graphmem).preview(agent_id, "s")
    assert (await found(bolt, agent_id, "Memory", "id", gone))["status"] == "active", "a preview changes nothing"
    did = await newer(graphmem).read_again(agent_id, "s")
    assert did == would
    assert did.memories_gone == (TALK[0],)
    assert (did.facts_gone, did.edges_gone, did.entities_gone) == ((TALK[0],), 1, ("Redis",))
    assert not did.memories_added
    memory = await found(bolt, agent_id, "ColdMemory", "id", gone)
    assert (memory["coldReason"], memory["coldNote"]) == (
        "re-extraction",
        "rules-test-2 no longer finds it in session s",
    )
    assert "ColdEntity" in (await found(bolt, agent_id, "ColdEntity", "id", redis))["labels"]
    assert (await facts(bolt, agent_id))[TALK[0]] == "cold"
    told = await events(bolt, agent_id)
    assert ("memory_archived", gone) in told
    assert ("entity_archived", redis) in told
    stats = await graphmem.knowledge.memories.cold_stats(agent_id)
    assert stats.by_reason == {"re-extraction": 2}
    hits = await graphmem.recall.recalling.recall(agent_id, Recall(query="Redis", kinds=("memory", "attribute")))
    assert all("Redis" not in hit.text for hit in hits.hits)
    assert not (await newer(graphmem).read_again(agent_id, "s")).changes


async def test_what_was_restored_stays_whatever_later_extractors_find(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, blind: Blind
) -> None:
    await learn(graphmem, agent_id, "s", *TALK)
    before = await state(bolt, agent_id)
    gone = (await found(bolt, agent_id, "Memory", "content", TALK[0]))["id"]
    blind("Redis")
    await newer(graphmem).read_again(agent_id, "s")
    redis = (await found(bolt, agent_id, "ColdEntity", "name", "Redis"))["id"]
    await graphmem.knowledge.memories.restore(Caller(agent_id), gone)
    await graphmem.knowledge.memories.restore_entity(Caller(agent_id), redis)
    assert await state(bolt, agent_id) == before
    for number in (2, 3):
        assert not (await newer(graphmem, number).read_again(agent_id, "s")).changes
    assert await state(bolt, agent_id) == before


async def test_what_a_later_extractor_finds_again_comes_back(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, blind: Blind
) -> None:
    await learn(graphmem, agent_id, "s", *TALK)
    before = await state(bolt, agent_id)
    for whole in (True, False):
        blind("Redis", whole=whole)
        await newer(graphmem, 2).read_again(agent_id, "s")
        assert await state(bolt, agent_id) != before
        blind()
        await newer(graphmem, 3).read_again(agent_id, "s")
        assert await state(bolt, agent_id) == before, whole


async def test_a_fact_goes_alone_where_its_statement_stays_and_comes_back_with_its_dependency(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, blind: Blind
) -> None:
    await learn(graphmem, agent_id, "s", *TALK)
    before = await state(bolt, agent_id)
    fact = (await found(bolt, agent_id, "Attribute", "content", TALK[0]))["id"]
    blind("Redis", whole=False)
    did = await newer(graphmem).read_again(agent_id, "s")
    assert (did.memories_gone, did.facts_gone, did.edges_gone, did.entities_gone) == ((), (TALK[0],), 1, ())
    assert (await found(bolt, agent_id, "Memory", "content", TALK[0]))["status"] == "active"
    held = await found(bolt, agent_id, "Attribute", "id", fact)
    assert (held["status"], held["coldReason"]) == ("cold", "re-extraction")
    assert ("attribute_archived", fact) in await events(bolt, agent_id)
    await graphmem.knowledge.memories.restore(Caller(agent_id), fact)
    assert await state(bolt, agent_id) == before
    assert not (await newer(graphmem, 3).read_again(agent_id, "s")).facts_gone


@pytest.mark.parametrize("how", ["said elsewhere", "remembered", "pinned", "weighed", "given", "a rule", "corrected"])
async def test_what_has_other_support_or_protection_stays(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, blind: Blind, how: str
) -> None:
    caller = Caller(agent_id)
    words = "lamp-service must never use Redis" if how == "a rule" else "lamp-service uses Redis"
    await learn(graphmem, agent_id, "s", words)
    memory = (await found(bolt, agent_id, "Memory", "content", words))["id"]
    if how == "said elsewhere":
        await learn(graphmem, agent_id, "other", words)
    elif how == "remembered":
        await graphmem.knowledge.learning.remember(caller, Remember(content=words))
    elif how == "given":
        await graphmem.knowledge.learning.remember(caller, Remember(content=words, entity="lamp-service"))
    elif how == "pinned":
        await graphmem.knowledge.memories.correct(caller, memory, Correction(pinned=True, reason="it matters"))
    elif how == "weighed":
        await graphmem.knowledge.memories.correct(caller, memory, Correction(importance=0.2, reason="it does not"))
    elif how == "corrected":
        await graphmem.knowledge.memories.correct(
            caller, memory, Correction(content="lamp-service uses Valkey", reason="it moved")
        )
    before = await state(bolt, agent_id)
    blind("Redis", "redis")
    assert not (await newer(graphmem).read_again(agent_id, "s")).changes
    assert await state(bolt, agent_id) == before
    blind()
    assert not (await newer(graphmem, 3).read_again(agent_id, "s")).changes
    assert await state(bolt, agent_id) == before


async def test_what_a_person_sent_away_does_not_come_back_by_reading_again(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    await learn(graphmem, agent_id, "s", *TALK)
    caller = Caller(agent_id)
    await graphmem.knowledge.memories.archive(
        caller, (await found(bolt, agent_id, "Memory", "content", TALK[0]))["id"], None
    )
    port = "lamp-service runs on port 7000"
    await graphmem.knowledge.memories.archive(
        caller, (await found(bolt, agent_id, "Attribute", "content", port))["id"], None
    )
    door = (await found(bolt, agent_id, "Entity", "name", "door-service"))["id"]
    await graphmem.knowledge.memories.archive_entity(caller, door, None)
    before = await state(bolt, agent_id)
    await newer(graphmem).read_again(agent_id, "s")
    assert await state(bolt, agent_id) == before


async def test_what_was_superseded_and_what_superseded_it_keep_their_places(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, blind: Blind
) -> None:
    await learn(graphmem, agent_id, "s", "lamp-service runs on port 7000", "Hm.", "lamp-service runs on port 9000")
    before = await state(bolt, agent_id)
    assert (await facts(bolt, agent_id))["lamp-service runs on port 7000"] == "superseded"
    for number, words in enumerate((["port 7000"], ["port 9000"], []), 2):
        blind(*words)
        assert not (await newer(graphmem, number).read_again(agent_id, "s")).changes
        assert await state(bolt, agent_id) == before


async def test_what_a_better_extractor_finds_is_added_and_counted_once(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, blind: Blind
) -> None:
    blind("Redis")
    await learn(graphmem, agent_id, "s", *TALK)
    assert TALK[0] not in await facts(bolt, agent_id)
    lamp = await found(bolt, agent_id, "Entity", "name", "lamp-service")
    blind()
    would = await newer(graphmem).preview(agent_id, "s")
    did = await newer(graphmem).read_again(agent_id, "s")
    assert did == would
    assert (did.memories_added, did.facts_added, did.edges_added) == ((TALK[0],), (TALK[0],), 1)
    assert (did.memories_gone, did.facts_gone, did.entities_gone) == ((), (), ())
    assert (await facts(bolt, agent_id))[TALK[0]] == "active"
    assert (await found(bolt, agent_id, "Entity", "name", "lamp-service"))["mentions"] == lamp["mentions"]
    assert (await found(bolt, agent_id, "Entity", "name", "Redis"))["mentions"] == 1


@pytest.mark.parametrize("whole", [True, False])
async def test_the_same_sentence_of_two_sessions_goes_when_neither_says_it_any_more(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, blind: Blind, whole: bool
) -> None:
    for session_id in ("one", "other"):
        await learn(graphmem, agent_id, session_id, TALK[0])
    before = await state(bolt, agent_id)
    blind("Redis", whole=whole)
    assert not (await newer(graphmem).read_again(agent_id, "one")).changes
    assert await facts(bolt, agent_id) == {TALK[0]: "active"}
    did = await newer(graphmem).read_again(agent_id, "other")
    assert (did.facts_gone, did.entities_gone) == ((TALK[0],), ("Redis",) if whole else ())
    assert await facts(bolt, agent_id) == {TALK[0]: "cold"}
    blind()
    await newer(graphmem, 3).read_again(agent_id, "one")
    assert await state(bolt, agent_id) == before


async def test_the_worker_reads_a_session_again_and_renews_its_summary(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, blind: Blind
) -> None:
    await learn(graphmem, agent_id, "s", *TALK)
    await graphmem.knowledge.learning.summarise_session(agent_id, "s")
    rereading = newer(graphmem)
    blind("Redis")
    job_id = await rereading.enqueue(agent_id, "s")
    assert job_id
    assert await rereading.enqueue(agent_id, "s") == job_id, "asked for twice, it is one job"
    worker = replace(graphmem, knowledge=replace(graphmem.knowledge, rereading=rereading)).worker()
    while (job := await graphmem.operation.reporting.job(agent_id, job_id)).status in ("queued", "running"):
        await worker.work_once()
    assert (job.kind, job.status) == ("reextract_session", "done")
    assert job.result == {
        "messages": 4,
        "unchanged": False,
        "memories": {"added": 0, "gone": 1},
        "attributes": {"added": 0, "gone": 1},
        "dependencies": {"added": 0, "gone": 1},
        "entities": {"gone": 1},
    }
    rows, _, _ = await bolt.execute_query("MATCH (y:Summary {agent_id: $a}) RETURN y.content AS content", a=agent_id)
    assert all("Redis" not in row["content"] for row in rows)


async def test_a_reading_that_was_broken_off_is_begun_anew(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str, blind: Blind, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind("port")
    await learn(graphmem, agent_id, "s", *TALK)
    blind("Redis")
    rereading = newer(graphmem, chunk_messages=1)

    class Killed(BaseException):
        pass

    async def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(type(rereading.data), "settle", killed)
        with pytest.raises(Killed):
            await rereading.read_again(agent_id, "s")
    assert await rereading.stale(agent_id) == ["s"]
    did = await rereading.read_again(agent_id, "s")
    assert did.memories_gone == (TALK[0],)
    assert not did.memories_added, "they were written before"
    assert (await facts(bolt, agent_id))["lamp-service runs on port 7000"] == "active"


async def test_where_the_model_does_not_answer_nothing_goes(
    graphmem: Graphmem, bolt: AsyncDriver, agent_id: str
) -> None:
    class Silent:
        async def ask(self, *_: object) -> Any:
            raise ModelUnavailable("away")

        async def close(self) -> None: ...

    await learn(graphmem, agent_id, "s", *TALK)
    before = await state(bolt, agent_id)
    with pytest.raises(ModelUnavailable, match="not read again"):
        await replace(newer(graphmem), model=Silent()).read_again(agent_id, "s")
    assert await state(bolt, agent_id) == before


async def test_what_cannot_be_read_again_is_told(graphmem: Graphmem, agent_id: str) -> None:
    with pytest.raises(NotFound):
        await graphmem.knowledge.rereading.read_again(agent_id, "nobody said it")
    await learn(graphmem, agent_id, "s", *TALK)
    frozen = newer(graphmem, proposals_only=True)
    assert (await frozen.preview(agent_id, "s")).messages == 4
    with pytest.raises(Conflict, match="mutations_frozen"):
        await frozen.read_again(agent_id, "s")
    with pytest.raises(Conflict, match="mutations_frozen"):
        await frozen.enqueue(agent_id, "s")
    await graphmem.conversation.care.put_away(agent_id, "s")
    assert await newer(graphmem).stale(agent_id) == []
    with pytest.raises(Conflict, match="archived"):
        await newer(graphmem).read_again(agent_id, "s")
