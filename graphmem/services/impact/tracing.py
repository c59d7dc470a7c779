"""Provenance: what a thing was made from, and what must be rebuilt when it changes."""

import asyncio
import json
from collections.abc import Iterable

from graphmem.errors import InvalidCursor, InvalidInput
from graphmem.model.provenance import Derivation, Direction, Made, Provenance, Step
from graphmem.model.stored import Walk
from graphmem.rules.impact import radius
from graphmem.rules.keeping.paging import decode_cursor, encode_cursor
from graphmem.services.conversation.describing import Describing
from graphmem.services.impact.walking import CAPS, walked
from graphmem.services.ports import Embedder, ProvenanceReads

TRACED = ("message", "payload", "memory", "attribute", "summary")
"""The kinds of things that are made from something, or have something made from them."""
TRACE_CAPS = ((20_000, 100_000), CAPS[0])
"""More than for an impact, whose far end is rarely read: everything that must be rebuilt matters."""


class Tracing:
    def __init__(self, reads: ProvenanceReads, describing: Describing, embedder: Embedder) -> None:
        self._reads = reads
        self._describing = describing
        self._embedder = embedder

    async def trace(
        self, agent_id: str, id_: str, direction: Direction, max_depth: int, limit: int, cursor: str | None
    ) -> Provenance:
        """A page of what a thing was made from, or of what was made from it, nearest first.

        Errors: NotFound; InvalidInput for a kind of thing that has no derivation; InvalidCursor; DatabaseBusy.
        """
        kind, own = await self._describing.find(agent_id, id_)
        if kind not in TRACED:
            raise InvalidInput.at("id", msg=f"leads to a {kind}; derivations are kept of {', '.join(TRACED)}")
        after = _place(cursor) if cursor else (0, "")

        async def met(node_cap: int, edge_cap: int) -> Walk:
            return await self._reads.walk(
                agent_id, own, direction, max_depth=max_depth, node_cap=node_cap, edge_cap=edge_cap
            )

        walk, made = await asyncio.gather(walked(own, met, max_depth, caps=TRACE_CAPS), self._reads.made(agent_id, own))
        behind = (one for one in walk.reached.values() if (one.depth, one.id) > after)
        listed = radius.nearest(behind, limit + 1)
        page = listed[:limit]
        return Provenance(
            id=own,
            kind=kind,
            direction=direction,
            by=_maker(made),
            embedded_by=self._embedder.id if made.embedded else None,
            items=tuple(await self._derivations(agent_id, direction, page)),
            total=len(walk.reached),
            truncated=walk.capped,
            next_cursor=encode_cursor(str(page[-1].depth), page[-1].id) if len(listed) > limit else None,
        )

    async def _derivations(
        self, agent_id: str, direction: Direction, page: Iterable[radius.Reached]
    ) -> list[Derivation]:
        """Each with its last step; one that was removed between the two reads is left out."""
        last = {one: _ends(one, direction) for one in page}
        steps = await self._reads.steps(agent_id, list(last.values()))
        return [_told(one, steps[pair], direction) for one, pair in last.items() if pair in steps]


def _ends(one: radius.Reached, direction: Direction) -> tuple[str, str]:
    """The product and the source at the last edge of a path, which names its near and its far end."""
    near = one.path[-1].removesuffix(f" {one.id}")
    return (near, one.id) if direction == "inputs" else (one.id, near)


def _told(one: radius.Reached, step: Step, direction: Direction) -> Derivation:
    kind = step.used_kind if direction == "inputs" else step.made_kind
    return Derivation(id=one.id, kind=kind, depth=one.depth, via=step.via, by=step.by, changed=step.changed)


def _maker(made: Made) -> str | None:
    """The maker of a thing: for an imported message the import, from the metadata of its session."""
    about = json.loads(made.origin) if made.origin and made.by is None else {}
    parts = (about.get("importedFrom"), about.get("importedBy"))
    return made.by or " ".join(part for part in parts if isinstance(part, str)) or None


def _place(cursor: str) -> tuple[int, str]:
    depth, id_ = decode_cursor(cursor, 2)
    if not (depth.isascii() and depth.isdecimal() and len(depth) <= 2):
        raise InvalidCursor("The cursor is not one of ours.")
    return int(depth), id_
