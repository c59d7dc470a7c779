"""A recall with a reranker: what is sent, what comes of its answer, and that nothing does where there is none."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import ModelUnavailable
from graphmem.model.answers import Recalled
from graphmem.model.inputs import HitKind, Recall
from graphmem.model.stored import FoundText, ReadText
from graphmem.rules.recall.reranking import SENT, SENT_CHARS
from graphmem.services.ports import Embedder, Retrieval
from graphmem.services.recall.recall import Recalling
from graphmem.services.recall.reranking import Reranking

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class Texts:
    """A store with a few facts; `hidden` are read as surroundings only, `successors` lead from superseded ones."""

    def __init__(
        self, said: Mapping[str, str], hidden: Collection[str] = (), successors: Mapping[str, str] | None = None
    ) -> None:
        self._said, self._hidden, self._successors = said, hidden, successors or {}

    async def matching(self, *_: Any) -> dict[HitKind, list[str]]:
        return {"attribute": list(self._said)}

    async def read_texts(
        self, _agent: str, ids: Mapping[HitKind, Sequence[str]], *_: Any
    ) -> list[tuple[HitKind, ReadText]]:
        return [
            (
                "attribute",
                ReadText(id_, self._said[id_], len(self._said[id_]), None, None, eligible=id_ not in self._hidden),
            )
            for id_ in ids["attribute"]
        ]

    async def on_entities(self, *_: Any) -> list[Any]:
        return []

    async def unread_sessions(self, *_: Any) -> list[str]:
        return []

    async def found(self, _agent: str, ids: Mapping[HitKind, Sequence[str]], _when: Any) -> list[FoundText]:
        return [self._found(id_) for id_ in ids.get("attribute", ())]

    def _found(self, id_: str) -> FoundText:
        newer = self._successors.get(id_)
        status: Any = "superseded" if newer else "active"
        successors = frozenset([newer] if newer else ())
        return FoundText(
            id_, "attribute", self._said[id_], None, (), (), status, newer, successors, NOW, None, created_at=NOW
        )


class NoEmbedder:
    state = "off"


class Scripted:
    """Scores texts by a rule, or fails; keeps what it was sent."""

    def __init__(self, rule: Callable[[str], float] | None) -> None:
        self._rule = rule
        self.sent: list[tuple[str, list[str]]] = []

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.sent.append((query, list(texts)))
        if self._rule is None:
            raise ModelUnavailable("The reranker rests.")
        return [self._rule(text) for text in texts]

    async def close(self) -> None: ...


async def recall(texts: Texts, reranking: Reranking | None, query: str = "lamp port", **asked: Any) -> Recalled:
    recalling = Recalling(cast(Retrieval, texts), cast(Embedder, NoEmbedder()), lambda: NOW, reranking)
    return await recalling.recall("me", Recall.model_validate({"query": query} | asked))


PORTS = {f"f{n}": f"lamp service number {n} listens on port {8000 + n}" for n in range(6)}


async def test_the_reranker_moves_what_it_finds_good_to_the_top_and_why_says_so() -> None:
    plain = await recall(Texts(PORTS), None)
    last = plain.hits[-1]
    moved = await recall(Texts(PORTS), Reranking(Scripted(lambda text: float(text == last.text)), 0.5))
    assert moved.hits[0].id == last.id
    assert moved.hits[0].why["rerank"] == 0.5
    assert "rerank" not in moved.hits[1].why
    assert [hit.id for hit in moved.hits[1:]] == [hit.id for hit in plain.hits[:-1]]
    assert (plain.reranked, moved.reranked) == (None, True)


async def test_a_reranker_that_fails_leaves_the_answer_as_it_is_without_one_and_is_counted() -> None:
    reranking = Reranking(Scripted(None), 0.5)
    plain, failed = await recall(Texts(PORTS), None), await recall(Texts(PORTS), reranking)
    assert failed.hits == plain.hits
    assert failed.reranked is False
    assert (reranking.asked, reranking.failed) == (1, 1)


async def test_only_the_best_are_sent_cut_and_never_what_the_filters_refuse() -> None:
    said = {f"f{n:02}": f"lamp port {n} " + "x" * 2 * SENT_CHARS for n in range(SENT + 20)}
    reranker = Scripted(lambda _: 0.5)
    found = await recall(Texts(said, hidden=["f00", "f03"]), Reranking(reranker, 0.5), "lamp port " * 500, limit=50)
    ((query, sent),) = reranker.sent
    assert len(sent) == SENT
    assert {len(text) for text in (query, *sent)} == {SENT_CHARS}
    assert not {said["f00"][:SENT_CHARS], said["f03"][:SENT_CHARS]} & set(sent)
    assert not {"f00", "f03"} & {hit.id for hit in found.hits}
    assert len(found.hits) == SENT + 18
    assert [("rerank" in hit.why) for hit in found.hits] == [True] * SENT + [False] * 18


async def test_nobody_is_asked_about_nothing() -> None:
    reranker = Scripted(None)
    assert (await recall(Texts({}), Reranking(reranker, 0.5))).hits == ()
    assert reranker.sent == []


@pytest.mark.parametrize("best", ["old", "new"])
async def test_what_was_replaced_never_stands_above_what_replaced_it(best: str) -> None:
    said = {"old": "the old lamp port is 8080", "new": "the new lamp port is 9090", "else": "no lamp port here"}
    reranking = Reranking(Scripted(lambda text: 1.0 if best in text else 0.1), 0.9)
    found = await recall(Texts(said, successors={"old": "new"}), reranking, includeSuperseded=True)
    order = [hit.id for hit in found.hits]
    assert order.index("new") < order.index("old")
    old, new = (next(hit for hit in found.hits if hit.id == id_) for id_ in ("old", "new"))
    assert old.score <= new.score
    assert math.isclose(sum(old.why.values()), old.score, abs_tol=1e-9)


@given(st.lists(st.floats(-20, 20), min_size=6, max_size=6), st.floats(0, 0.9), st.integers(64, 90))
async def test_whatever_it_says_scores_fall_reasons_sum_and_the_budget_holds(
    scores: list[float], weight: float, budget: int
) -> None:
    said = dict(zip(PORTS.values(), scores, strict=True))
    answers = [await recall(Texts(PORTS), Reranking(Scripted(said.__getitem__), weight)) for _ in range(2)]
    assert answers[0] == answers[1]
    assert all(one.score >= two.score for one, two in pairwise(answers[0].hits))
    for hit in answers[0].hits:
        assert 0 <= hit.score <= 1
        assert math.isclose(sum(hit.why.values()), hit.score, abs_tol=1e-9)
    short = await recall(Texts(PORTS), Reranking(Scripted(said.__getitem__), weight), maxTokens=budget)
    assert short.used_tokens <= budget
    kept = {hit.id for hit in short.hits}
    assert kept
    assert [hit.id for hit in short.hits] == [hit.id for hit in answers[0].hits if hit.id in kept]
