"""What comes next at the end of a conversation, in the words of those who said it."""

import pytest

from graphmem.model.knowledge import Claim, Contradiction
from graphmem.rules.summaries.pending import next_step
from graphmem.rules.summaries.recap_turns import Conversation, RecapTurn

ORCHARD = [("user", "We plan an orchard of 40 apple trees."), ("assistant", "Noted, 40 apple trees.")]
OBST = [("user", "Wir planen einen Obstgarten mit 40 Apfelbäumen."), ("assistant", "Notiert, 40 Bäume.")]
FACTS = "The table gives 4.2 litres a second at the upper rows, so the small pump is enough and a pipe of 50 mm fits."


def pending(*turns: tuple[str, str]) -> str:
    """The line of the next step; '' without one."""
    talk = Conversation([RecapTurn(role, text) for role, text in turns], [], no_conflict)
    step = next_step(talk)
    return step.line.text if step else ""


def no_conflict(_one: Claim, _other: Claim) -> Contradiction:
    return Contradiction(conflict=False, confidence=0.0, signals=())


@pytest.mark.parametrize(
    ("end", "line"),
    [
        (
            [("user", "Ok, the plan."), ("assistant", "The sketch is done. Next I'll size the pump.")],
            "Announced last: Next I'll size the pump.",
        ),
        (
            [("assistant", "I'll order the stakes on Monday."), ("user", "Thanks, good night!")],
            "Announced last: I'll order the stakes on Monday.",
        ),
        (
            [("assistant", "Next I size the pump for both rows. On Monday you get the table."), ("user", "Ok.")],
            "Announced last: Next I size the pump for both rows.",
        ),
        ([("user", "Can you draw up the planting list?")], "Asked last: Can you draw up the planting list?"),
        (
            [("assistant", "Shall I write to the nursery?"), ("user", "Yes please, do that.")],
            "Agreed last: “Shall I write to the nursery?” – Yes please, do that.",
        ),
        (
            [("user", "Next session we have to go through the quotes."), ("assistant", "Noted. Until then!")],
            "Next: Next session we have to go through the quotes.",
        ),
        (
            [("user", "Please check the table."), ("assistant", "Sure, I'll read it now.")],
            "Asked last: Please check the table. Sure, I'll read it now.",
        ),
        (
            [("assistant", "I'll call the nursery tomorrow."), ("user", "Good."), ("assistant", FACTS)],
            "Announced last: I'll call the nursery tomorrow.",
        ),
        (
            [("assistant", "The dry run passes. Next up: the frost alarm."), ("user", "👍")],
            "Announced last: Next up: the frost alarm.",
        ),
    ],
)
def test_the_next_step_is_what_was_asked_agreed_or_announced(end: list[tuple[str, str]], line: str) -> None:
    assert pending(*ORCHARD, *end) == line


@pytest.mark.parametrize(
    ("end", "line"),
    [
        (
            [("assistant", "Am Montag bestelle ich die Pfähle."), ("user", "Danke, gute Nacht!")],
            "Announced last: Am Montag bestelle ich die Pfähle.",
        ),
        (
            [("assistant", "Soll ich der Baumschule schreiben?"), ("user", "Ja bitte, mach das.")],
            "Agreed last: “Soll ich der Baumschule schreiben?” – Ja bitte, mach das.",
        ),
        (
            [("user", "Nächstes Mal gehen wir die Angebote durch."), ("assistant", "Notiert. Bis dann!")],
            "Next: Nächstes Mal gehen wir die Angebote durch.",
        ),
        (
            [("user", "Mach mir bitte den Brief fertig."), ("assistant", "Mache ich. Der Entwurf kommt gleich.")],
            "Asked last: Mach mir bitte den Brief fertig. Der Entwurf kommt gleich.",
        ),
        (
            [("assistant", "Dann stelle ich jetzt die Sortenliste zusammen."), ("user", "Super, danke!")],
            "Announced last: Dann stelle ich jetzt die Sortenliste zusammen.",
        ),
    ],
)
def test_the_next_step_in_german(end: list[tuple[str, str]], line: str) -> None:
    assert pending(*OBST, *end) == line


@pytest.mark.parametrize(
    "end",
    [
        [("user", "Please check the table."), ("assistant", "Let me read the table first."), ("assistant", FACTS)],
        [("user", "What is the diameter of the pipe?"), ("assistant", "50 mm.")],
        [("user", "Fix the pump table."), ("assistant", "Fixed and merged.")],
        [("assistant", "I'll order the stakes tomorrow."), ("user", "Fine."), ("assistant", "The stakes are ordered.")],
    ],
)
def test_what_was_carried_out_or_answered_is_not_pending(end: list[tuple[str, str]]) -> None:
    assert pending(*ORCHARD, *end) == ""
