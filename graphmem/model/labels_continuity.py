"""Labelled conversations for continuity: what a reader sees in each turn, and what must still be found later."""

import json
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, model_validator

from graphmem.model.inputs import Name, NewMessage, Text
from graphmem.model.labels import Told
from graphmem.model.turns import Overlay
from graphmem.model.value import Value

Mode = Literal["quest", "chat"]
MIN_PROBES = 10


class TurnLabel(Value):
    """What a reader sees in one message. An overlay in neither list counts as neither right nor wrong, and so does a
    shift or references that are None; `references` () says that the turn refers to no other, though it may sound so."""

    message: str
    high: tuple[Overlay, ...] = ()
    low: tuple[Overlay, ...] = ()
    shift: bool | None = None
    references: tuple[str, ...] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> "TurnLabel":
        seen = (*self.high, *self.low)
        if len(set(seen)) < len(seen):
            raise ValueError(f"an overlay of {self.message} is labelled twice")
        return self


class ProbeLabel(Told):
    """A question that must be answerable later: an answer says `words`, which stand in the messages named, taken
    together."""

    question: Text
    messages: Annotated[tuple[str, ...], Field(min_length=1)]

    def answered_by(self, *texts: str) -> bool:
        return self.said_by("\n".join(texts))


class ContinuousConversation(Value):
    """A conversation and its labels: `turns` in the order of the messages, one each. Only the text of a message can
    answer a probe, not its calls."""

    id: str
    topic: Literal["coding", "smalltalk"]
    mode: Mode
    project: Name | None
    about: Text
    messages: Annotated[tuple[NewMessage, ...], Field(min_length=1)]
    turns: tuple[TurnLabel, ...]
    probes: Annotated[tuple[ProbeLabel, ...], Field(min_length=MIN_PROBES)]

    @model_validator(mode="after")
    def _names_its_messages(self) -> "ContinuousConversation":
        ids = [message.message_id for message in self.messages]
        if [turn.message for turn in self.turns] != ids or len(set(ids)) < len(ids):
            raise ValueError("there must be one label for each message, in order, and each needs an id of its own")
        place = {id_: number for number, id_ in enumerate(ids)}
        for turn in self.turns:
            if any(place.get(id_, len(ids)) >= place[turn.message] for id_ in turn.references or ()):
                raise ValueError(f"{turn.message} refers to a message that is not before it")
        texts = {message.message_id or "": message.content for message in self.messages}
        for probe in self.probes:
            if strange := sorted(set(probe.messages) - texts.keys()):
                raise ValueError(f"{probe.question!r} names a message that is not there: {strange[0]}")
            if not probe.answered_by(*_texts(texts.get(id_) for id_ in probe.messages)):
                raise ValueError(f"the messages named do not answer {probe.question!r}")
        return self


class OverlayTurn(Value):
    """A turn of a training conversation for overlays: one in neither list is low. `refs` are the places of the turns it
    refers to, from 0 on; () says that it refers to none, though it may sound so."""

    role: Literal["user", "assistant", "tool"]
    text: str
    high: tuple[Overlay, ...] = ()
    either: tuple[Overlay, ...] = ()
    shift: bool = False
    refs: tuple[int, ...] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> "OverlayTurn":
        if set(self.high) & set(self.either):
            raise ValueError(f"an overlay of {self.text!r} is labelled twice")
        return self


class OverlayConversation(Value):
    """A training conversation for overlays, and its labels."""

    id: str
    topic: Literal["coding", "smalltalk"]
    about: Text
    turns: Annotated[tuple[OverlayTurn, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _points_back(self) -> "OverlayConversation":
        for place, turn in enumerate(self.turns):
            if any(not 0 <= other < place for other in turn.refs or ()):
                raise ValueError(f"turn {place} of {self.id} refers to one that is not before it")
        return self

    @staticmethod
    def of_lines(text: str) -> "OverlayConversation":
        """The conversation in a file of JSON lines: what it is about, then turn by turn. Errors: ValidationError."""
        head, *turns = [json.loads(line) for line in text.splitlines() if line.strip()]
        return OverlayConversation.model_validate(head | {"turns": turns})


def _texts(contents: Iterable[object]) -> list[str]:
    return [content for content in contents if isinstance(content, str)]
