"""Conversations that recall is measured on, whatever format they came in: sessions of turns, and questions with the
turns that answer them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple


class Key(NamedTuple):
    """A turn, as the API names a message."""

    session_id: str
    message_id: str


@dataclass(frozen=True)
class Turn:
    """`name`: who said it, None where the data names nobody."""

    key: Key
    role: Literal["user", "assistant"]
    name: str | None
    content: str
    created_at: datetime

    @property
    def text(self) -> str:
        """What a search over texts sees."""
        return f"{self.name}: {self.content}" if self.name else self.content


@dataclass(frozen=True)
class Session:
    id: str
    started_at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Question:
    """`number` is its place in the conversation. `gold` is empty when nothing usable is given as evidence, and when
    the question is not `answerable` from the conversation at all."""

    conversation: str
    number: int
    kind: str
    text: str
    gold: frozenset[Key]
    answerable: bool = True


@dataclass(frozen=True)
class Conversation:
    """`flaws` counts what the evidence had to be helped with: normalised, malformed, unknown, missing."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]
    flaws: Counter[str]

    @property
    def turns(self) -> list[Turn]:
        return [turn for session in self.sessions for turn in session.turns]

    @property
    def asked(self) -> list[Question]:
        """The questions that can be scored: those with evidence, and those that nothing answers."""
        return [question for question in self.questions if question.gold or not question.answerable]


def exchanges(conversations: Iterable[Conversation]) -> Mapping[Key, Key]:
    """From each turn to the first of its exchange: a user's turn with the replies behind it."""
    return dict(pair for one in conversations for session in one.sessions for pair in _exchanges(session))


def _exchanges(session: Session) -> Iterator[tuple[Key, Key]]:
    first = None
    for turn in session.turns:
        if first is None or turn.role == "user":
            first = turn.key
        yield turn.key, first
