"""What is seen in turns is counted beside the labels; what a reader may see either way is not counted."""

from typing import Any

import pytest

from graphmem.model.labels_continuity import ContinuousConversation
from graphmem.model.turns import OVERLAYS
from graphmem.rules.evaluation.tally import Tally
from graphmem.rules.evaluation.turn_agreement import Agreement, SeenTurn, Share, agreement, whole

TURNS: list[dict[str, Any]] = [
    {"message": "a", "high": ["O1", "O2"], "low": ["O3"], "shift": True},
    {"message": "b", "high": ["O1"], "low": ["O3", "O4"], "shift": False, "references": []},
    {"message": "c", "low": ["O3"], "references": ["a", "b"]},
]


def labelled() -> ContinuousConversation:
    probe = {"question": "What?", "words": ["words"], "messages": ["a"]}
    return ContinuousConversation.model_validate(
        {
            "id": "talk",
            "topic": "coding",
            "mode": "quest",
            "project": None,
            "about": "words",
            "messages": [{"messageId": id_, "role": "user", "content": "words"} for id_ in "abc"],
            "turns": TURNS,
            "probes": [probe] * 10,
        }
    )


def seen(message: str, shift: bool = False, links: tuple[str, ...] | None = (), **scores: float) -> SeenTurn:
    return SeenTurn(message, dict.fromkeys(OVERLAYS, 0.0) | scores, shift, links)  # type: ignore[arg-type]


def counted(*turns: SeenTurn) -> Agreement:
    by_message = {turn.message: turn for turn in turns}
    return agreement(labelled(), [by_message.get(id_, seen(id_)) for id_ in "abc"])


def test_a_high_needs_a_score_of_six() -> None:
    found = counted(seen("a", O1=6.0, O2=5.9), seen("b", O1=10.0))
    assert found.highs["O1"] == Share(2)
    assert found.highs["O2"] == Share(0, ("talk a: O2 5.9",))
    assert whole(found.highs).value == pytest.approx(2 / 3)
    assert found.highs["O7"].value is None


def test_a_low_needs_a_score_below_five() -> None:
    found = counted(seen("a", O3=4.9), seen("b", O3=5.0, O4=0.0))
    assert found.lows["O3"] == Share(2, ("talk b: O3 5.0",))
    assert (whole(found.lows).met, whole(found.lows).total) == (3, 4)


def test_an_overlay_that_can_be_seen_either_way_is_not_counted() -> None:
    assert counted(seen("c", O1=10, O7=5)).highs == counted().highs
    assert counted(seen("c", O1=10, O7=5)).lows == counted().lows


def test_shifts_are_counted_where_a_reader_is_sure() -> None:
    assert counted(seen("a", shift=True), seen("c", shift=True)).shifts == Tally(right=1, held=1)
    assert counted(seen("b", shift=True)).shifts == Tally(wrong=("talk b",), missed=("talk a",))


def test_one_of_several_messages_meant_is_enough_and_links_elsewhere_are_wrong() -> None:
    found = counted(seen("c", links=("b",)), seen("b", links=("a",))).references
    assert found == Tally(right=1, wrong=("talk b -> a",), held=1)
    assert counted().references == Tally(missed=("talk c -> a, b",))


def test_links_of_turns_without_such_a_label_are_not_counted() -> None:
    assert counted(seen("a", links=("z",))).references == Tally(missed=("talk c -> a, b",))


def test_links_that_were_not_looked_for_are_no_misses() -> None:
    none = agreement(labelled(), [seen(id_, links=None) for id_ in "abc"])
    assert none.references is None
    assert (none + none).references is None
    assert (none + counted()).references == counted().references


def test_the_counts_of_two_conversations_add_up() -> None:
    both = counted(seen("a", O1=7)) + counted(seen("b", O1=7, O3=9))
    assert (both.highs["O1"].met, both.highs["O1"].total) == (2, 4)
    assert both.lows["O3"].missed == ("talk b: O3 9.0",)
    assert both.shifts.missed == ("talk a", "talk a")


def test_a_message_that_was_not_seen_is_an_error_and_no_low() -> None:
    with pytest.raises(ValueError, match="nothing was seen of 2 messages of talk, the first is a"):
        agreement(labelled(), [seen("b")])
