"""Conversations of BEAM, as its repository lays them out: `chats/100K/N/chat.json` with batches of turns, each a list
of messages, and `probing_questions/probing_questions.json` beside it.

A batch becomes a session, and a message keeps its number, which is unique in the conversation.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.conversations import Conversation, Key, Question, Session, Turn

CHATS = Path("chats") / "100K"
NUMBERS = range(1, 21)
TUNED_ON = range(1, 11)
"""The conversations that weights may be chosen on; of the others only figures are looked at."""
ABSTENTION = "abstention"
_PREFIX = "beam-"
_LABEL = "->->"
"""What begins a label of the authors at the end of a user's text."""
_COMMA_TOO_MANY = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


def read_conversation(folder: Path, number: int) -> Conversation:
    """Conversation `number` below the folder of the repository. Errors: OSError, ValueError."""
    chat, probing = files(folder, number)
    id_ = f"{_PREFIX}{number}"
    batches = json.loads(chat.read_text(encoding="utf-8"))
    sessions = tuple(_read_session(f"{id_}:batch_{batch['batch_number']}", batch) for batch in batches)
    flaws: Counter[str] = Counter()
    by_number = {int(turn.key.message_id): turn.key for session in sessions for turn in session.turns}
    asked = read_json(probing.read_text(encoding="utf-8"))
    each = [(kind, item) for kind, items in asked.items() for item in items]
    questions = tuple(
        _read_question(id_, place, kind, item, by_number, flaws) for place, (kind, item) in enumerate(each)
    )
    return Conversation(id_, sessions, questions, flaws)


def numbers(text: str) -> range:
    """The conversations of an argument.

    >>> numbers("3"), numbers("1-4")
    (range(3, 4), range(1, 5))
    """
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def number_of(id_: str) -> int:
    """The number of a conversation by its id."""
    return int(id_.removeprefix(_PREFIX))


def files(folder: Path, number: int) -> tuple[Path, Path]:
    """The messages and the questions of a conversation."""
    chat = folder / CHATS / str(number)
    return chat / "chat.json", chat / "probing_questions" / "probing_questions.json"


def digest_of(folder: Path, numbers: Iterable[int]) -> str:
    """Twelve digits of the SHA-256 of what is read."""
    whole = hashlib.sha256()
    for path in (path for number in numbers for path in files(folder, number)):
        whole.update(path.read_bytes())
    return whole.hexdigest()[:12]


def numbers_in(value: object) -> Iterator[int]:
    """The whole numbers in lists and objects of any depth.

    >>> list(numbers_in({"first": [4, [6, 8]], "second": 10}))
    [4, 6, 8, 10]
    """
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from numbers_in(item)
    elif isinstance(value, int):
        yield value


def read_json(text: str) -> Any:
    """JSON in which a comma may stand behind the last item, as in a few of the files.

    >>> read_json('{"a": [1, 2,], "b": "c,]",}')
    {'a': [1, 2], 'b': 'c,]'}
    """
    return json.loads(_COMMA_TOO_MANY.sub(lambda found: found[1] or "", text))


def _read_session(id_: str, batch: Mapping[str, Any]) -> Session:
    messages = [message for turn in batch["turns"] for message in turn]
    anchors = [message["time_anchor"] for message in messages if message.get("time_anchor")]
    started_at = datetime.strptime((anchors or [batch["time_anchor"]])[-1], "%B-%d-%Y").replace(tzinfo=UTC)
    turns = tuple(
        Turn(
            key=Key(id_, str(message["id"])),
            role=message["role"],
            name=None,
            content=message["content"].partition(_LABEL)[0].strip(),
            created_at=started_at + timedelta(seconds=message["id"]),
        )
        for message in messages
    )
    return Session(id_, started_at, turns)


def _read_question(
    conversation: str, place: int, kind: str, item: Mapping[str, Any], by_number: Mapping[int, Key], flaws: Counter[str]
) -> Question:
    meant = list(numbers_in(item.get("source_chat_ids")))
    gold = frozenset(by_number[number] for number in meant if number in by_number)
    flaws["unknown"] += sum(number not in by_number for number in meant)
    flaws["missing"] += not meant and kind != ABSTENTION
    return Question(conversation, place, kind, item["question"], gold, answerable=kind != ABSTENTION)
