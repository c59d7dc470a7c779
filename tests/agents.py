"""What several tests do with an agent: have it learn, and see all that it holds."""

from typing import Any

from neo4j import AsyncDriver

from graphmem.app import Graphmem
from graphmem.model.caller import Caller
from graphmem.model.inputs import EndSession, NewMessage, NewMessages

ASIDE = ["Event", "Request", "EventChain", "Merge", "Job"]
"""What tells of a change or of work, and is none."""


async def snapshot(bolt: AsyncDriver, agent_id: str) -> list[Any]:
    """All that an agent has but its history: labels, properties but locks and marks of hands, and relationships."""
    rows, _, _ = await bolt.execute_query(
        "MATCH (n) WHERE n.agent_id = $a AND none(label IN labels(n) WHERE label IN $aside) "
        "RETURN n.id AS id, [label IN labels(n) WHERE label <> 'Unembedded'] AS labels, properties(n) AS held, "
        "COLLECT { MATCH (n)-[r]->(o) WITH type(r) AS kind, coalesce(o.id, o.canonical) AS to, properties(r) AS how "
        "RETURN [kind, to, how] ORDER BY kind, to, how.id, how.start } AS links ORDER BY labels, id, n.canonical",
        a=agent_id,
        aside=ASIDE,
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


async def learn(graphmem: Graphmem, agent_id: str, session_id: str, *said: str) -> None:
    """A session with these words, read to its end."""
    caller = Caller(agent_id)
    batch = NewMessages(messages=tuple(NewMessage(role="user", content=words) for words in said))
    await graphmem.conversations.add_messages(caller, session_id, batch)
    await graphmem.conversations.end(caller, session_id, EndSession())
    while (await graphmem.learning.read_session(agent_id, session_id)).more:
        pass
