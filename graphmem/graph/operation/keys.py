"""Keys in the graph: never the key, only its hash."""

from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.model.keys import Key


class KeyStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def store(self, key: Key, hash_: str) -> None:
        await self._database.write(lambda tx: key_store(tx, key, hash_))

    async def by_hash(self, hash_: str) -> Key | None:
        return await self._database.read(lambda tx: key_by_hash(tx, hash_))

    async def all(self, agent_id: str | None) -> list[Key]:
        """Keys of one agent, or of all; oldest first."""
        return await self._database.read(lambda tx: keys_of_agent(tx, agent_id) if agent_id else keys(tx))

    async def revoke(self, id_: str, now: datetime) -> Key | None:
        return await self._database.write(lambda tx: key_revoke(tx, id_, now))

    async def used(self, id_: str, now: datetime, before: datetime) -> None:
        """Record a use, unless one after `before` is recorded."""
        await self._database.write(lambda tx: key_used(tx, id_, now, before))


async def key_store(tx: WriteTransaction, key: Key, hash_: str) -> None:
    await tx.rows(
        "keys/key_store",
        hash=hash_,
        id=key.id,
        agent_id=key.agent_id,
        all_agents=key.all_agents,
        scope=key.scope,
        name=key.name,
        now=key.created_at,
        expires_at=key.expires_at,
    )


async def key_by_hash(tx: ReadTransaction, hash_: str) -> Key | None:
    row = await tx.row("keys/keys[hash]", hash=hash_)
    return Key.model_validate(row["key"]) if row else None


async def keys(tx: ReadTransaction) -> list[Key]:
    return [Key.model_validate(row["key"]) for row in await tx.rows("keys/keys[all]")]


async def keys_of_agent(tx: ReadTransaction, agent_id: str) -> list[Key]:
    return [Key.model_validate(row["key"]) for row in await tx.rows("keys/keys[agent]", agent_id=agent_id)]


async def key_revoke(tx: WriteTransaction, id_: str, now: datetime) -> Key | None:
    row = await tx.row("keys/key_note[revoked]", id=id_, now=now)
    return Key.model_validate(row["key"]) if row else None


async def key_used(tx: WriteTransaction, id_: str, now: datetime, before: datetime) -> None:
    await tx.rows("keys/key_note[used]", id=id_, now=now, before=before)
