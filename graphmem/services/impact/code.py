"""Repositories become entities and dependencies: what changed since the last reading is read, and the graph is
updated."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from graphmem.errors import Conflict
from graphmem.model.caller import Caller
from graphmem.model.code import READER, CodeDelta, CodeProblem, FoundFile, KeptFile, Outline, RepositoryReceipt
from graphmem.rules.code import Unreadable, changes
from graphmem.rules.language.keys import sha256_hex
from graphmem.services.operation.leases import kept
from graphmem.services.ports import Clock, CodeData, CodeReader, Leases, NewId

LEASE_S = 60.0


@dataclass
class _Read:
    """The files of a run. `outlines`: those of new or changed files, None where there is nothing to read."""

    outlines: dict[str, Outline | None] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)
    problems: list[CodeProblem] = field(default_factory=list)
    unchanged: int = 0


class Repositories:
    def __init__(self, code: CodeData, leases: Leases, read: CodeReader, clock: Clock, new_id: NewId) -> None:
        self._code = code
        self._leases = leases
        self._read = read
        self._clock = clock
        self._new_id = new_id

    async def ingest(
        self,
        caller: Caller,
        repository: str,
        files: Sequence[FoundFile],
        skipped: Mapping[str, int],
    ) -> RepositoryReceipt:
        """Read the files that changed, and write what follows from all of them.

        A file that cannot be read keeps its previous results, and is reported. Errors: Conflict while the same
        repository is being read.
        """
        lease = f"repository:{sha256_hex(f'{caller.agent_id}{chr(10)}{repository}')[:32]}"
        holder = self._new_id()
        if not await self._leases.take_lease(lease, holder, self._clock(), LEASE_S):
            raise Conflict(f"The repository {repository!r} is being read already. Try again when that is done.")

        async def extend() -> bool:
            return await self._leases.take_lease(lease, holder, self._clock(), LEASE_S)

        try:
            async with kept(extend, LEASE_S):
                return await self._ingest(caller, repository, files, skipped)
        finally:
            await self._leases.release_lease(lease, holder)

    async def _ingest(
        self,
        caller: Caller,
        repository: str,
        files: Sequence[FoundFile],
        skipped: Mapping[str, int],
    ) -> RepositoryReceipt:
        known = {one.path: one for one in await self._code.files(caller.agent_id, repository)}
        read = await asyncio.to_thread(self._changed, files, known)
        gone = sorted(set(known) - {one.path for one in files})
        receipt = RepositoryReceipt(
            repository=repository,
            files=len(files),
            read=len(read.outlines),
            unchanged=read.unchanged,
            removed=len(gone),
            entities=0,
            edges=0,
            retired=0,
            passages=0,
            skipped=dict(sorted(skipped.items())),
            problems=tuple(read.problems),
        )
        halted = {path for path, one in known.items() if one.halted}
        if not (read.outlines or gone or halted):
            return receipt
        return await self._draw(caller, repository, halted, read, gone, receipt)

    async def _draw(
        self,
        caller: Caller,
        repository: str,
        halted: Set[str],
        read: _Read,
        gone: Sequence[str],
        receipt: RepositoryReceipt,
    ) -> RepositoryReceipt:
        agent_id, now = caller.agent_id, self._clock()
        known = await self._code.outlines(agent_id, repository)
        before = {one.path: one.outline for one in known if one.outline}
        after = {path: outline for path, outline in before.items() if path not in gone and path not in read.outlines}
        after |= {path: outline for path, outline in read.outlines.items() if outline}

        def compare() -> list[CodeDelta]:
            found = [changes(repository, before, after)]
            if halted:  # an earlier run may have written a part of its changes
                meant = {path: outline for path, outline in before.items() if path not in halted}
                meant |= {one.path: one.pending for one in known if one.pending}
                found.insert(0, changes(repository, meant, after))
            return found

        found = await asyncio.to_thread(compare)
        await self._code.pend(agent_id, repository, read.outlines, gone)
        for one in found:
            await self._code.draw(agent_id, repository, one, now)
        last = found[-1]
        done = {
            "entities": len(last.entities),
            "edges": len(last.edges),
            "retired": len(last.retired),
            "passages": len(last.passages),
        }
        counts = {"files": receipt.files, "read": receipt.read, "removed": receipt.removed}
        await self._code.tell(agent_id, repository, counts | done, self._new_id(), now)
        await self._code.settle(agent_id, repository, read.hashes, READER, gone)
        return receipt.model_copy(update=done)

    def _changed(self, files: Sequence[FoundFile], known: Mapping[str, KeptFile]) -> _Read:
        """The outlines of files that changed since they were last read."""
        read = _Read()
        for file in files:
            kept_file = known.get(file.path)
            if kept_file and _is_current(kept_file, file):
                read.unchanged += 1
                continue
            try:
                read.outlines[file.path] = self._read(file.path, file.text)
                read.hashes[file.path] = file.sha256
            except Unreadable as problem:
                read.problems.append(CodeProblem(path=file.path, problem=str(problem)))
        return read


def _is_current(kept_file: KeptFile, file: FoundFile) -> bool:
    """Whether the graph holds the outline of this file, and no run was interrupted while it was about to change it."""
    return not kept_file.halted and (kept_file.sha256, kept_file.reader) == (file.sha256, READER)
