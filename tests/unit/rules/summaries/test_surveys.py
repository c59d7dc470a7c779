"""Questions over sessions: what they ask for, and which words are only their frame."""

from datetime import UTC, datetime

import pytest

from graphmem.rules.printed import read_tool_result
from graphmem.rules.recall.answering import Passage
from graphmem.rules.summaries.surveys import Survey, chosen_lines, of_results, survey_of


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What have we discussed about authentication in all sessions?", Survey("about", "authentication")),
        ("What did Ada say about the winch?", Survey("about", "the winch", "Ada")),
        ("what was said about the kiln so far?", Survey("about", "the kiln")),
        ("Which sessions were about the harbour?", Survey("sessions", "the harbour")),
        ("When did we talk about the roof?", Survey("sessions", "the roof")),
        ("What is still open?", Survey("open")),
        ("What's still undecided about the lamp?", Survey("open", "the lamp")),
        ("which questions are still open?", Survey("open")),
        ("What did we decide about the event bus?", Survey("decided", "the event bus")),
        ("So, what did we decide?", Survey("decided")),
        ("Which decisions did we take about the menu?", Survey("decided", "the menu")),
        ("Why did we leave Redpanda?", Survey("why", "Redpanda")),
        ("Why was the livestream dropped?", Survey("why", "the livestream")),
        ("Which test failed?", Survey("failed")),
        ("Which tests are failing in the planner?", Survey("failed", "the planner")),
        ("Was haben wir über das Dach besprochen?", Survey("about", "das Dach")),
        ("Was ist noch offen?", Survey("open")),
        ("Was haben wir zur Bühne entschieden?", Survey("decided", "Bühne")),
        ("Warum haben wir die Leinwand verworfen?", Survey("why", "die Leinwand")),
    ],
)
def test_questions_over_sessions_are_told_by_their_grammar(question: str, found: Survey) -> None:
    assert survey_of(question) == found


@pytest.mark.parametrize(
    "question",
    ["Where does Ada live?", "What is the port of the gateway?", "Why?", "What is open source?", "Who decided?"],
)
def test_any_other_question_is_none(question: str) -> None:
    assert survey_of(question) is None


def said(session: str, day: int, text: str, who: str | None = None) -> Passage:
    at = datetime(2031, 4, day, tzinfo=UTC)
    return Passage(
        f"{session}-{day}", "message", text, session_id=session, message_ids=(f"m{day}",), speaker=who, said_at=at
    )


TOLD = [
    said("b", 9, "We decided to drop the outbox, because it was too slow on the old disk."),
    said("a", 2, "The outbox keeps each event until it is sent. Tove paints the kitchen.", "Ada"),
    said("a", 3, "Should the outbox have a lock?"),
    said("a", 4, "The kitchen needs paint."),
    Passage("readme", "attribute", "The outbox of the mail client is a folder."),
]


def told(question: str) -> list[str]:
    survey = survey_of(question)
    assert survey
    return [f"{line.passage.session_id}: {line.text}" for line in chosen_lines(survey, TOLD)]


def test_what_was_discussed_is_told_session_by_session_in_order_of_time_without_documents() -> None:
    assert told("What have we discussed about the outbox?") == [
        "a: The outbox keeps each event until it is sent.",
        "b: We decided to drop the outbox, because it was too slow on the old disk.",
    ]
    assert told("Which sessions were about the outbox?") == told("What have we discussed about the outbox?")


def test_decisions_reasons_and_speakers_narrow_it_down() -> None:
    last = ["b: We decided to drop the outbox, because it was too slow on the old disk."]
    assert told("What did we decide about the outbox?") == last
    assert told("Why did we drop the outbox?") == last
    assert told("What did Ada say about the outbox?") == ["a: The outbox keeps each event until it is sent."]
    assert told("What did we decide about the kitchen?") == []


def test_a_failed_run_is_told_with_what_failed_and_that_a_later_one_passed() -> None:
    run = "src/boom.py:8: KeyError\nFAILED tests/test_sail.py::test_jibe - KeyError: 'boom'\n1 failed, 40 passed in 3s"
    passages = {3: said("a", 3, run), 7: said("a", 7, "41 passed in 3s")}
    results = {place: read_tool_result(one.text) for place, one in passages.items()}
    lines = [line.told for line in of_results(passages, results)]
    assert lines[0] == "Tests failed: 1 failed, 40 passed"
    assert "Failed tests: tests/test_sail.py::test_jibe" in lines
    assert lines[-1] == "Tests passed: 41 passed"
    assert all(line.text in line.passage.text for line in of_results(passages, results))


def test_a_line_that_a_machine_printed_answers_nothing() -> None:
    printed = (
        "== FAILURES ==\nE   we decided outbox == 5\nFAILED tests/test_outbox.py::test_five\n== 1 failed in 0.1s =="
    )
    said = f"Look at this:\n{printed}\nWe decided that the outbox has one writer."
    survey = Survey("decided", "the outbox")
    found = chosen_lines(survey, [Passage("run", "message", said, session_id="s", message_ids=("m",), speaker="user")])
    assert [line.text for line in found] == ["We decided that the outbox has one writer."]
