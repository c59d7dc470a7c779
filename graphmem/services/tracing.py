"""Provenance: what a thing was made of, and what must be made again when it changes."""

from graphmem.errors import InvalidCursor, InvalidInput
from graphmem.model.provenance import Derivation, Direction, Provenance
from graphmem.rules.paging import decode_cursor, encode_cursor
from graphmem.services.describing import Describing
from graphmem.services.ports import ProvenanceReads

TRACED = ("message", "payload", "memory", "attribute", "summary")
"""What is made of something, or has something made of it."""


class Tracing:
    def __init__(self, reads: ProvenanceReads, describing: Describing) -> None:
        self._reads = reads
        self._describing = describing

    async def trace(
        self, agent_id: str, id_: str, direction: Direction, max_depth: int, limit: int, cursor: str | None
    ) -> Provenance:
        """A page of what a thing was made of, or of what was made of it, nearest first.

        Errors: NotFound; InvalidInput for a kind of thing that has no derivation; InvalidCursor.
        """
        kind, own = await self._describing.find(agent_id, id_)
        if kind not in TRACED:
            raise InvalidInput.at("id", msg=f"leads to a {kind}; derivations are kept of {', '.join(TRACED)}")
        after = _place(cursor) if cursor else (0, "")
        found = await self._reads.walk(agent_id, own, direction, max_depth, after, limit + 1)
        return Provenance(
            id=own,
            kind=kind,
            direction=direction,
            items=tuple(found[:limit]),
            next_cursor=_cursor(found[limit - 1]) if len(found) > limit else None,
        )


def _cursor(last: Derivation) -> str:
    return encode_cursor(str(last.depth), last.id)


def _place(cursor: str) -> tuple[int, str]:
    depth, id_ = decode_cursor(cursor, 2)
    if not (depth.isascii() and depth.isdecimal() and len(depth) <= 2):
        raise InvalidCursor("The cursor is not one of ours.")
    return int(depth), id_
