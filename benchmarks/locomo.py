"""Conversations in the LoCoMo format: sessions of turns, and questions with the turns that answer them.

A turn becomes a message: role user for speaker A, assistant for speaker B; the content is its text and the
caption of its image.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.conversations import Conversation, Key, Question, Session, Turn

_TURN_ID = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")


KINDS = {1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop", 5: "5 adversarial"}
HEADLINE = tuple(KINDS[number] for number in (1, 2, 3, 4))
TUNED_ON = ("conv-26", "conv-30", "conv-41")
"""The conversations on which the weights of recall were tuned; of the others only figures were looked at."""


def parse_date(text: str) -> datetime:
    """The start of a session, read as UTC: the data names no zone.

    >>> parse_date("1:56 pm on 8 May, 2023").isoformat()
    '2023-05-08T13:56:00+00:00'
    """
    return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def parse_evidence(items: Iterable[str], flaws: Counter[str]) -> list[str]:
    """The turn ids that are meant: two in one item are parted, a stray colon goes, hopeless items too.

    >>> parse_evidence(["D8:6; D9:17", "D:11:26", "D"], Counter())
    ['D8:6', 'D9:17', 'D11:26']
    """
    ids = []
    for item in items:
        found = [f"D{int(session)}:{int(turn)}" for session, turn in _TURN_ID.findall(item)]
        if not found:
            flaws["malformed"] += 1
        elif found != [item]:
            flaws["normalised"] += 1
        ids += found
    return ids


def read_conversation(raw: Mapping[str, Any]) -> Conversation:
    """One conversation of the file. Sessions without turns are left out."""
    conversation_id = str(raw["sample_id"])
    talk = raw["conversation"]
    numbers = sorted(int(match[1]) for name in talk if (match := _SESSION.fullmatch(name)) and talk[match[0]])
    sessions = []
    for number in numbers:
        started_at = parse_date(talk[f"session_{number}_date_time"])
        session_id = f"{conversation_id}:session_{number}"
        turns = tuple(
            Turn(
                key=Key(session_id, turn["dia_id"]),
                role="user" if turn["speaker"] == talk["speaker_a"] else "assistant",
                name=turn["speaker"],
                content=" ".join(filter(None, (turn["text"].strip(), turn.get("blip_caption", "").strip()))),
                created_at=started_at + timedelta(seconds=place),
            )
            for place, turn in enumerate(talk[f"session_{number}"])
        )
        sessions.append(Session(session_id, started_at, turns))
    flaws: Counter[str] = Counter()
    questions = _read_questions(conversation_id, sessions, raw["qa"], flaws)
    return Conversation(conversation_id, tuple(sessions), questions, flaws)


def _read_questions(
    conversation_id: str, sessions: Iterable[Session], raw: Iterable[Mapping[str, Any]], flaws: Counter[str]
) -> tuple[Question, ...]:
    by_id = {turn.key.message_id: turn.key for session in sessions for turn in session.turns}
    questions = []
    for number, item in enumerate(raw):
        meant = parse_evidence(item.get("evidence", ()), flaws)
        gold = frozenset(by_id[turn_id] for turn_id in meant if turn_id in by_id)
        flaws["unknown"] += sum(turn_id not in by_id for turn_id in meant)
        flaws["missing"] += not item.get("evidence")
        questions.append(Question(conversation_id, number, KINDS[int(item["category"])], item["question"], gold))
    return tuple(questions)
