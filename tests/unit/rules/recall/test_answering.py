"""An answer out of texts: which sentences it is made of, when there is none, and what fits."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.knowledge import OutdatedPart
from graphmem.rules.language.sentences import sentence_spans
from graphmem.rules.language.text import count_tokens
from graphmem.rules.recall.answer_types import answer_type, asks_about_now, asks_about_past, holds
from graphmem.rules.recall.answering import (
    FLOOR_ALONE,
    MOST_CITED,
    AnswerLine,
    Evidence,
    Passage,
    chosen,
    meaningful,
    sentences,
    told,
    weigh,
    within,
    write,
)

DAY = datetime(2026, 5, 6, 9, tzinfo=UTC)  # a Wednesday


def said(id_: str, text: str, **other: Any) -> Passage:
    given = {"kind": "message", "said_at": DAY, "message_ids": (id_,), "speaker": "Ana"} | other
    return Passage(id=id_, text=text, **given)


def best(question: str, *passages: Passage) -> list[Evidence]:
    return weigh(question, sentences(question, passages), passages, None)


def answers(question: str, *passages: Passage) -> list[str]:
    picked = chosen(best(question, *passages), passages, FLOOR_ALONE)
    return [one.sentence.text for one in picked]


@given(st.text(max_size=200))
def test_sentences_lose_nothing_but_white_space(text: str) -> None:
    found = sentence_spans(text)
    assert "".join(text[start:end] for start, end in found).split() == text.split() or (
        "".join("".join(text[start:end] for start, end in found).split()) == "".join(text.split())
    )
    assert all(text[start:end] == text[start:end].strip() for start, end in found)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who owns it?", "person"),
        ("When did it open?", "time"),
        ("What time does it open?", "time"),
        ("Where is it?", "place"),
        ("How many are there?", "number"),
        ("How long did it take?", "number"),
        ("How old is Leila?", "age"),
        ("Why did it fail?", "reason"),
        ("Which database does it use?", "any"),
        ("Does it rain?", "any"),
    ],
)
def test_what_a_question_asks_for(question: str, kind: str) -> None:
    assert answer_type(question) == kind


@pytest.mark.parametrize(
    ("kind", "sentence", "is_one"),
    [
        ("person", "Bo owns it.", True),
        ("person", "I own it.", True),
        ("person", "Nobody knows anything.", True),
        ("person", "the owner is unknown", False),
        ("time", "It opened on 3 May.", True),
        ("time", "It opened last week.", True),
        ("time", "It opened.", False),
        ("place", "It is in Basel.", True),
        ("place", "It is blue.", False),
        ("number", "There are eleven.", True),
        ("number", "There are some.", False),
        ("age", "She is nine.", True),
        ("age", "We took 1,930 in donations.", False),
        ("reason", "That's because it rained.", True),
        ("reason", "It rained.", False),
    ],
)
def test_whether_a_sentence_holds_it(kind: Any, sentence: str, is_one: bool) -> None:
    assert holds(kind, sentence, DAY, "Who owns the boat?") is is_one


def test_the_words_of_a_question_find_its_sentence() -> None:
    passages = (said("1", "We met. Ledger listens on port 7171. It rained."), said("2", "The port of Basel is big."))
    assert answers("On which port does Ledger listen?", *passages) == ["Ledger listens on port 7171."]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where does Ana live?", "I moved to Bergen in May."),
        ("Where does Ana work?", "I joined Bluewater in May."),
    ],
)
def test_another_verb_for_the_same_relation_answers(question: str, text: str) -> None:
    assert answers(question, said("1", text), said("2", "The kiln is hot.")) == [text]


def test_a_question_is_never_an_answer() -> None:
    passages = (said("1", "Which port does Ledger use?"),)
    assert best("Which port does Ledger use?", *passages) == []


def test_thanks_are_never_an_answer() -> None:
    assert best("Which port does Ledger use?", said("1", "Thanks!", before="Which port does Ledger use?")) == []


def test_a_short_answer_takes_up_the_words_of_what_it_answers() -> None:
    passages = (
        said("1", "To Madeira, for ten days.", speaker="Bo", before="Where did you go on holiday?", addressee="Ana"),
    )
    assert answers("Where did Bo go on holiday?", *passages) == ["To Madeira, for ten days."]


def test_who_speaks_of_himself_is_who_is_asked_about() -> None:
    ana, bo = said("1", "I moved to Lisbon.", speaker="Ana"), said("2", "I moved to Turin.", speaker="Bo")
    assert best("Where did Bo move?", ana, bo)[0].sentence.text == "I moved to Turin."


def test_who_is_spoken_to_is_who_is_asked_about() -> None:
    ana, bo = (said("1", "You sing tenor.", addressee="Ana"), said("2", "You sing bass.", addressee="Bo"))
    assert best("What does Bo sing?", ana, bo)[0].sentence.text == "You sing bass."


def test_a_sentence_that_points_back_means_what_stands_before_it() -> None:
    passage = said("1", "I met Samir and his daughter Leila. She is nine.")
    assert best("How old is Leila?", passage)[0].sentence.text == "She is nine."


def test_how_many_counts_what_it_names() -> None:
    rolls = said("1", "The hotel takes eighty rolls.")
    assert best("How many rolls does the hotel take?", rolls)[0].sentence.fits
    assert not best("How many ovens does the hotel take?", rolls)[0].sentence.fits


def test_what_nothing_says_has_no_answer() -> None:
    passages = (said("1", "I moved to Lisbon."), said("2", "Ledger listens on port 7171."))
    assert answers("What is Ana's blood group?", *passages) == []
    assert answers("Which queue does Ledger use?", *passages) == []


def test_of_sentences_alike_the_newest_comes_first() -> None:
    old = said("1", "Ledger listens on port 7171.")
    new = said("2", "Ledger listens on port 7272.", said_at=DAY + timedelta(days=30))
    assert best("On which port does Ledger listen?", old, new)[0].sentence.text == "Ledger listens on port 7272."
    assert asks_about_now("Which port is it now?")


def test_what_was_superseded_comes_behind_unless_the_past_is_asked_for() -> None:
    old = said("1", "Ledger listens on port 7171.", replaced=True, said_at=DAY + timedelta(days=1))
    new = said("2", "Ledger listens on port 7272.")
    assert best("Which port does Ledger listen on?", old, new)[0].sentence.text == "Ledger listens on port 7272."
    asked = "Which port did Ledger previously listen on?"
    assert asks_about_past(asked)
    assert best(asked, old, new)[0].sentence.text == "Ledger listens on port 7171."


def test_a_fact_brings_the_words_it_was_drawn_from() -> None:
    fact = said("t", "Ledger listens on port 7171", kind="attribute", message_ids=("m",), speaker=None)
    message = said("m", "Since Monday that thing listens on 7171, as you wanted for Ledger.")
    picked = chosen(best("On which port does Ledger listen?", fact, message), (fact, message), FLOOR_ALONE)
    assert [one.sentence.passage for one in picked] == [0, 1]


def test_what_is_said_twice_is_cited_once() -> None:
    passages = tuple(said(str(number), "Ledger listens on port 7171.") for number in range(5))
    assert len(answers("On which port does Ledger listen?", *passages)) == 1


def test_few_sentences_are_cited() -> None:
    passages = tuple(said(str(number), f"The lamp hangs over {place}.") for number, place in enumerate("abcdefg"))
    assert len(answers("The lamp hangs over what?", *passages)) <= MOST_CITED


def test_nearness_finds_what_words_do_not() -> None:
    passages = (said("1", "It keeps its rows in Oracle."), said("2", "It is blue and it is big."))
    found = sentences("Which database?", passages)
    near = [0.9 if "Oracle" in one.text else 0.1 for one in found]
    assert weigh("Which database?", found, passages, near)[0].sentence.text == "It keeps its rows in Oracle."


def test_a_line_says_who_said_it_and_when_and_what_day_is_meant() -> None:
    passage = said("1", "I was in Rome yesterday.")
    (sentence,) = sentences("When was Ana in Rome?", [passage])
    assert told(sentence, passage, timely=False) == "Ana, 2026-05-06: I was in Rome yesterday."
    assert told(sentence, passage, timely=True) == "Ana, 2026-05-06: I was in Rome yesterday. [on 2026-05-05]"
    assert told(sentence, said("1", passage.text, replaced=True), timely=False).endswith("(superseded)")


def test_a_sentence_is_embedded_behind_the_question_it_answers() -> None:
    passage = said("1", "To Madeira. It was hot.", before="Hm. Where did you go?", speaker="Bo")
    texts = [meaningful(one, [passage]) for one in sentences("Where did Bo go?", [passage])]
    assert sorted(texts) == ["Bo: It was hot.", "Where did you go? Bo: To Madeira."]


@pytest.mark.parametrize(
    ("text", "old", "pieces"),
    [
        (
            "Rent is 690 euros (before: Rent is 650 euros). It is due.",
            ["Rent is 650 euros"],
            ["Rent is 690 euros", "It is due."],
        ),
        (
            "The kiln (once gas, then coal) is electric now.",
            ["once gas", "then coal"],
            ["The kiln", "is electric now."],
        ),
        ("Ana (Leeds) paints and lives in Leeds.", ["lives in Leeds"], ["Ana (Leeds) paints"]),
        ("The kiln is electric (it was gas", ["it was gas"], ["The kiln is electric"]),
    ],
)
def test_what_no_longer_holds_is_cut_out_with_the_brackets_around_it(
    text: str, old: list[str], pieces: list[str]
) -> None:
    parts = tuple(
        OutdatedPart(start=text.index(one), end=text.index(one) + len(one), since=None, replaced_by="new")
        for one in old
    )
    found = {one.text for one in sentences("kiln rent Ana", [said("1", text, outdated=parts)])}
    assert found == {*old, *pieces}


def test_a_sentence_that_no_longer_holds_counts_less_and_is_marked_where_it_is_shown() -> None:
    text = "Ana lives in Leeds. Ana lives alone."
    ended = OutdatedPart(start=0, end=19, since=None, replaced_by="new")
    passage = said("1", text, outdated=(ended,))
    asked = "Where does Ana live?"
    (first, *_), (before, *_) = (
        weigh(asked, sentences(asked, [one]), [one], None) for one in (passage, replace(passage, outdated=()))
    )
    assert first.sentence.text == before.sentence.text == "Ana lives in Leeds."
    assert first.confidence < before.confidence
    told_as = told(first.sentence, passage, timely=False)
    assert told_as.endswith("(superseded)")
    written = write([AnswerLine("It rains.", passage, "It"), AnswerLine(told_as, passage, "Ana", ended)], 100)
    (part,) = written.outdated
    assert (written.text[part.start : part.end], part.replaced_by) == (told_as, "new")


TEXTS = st.lists(st.text(min_size=1, max_size=80), max_size=6)


@given(TEXTS, st.integers(64, 200))
def test_an_answer_never_exceeds_its_budget_and_quotes_word_for_word(texts: list[str], most: int) -> None:
    lines = [AnswerLine(f"Ana: {text}", said(str(number), text), text) for number, text in enumerate(texts)]
    written = write(lines, most)
    assert written.used_tokens == count_tokens(written.text) + sum(count_tokens(quote) for _, quote in written.quotes)
    assert written.used_tokens <= most
    assert all(quote in passage.text for passage, quote in written.quotes)
    assert written.truncated or len(written.quotes) == len(texts)


@given(TEXTS, st.integers(1, 100))
def test_what_is_gathered_fits_and_the_rest_is_named(texts: list[str], most: int) -> None:
    passages = [said(str(number), text) for number, text in enumerate(texts)]
    kept, used, left_out = within(passages, most)
    assert used == sum(count_tokens(one.text) for one in kept) <= most
    whole = {one.id for one in kept if one.text == texts[int(one.id)]}
    assert whole | set(left_out) == {one.id for one in passages}
    assert not whole & set(left_out)
