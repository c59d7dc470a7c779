"""The surroundings of the messages that a question was answered from."""

from collections.abc import Sequence

from graphmem.graph.connection import Database, ReadTransaction, utc
from graphmem.graph.moments import at
from graphmem.graph.recall.retrieval import said_of
from graphmem.model.answering import NearMessage
from graphmem.model.stored import Moment

MOST_CHARS = 100_000
"""Most characters read of a message."""


class AnsweringStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def around(self, agent_id: str, ids: Sequence[str], when: Moment) -> list[NearMessage]:
        """The messages of these ids and their neighbours, each once, in no order."""
        return await self._database.read(lambda tx: around(tx, agent_id, ids, when))


async def around(tx: ReadTransaction, agent_id: str, ids: Sequence[str], when: Moment) -> list[NearMessage]:
    name, time = at(when, "answering/around[now]", "answering/around[then]")
    time = {"known_at": when.known_at} | time
    rows = await tx.rows(name, agent_id=agent_id, ids=list(ids), chars=MOST_CHARS, **time)
    return [
        NearMessage(
            id=said["id"],
            message_id=said["messageId"],
            session_id=said["sessionId"],
            ordinal=said["ordinal"],
            role=said["role"],
            name=said["name"],
            text=said["text"] or "",
            created_at=utc(said["createdAt"]),
            said=tuple(said_of(*one) for one in said["said"]),
        )
        for row in rows
        for said in (row["message"],)
    ]
