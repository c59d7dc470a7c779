"""Marks of what no longer holds in a found text, and what a person deleted."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphmem.model.inputs import HitKind
from graphmem.model.stored import FactFate, FoundText, StatementSpan
from graphmem.rules.recall.outdated import WITHHELD, mark, marked, shown_as_outdated, without_outdated

MARCH = datetime(2026, 3, 1, tzinfo=UTC)
HOLDS = FactFate("active", None, None)
REPLACED = FactFate("superseded", MARCH, "newer")
DELETED = FactFate("deleted", None, None, MARCH)
COLD = FactFate("cold", None, None)
TEXT = "Ana lives in Leeds. She has two cats. It rains."


def span(words: str, *facts: FactFate, text: str = TEXT) -> StatementSpan:
    start = text.index(words)
    return StatementSpan(None, start, start + len(words), facts)


def line(words: str, *facts: FactFate) -> StatementSpan:
    return StatementSpan(words, None, None, facts)


def found(text: str, *said: StatementSpan, kind: HitKind = "message", in_other_words: bool = False) -> FoundText:
    return FoundText(
        "m", kind, text, "s", (), (), "active", None, frozenset(), None, None, MARCH, None, said, in_other_words
    )


def test_of_several_statements_only_the_replaced_one_is_marked() -> None:
    read = marked(found(TEXT, span("Ana lives in Leeds.", REPLACED), span("She has two cats.", HOLDS)))
    assert read is not None
    (part,) = read.outdated
    assert TEXT[part.start : part.end] == "Ana lives in Leeds."
    assert (part.since, part.replaced_by) == (MARCH, "newer")
    assert (read.status, read.superseded_by) == ("active", None)
    assert without_outdated(read.text, read.outdated) == "She has two cats. It rains."


def test_a_text_that_says_nothing_else_is_superseded_as_a_whole() -> None:
    read = marked(
        found("Noted: Ana lives in Leeds.", span("Ana lives in Leeds.", REPLACED, text="Noted: Ana lives in Leeds."))
    )
    assert read is not None
    assert (read.status, read.superseded_by, read.successors) == ("superseded", "newer", {"newer"})


@pytest.mark.parametrize("facts", [(REPLACED, HOLDS), (COLD,), (DELETED, COLD), ()])
def test_a_statement_holds_while_one_of_its_facts_does(facts: tuple[FactFate, ...]) -> None:
    assert mark(TEXT, [span("Ana lives in Leeds.", *facts)]).outdated == ()
    assert mark(TEXT, [span("Ana lives in Leeds.", *facts)]).text == TEXT


def test_a_place_that_also_states_something_valid_is_left_as_it_is() -> None:
    said = [span("Ana lives in Leeds.", REPLACED), span("lives in Leeds. She has", HOLDS)]
    assert mark(TEXT, said).outdated == ()


def test_places_that_overlap_are_one() -> None:
    said = [span("Ana lives in Leeds.", REPLACED), span("Leeds. She has two cats.", REPLACED)]
    (part,) = mark(TEXT, said).outdated
    assert TEXT[part.start : part.end] == "Ana lives in Leeds. She has two cats."


def test_words_that_were_deleted_are_withheld_and_other_places_move() -> None:
    said = [span("Ana lives in Leeds.", DELETED), span("She has two cats.", REPLACED)]
    read = mark(TEXT, said)
    assert read.text == f"{WITHHELD} She has two cats. It rains."
    (part,) = read.outdated
    assert read.text[part.start : part.end] == "She has two cats."


def test_deleted_places_within_each_other_leave_nothing_of_either() -> None:
    said = [span("Ana lives in Leeds.", DELETED), span("lives", DELETED), span("Leeds. She has two", DELETED)]
    assert mark(TEXT, said).text == f"{WITHHELD} cats. It rains."


def test_a_text_of_which_all_was_deleted_is_not_shown() -> None:
    assert marked(found("It rains.", span("It rains.", DELETED, text="It rains."))) is None


def test_lines_of_a_summary_are_found_by_their_words() -> None:
    summary = "- Ana lives in Leeds\n- Ana lives in Leeds Castle Street\n- She has two cats"
    read = marked(
        found(summary, line("ana lives in Leeds.", REPLACED), line("She has two cats.", HOLDS), kind="summary")
    )
    assert read is not None
    assert [summary[one.start : one.end] for one in read.outdated] == ["Ana lives in Leeds"] * 2


def test_a_summary_in_other_words_is_outdated_as_a_whole() -> None:
    told = "Leeds is where Ana has her home."
    read = marked(found(told, line("Ana lives in Leeds.", REPLACED), kind="summary", in_other_words=True))
    assert read is not None
    assert read.status == "superseded"
    assert marked(found(told, line("Ana lives in Leeds.", REPLACED), kind="summary")) == found(
        told, line("Ana lives in Leeds.", REPLACED), kind="summary"
    )


def test_places_beyond_a_text_that_was_cut_are_left_out() -> None:
    assert mark("Ana", [StatementSpan(None, 0, 19, (REPLACED,))]).outdated == ()


def test_each_outdated_place_can_be_shown_as_such_in_the_text_itself() -> None:
    read = mark(TEXT, [span("Ana lives in Leeds.", REPLACED), span("It rains.", REPLACED)])
    shown = shown_as_outdated(read)
    assert shown.text == "Ana lives in Leeds. (superseded) She has two cats. It rains. (superseded)"
    assert [shown.text[one.start : one.end] for one in shown.outdated] == [
        "Ana lives in Leeds. (superseded)",
        "It rains. (superseded)",
    ]


def part(text: str, words: str, fate: FactFate) -> FactFate:
    """A fact that these words of a text say."""
    start = text.index(words)
    return replace(fate, places=((start, start + len(words), len(text)),))


def test_a_clause_is_marked_by_its_own_fact() -> None:
    text = "Ana lives in Leeds and works as a nurse."
    said = [line(text, part(text, "Ana lives in Leeds", REPLACED), part(text, "works as a nurse", HOLDS))]
    (ended,) = mark(f"- {text}", said).outdated
    assert f"- {text}"[ended.start : ended.end] == "Ana lives in Leeds"


def test_words_that_also_say_what_holds_are_taken_out_of_a_marked_clause() -> None:
    text = "My sister Ana lives in Leeds and works as a nurse."
    facts = [part(text, "My sister Ana", HOLDS), part(text, "My sister Ana lives in Leeds", REPLACED)]
    (ended,) = mark(text, [span(text, *facts, text=text)]).outdated
    assert text[ended.start : ended.end] == "lives in Leeds"


def test_only_the_deleted_clause_is_withheld() -> None:
    text = "Ana lives in Leeds and works as a nurse."
    facts = [part(text, "Ana lives in Leeds", HOLDS), part(text, "works as a nurse", DELETED)]
    assert mark(text, [span(text, *facts, text=text)]).text == f"Ana lives in Leeds and {WITHHELD}."


def test_a_place_in_a_text_of_another_length_is_all_of_it() -> None:
    said = [line("Ana lives in Leeds.", replace(REPLACED, places=((0, 4, 99),)))]
    assert [(one.start, one.end) for one in mark(TEXT, said).outdated] == [(0, 19)]
