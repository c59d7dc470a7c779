"""A reranker's word joins our own order: scores stay what they are, and each share is said."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.rules.recall.ranking import Ranked
from graphmem.rules.recall.reranking import as_shares, blend

SHARE = st.floats(0, 1)
WEIGHT = st.floats(0, 0.9)


@st.composite
def orders(draw: st.DrawFn) -> list[Ranked]:
    """What `rank` gives: scores in 0..1 that fall, with reasons that sum to them."""
    scores = sorted(draw(st.lists(SHARE, max_size=12)), reverse=True)
    return [
        Ranked(f"{n:02}", score, {"words": score / 2, "meaning": score / 2} if score else {})
        for n, score in enumerate(scores)
    ]


@given(orders(), st.lists(SHARE, min_size=12, max_size=12), st.integers(0, 12), WEIGHT)
def test_scores_fall_in_0_to_1_and_reasons_sum_to_them(
    ranked: list[Ranked], shares: list[float], sent: int, weight: float
) -> None:
    told = {one.id: share for one, share in zip(ranked[:sent], shares, strict=False)}
    blended = blend(ranked, told, weight)
    assert sorted(one.id for one in blended) == sorted(one.id for one in ranked)
    assert all(0 <= one.score <= 1 for one in blended)
    assert all(one.score >= two.score for one, two in pairwise(blended))
    for one in blended:
        assert math.isclose(sum(one.why.values()), one.score, abs_tol=1e-9)
        assert one.why.get("rerank", 0) == weight * told.get(one.id, 0)
    assert blend(list(reversed(ranked)), told, weight) == blended, "the order of what is given does not matter"


@given(orders(), st.lists(SHARE, min_size=12, max_size=12), st.integers(0, 12), WEIGHT)
def test_what_was_not_asked_about_keeps_its_order_below_what_was(
    ranked: list[Ranked], shares: list[float], sent: int, weight: float
) -> None:
    told = {one.id: share for one, share in zip(ranked[:sent], shares, strict=False)}
    scores = {one.id: one.score for one in blend(ranked, told, weight)}
    rest = [scores[one.id] for one in ranked[sent:]]
    assert rest == sorted(rest, reverse=True)
    assert all(scores[one.id] >= max(rest, default=0) - 1e-12 for one in ranked[:sent])


def test_of_equals_the_reranker_decides_and_a_weight_of_0_leaves_the_order() -> None:
    ranked = [Ranked(id_, 0.3, {"words": 0.3}) for id_ in "abc"]
    told = {"a": 0.1, "b": 0.2, "c": 0.9}
    assert [one.id for one in blend(ranked, told, 0.5)] == ["c", "b", "a"]
    assert blend(ranked, told, 0) == ranked


def test_a_sure_word_of_our_own_stands_against_a_lukewarm_one_of_the_reranker() -> None:
    ranked = [Ranked("ours", 0.6, {"words": 0.6}), Ranked("theirs", 0.2, {"words": 0.2})]
    assert [one.id for one in blend(ranked, {"ours": 0.3, "theirs": 0.5}, 0.5)] == ["ours", "theirs"]
    assert [one.id for one in blend(ranked, {"ours": 0.1, "theirs": 0.9}, 0.5)] == ["theirs", "ours"]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=8))
def test_any_scores_become_shares_in_the_same_order(scores: list[float]) -> None:
    shares = as_shares(scores)
    assert all(0 <= share <= 1 for share in shares)
    by_score = [share for _, share in sorted(zip(scores, shares, strict=True))]
    assert by_score == sorted(by_score)


def test_one_score_outside_shows_logits() -> None:
    assert as_shares([0.7, 0.2]) == [0.7, 0.2]
    assert as_shares([0.7, -2.0]) == pytest.approx([1 / (1 + math.exp(-0.7)), 1 / (1 + math.exp(2))])
    assert as_shares([1e308, -1e308]) == [1.0, 0.0]
