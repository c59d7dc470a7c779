"""The significance gate: what counts as a turn, a known entity and something new, and that one of them is enough."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.significance import EndedSession, GateFigures, Spoken
from graphmem.rules.turns.significance import (
    Calibration,
    Thresholds,
    beyond_courtesy,
    judge,
    mean,
    named,
    novelty,
    passed_by_force,
    substantive_turns,
    verdict,
)

ASK = "Which port does the billing service listen on?"
ANSWER = "It listens on port 8080, and on 8443 where TLS is terminated by itself."
CALIBRATION = Calibration(0.1, 0.5)


def talk(*turns: str) -> list[Spoken]:
    """Turns as `role words`."""
    return [Spoken(*turn.split(" ", 1)) for turn in turns]


@pytest.mark.parametrize(
    "text",
    [
        "Hi!",
        "hello there, good morning everyone",
        "Thanks so much, that was really helpful!",
        "ok, sounds good — thank you again for your help",
        "You're welcome! Glad I could help. Have a great weekend, bye!",
        "Got it.\n\nSure.",
        "👍",
    ],
)
def test_greetings_and_acknowledgments_say_nothing(text: str) -> None:
    assert len(beyond_courtesy(text)) <= 2


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Hi there, which port does billing use?", "which port does billing use"),
        ("Thanks! Now deploy it.", "Now deploy it"),
        ("Ok use PostgreSQL", "use PostgreSQL"),
        ("How are you going to migrate the ledger", "How are you going to migrate the ledger"),
    ],
)
def test_what_is_said_beside_a_greeting_stays(text: str, left: str) -> None:
    assert beyond_courtesy(text) == left


@pytest.mark.parametrize(
    ("turns", "number"),
    [
        ([f"user {ASK}", f"assistant {ANSWER}"], 1),
        ([f"user {ASK}", "assistant ok", f"assistant {ANSWER}"], 1),
        ([f"user {ASK}", f"assistant {ANSWER}", f"assistant {ANSWER}"], 1),
        ([f"user {ASK}", f"tool {ANSWER}", f"assistant {ANSWER}"], 1),
        ([f"user {ASK}", "user hm", f"assistant {ANSWER}"], 0),
        ([f"user {ASK}", f"user {ASK}", f"assistant {ANSWER}"], 1),
        (["user " + "x" * 20, f"assistant {ANSWER}"], 0),
        (["user " + "x" * 21, f"assistant {ANSWER}"], 1),
        ([f"user {ASK}", "assistant " + "x" * 50], 0),
        ([f"user {ASK}", "assistant " + "x" * 51], 1),
        ([f"user {ASK}", "assistant Sure, thanks! Glad I could help you again today, have a very nice evening!"], 0),
        (["user Hello there, thank you very much indeed!", f"assistant {ANSWER}"], 0),
        ([f"assistant {ANSWER}", f"user {ASK}"], 0),
        ([f"tool {ASK}", f"assistant {ANSWER}"], 0),
        ([f"user {ASK}", f"assistant {ANSWER}"] * 7, 7),
        ([], 0),
    ],
)
def test_a_turn_counts_when_something_was_asked_and_answered(turns: Sequence[str], number: int) -> None:
    assert substantive_turns(talk(*turns)) == number


@pytest.mark.parametrize(
    ("said", "important", "number"),
    [
        ("Ask the Billing-Service's owner.", [["billing service"]], 1),
        ("Redis/Kafka, or both", [["redis"], ["kafka"]], 2),
        ("look at src/app.py:", [["src/app.py"]], 1),
        ("Atlas and atlas and the atlas", [["atlas", "project atlas"]], 1),
        ("we bill services", [["billing service"], ["bill service"]], 0),
        ("it is what it is", [["it"]], 0),
        ("billing", [["billing service"]], 0),
        ("anything", [[]], 0),
    ],
)
def test_entities_are_found_by_whole_names_once_each(said: str, important: list[list[str]], number: int) -> None:
    assert named(talk(f"user {said}"), important) == number


def test_novelty_is_the_distance_to_the_nearest_of_the_others_calibrated() -> None:
    others = [[0.0, 1.0], [0.7, 0.7141428428542850]]
    assert novelty([1.0, 0.0], others, CALIBRATION) == 0.5
    assert novelty([0.0, 1.0], others, CALIBRATION) == 0.0
    assert novelty([0.0, -1.0], others, CALIBRATION) == 1.0


def test_nothing_to_compare_with_and_vectors_that_are_missing_count_as_new() -> None:
    assert novelty([1.0, 0.0], [], CALIBRATION) == 1.0
    assert novelty(None, [[1.0, 0.0]], CALIBRATION) == 1.0
    assert mean([]) is None
    assert mean([[1.0, 0.0], [-1.0, 0.0]]) is None


@given(
    turns=st.integers(0, 9),
    hits=st.integers(0, 3),
    novel=st.floats(0, 1),
    min_turns=st.integers(0, 9),
    min_hits=st.integers(0, 3),
    threshold=st.floats(0, 1),
    force=st.booleans(),
)
def test_a_session_is_skipped_only_when_all_three_are_low(
    turns: int, hits: int, novel: float, min_turns: int, min_hits: int, threshold: float, force: bool
) -> None:
    gate = judge(turns, hits, novel, Thresholds(min_turns, min_hits, threshold), force=force)
    low = (turns < min_turns, hits < min_hits, novel < threshold)
    assert gate.significant == (force or not all(low))
    assert set(gate.reasons) == {
        name
        for name, held in zip(
            ("turns", "entities", "novelty", "forced"), [*(not one for one in low), force], strict=True
        )
        if held
    }
    assert (gate.turn_count, gate.entity_overlap, gate.novelty) == (turns, hits, novel)
    assert gate.thresholds == {"minTurns": min_turns, "minEntityOverlap": min_hits, "noveltyThreshold": threshold}


def figures(ready: bool = True, *ended: EndedSession) -> GateFigures:
    return GateFigures(talk(f"user {ASK}"), [["billing service"]], ready, [[1.0, 0.0]], ended)


def test_verdict_puts_the_figures_together() -> None:
    before = EndedSession("a", 3, [1.0, 0.0], [], ready=True)
    said = verdict(figures(True, before), Thresholds(), CALIBRATION, force=False)
    assert (said.gate.turn_count, said.gate.entity_overlap, said.gate.novelty) == (0, 1, 0.0)
    assert said.gate.reasons == ("entities",)
    assert said.mean == [1.0, 0.0]
    assert said.means == {}
    assert verdict(figures(False, before), Thresholds(), CALIBRATION, force=False).gate.novelty == 1.0
    assert verdict(figures(False, before), Thresholds(), CALIBRATION, force=False).mean is None


def test_means_of_other_sessions_are_made_once_their_vectors_are_all_there() -> None:
    waiting = EndedSession("waits", 3, None, [[0.0, 2.0]], ready=False)
    whole = EndedSession("whole", 4, None, [[0.0, 2.0], [0.0, 4.0]], ready=True)
    empty = EndedSession("empty", 0, None, [], ready=True)
    said = verdict(figures(True, waiting, whole, empty), Thresholds(), CALIBRATION, force=False)
    assert said.means == {"whole": (4, [0.0, 1.0])}


def test_a_skipped_session_that_is_read_after_all_says_so() -> None:
    skipped = judge(0, 0, 0.0, Thresholds())
    passed = passed_by_force(skipped)
    assert (skipped.significant, skipped.reasons) == (False, ())
    assert (passed.significant, passed.reasons, passed.novelty) == (True, ("forced",), 0.0)
