"""Helpers for tests with an agent: let it learn, and read everything it holds."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from neo4j import AsyncDriver

from graphmem.adapters.identity import utc_now
from graphmem.app import Graphmem
from graphmem.model.caller import Caller
from graphmem.model.inputs import EndSession, NewMessage, NewMessages, Remember
from graphmem.model.stored import WaitingText
from graphmem.rules.keeping.history import chain
from graphmem.services.operation.work import Carry, Worker, WorkSettings
from tests.waiting import worked_until

ASIDE = ["Event", "Request", "EventChain", "Merge", "Job"]
"""What tells of a change or of work, and is none."""
WAITING = ["Unembedded", "Unanalysed"]
"""Marks of what is still to be done."""
WRITTEN = {"at", "lock", "embedding", "kept", "retiredAt", "decidedAt", "acceptedAt", "rollbackId", "mentions", "by"}
"""When something was written, marks of hands, and how often a name was said."""
BELIEVED = {
    "undoneAt",
    "retiredFrom",
    "retiredUntil",
    "retiredEnd",
    "reason",
    "rolledBackBy",
    "refinedBy",
    "refinedBefore",
}
"""What tells of what is undone."""
AWAY = ["cold", "deleted"]
FAR = datetime(9999, 1, 1, tzinfo=UTC)
SECRET_WORDS = "the heron sleeps at noon"
"""What somebody said, and no finding may repeat."""


async def embed(graphmem: Graphmem, agent_id: str, besides: Collection[str] = ()) -> None:
    """Give an agent's texts their vectors, but for some. Not those of other agents."""
    await graphmem.models_loaded()
    while await graphmem.operation.upkeep.waiting_vectors(agent_id) > len(besides):
        rows = await graphmem.database.read(lambda tx: tx.rows("upkeep/texts_waiting[vectors]", limit=1_000_000))
        own = [WaitingText(row["node"], row["text"]) for row in rows if row["agent_id"] == agent_id]
        texts = [one for one in own if one.text not in besides]
        await graphmem.operation.upkeep.store_vectors(texts, await graphmem.embedder.embed([one.text for one in texts]))


async def carried_out(carry: Carry, agent_id: str, subject_id: str = "", **given: Any) -> Any:
    """The result of a job, step by step as workers carry it out: each goes on with what the one before wrote."""
    step = await carry(agent_id, subject_id, given)
    while step.mark is not None:
        step = await carry(agent_id, subject_id, json.loads(json.dumps(step.mark)))
    return step.result


def worker_at(
    graphmem: Graphmem,
    clock: Callable[[], datetime],
    holder: str,
    jobs_of: Mapping[str, Carry] | None = None,
    **settings: float,
) -> Worker:
    """A worker with a clock of its own; each job takes a single step in one go."""
    return Worker(
        graphmem.operation.jobs,
        graphmem.operation.upkeep,
        graphmem.embedder,
        graphmem.operation.chores,
        WorkSettings(**({"poll_s": 0.02, "lease_s": 60.0, "slice_s": 0.0, "embedding_batch": 8} | settings)),  # type: ignore[arg-type]
        clock,
        holder,
        jobs_of
        or {
            "end_session": graphmem.knowledge.learning.carry_on,
            "supersession_sweep": graphmem.knowledge.sweeping.carry_on,
        },
    )


async def nodes_of(bolt: AsyncDriver) -> str:
    """The beginning of a query, with all nodes `n` of the agent `$a`: found label by label, by their constraints.

    A scan of all nodes says the same, and takes a server that other tests have filled many times as long.
    """
    constrained, _, _ = await bolt.execute_query(
        "SHOW INDEXES YIELD labelsOrTypes, properties, owningConstraint "
        "WHERE owningConstraint IS NOT NULL AND properties[0] = 'agent_id' RETURN labelsOrTypes[0] AS label, properties"
    )
    # Other keys than the id are taken off of what holds no more.
    constrained.sort(key=lambda row: row["properties"] == ["agent_id", "id"])
    keys = {row["label"]: row["properties"] for row in constrained}
    labels, _, _ = await bolt.execute_query("CALL db.labels() YIELD label RETURN label ORDER BY label")
    parts = []
    for (label,) in labels:
        rest = "".join(f" AND n.{key} IS NOT NULL" for key in keys.get(label, ())[1:])
        parts.append(f"MATCH (n:{label}) WHERE n.agent_id = $a{rest} RETURN n")
    return f"CALL () {{ {' UNION '.join(parts)} }} WITH n "


async def snapshot(bolt: AsyncDriver, agent_id: str) -> list[Any]:
    """All that an agent has but its history: labels, properties but locks and marks of hands, and relationships."""
    own_nodes = await nodes_of(bolt)
    rows, _, _ = await bolt.execute_query(
        f"{own_nodes} WHERE none(label IN labels(n) WHERE label IN $aside) "
        "RETURN n.id AS id, [label IN labels(n) WHERE NOT label IN $waiting] AS labels, properties(n) AS held, "
        "COLLECT { MATCH (n)-[r]->(o) WITH type(r) AS kind, coalesce(o.id, o.canonical) AS to, properties(r) AS how "
        "RETURN [kind, to, how] ORDER BY kind, to, how.id, how.start } AS links ORDER BY labels, id, n.canonical",
        a=agent_id,
        aside=ASIDE,
        waiting=WAITING,
    )
    return [
        (
            row["id"],
            row["labels"],
            {k: v for k, v in row["held"].items() if k not in ("lock", "embedding", "kept")},
            row["links"],
        )
        for row in rows
    ]


async def canonical(bolt: AsyncDriver, agent_id: str, since: datetime = FAR) -> str:
    """A hash over all that holds of an agent: two are equal where nothing that counts differs.

    Left out are events, requests and jobs, times of writing, links and records that are undone or only proposed, the
    ids of links, which are new where one is made again, what was learned since a time and is away, and entities and
    aspects that were met since, of which nothing else tells.
    """
    return hashlib.sha256("\n".join(await canonical_lines(bolt, agent_id, since)).encode()).hexdigest()


async def canonical_lines(bolt: AsyncDriver, agent_id: str, since: datetime = FAR) -> list[str]:
    """What `canonical` hashes: a line of JSON for each node and each relationship, sorted."""
    own_nodes = await nodes_of(bolt)
    nodes, _, _ = await bolt.execute_query(
        f"{own_nodes} WHERE none(label IN labels(n) WHERE label IN $aside) "
        "AND NOT ((n:Supersession OR n:Merge OR n:Rollback) AND n.status <> 'applied') "
        "RETURN coalesce(n.id, n.canonical) AS id, [label IN labels(n) WHERE NOT label IN $waiting] AS labels, "
        "properties(n) AS held, n.createdAt >= $since AND n.status IN $away AS gone, "
        "(n:Entity OR n:Aspect) AND n.createdAt >= $since AS met",
        a=agent_id,
        aside=[label for label in ASIDE if label != "Merge"],
        waiting=WAITING,
        since=since,
        away=AWAY,
    )
    links, _, _ = await bolt.execute_query(
        f"{own_nodes} WHERE NOT n:Event MATCH (n)-[r]->(o) WHERE r.undoneAt IS NULL "
        "RETURN coalesce(n.id, n.canonical) AS source, type(r) AS type, coalesce(o.id, o.canonical) AS target, "
        "properties(r) AS held, r.createdAt >= $since AND r.status IN $away AS gone",
        a=agent_id,
        since=since,
        away=AWAY,
    )
    gone = {row["id"] for row in nodes if row["gone"]}
    told = [row for row in links if not row["gone"] and not gone & {row["source"], row["target"]}]
    with_facts = {row["source"] for row in told if row["type"] == "HAS_ATTRIBUTE"}
    gone |= {row["id"] for row in nodes if row["met"] and "Aspect" in row["labels"] and row["id"] not in with_facts}
    told = [row for row in told if row["type"] != "NAMES" and row["target"] not in gone]
    kept = {end for row in told for end in (row["source"], row["target"])}
    gone |= {row["id"] for row in nodes if row["met"] and row["id"] not in kept}
    gone |= {row["source"] for row in links if row["type"] == "NAMES" and row["target"] in gone}
    lines = [
        *(
            [row["id"], sorted(row["labels"]), _counting(row["held"], WRITTEN | BELIEVED)]
            for row in nodes
            if row["id"] not in gone
        ),
        *(
            [row["source"], row["type"], row["target"], _counting(row["held"], WRITTEN | BELIEVED | _own(row["type"]))]
            for row in links
            if not row["gone"] and row["source"] not in gone and row["target"] not in gone
        ),
    ]
    return sorted(json.dumps(line, sort_keys=True, default=str) for line in lines)


def _own(type_: str) -> set[str]:
    return {"id"} if type_ in ("SUPERSEDED_BY", "RETIRED_BY") else set()


def _counting(held: Mapping[str, Any], aside: set[str]) -> dict[str, Any]:
    return {key: value for key, value in held.items() if key not in aside}


async def learn(graphmem: Graphmem, agent_id: str, session_id: str, *said: str) -> None:
    """A session with these words, read to its end."""
    caller = Caller(agent_id)
    batch = NewMessages(messages=tuple(NewMessage(role="user", content=words) for words in said))
    await graphmem.conversation.intake.add_messages(caller, session_id, batch)
    await graphmem.conversation.intake.end(caller, session_id, EndSession())
    while (await graphmem.knowledge.learning.read_session(agent_id, session_id)).more:
        pass


async def live(graphmem: Graphmem, agent_id: str, *said: str) -> None:
    """A session with these words, read and summed up by a worker, and a fact that superseded another."""
    caller = Caller(agent_id)
    batch = tuple(NewMessage(role="user", content=text, message_id=f"m{n}") for n, text in enumerate(said))
    await graphmem.conversation.intake.add_messages(caller, "s", NewMessages(messages=batch))
    await graphmem.conversation.intake.end(caller, "s", EndSession())

    async def done() -> bool:
        ended = await graphmem.conversation.intake.end_result(agent_id, "s")
        return ended is not None and ended.pipeline == "done"

    await worked_until(graphmem.worker(), done)
    for owner in ("Mara", "Ilse"):
        given = Remember(content=f"search is owned by {owner}.", entity="search", claim_key="owner")
        await graphmem.knowledge.learning.remember(caller, given)


async def after_a_life(graphmem: Graphmem, agent_id: str) -> str:
    """The agent, with a session that was read, facts of which one is superseded, vectors, and a chained history."""
    said = (f"billing is owned by Mara. {SECRET_WORDS}.", "billing is owned by Noor.", "billing uses Redis.")
    await live(graphmem, agent_id, *said)
    await embed(graphmem, agent_id)
    waiting = await graphmem.operation.upkeep.unsealed_events(agent_id, utc_now() + timedelta(days=1), 500)
    if waiting.events:
        await graphmem.operation.upkeep.seal_events(
            agent_id, waiting.last_hash, chain(waiting.last_hash, waiting.events)
        )
    return agent_id
