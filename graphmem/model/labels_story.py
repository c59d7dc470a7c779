"""Labelled stories: long sessions, and what a recap or a context of them must say, must not say, and may be asked."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, model_validator

from graphmem.model.inputs import NewMessage, Text
from graphmem.model.labels import Told, Words
from graphmem.model.labels_continuity import ProbeLabel
from graphmem.model.value import Value

Kind = Literal["decision", "rule", "goal", "fact", "number", "failure", "state", "open"]
MIN_MESSAGES, MUST_HAVES, MIN_QUESTIONS = 150, 20, 15


class MustHave(Told):
    """What a recap should have; `messages` say it, taken together."""

    kind: Kind
    what: Text
    messages: Annotated[tuple[str, ...], Field(min_length=1)]


class Replaced(Told):
    """What once held: a line that says it, and neither `by` nor that it is over, tells it as if it still held. `at` is
    the message that replaced it."""

    what: Text
    by: Words
    at: str


class Story(Value):
    """A session and its labels. `now`: what its last turns are about; `pending`: the step that comes next; `open`: what
    is still open at the end; `answered`: questions of the session that were answered in it; `rules` of the user that
    hold at the end."""

    id: str
    language: Literal["en", "de"]
    mode: Literal["quest", "chat"]
    about: Text
    messages: Annotated[tuple[NewMessage, ...], Field(min_length=MIN_MESSAGES)]
    must: Annotated[tuple[MustHave, ...], Field(min_length=MUST_HAVES, max_length=MUST_HAVES)]
    replaced: Annotated[tuple[Replaced, ...], Field(min_length=1)]
    now: Told
    pending: Told
    open: tuple[Told, ...]
    answered: tuple[Told, ...]
    rules: Annotated[tuple[Told, ...], Field(min_length=1)]
    questions: Annotated[tuple[ProbeLabel, ...], Field(min_length=MIN_QUESTIONS)]

    @model_validator(mode="after")
    def _says_what_is_labelled(self) -> "Story":
        texts = {message.message_id or "": _text(message) for message in self.messages}
        if len(texts) < len(self.messages):
            raise ValueError("each message needs an id of its own")
        labelled: list[tuple[str, Told, tuple[str, ...]]] = [(one.what, one, one.messages) for one in self.must]
        labelled += [(one.question, one, one.messages) for one in self.questions]
        for name, one, messages in labelled:
            if strange := sorted(set(messages) - texts.keys()):
                raise ValueError(f"{name!r} names a message that is not there: {strange[0]}")
            if not one.said_by(_joined(texts[id_] for id_ in messages)):
                raise ValueError(f"the messages named do not say {name!r}")
        everything = _joined(texts.values())
        for told in (self.now, self.pending, *self.open, *self.answered, *self.rules, *self.replaced):
            if not told.said_by(everything):
                raise ValueError(f"no message says {told.words}")
        if strange := sorted({one.at for one in self.replaced} - texts.keys()):
            raise ValueError(f"a replacement names a message that is not there: {strange[0]}")
        return self


def _text(message: NewMessage) -> str:
    return message.content if isinstance(message.content, str) else ""


def _joined(texts: Iterable[str]) -> str:
    return "\n".join(texts)
