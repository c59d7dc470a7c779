"""Lattice queries: turns by how they score, and pairs of turns that mean something alike."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.errors import QueryInvalid
from graphmem.model.lattice import LatticeAnswer, LatticeQuestion, Member, TurnPair, TurnPlace
from graphmem.model.turns import OVERLAYS, Turn
from graphmem.rules.keeping.paging import encode_cursor, place, places
from graphmem.rules.lattice.answer import Answer, Pair, combine, compared, plan
from graphmem.rules.lattice.grammar import Node, Projection, has_meet, parse
from graphmem.rules.lattice.terms import normalise
from graphmem.services.ports import LatticeReads

MOST_MEMBERS = 100_000
"""Most turns in the sets of a query with `~` or `->`."""
MOST_COMPARED = 5_000
"""Most turns whose meaning one query may compare: more take seconds to read and to compare."""
BEGINNING = TurnPlace(datetime.min.replace(tzinfo=UTC), "", -1)


class Lattice:
    def __init__(self, reads: LatticeReads, overlay_threshold: float) -> None:
        self._reads = reads
        self._active_from = overlay_threshold

    async def query(self, agent_id: str, asked: LatticeQuestion) -> LatticeAnswer:
        """The turns or pairs of a query. Errors: QueryInvalid, before anything is read; InvalidCursor."""
        node = parse(asked.query, self._active_from)
        if has_meet(node):
            return await self._compare(agent_id, node, asked)
        terms = normalise(node)
        after = _after(asked.cursor)
        found = await self._reads.turns(agent_id, asked.session_id, terms, after, asked.limit + 1) if terms else []
        shown = found[: asked.limit]
        return LatticeAnswer(
            items=tuple(self._told(placed.turn) for placed in shown),
            pairs=None,
            next_cursor=_cursor(shown[-1].place) if len(found) > asked.limit else None,
        )

    async def _compare(self, agent_id: str, node: Node, asked: LatticeQuestion) -> LatticeAnswer:
        """A query that compares meaning is computed completely, and a page of it is returned."""
        parts = plan(node)
        sets = [normalise(part) for part in parts]
        (begin,) = places(asked.cursor, 1)
        members = await self._reads.members(agent_id, asked.session_id, sets, MOST_MEMBERS + 1)
        if len(members) > MOST_MEMBERS:
            raise _too_broad(MOST_MEMBERS, "are in the sets of this query")
        known = {
            part: frozenset(at for at, member in enumerate(members) if number in member.sets)
            for number, part in enumerate(parts)
        }
        wanted = compared(node, known)
        if len(wanted) > MOST_COMPARED:
            raise _too_broad(MOST_COMPARED, "would be compared")
        vectors = await self._reads.vectors(agent_id, [members[at].id for at in sorted(wanted)])
        held = {at: vectors[members[at].id] for at in wanted if members[at].id in vectors}
        answer = await asyncio.to_thread(combine, node, known, held)
        return await self._page(agent_id, answer, members, begin, asked.limit, by_pairs=_is_meet(node, answer))

    async def _page(
        self, agent_id: str, answer: Answer, members: Sequence[Member], begin: int, limit: int, *, by_pairs: bool
    ) -> LatticeAnswer:
        end = begin + limit
        if by_pairs:
            pairs = answer.pairs or ()
            shown = tuple(_pair(pair, members) for pair in pairs[begin:end])
            return LatticeAnswer(
                items=(), pairs=shown, next_cursor=encode_cursor(str(end)) if len(pairs) > end else None
            )
        of_page = answer.places[begin:end]
        ids = [members[at].id for at in of_page]
        found = await self._reads.turns_of(agent_id, ids)
        on_page = set(of_page)
        leading = tuple(_pair(pair, members) for pair in answer.pairs or () if pair.right in on_page)
        return LatticeAnswer(
            items=tuple(self._told(found[id_]) for id_ in ids if id_ in found),
            pairs=None if answer.pairs is None else leading,
            next_cursor=encode_cursor(str(end)) if len(answer.places) > end else None,
        )

    def _told(self, turn: Turn) -> Turn:
        scored = zip(OVERLAYS, turn.overlays.scores, strict=True)
        return turn.model_copy(update={"active": tuple(one for one, score in scored if score >= self._active_from)})


def _is_meet(node: Node, answer: Answer) -> bool:
    return answer.pairs is not None and not isinstance(node, Projection)


def _pair(pair: Pair, members: Sequence[Member]) -> TurnPair:
    left, right = members[pair.left], members[pair.right]
    return TurnPair(
        left=left.message_id,
        right=right.message_id,
        similarity=pair.similarity,
        left_id=left.id,
        right_id=right.id,
        left_session_id=left.session_id,
        right_session_id=right.session_id,
    )


def _too_broad(most: int, what: str) -> QueryInvalid:
    said = f"more than {most:,} turns {what}: name a session, or narrow both sides"
    return QueryInvalid(said, "too_broad", 0)


def _cursor(last: TurnPlace) -> str:
    return encode_cursor(last.started_at.isoformat(), last.session_id, str(last.ordinal))


def _after(cursor: str | None) -> TurnPlace:
    """Errors: InvalidCursor."""
    behind = place(cursor)
    return TurnPlace(*behind) if behind else BEGINNING
