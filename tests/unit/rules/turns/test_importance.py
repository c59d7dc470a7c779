"""What is preserved: decisions and rules, never a greeting; and an answer is as new as it is without its question."""

import pytest

from graphmem.model.turns import TurnSettings, WaitingTurn
from graphmem.rules.turns.analysis import Past, analyse_all


def classes(*said: tuple[str, str]) -> list[tuple[int, str]]:
    turns = [WaitingTurn(f"i{n}", f"m{n}", n, role, text, None, None) for n, (role, text) in enumerate(said)]
    found = analyse_all(turns, Past(10), None, TurnSettings(), None)
    return [(one.importance, one.class_) for one in found]


TALK = [
    ("user", "Good morning!"),
    ("assistant", "Should each invoice keep its order, or should all of them run at once?"),
    ("user", "From now on every invoice keeps its order, and nobody may touch the outbox without asking me first."),
    (
        "assistant",
        "The weather in the harbour of Aarhus was lovely over the long weekend, with boats.",
    ),
    ("tool", "88 passed in 3.1s"),
    ("user", "Bitte nie ohne meine Freigabe auf den Hauptzweig schieben, und Zeitstempel in Logs immer in UTC."),
    ("user", "Perfect, thanks!"),
]


def test_decisions_and_rules_are_preserved_and_greetings_news_and_receipts_are_not() -> None:
    found = classes(*TALK)
    assert [place for place, (_, class_) in enumerate(found) if class_ == "preserved"] == [2, 5]
    assert min(found[2][0], found[5][0]) > max(found[0][0], found[6][0])


@pytest.mark.parametrize("asked", ["Which port does the gateway of the mill use?", "The mill is closed today."])
def test_an_answer_is_not_measured_against_its_own_question(asked: str) -> None:
    said = [
        ("user", "We baked bread with walnuts."),
        ("assistant", asked),
        ("user", "The gateway of the mill uses the port 8080 at night."),
    ]
    turns = [WaitingTurn(f"i{n}", f"m{n}", n, role, text, None, None) for n, (role, text) in enumerate(said)]
    alone = [WaitingTurn("a", "a", 0, *said[0], None, None), WaitingTurn("b", "b", 1, *said[2], None, None)]
    novelty = analyse_all(turns, Past(10), None, TurnSettings(), None)[-1].novelty
    without = analyse_all(alone, Past(10), None, TurnSettings(), None)[-1].novelty
    assert (novelty == without) == asked.endswith("?")
