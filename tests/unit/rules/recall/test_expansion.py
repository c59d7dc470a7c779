"""What is told of an entity: the order of its facts, and what fits of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.answers import SummaryLine
from graphmem.model.knowledge import Attribute, Dependency, DependencyType, NamedRef
from graphmem.rules.language.text import count_tokens
from graphmem.rules.recall.expansion import (
    MOST_CITED,
    FactInShort,
    Line,
    compose,
    constraints_first,
    edge_line,
    fact_line,
    strongest,
    summary_line,
    worth_reading,
)

DAY = datetime(2026, 5, 1, tzinfo=UTC)
LINES = st.lists(
    st.builds(
        Line,
        st.uuids().map(str),
        st.sampled_from(["Constraints", "Facts", "Summaries"]),
        st.text(max_size=60),
        st.lists(st.text("abc-", min_size=1, max_size=8), max_size=3).map(tuple),
    ),
    max_size=8,
)


def short(id_: str, content: str = "it is so", **other: Any) -> FactInShort:
    given = {
        "aspect_id": "a",
        "aspect": "general",
        "weight": 0.5,
        "kind": "attribute",
        "status": "active",
        "importance": 0.5,
        "pinned": False,
        "valid_from": DAY,
        "nearness": None,
    } | other
    return FactInShort(id=id_, content=content, **given)


def ids(facts: list[FactInShort]) -> list[str]:
    return [fact.id for fact in facts]


def test_constraints_come_first_whatever_is_asked() -> None:
    facts = [short("fact", "the port is 8080", nearness=0.9), short("rule", "never log tokens", kind="constraint")]
    assert ids(constraints_first(facts, "Which port?")) == ["rule", "fact"]


def test_what_holds_comes_before_what_is_superseded() -> None:
    facts = [short("old", "the port is 80", status="superseded"), short("new", "it is blue")]
    assert ids(constraints_first(facts, "Which port?")) == ["new", "old"]


def test_facts_that_take_up_the_question_come_first() -> None:
    facts = [short("colour", "wick is painted blue"), short("port", "wick listens on port 8080")]
    assert ids(constraints_first(facts, "On which port does wick listen?")) == ["port", "colour"]


def test_facts_near_to_the_question_come_first_without_a_word_of_it() -> None:
    facts = [
        short("far", "wick is painted blue", nearness=0.1),
        short("near", "wick stores rows in Oracle", nearness=0.6),
    ]
    assert ids(constraints_first(facts, "Which database?")) == ["near", "far"]


def test_a_word_that_every_fact_has_orders_nothing() -> None:
    facts = [short("light", "wick is blue", weight=0.1), short("heavy", "wick is old", weight=0.9)]
    assert ids(constraints_first(facts, "What is wick?")) == ["heavy", "light"]


def test_without_a_question_weight_orders_then_the_newest() -> None:
    facts = [
        short("older", valid_from=DAY - timedelta(days=1)),
        short("newer"),
        short("heavy", weight=0.9, valid_from=DAY - timedelta(days=9)),
    ]
    assert ids(constraints_first(facts, None)) == ["heavy", "newer", "older"]


def test_no_more_facts_are_read_than_could_fit() -> None:
    facts = [short(str(number), "a fact of some words") for number in range(500)]
    assert 2 <= len(worth_reading(facts, 64)) <= 4
    assert worth_reading(facts, 10**6) == facts


def edge(id_: str, other: str, strength: float, confidence: float) -> Dependency:
    return Dependency(
        id=id_,
        source=NamedRef(id="me", name="me"),
        target=NamedRef(id=other, name=other),
        type=DependencyType.DEPENDS_ON,
        confidence=confidence,
        strength=strength,
        reason=None,
        valid_from=DAY,
        valid_to=None,
        message_ids=("m1",),
        extraction_level=1,
    )


def test_neighbours_come_by_strength_then_confidence_then_name() -> None:
    edges = [edge("1", "d", 0.5, 0.9), edge("2", "c", 0.9, 0.1), edge("3", "b", 0.5, 0.9), edge("4", "a", 0.5, 0.7)]
    assert [one.id for one in strongest(edges, "me")] == ["2", "3", "1", "4"]


def test_an_edge_to_itself_is_told_once() -> None:
    own = edge("1", "me", 0.5, 0.9)
    assert strongest([own, own], "me") == [own]


def fact(**other: Any) -> Attribute:
    given = {
        "id": "t",
        "content": "wick listens on port 8080",
        "kind": "attribute",
        "status": "active",
        "entity_id": "e",
        "aspect": "network",
        "claim_key": None,
        "confidence": 0.7,
        "importance": 0.5,
        "pinned": False,
        "valid_from": DAY,
        "valid_to": None,
        "created_at": DAY,
        "retired_at": None,
        "superseded_by": None,
        "memory_ids": ("k",),
        "message_ids": ("m1", "m2"),
        "extraction_level": 1,
    } | other
    return Attribute.model_validate(given)


def test_a_line_cites_aspect_attribute_and_messages() -> None:
    assert fact_line(fact(), "s").ids == ("s", "t", "m1", "m2")
    assert edge_line(edge("d", "x", 0.5, 0.9)).ids == ("d", "m1")
    told = summary_line(SummaryLine(id="y", kind="arc", text="2026-04-30:\n- one\n- two.\n- three", latest_at=DAY))
    assert told.ids == ("y",)
    assert told.text == "As of 2026-05-01: 2026-04-30: one; two. three"
    assert summary_line(SummaryLine(id="y", kind="arc", text="", latest_at=None)).text == ""


def test_a_fact_that_nobody_said_cites_its_memory() -> None:
    assert fact_line(fact(message_ids=()), "s").ids == ("s", "t", "k")


def test_a_fact_said_often_names_some_of_its_messages() -> None:
    often = fact_line(fact(message_ids=tuple(f"m{number}" for number in range(50))), "s")
    assert len(often.ids) == 2 + MOST_CITED


def test_a_superseded_fact_says_until_when_it_held() -> None:
    line = fact_line(fact(status="superseded", valid_to=DAY + timedelta(days=2)), "s")
    assert line.text == "wick listens on port 8080 (since 2026-05-01, superseded 2026-05-03)"


@given(st.text(max_size=30), LINES, st.integers(0, 120))
def test_a_composed_block_never_exceeds_the_budget(title: str, lines: list[Line], most: int) -> None:
    composed = compose(title, lines, most)
    assert composed.used_tokens == count_tokens(composed.text) <= most
    assert composed.shown <= {line.id for line in lines}
    if composed.shown != {line.id for line in lines}:
        assert composed.truncated


@given(st.text(max_size=30), LINES)
def test_enough_room_shows_everything_in_order(title: str, lines: list[Line]) -> None:
    composed = compose(title, lines, 100_000)
    assert composed.shown == {line.id for line in lines}
    assert not composed.truncated
    at = 0
    for line in lines:
        at = composed.text.index(line.written(), at) + 1


def test_sections_are_headed_once_and_lines_cite_their_ids() -> None:
    lines = [
        Line("1", "Facts", "one", ("a", "b")),
        Line("2", "Facts", "two", ()),
        Line("3", "Summaries", "three", ("c",)),
    ]
    assert (
        compose("Redis (tool)", lines, 100).text == "Redis (tool)\nFacts\n- one [a, b]\n- two\nSummaries\n- three [c]"
    )


def test_a_line_that_does_not_fit_leaves_its_room_to_shorter_ones() -> None:
    lines = [Line("1", "Facts", "one", ()), Line("2", "Facts", "long " * 100, ()), Line("3", "Facts", "three", ())]
    composed = compose("Redis", lines, 40)
    assert composed.shown == {"1", "3"}
    assert composed.truncated


def test_a_first_line_that_does_not_fit_is_cut_and_keeps_its_ids() -> None:
    lines = [Line("1", "Constraints", "Never log tokens. " * 40, ("a", "t"))]
    composed = compose("Redis", lines, 40)
    assert composed.truncated
    assert composed.shown == {"1"}
    assert composed.text.startswith("Redis\nConstraints\n- Never log tokens.")
    assert composed.text.endswith("[a, t]")
