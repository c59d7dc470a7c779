"""Labelled conversations for answers: what was said, the questions it answers, and those it does not."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.model.value import Value


class LabelledSession(Value):
    """`messages` are pairs of a speaker and what was said, a minute apart from `at` on."""

    at: datetime
    messages: Annotated[tuple[tuple[str, str], ...], Field(min_length=1)]


class AnswerableQuestion(Value):
    """`at` names the messages of which one has to be quoted, as `session:message`, both counted from 1."""

    ask: str
    at: Annotated[tuple[str, ...], Field(min_length=1)]


class AnswersConversation(Value):
    """A conversation with the questions it answers, and others about the same people and things that it does not."""

    id: str
    topic: str
    sessions: Annotated[tuple[LabelledSession, ...], Field(min_length=1)]
    questions: tuple[AnswerableQuestion, ...]
    unanswerable: tuple[str, ...]
