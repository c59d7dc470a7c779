"""`graphmem eval answers`: what counts as right, and how far the rules come by words alone."""

import asyncio
import json
from pathlib import Path

import pytest

from api.cli_eval import EXAMPLES
from api.eval_answers import Answers, answers_table, conversations, evaluate_answers, passages_of
from graphmem.errors import InvalidInput

TALK = {
    "id": "talk",
    "topic": "a test",
    "sessions": [
        {
            "at": "2026-05-06T09:00:00Z",
            "messages": [["Ana", "Which port does Ledger use?"], ["Bo", "Ledger listens on port 7171."]],
        }
    ],
    "questions": [{"ask": "On which port does Ledger listen?", "at": ["1:2"]}, {"ask": "Who is Bo?", "at": ["1:1"]}],
    "unanswerable": ["Which queue feeds Ledger?"],
}


def written(folder: Path, **changed: object) -> Path:
    (folder / "talk.json").write_text(json.dumps(TALK | changed), encoding="utf-8")
    return folder


def test_a_message_stands_behind_what_somebody_else_said(tmp_path: Path) -> None:
    (one,) = conversations(written(tmp_path))
    first, second = passages_of(one)
    assert (first.id, first.before, first.addressee) == ("talk/1:1", "", None)
    assert (second.before, second.addressee) == ("Which port does Ledger use?", "Ana")


def test_a_quote_of_the_right_message_is_right_and_silence_about_the_rest_too(tmp_path: Path) -> None:
    told = asyncio.run(evaluate_answers("x", conversations(written(tmp_path)), None))
    assert (told.answerable, told.right, told.wrong) == (2, 1, 0)
    assert (told.unanswerable, told.refused) == (1, 1)
    assert told.missed == ["Who is Bo? -> not found"]


def test_a_question_about_no_message_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="1:9"):
        conversations(written(tmp_path, questions=[{"ask": "What?", "at": ["1:9"]}]))
    with pytest.raises(InvalidInput, match=r"talk\.json"):
        conversations(written(tmp_path, sessions=[]))


def test_the_table_has_a_line_for_each_way() -> None:
    told = Answers("held", "words alone", 34, 19, 1, 20, 18)
    assert answers_table([told])[-1] == "| held | words alone | 19 of 34 | 1 | 14 | 18 of 20 |"


def test_the_rules_find_what_they_found_when_their_floor_was_chosen() -> None:
    """On the tuned half, by words alone: right answers may grow, wrong ones may not."""
    told = asyncio.run(evaluate_answers("tuned", conversations(EXAMPLES["answers"] / "tuned"), None))
    assert (told.answerable, told.unanswerable) == (34, 20)
    assert told.right >= 19
    assert told.wrong <= 2
    assert told.refused == 20
