"""Figures of truth: each is what its definition says."""

import pytest

from graphmem.model.labels_truth import TruthAsk, TruthStory
from graphmem.rules.evaluation import AskSeen, Shown, StorySeen, figures, score

MOVED = TruthAsk(q="Where does Ana live?", now=("Porto",), stale=("Leeds",))
UNKNOWN = TruthAsk(q="Where does Ana live?", stale=("Leeds",), unknown=True)
NEW, OLD, OTHER = Shown("Ana moved to Porto."), Shown("Ana lives in Leeds."), Shown("It rains.")


def story(ask: TruthAsk = MOVED, **more: object) -> TruthStory:
    given = {"id": "a", "door": "remember", "remember": ["It rains."], "asks": [ask.model_dump()]}
    return TruthStory.model_validate(given | more)


def seen(
    hits: list[Shown], answer: Shown = NEW, *, found: bool = True, context: list[Shown] | None = None, **more: object
) -> StorySeen:
    return StorySeen(asks=[AskSeen(hits, answer, found, context or [])], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ask", "hits", "right", "stale"),
    [
        (MOVED, [NEW, OLD], True, False),
        (MOVED, [OLD, NEW], False, True),
        (MOVED, [OTHER, NEW], False, False),
        (MOVED, [OLD], False, True),
        (MOVED, [Shown(OLD.text, "superseded"), NEW], False, False),
        (MOVED, [Shown("Ana moved from Leeds to Porto.")], True, False),
        (MOVED, [Shown(f"{OLD.text} It rains.", "active", ((0, len(OLD.text)),)), NEW], False, False),
        (UNKNOWN, [OTHER], True, False),
        (UNKNOWN, [OTHER, OLD], False, True),
        (UNKNOWN, [Shown(OLD.text, "superseded")], True, False),
    ],
)
def test_the_first_hit_has_the_current_value_and_nothing_stale_is_above_it(
    ask: TruthAsk, hits: list[Shown], right: bool, stale: bool
) -> None:
    (one,) = score(story(ask), seen(hits)).asks
    assert (one.ask, one.stale, one.changed) == (right, stale, True)


def test_an_answer_has_the_current_value_and_one_that_is_unknown_shows_nothing_stale() -> None:
    def answered(ask: TruthAsk, answer: Shown, *, found: bool = True) -> bool:
        return score(story(ask), seen([], answer, found=found)).asks[0].answer

    assert [answered(MOVED, NEW), answered(MOVED, OLD), answered(MOVED, NEW, found=False)] == [True, False, False]
    assert [answered(UNKNOWN, OLD), answered(UNKNOWN, OLD, found=False), answered(UNKNOWN, OTHER)] == [
        False,
        True,
        True,
    ]


def test_a_context_holds_the_current_value_where_it_holds_anything_and_nothing_stale() -> None:
    contexts: list[list[Shown]] = [[], [NEW], [OTHER], [NEW, OLD], [NEW, Shown(OLD.text, "superseded")]]
    assert [score(story(), seen([], context=one)).asks[0].context for one in contexts] == [
        True,
        True,
        False,
        False,
        True,
    ]


def test_facts_that_nobody_stated_facts_that_were_lost_and_edges_are_counted() -> None:
    told = story(
        never=["ana: .*madrid"],
        keep=[["two cats"], ["a dog"], ["a parrot"]],
        edges=[{"source": "web-app", "target": "Redis"}, {"source": "web", "target": "Kafka", "active": False}],
    )
    scored = score(
        told,
        seen(
            [NEW],
            facts=[("Ana", "Ana lives in Madrid"), ("Ana", "Ana has two cats")],
            retired=["Ana has two cats", "Ana has a dog"],
            edges=[("the web app", "redis")],
        ),
    )
    assert (scored.false, scored.kept, scored.edges) == (True, (True, False, True), (True, True))
    assert [miss.partition(":")[0] for miss in scored.misses] == ["false", "lost"]


def test_figures_are_shares_over_all_stories() -> None:
    right, wrong = score(story(), seen([NEW])), score(story(never=["x"]), seen([OLD], OLD))
    found = {one.name: (one.met, one.total) for one in figures([right, wrong])}
    assert (found["asks, changed"], found["asks"], found["answers"]) == ((1, 2), (1, 2), (1, 2))
    assert (found["stale"], found["false"], found["kept"]) == ((1, 2), (0, 1), (0, 0))
    assert {one.name: one.value for one in figures([right])}["kept"] is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"never": ["("]},
        {"door": "sessions"},
        {"asks": [{"q": "Where?"}]},
        {"asks": [{"q": "x", "now": ["a"], "unknown": True}]},
    ],
)
def test_a_story_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"never|says nothing|needs either"):
        story(**wrong)
