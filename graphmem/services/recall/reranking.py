"""Reranking: the best candidates of a recall are scored by the configured server. No transaction is open."""

import logging
from collections.abc import Mapping, Sequence

from graphmem.errors import ModelUnavailable
from graphmem.model.stored import FoundText
from graphmem.rules.recall.ranking import Ranked
from graphmem.rules.recall.reranking import SENT, SENT_CHARS, as_shares, blend
from graphmem.services.ports import Reranker

log = logging.getLogger(__name__)


class Reranking:
    """`asked` and `failed` count recalls of this process."""

    def __init__(self, reranker: Reranker, weight: float) -> None:
        self._reranker = reranker
        self._weight = weight
        self.asked = 0
        self.failed = 0

    async def order(
        self, query: str, ranked: Sequence[Ranked], texts: Mapping[str, FoundText]
    ) -> tuple[list[Ranked], bool]:
        """The candidates in the combined order of the reranker and our own rule, and True; unchanged, and False, where
        the reranker is unreachable, late, rests or returns nonsense, which is counted. Without candidates it is not
        called."""
        best = [candidate.id for candidate in ranked[:SENT]]
        if not best:
            return [], True
        self.asked += 1
        try:
            scores = await self._reranker.score(query[:SENT_CHARS], [texts[id_].text[:SENT_CHARS] for id_ in best])
        except ModelUnavailable as error:
            self.failed += 1
            log.warning("a recall keeps its own order", extra={"why": str(error)})
            return list(ranked), False
        return blend(ranked, dict(zip(best, as_shares(scores), strict=True)), self._weight), True
