"""What reading a session again brings, beside what was drawn from it before."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

import pytest

from graphmem.model.change import Change
from graphmem.model.extraction import (
    ExtractedAttribute,
    ExtractedDependency,
    ExtractedEntity,
    Extraction,
    SourceSpan,
    Statement,
)
from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.rereading import DrawnBefore, DrawnEdge, DrawnFact, DrawnMemory, Found, SessionGave
from graphmem.rules.keeping.drafts import Place, Setting, draft
from graphmem.rules.keeping.rereading import no_longer, notes, read_again, with_ids

NOW = datetime(2026, 5, 1, tzinfo=UTC)
WORDS = "wick-service uses Redis"
MEMORY = DrawnMemory("k", WORDS, "active", None, corrected=False)
FACT = DrawnFact("t", "wick", WORDS, "active", None, frozenset({"k"}))
EDGE = DrawnEdge("d", "wick", "red", DependencyType.USES, "active", frozenset({"k"}))
IDS = {"wick service": "wick", "redis": "red"}


def said() -> Change:
    """One sentence: a fact of one thing, and that it needs another."""
    numbers = count()
    span = SourceSpan(message=0, start=0, end=12)
    extraction = Extraction(
        entities=(
            ExtractedEntity(name="wick-service", type=EntityType.SYSTEM, mentions=(span,)),
            ExtractedEntity(name="Redis", type=EntityType.TOOL, mentions=(SourceSpan(message=0, start=18, end=23),)),
        ),
        statements=(Statement(content=WORDS, type="fact", importance=0.6, source=span),),
        attributes=(
            ExtractedAttribute(
                entity="wick-service",
                aspect="dependencies",
                content=WORDS,
                kind="attribute",
                confidence=0.7,
                importance=0.6,
                statement=0,
            ),
        ),
        dependencies=(
            ExtractedDependency(
                source="wick-service",
                target="Redis",
                type=DependencyType.USES,
                confidence=0.7,
                strength=0.5,
                reason="single-memory",
                statement=0,
            ),
        ),
    )
    return draft(extraction, [Place("m", NOW)], Setting(None, "s", NOW), lambda: f"id{next(numbers)}")


def before(
    *,
    memory: DrawnMemory | None = MEMORY,
    fact: DrawnFact | None = FACT,
    edge: DrawnEdge | None = EDGE,
    away: Mapping[str, str] | None = None,
) -> DrawnBefore:
    return DrawnBefore(
        memories=(memory,) if memory else (),
        facts=(fact,) if fact else (),
        edges=(edge,) if edge else (),
        mentions=frozenset({("m", "wick", 0, 12), ("m", "red", 18, 23)}),
        away=away or {},
    )


def sizes(change: Change) -> tuple[int, int, int, int, int]:
    return (
        len(change.entities),
        len(change.memories),
        len(change.attributes),
        len(change.dependencies),
        len(change.mentions),
    )


def test_what_was_drawn_before_is_found_and_brings_nothing() -> None:
    again = read_again(said(), IDS, before())
    assert not again.brings_news
    assert again.found.facts == {("wick", WORDS.casefold())}
    assert again.found.edges == {("wick", "red", DependencyType.USES)}
    assert again.found.entities == {"wick", "red"}


def test_of_messages_that_gave_nothing_all_is_new() -> None:
    again = read_again(said(), {}, DrawnBefore((), (), (), frozenset(), {}))
    assert again.change == said()
    named = with_ids(again.found, IDS)
    assert named.facts == {("wick", WORDS.casefold())}
    assert named.entities == {"wick", "red"}


def test_a_fact_that_is_new_comes_with_its_statement_and_counts_no_mention_twice() -> None:
    change = read_again(said(), IDS, before(fact=None)).change
    assert sizes(change) == (2, 1, 1, 0, 0)
    assert {row.mentions for row in change.entities} == {0}


def test_a_statement_in_other_words_takes_over_what_the_old_one_states() -> None:
    old = DrawnMemory("k", "wick-service uses Redis now", "active", None, corrected=False)
    change = read_again(said(), IDS, before(memory=old)).change
    assert sizes(change) == (2, 1, 1, 1, 0)


@pytest.mark.parametrize("status", ["superseded", "deleted", "cold"])
def test_a_fact_that_is_not_active_keeps_its_place(status: str) -> None:
    fact = DrawnFact("t", "wick", WORDS, status, "deleted" if status == "deleted" else None, frozenset({"k"}))
    again = read_again(said(), IDS, before(fact=fact))
    assert not again.brings_news
    other = DrawnMemory("k", "in other words", "active", None, corrected=False)
    edge = DrawnEdge("d", "wick", "red", DependencyType.USES, status, frozenset({"k"}))
    assert not read_again(said(), IDS, before(memory=other, fact=fact, edge=edge)).brings_news


@pytest.mark.parametrize(
    "memory",
    [
        DrawnMemory("k", WORDS, "cold", "deleted", corrected=False),
        DrawnMemory("k", WORDS, "cold", "retention", corrected=False),
        DrawnMemory("k", WORDS, "superseded", None, corrected=True),
    ],
    ids=["deleted", "retained", "corrected"],
)
def test_a_statement_that_was_sent_away_or_corrected_says_nothing_new(memory: DrawnMemory) -> None:
    assert not read_again(said(), IDS, before(memory=memory, fact=None, edge=None)).brings_news


def test_what_an_extractor_between_did_not_find_comes_back() -> None:
    gone = DrawnMemory("k", WORDS, "cold", "re-extraction", corrected=False)
    went_along = DrawnFact("t", "wick", WORDS, "cold", None, frozenset({"k"}))
    again = read_again(said(), IDS, before(memory=gone, fact=went_along, away={"red": "re-extraction"}))
    assert (again.memories, again.facts) == (("k",), ())
    assert [row.canonical for row in again.change.entities] == ["redis"], "it is named again, and so comes back"
    alone = DrawnFact("t", "wick", WORDS, "cold", "re-extraction", frozenset({"k"}))
    assert read_again(said(), IDS, before(fact=alone)).facts == ("t",)


def test_of_an_entity_that_a_person_sent_away_nothing_is_learned() -> None:
    nothing = replace(before(memory=None, fact=None, edge=None, away={"wick": "deleted"}), mentions=frozenset())
    change = read_again(said(), IDS, nothing).change
    assert sizes(change) == (1, 0, 0, 0, 1)
    assert [row.canonical for row in change.entities] == ["redis"]


def test_what_is_not_found_again_goes() -> None:
    free = SessionGave(
        memories={"k": "key", "o": "other key"},
        facts={"t": ("wick", "said"), "u": ("wick", "unsaid")},
        edges={"d": ("wick", "red", DependencyType.USES)},
        entities={"wick": "wick"},
        texts={},
        free=frozenset({"k", "o", "u", "d"}),
        lost=frozenset(),
    )
    found = Found(frozenset({"key"}), frozenset({("wick", "said")}))
    gone = no_longer(free, found | Found(entities=frozenset({"wick"})))
    assert (gone.memories, gone.facts, gone.edges) == (("o",), ("u",), ("d",))
    assert notes(free, found).facts == ()
    assert notes(free, found).entities == (("wick", True),)
    staying = replace(free, free=frozenset({"u"}), lost=frozenset({"k"}))
    assert no_longer(staying, found).memories == ()
    assert notes(staying, found).memories == (("k", False), ("o", True))
    assert notes(replace(staying, lost=frozenset({"o"})), found).memories == ()
