"""Importing a graph, line by line: entities, facts and dependencies, in batches that are written as a whole or not."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.model.caller import Caller
from graphmem.model.change import AttributeRow, Change, EntityRow, EventRow, MemoryRow
from graphmem.model.importing import (
    Counted,
    EdgeLine,
    EdgeRow,
    EntityLine,
    FactLine,
    ImportReport,
    LineError,
)
from graphmem.rules.keeping.drafts import with_event_ids
from graphmem.rules.keeping.importing import IMPORTER, Batch, batches, claims_of
from graphmem.rules.language.gazetteer import type_of_thing
from graphmem.rules.language.keys import content_key
from graphmem.rules.language.text import canonical_name
from graphmem.services.conversation.guards import Guards
from graphmem.services.ports import Clock, GraphImports, NewId

ERRORS_TOLD = 100
AT_ONCE = 2
"""Batches of dependencies that are written concurrently, while the next one is read."""
Key = tuple[str, str, str]
"""Canonical names of source and target, and the type of a dependency."""


@dataclass
class _Writes:
    """Running writes of batches of dependencies, each with its edges, and the results so far: how many dependencies
    were created, and how many existed before."""

    running: dict[asyncio.Task[tuple[int, int]], Set[Key]] = field(default_factory=dict)
    made: int = 0
    there: int = 0

    async def begin(self, keys: Set[Key], write: Callable[[], Coroutine[None, None, tuple[int, int]]]) -> None:
        """Begin a write as soon as there is room and no running write has the same edges: of duplicates the later one
        wins. Errors: those of an earlier write."""
        while len(self.running) >= AT_ONCE or not all(map(keys.isdisjoint, self.running.values())):
            await self._next()
        self.running[asyncio.create_task(write())] = keys

    async def end(self) -> None:
        """Return when everything is written. Errors: those of a write; then all have ended."""
        try:
            while self.running:
                await self._next()
        finally:
            await asyncio.gather(*self.running, return_exceptions=True)

    async def _next(self) -> None:
        ended, _ = await asyncio.wait(self.running, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            del self.running[task]
        for made, there in [task.result() for task in ended]:
            self.made, self.there = self.made + made, self.there + there


@dataclass
class _Run:
    """One import: its input so far, and the results. `names` are entity names by their ids in the file; `ends` are
    canonical names by the names as written."""

    agent_id: str
    now: datetime
    counts: Counter[str] = field(default_factory=Counter)
    errors: list[LineError] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    edges: _Writes = field(default_factory=_Writes)

    def canonical(self, name: str) -> str:
        if name not in self.ends:
            self.ends[name] = canonical_name(name) or name.strip()
        return self.ends[name]


@dataclass(frozen=True)
class Importing:
    imports: GraphImports
    guards: Guards
    clock: Clock
    new_id: NewId

    async def take(self, caller: Caller, text: bytes, first_line: int = 1) -> ImportReport:
        """Write every batch that can be read. The same lines again change nothing; a fact or dependency that has ended
        in the file is skipped.

        Errors: DatabaseUnavailable, DatabaseBusy: earlier batches are written, and a repeat continues.
        """
        run = _Run(caller.agent_id, self.clock())
        try:
            for batch in batches(text.split(b"\n"), first=first_line):
                await self._take(run, batch)
        finally:
            await run.edges.end()
        run.counts.update(dependencies_created=run.edges.made, dependencies_there=run.edges.there)
        return _report(run)

    async def _take(self, run: _Run, batch: Batch) -> None:
        run.counts["lines"] += batch.count
        if batch.kind != "dependency":
            await run.edges.end()
        if not batch.errors and batch.kind == "attribute":
            batch.errors += self._homeless(run, batch)
        if batch.errors:
            run.errors += batch.errors
            run.counts["not_written"] += batch.count
        elif batch.kind == "entity":
            await self._entities(run, [line for line in batch.lines if isinstance(line, EntityLine)])
        elif batch.kind == "attribute":
            await self._facts(run, [line for line in batch.lines if isinstance(line, FactLine)])
        else:
            await self._edges(run, [line for line in batch.lines if isinstance(line, EdgeLine)])

    async def _entities(self, run: _Run, lines: Sequence[EntityLine]) -> None:
        taken = await self.imports.taken(run.agent_id, [line.id for line in lines if line.id])
        rows: dict[str, EntityRow] = {}
        for line in lines:
            name = self._clean(run, line.name)
            canonical = run.canonical(name)
            run.names |= {line.id: name} if line.id else {}
            id_ = line.id if line.id and line.id not in taken else self.new_id()
            aliases = tuple(self._clean(run, alias) for alias in line.aliases)
            rows.setdefault(canonical, EntityRow(canonical, id_, name, line.type, mentions=0, aliases=aliases))
        pinned = sorted({run.canonical(self._clean(run, line.name)) for line in lines if line.pinned})
        event = self._event(run, {"entities": len(rows)})
        _, made = await self.imports.entities(run.agent_id, list(rows.values()), pinned, event, run.now)
        run.counts.update(entities_created=made, entities_there=len(rows) - made)

    async def _facts(self, run: _Run, lines: Sequence[FactLine]) -> None:
        held = [line for line in lines if line.status == "active" and not _over(line, run.now)]
        run.counts["skipped"] += len(lines) - len(held)
        if not held:
            return
        brought = [id_ for line in held for id_ in (line.id, *line.memory_ids[:1]) if id_]
        taken = await self.imports.taken(run.agent_id, brought)
        entities: dict[str, EntityRow] = {}
        memories: dict[str, MemoryRow] = {}
        facts: list[AttributeRow] = []
        for line in held:
            entity = self._clean(run, line.entity or run.names[str(line.entity_id)])
            content = self._clean(run, line.content)
            canonical = run.canonical(entity)
            if canonical not in entities:
                entities[canonical] = self._entity(canonical, entity)
            source = line.memory_ids[0] if line.memory_ids else None
            memory = memories.get(content_key(content))
            if memory is None:
                used = {row.id for row in memories.values()} | taken
                memory = MemoryRow(
                    ref=content_key(content),
                    id=source if source and source not in used else self.new_id(),
                    content=content,
                    content_key=content_key(content),
                    type="constraint" if line.kind == "constraint" else "fact",
                    importance=line.importance,
                    pinned=line.pinned,
                    explicit=True,
                    source="import",
                    project=None,
                    session_id=None,
                    valid_from=line.valid_from or run.now,
                    valid_to=line.valid_to,
                    created_at=run.now,
                    about=(canonical,),
                )
                memories[memory.ref] = memory
            id_ = line.id if line.id and line.id not in taken else self.new_id()
            # The words of claims are those of the content: where that held a secret, so may they.
            claims = claims_of(line, entity) if content == line.content else ()
            facts.append(
                AttributeRow(
                    ref=id_,
                    id=id_,
                    entity=canonical,
                    aspect=line.aspect,
                    aspect_id=self.new_id(),
                    content=content,
                    kind=line.kind,
                    claim_key=line.claim_key or next((claim.slot for claim in claims if claim.slot), None),
                    confidence=line.confidence,
                    importance=line.importance,
                    pinned=line.pinned,
                    explicit=True,
                    valid_from=line.valid_from or run.now,
                    valid_to=line.valid_to,
                    extraction_level=line.extraction_level,
                    memory_ref=memory.ref,
                    session_ids=(),
                    project=None,
                    session_id=None,
                    claims=claims,
                    said_at=line.said_at,
                )
            )
        change = Change(
            entities=tuple(entities.values()),
            memories=tuple(memories.values()),
            attributes=tuple(facts),
            actor="import",
            by=IMPORTER,
        )
        written = await self.imports.facts(run.agent_id, with_event_ids(change, self.new_id), run.now)
        made = len(written.created_attributes)
        run.counts.update(attributes_created=made, attributes_there=len(facts) - made)

    async def _edges(self, run: _Run, lines: Sequence[EdgeLine]) -> None:
        held = [line for line in lines if not _over(line, run.now)]
        run.counts["skipped"] += len(lines) - len(held)
        taken = await self.imports.taken(run.agent_id, [line.id for line in held if line.id])
        ends: dict[str, str] = {}
        rows: dict[tuple[str, str, str], EdgeRow] = {}
        for line in held:
            names = [self._clean(run, name) for name in (line.source, line.target)]
            source, target = map(run.canonical, names)
            ends.setdefault(source, names[0])
            ends.setdefault(target, names[1])
            # Of duplicates in one batch the later one wins.
            rows[source, target, line.type.value] = EdgeRow(
                line.id if line.id and line.id not in taken else self.new_id(),
                source,
                target,
                line.type.value,
                line.confidence,
                line.strength,
                self.guards.note(run.agent_id, line.reason),
                line.valid_from,
                line.extraction_level,
            )
        if not rows:
            return
        event = self._event(run, {"dependencies": len(rows)})
        await run.edges.begin(
            rows.keys(),
            lambda: self.imports.edges(run.agent_id, list(rows.values()), ends, self._entity, event, run.now),
        )

    def _entity(self, canonical: str, name: str) -> EntityRow:
        """The row of an entity that is known only by name."""
        return EntityRow(canonical, self.new_id(), name, type_of_thing(name), mentions=0)

    def _homeless(self, run: _Run, batch: Batch) -> list[LineError]:
        """Facts whose entity is not defined: an export lists entities before facts."""
        return [
            LineError(
                line=number, message=f"entityId: no entity line before has the id {line.entity_id!r}; give entity"
            )
            for number, line in zip(batch.numbers, batch.lines, strict=True)
            if isinstance(line, FactLine) and line.entity is None and line.entity_id not in run.names
        ]

    def _clean(self, run: _Run, text: str) -> str:
        return self.guards.note(run.agent_id, text) or text

    def _event(self, run: _Run, counts: dict[str, int]) -> EventRow:
        """One event for each batch."""
        id_ = self.new_id()
        return EventRow(id_, "graph_imported", id_, "import", run.now, after=json.dumps({"by": IMPORTER} | counts))


def _over(line: FactLine | EdgeLine, now: datetime) -> bool:
    return line.valid_to is not None and line.valid_to <= now


def _report(run: _Run) -> ImportReport:
    def counted(what: str) -> Counted:
        return Counted(created=run.counts[f"{what}_created"], there=run.counts[f"{what}_there"])

    return ImportReport(
        lines=run.counts["lines"],
        entities=counted("entities"),
        attributes=counted("attributes"),
        dependencies=counted("dependencies"),
        skipped=run.counts["skipped"],
        not_written=run.counts["not_written"],
        errors=tuple(run.errors[:ERRORS_TOLD]),
        errors_total=len(run.errors),
    )
