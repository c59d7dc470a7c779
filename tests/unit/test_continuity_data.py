"""The labelled conversations for continuity are what their README says, and labels that fit nothing are refused."""

import json
import re
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from graphmem.model.labels_continuity import ContinuousConversation, OverlayConversation
from graphmem.model.turns import OVERLAYS, Overlay

FOLDER = Path(__file__).parents[1] / "data" / "continuity"
FILES = sorted(FOLDER.glob("*/*.json"))
WRITTEN = sorted((FOLDER / "overlays").glob("*.jsonl"))
PARTS = ("held", "practice", "tuned")
MIN_LABELS = {"O1": 6, "O2": 6, "O3": 5, "O4": 5, "O5": 6, "O6": 6, "O7": 6}
"""Highs of each overlay that a folder needs, so that one of them weighs little."""
MIN_WORDS = 4
"""Shorter sentences ("yes, do that") may be said by anybody."""


def read(file: Path) -> ContinuousConversation:
    return ContinuousConversation.model_validate_json(file.read_bytes())


def folder(part: str) -> list[ContinuousConversation]:
    return [read(file) for file in FILES if file.parent.name == part]


def sentences(conversation: ContinuousConversation) -> set[str]:
    return sentences_of(message.content for message in conversation.messages if isinstance(message.content, str))


def sentences_of(contents: Iterable[str]) -> set[str]:
    said = (re.findall(r"\w+", part.casefold()) for content in contents for part in re.split(r"[.!?\n]+\s*", content))
    return {" ".join(words) for words in said if len(words) >= MIN_WORDS}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_every_file_is_a_labelled_conversation_named_after_its_id(file: Path) -> None:
    conversation = read(file)
    assert conversation.id == file.stem
    assert file.parent.name in PARTS


@pytest.mark.parametrize(("part", "coding", "smalltalk"), [("tuned", 2, 2), ("held", 4, 3)])
def test_each_folder_has_long_coding_work_and_small_talk(part: str, coding: int, smalltalk: int) -> None:
    conversations = folder(part)
    work = [one for one in conversations if one.topic == "coding"]
    assert (len(work), len(conversations) - len(work)) == (coding, smalltalk)
    assert min(len(one.messages) for one in work) >= 60
    assert {one.mode for one in work} == {"quest"}
    assert {one.mode for one in conversations if one.topic == "smalltalk"} == {"chat"}


@pytest.mark.parametrize("part", PARTS)
def test_each_folder_labels_every_overlay_high_and_low(part: str) -> None:
    turns = [turn for one in folder(part) for turn in one.turns]
    highs = {overlay: sum(overlay in turn.high for turn in turns) for overlay in OVERLAYS}
    assert {overlay: found for overlay, found in highs.items() if found < MIN_LABELS[overlay]} == {}
    assert all(sum(overlay in turn.low for turn in turns) > 60 for overlay in OVERLAYS)
    assert sum(turn.shift is True for turn in turns) >= 4
    assert sum(bool(turn.references) for turn in turns) >= 3


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_every_call_of_a_tool_has_its_result_right_behind_it(file: Path) -> None:
    waiting: list[str] = []
    for message in read(file).messages:
        if message.role == "tool":
            assert message.tool_call_id == waiting.pop(0)
        else:
            assert not waiting
            calls: Any = message.tool_calls or ()
            waiting = [call["id"] for call in calls]
    assert not waiting


def test_no_two_conversations_share_a_sentence() -> None:
    said = {file.stem: sentences(read(file)) for file in FILES}
    shared = {(one, other): said[one] & said[other] for one, other in combinations(said, 2)}
    assert {pair: both for pair, both in shared.items() if both} == {}


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: str(file.stem))
def test_every_file_to_learn_overlays_from_is_a_conversation_named_after_its_id(file: Path) -> None:
    found = written(file)
    assert found.id == file.stem
    assert len(found.turns) >= 30


def test_what_overlays_are_learnt_from_is_not_what_they_are_measured_on() -> None:
    held = set().union(*(sentences(one) for one in folder("held")))
    learnt = {file.stem: sentences_of(turn.text for turn in written(file).turns) & held for file in WRITTEN}
    assert {name: shared for name, shared in learnt.items() if shared} == {}


def written(file: Path) -> OverlayConversation:
    return OverlayConversation.of_lines(file.read_text())


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        ({"high": ["O1"], "either": ["O1"]}, "labelled twice"),
        ({"refs": [1]}, "refers to one that is not before"),
        ({"refs": [-1]}, "refers to one that is not before"),
        ({"low": ["O1"]}, "Extra inputs"),
    ],
)
def test_labels_of_overlays_that_fit_nothing_are_refused(turn: dict[str, Any], why: str) -> None:
    head = {"id": "c", "topic": "coding", "about": "ports"}
    turns = [{"role": "user", "text": "Which port?"}, {"role": "assistant", "text": "8080."} | turn]
    with pytest.raises(ValidationError, match=why):
        OverlayConversation.of_lines("\n".join(json.dumps(line) for line in (head, *turns)))


def conversation(**changes: Any) -> dict[str, Any]:
    probe = {"question": "Which port?", "words": ["8080", ["HTTP", "http"]], "messages": ["b"]}
    return {
        "id": "c",
        "topic": "coding",
        "mode": "quest",
        "project": None,
        "about": "ports",
        "messages": [
            {"messageId": "a", "role": "user", "content": "Which port?"},
            {"messageId": "b", "role": "assistant", "content": "Port 8080, Http."},
        ],
        "turns": [{"message": "a", "low": ["O2"]}, {"message": "b", "high": ["O5"], "references": ["a"]}],
        "probes": [probe] * 10,
    } | changes


def test_a_conversation_that_fits_together_is_read() -> None:
    read_back = ContinuousConversation.model_validate(conversation())
    overlay: Overlay = "O5"
    assert read_back.turns[1].high == (overlay,)
    assert read_back.turns[0].references is None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"turns": [{"message": "a"}]}, "one label for each message"),
        ({"turns": [{"message": "b"}, {"message": "a"}]}, "one label for each message"),
        (
            {"turns": [{"message": "a", "references": ["b"]}, {"message": "b"}]},
            "refers to a message that is not before",
        ),
        (
            {"turns": [{"message": "a"}, {"message": "b", "references": ["z"]}]},
            "refers to a message that is not before",
        ),
        ({"turns": [{"message": "a", "high": ["O1"], "low": ["O1"]}, {"message": "b"}]}, "labelled twice"),
        ({"turns": [{"message": "a", "high": ["O8"]}, {"message": "b"}]}, "O1"),
        ({"probes": [{"question": "q", "words": ["9090"], "messages": ["b"]}] * 10}, "do not answer"),
        ({"probes": [{"question": "q", "words": ["8080"], "messages": ["a"]}] * 10}, "do not answer"),
        (
            {"probes": [{"question": "q", "words": ["8080"], "messages": ["z"]}] * 10},
            "names a message that is not there",
        ),
        ({"probes": [{"question": "q", "words": ["8080"], "messages": ["b"]}] * 9}, "at least 10"),
    ],
)
def test_labels_that_fit_nothing_are_refused(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        ContinuousConversation.model_validate(conversation(**changes))
