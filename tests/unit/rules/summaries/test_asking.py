"""The questions that a recap asks: about things, in the words of the conversation."""

import pytest

from graphmem.rules.summaries.asking import questions
from graphmem.rules.summaries.recap_lines import Line
from graphmem.rules.summaries.recap_turns import Conversation, RecapTurn


def asked(*said: str, settled: str) -> list[str]:
    turns = [RecapTurn("user", text) for text in (*said, settled)]
    talk = Conversation(turns, [], lambda older, newer: pytest.fail(f"{older} and {newer} are not compared"))
    found = questions(talk, [Line(settled, (len(said),), worth=0.5)])
    assert all(line.places == (len(said),) for line in found)
    return [line.text for line in found]


@pytest.mark.parametrize(
    ("said", "settled", "topic"),
    [
        ("The ramp is icy.", "We decided to salt the east ramp at six.", "the east ramp"),
        ("Mind the pump.", "The backup pump runs on Sundays now, we agreed.", "the backup pump"),
        ("It is far.", "We settled on Tavira Books for the launch.", "Tavira Books"),
        (
            "The price is fair.",
            "Our ticket price is 16 euros. (before: Our ticket price is 14 euros.)",
            "the ticket price",
        ),
    ],
)
def test_a_question_is_about_a_thing_that_was_decided(said: str, settled: str, topic: str) -> None:
    assert asked(said, settled=settled) == [f"What did we decide about {topic}?"]


@pytest.mark.parametrize(
    ("said", "settled"),
    [
        ("The ramp is icy.", "The season opens in May, we agreed."),
        ("The last boat is full.", "We decided that the boat leaves at nine."),
        ("It is far.", "We decided to go by 16 June."),
    ],
)
def test_where_no_thing_is_named_nothing_is_asked(said: str, settled: str) -> None:
    assert asked(said, settled=settled) == []


def test_german_is_asked_in_german() -> None:
    said = "Wir haben uns auf den Umschalter im Türmerzimmer geeinigt, das ist beschlossen."
    assert asked("Das ist mir recht, aber nicht heute.", settled=said) == [
        "Was haben wir zu Umschalter im Türmerzimmer entschieden?"
    ]
