"""What was read of repositories: their files, the entities and edges derived from these, and their passages."""

import base64
import re
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.knowledge.cold import entity_lock, locked, send_entity, send_memories
from graphmem.graph.knowledge.lookups import names
from graphmem.graph.knowledge.revival import revive
from graphmem.graph.operation.jobs import events_write
from graphmem.model.change import EventRow
from graphmem.model.changes import Saying, Touched, TouchedOwner, TouchedPart
from graphmem.model.code import CodeDelta, CodeEdge, CodeEntity, EdgeKey, KeptFile, KeptOutline, Outline, PlacedPassage
from graphmem.model.knowledge import EntityType
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.language.keys import agent_key, dependency_key, derived_id
from graphmem.rules.language.text import canonical_name

Row = Mapping[str, Any]
ACTOR = "ingest-repo"
BATCH = 1_000
"""Rows in one transaction."""
READ_S = 60.0
SENT = 50
"""Entities that go to the cold tier in one transaction: each needs its own statement."""
Item = TypeVar("Item")
_WORDS = re.compile(r"[./:_\-@]+")


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository, by agent and name."""

    agent_id: str
    name: str

    @property
    def within(self) -> str:
        """The session to which its passages belong in lattice queries."""
        return f"repository:{self.name}"


class CodeStore:
    def __init__(self, database: Database, new_id: Callable[[], str]) -> None:
        self._database = database
        self._new_id = new_id

    async def files(self, agent_id: str, repository: str) -> list[KeptFile]:
        """The files of a repository as they were last read."""
        return await self._database.read(lambda tx: files(tx, agent_id, repository), timeout_s=READ_S)

    async def outlines(self, agent_id: str, repository: str) -> list[KeptOutline]:
        """The stored outlines of these files."""
        return await self._database.read(lambda tx: files_outlines(tx, agent_id, repository), timeout_s=READ_S)

    async def pend(
        self, agent_id: str, repository: str, outlines: Mapping[str, Outline | None], gone: Sequence[str]
    ) -> None:
        """Record what files are about to become, before anything is derived from them."""
        rows: list[Row] = [{"path": path, "pending": _packed(one), "gone": False} for path, one in outlines.items()]
        rows += [{"path": path, "pending": None, "gone": True} for path in gone]
        await self._each(rows, lambda tx, batch: files_pend(tx, agent_id, repository, batch))

    async def settle(
        self, agent_id: str, repository: str, hashes: Mapping[str, str], reader: str, gone: Sequence[str]
    ) -> None:
        """Record that everything is written: the files are now what they were about to become."""
        rows: list[Row] = [{"path": path, "sha256": sha256, "reader": reader} for path, sha256 in hashes.items()]
        await self._each(rows, lambda tx, batch: files_settle(tx, agent_id, repository, batch))
        await self._each(gone, lambda tx, batch: files_forget(tx, agent_id, repository, batch))

    async def draw(self, agent_id: str, repository: str, given: CodeDelta, now: datetime) -> None:
        """Write what a graph lacks, batch by batch: names that moved to another entity first, then entities, edges,
        passages, and removals. Repeated, it changes nothing more."""
        repo = Repository(agent_id, repository)
        dropped: list[Row] = [{"canonical": name, "key": key} for name, key in given.names_dropped.items()]
        await self._each(dropped, lambda tx, batch: names_drop(tx, repo, batch))
        await self._entities(repo, given, now)
        await self._edges(repo, given, now)
        await self._passages(repo, given, now)
        await self._gone(repo, given, now)

    async def tell(self, agent_id: str, repository: str, done: Mapping[str, int], event_id: str, now: datetime) -> None:
        """Write a line of history: one for each reading, with its counts."""

        async def work(tx: WriteTransaction) -> None:
            known = await names(tx, agent_id, [canonical_name(repository) or repository])
            subject = known[0].id if known else repository
            line = Line("repository_read", subject, None, dict(done))
            await events_write(tx, agent_id, told([line], ACTOR, now, [event_id]))

        await self._database.write(work)

    async def touched(self, agent_id: str, repository: str, parts: Sequence[TouchedPart]) -> list[Touched]:
        """The entities of files, and of what is in their lines."""
        return await self._database.read(lambda tx: touched(tx, agent_id, repository, parts))

    async def repositories(self, agent_id: str) -> list[str]:
        """The names of the repositories that were read, in order."""
        return await self._database.read(lambda tx: repositories(tx, agent_id))

    async def known(self, agent_id: str, repository: str, paths: Sequence[str]) -> list[str]:
        """Those of the paths that were files of the repository when it was last read."""
        return await self._database.read(lambda tx: files_known(tx, agent_id, repository, paths))

    async def about(self, agent_id: str, ids: Sequence[str], limit: int) -> list[Saying]:
        """Decisions and statements about entities, newest first; at most `limit` of each kind for each of them."""
        return await self._database.read(lambda tx: about(tx, agent_id, ids, limit))

    async def owners(self, agent_id: str, ids: Sequence[str]) -> list[TouchedOwner]:
        return await self._database.read(lambda tx: owners(tx, agent_id, ids))

    async def _each(
        self,
        items: Sequence[Item],
        work: Callable[[WriteTransaction, list[Item]], Awaitable[None]],
        size: int = BATCH,
    ) -> None:
        """Run the work in one transaction per batch of items."""
        for start in range(0, len(items), size):
            batch = list(items[start : start + size])

            async def once(tx: WriteTransaction, batch: list[Item] = batch) -> None:
                await work(tx, batch)

            await self._database.write(once)

    async def _entities(self, repo: Repository, given: CodeDelta, now: datetime) -> None:
        event_id = self._new_id()
        by_key = {one.key: one for one in given.entities}
        adoptable: list[Row] = [
            {"canonical": name, "key": key, "name": by_key[key].name, "search": _search(by_key[key].name)}
            for name, (key, _) in given.names.items()
            if key in by_key and name != key
        ]
        await self._each(adoptable, lambda tx, batch: entities_adopt(tx, repo, batch))
        rows = [_entity_row(one, self._new_id()) for _, one in sorted(by_key.items())]
        await self._each(rows, lambda tx, batch: entities_merge(tx, repo, batch, event_id, now))
        called: list[Row] = [
            {"canonical": name, "surface": surface, "key": key}
            for name, (key, surface) in sorted(given.names.items())
            if name != key
        ]
        await self._each(called, lambda tx, batch: names_add(tx, repo, batch))

    async def _edges(self, repo: Repository, given: CodeDelta, now: datetime) -> None:
        ids = await self._ids(repo, {end for one in given.edges for end in (one.source, one.target)})
        drawn = [_edge_row(one, ids, self._new_id()) for one in given.edges if one.source in ids and one.target in ids]
        await self._each(drawn, lambda tx, batch: edges_merge(tx, repo, batch, now))
        ids = await self._ids(repo, {end for key in given.retired for end in key[:2]})
        retired: list[Row] = [
            {"sourceId": ids[key[0]], "activeKey": _active_key(key, ids)}
            for key in given.retired
            if key[0] in ids and key[1] in ids
        ]
        await self._each(retired, lambda tx, batch: edges_retire(tx, repo, batch, now))

    async def _ids(self, repo: Repository, keys: set[str]) -> dict[str, str]:
        found = await self._database.read(lambda tx: names(tx, repo.agent_id, sorted(keys)), timeout_s=READ_S)
        return {one.canonical: one.id for one in found}

    async def _passages(self, repo: Repository, given: CodeDelta, now: datetime) -> None:
        ids = await self._ids(repo, {key for one in given.passages for key in one.mentions})
        first = await self._database.read(lambda tx: passages_last(tx, repo)) + 1
        rows = [_passage_row(one, self._new_id(), first + at, ids) for at, one in enumerate(given.passages)]
        await self._each(rows, lambda tx, batch: passages_merge(tx, repo, batch, now))

    async def _gone(self, repo: Repository, given: CodeDelta, now: datetime) -> None:
        """Entities and passages go to the cold tier, each with a line of history."""
        told_as = _Going(f"no longer in the repository {repo.name}", self._new_id(), now)
        await self._each(given.gone, lambda tx, batch: send_gone(tx, repo, batch, told_as), SENT)
        await self._each(given.passages_gone, lambda tx, batch: send_passages(tx, repo, batch, told_as))


@dataclass(frozen=True, slots=True)
class _Going:
    """Why things go to the cold tier, and when. The ids of the events derive from one id, so that a repeated batch is
    recorded once."""

    note: str
    event_id: str
    now: datetime

    def events(self, lines: Sequence[Line], batch: Sequence[str]) -> list[EventRow]:
        return told(lines, ACTOR, self.now, [derived_id(self.event_id, batch[0])])


async def send_gone(tx: WriteTransaction, repo: Repository, keys: Sequence[str], going: _Going) -> None:
    lines: list[Line] = []
    for id_ in await entities_gone(tx, repo, keys):
        found = await entity_lock(tx, repo.agent_id, id_)
        if not found["cold"]:
            lines += (await send_entity(tx, repo.agent_id, found, "source", going.note, going.now))[1]
    await events_write(tx, repo.agent_id, going.events(lines, keys))


async def send_passages(tx: WriteTransaction, repo: Repository, keys: Sequence[str], going: _Going) -> None:
    found = await locked(tx, repo.agent_id, await passages_gone(tx, repo, keys))
    lines = await send_memories(tx, repo.agent_id, found, "source", going.note, going.now)
    await events_write(tx, repo.agent_id, going.events(lines, keys))


async def files(tx: ReadTransaction, agent_id: str, repository: str) -> list[KeptFile]:
    rows = await tx.rows("code/files[marks]", agent_id=agent_id, repository=repository)
    return [KeptFile(row["path"], row["sha256"], row["reader"], row["halted"]) for row in rows]


async def files_known(tx: ReadTransaction, agent_id: str, repository: str, paths: Sequence[str]) -> list[str]:
    rows = await tx.rows("code/files[known]", agent_id=agent_id, repository=repository, paths=list(paths))
    return [row["path"] for row in rows]


async def repositories(tx: ReadTransaction, agent_id: str) -> list[str]:
    return [row["name"] for row in await tx.rows("code/repositories", agent_id=agent_id)]


async def files_outlines(tx: ReadTransaction, agent_id: str, repository: str) -> list[KeptOutline]:
    rows = await tx.rows("code/files[outlines]", agent_id=agent_id, repository=repository)
    return [KeptOutline(row["path"], _unpacked(row["outline"]), _unpacked(row["pending"])) for row in rows]


async def files_pend(tx: WriteTransaction, agent_id: str, repository: str, rows: Sequence[Row]) -> None:
    await tx.rows("code/files_note[pend]", agent_id=agent_id, repository=repository, rows=list(rows))


async def files_settle(tx: WriteTransaction, agent_id: str, repository: str, rows: Sequence[Row]) -> None:
    await tx.rows("code/files_note[settle]", agent_id=agent_id, repository=repository, rows=list(rows))


async def files_forget(tx: WriteTransaction, agent_id: str, repository: str, paths: Sequence[str]) -> None:
    await tx.rows("code/files_note[forget]", agent_id=agent_id, repository=repository, paths=list(paths))


async def entities_adopt(tx: WriteTransaction, repo: Repository, rows: Sequence[Row]) -> None:
    await tx.rows("code/entities_adopt", agent_id=repo.agent_id, rows=list(rows))


async def entities_merge(
    tx: WriteTransaction, repo: Repository, rows: Sequence[Row], event_id: str, now: datetime
) -> None:
    """Create or find entities, and restore those in the cold tier."""
    merged = await tx.rows(
        "code/entities_merge",
        agent_id=repo.agent_id,
        agent_key=agent_key(repo.agent_id),
        repository=repo.name,
        now=now,
        rows=list(rows),
    )
    cold = sorted({row["id"] for row in merged if row["cold"]})
    lines = await revive(tx, repo.agent_id, cold, f"it is in the repository {repo.name} again")
    if lines:
        await events_write(tx, repo.agent_id, told(lines, ACTOR, now, [derived_id(event_id, cold[0])]))


async def entities_gone(tx: ReadTransaction, repo: Repository, keys: Sequence[str]) -> list[str]:
    rows = await tx.rows("knowledge/names[unkept]", agent_id=repo.agent_id, keys=list(keys))
    return [row["id"] for row in rows]


async def names_add(tx: WriteTransaction, repo: Repository, rows: Sequence[Row]) -> None:
    await tx.rows("code/names_add", agent_id=repo.agent_id, rows=list(rows))


async def names_drop(tx: WriteTransaction, repo: Repository, rows: Sequence[Row]) -> None:
    await tx.rows("code/names_drop", agent_id=repo.agent_id, rows=list(rows))


async def edges_merge(tx: WriteTransaction, repo: Repository, rows: Sequence[Row], now: datetime) -> None:
    await tx.rows("code/edges_merge", agent_id=repo.agent_id, rows=list(rows), now=now)


async def edges_retire(tx: WriteTransaction, repo: Repository, rows: Sequence[Row], now: datetime) -> None:
    await tx.rows("code/edges_retire", agent_id=repo.agent_id, rows=list(rows), now=now)


async def passages_last(tx: ReadTransaction, repo: Repository) -> int:
    row = await tx.row("code/passages_last", agent_id=repo.agent_id, within=repo.within)
    return -1 if row is None or row["ordinal"] is None else int(row["ordinal"])


async def passages_merge(tx: WriteTransaction, repo: Repository, rows: Sequence[Row], now: datetime) -> None:
    await tx.rows(
        "code/passages_merge",
        agent_id=repo.agent_id,
        agent_key=agent_key(repo.agent_id),
        repository=repo.name,
        within=repo.within,
        rows=list(rows),
        now=now,
    )


async def passages_gone(tx: ReadTransaction, repo: Repository, keys: Sequence[str]) -> list[str]:
    rows = await tx.rows("code/passages_gone", agent_id=repo.agent_id, keys=list(keys))
    return sorted(row["id"] for row in rows)


async def touched(tx: ReadTransaction, agent_id: str, repository: str, parts: Sequence[TouchedPart]) -> list[Touched]:
    rows = await tx.rows(
        "code/touched",
        agent_id=agent_id,
        repository=repository,
        rows=[
            {"file": part.file, "ranges": None if part.lines is None else [list(one) for one in part.lines]}
            for part in parts
        ],
    )
    return [Touched(r["id"], r["name"], EntityType(r["type"]), r["file"], r["line"]) for r in rows]


async def about(tx: ReadTransaction, agent_id: str, ids: Sequence[str], limit: int) -> list[Saying]:
    rows = await tx.rows("code/about", agent_id=agent_id, ids=list(ids), limit=limit)
    return [Saying.model_validate(row) for row in rows]


async def owners(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[TouchedOwner]:
    rows = await tx.rows("code/owners", agent_id=agent_id, ids=list(ids))
    return [TouchedOwner(id=row["id"], name=row["name"], files=tuple(row["owned"])) for row in rows]


def _entity_row(one: CodeEntity, id_: str) -> Row:
    return {
        "key": one.key,
        "id": id_,
        "name": one.name,
        "search": _search(one.name),
        "type": one.type.value,
        "file": one.file,
        "line": one.line,
        "end": one.end,
    }


def _edge_row(edge: CodeEdge, ids: Mapping[str, str], id_: str) -> Row:
    return {
        "id": id_,
        "sourceId": ids[edge.source],
        "targetId": ids[edge.target],
        "activeKey": _active_key((edge.source, edge.target, edge.type), ids),
        "type": edge.type.value,
        "confidence": edge.confidence,
        "reason": edge.reason,
        "file": edge.file,
        "line": edge.line,
        "how": edge.how,
    }


def _active_key(key: EdgeKey, ids: Mapping[str, str]) -> str:
    return dependency_key(ids[key[0]], ids[key[1]], key[2].value)


def _passage_row(placed: PlacedPassage, id_: str, ordinal: int, ids: Mapping[str, str]) -> Row:
    """A passage counts as a turn whose importance is its highest overlay."""
    one = placed.passage
    weight = max(1, min(10, round(max(one.o2, one.o4, one.o5, one.o6))))
    return {
        "id": id_,
        "key": placed.key,
        "content": f"{one.heading}\n\n{one.text}" if one.heading else one.text,
        "file": placed.file,
        "line": one.line,
        "end": one.end,
        "ordinal": ordinal,
        "importance": weight / 10,
        "turnImportance": weight,
        "o2": one.o2,
        "o4": one.o4,
        "o5": one.o5,
        "o6": one.o6,
        "mentions": [ids[key] for key in placed.mentions if key in ids],
    }


def _search(name: str) -> str:
    """A name followed by its words, for an index that treats `a.b.c` as one word."""
    apart = _WORDS.sub(" ", name).strip()
    return name if apart == name else f"{name} {apart}"


def _packed(outline: Outline | None) -> str | None:
    if outline is None:
        return None
    told_ = outline.model_dump_json(exclude_defaults=True).encode()
    return base64.b64encode(zlib.compress(told_)).decode()


def _unpacked(text: str | None) -> Outline | None:
    """Unpack an outline. Older ones are in base 85, which is slow to read; packed ones begin differently."""
    if not text:
        return None
    packed = base64.b64decode(text) if text.startswith("e") else base64.b85decode(text)
    return Outline.model_validate_json(zlib.decompress(packed))
