"""Labelled examples: what a careful reader would keep of a conversation, and which statements supersede others."""

import re
from functools import cache
from typing import Annotated, Literal

from pydantic import AwareDatetime, BeforeValidator, Field, model_validator

from graphmem.model.inputs import Name, NewMessage
from graphmem.model.knowledge import AttributeKind, DependencyType, EntityType
from graphmem.model.value import Value


def _listed(value: object) -> object:
    return value if isinstance(value, list | tuple) else (value,)


Several = BeforeValidator(_listed)
"""One value, or a list of values that are as good."""
Words = Annotated[tuple[Annotated[tuple[str, ...], Several], ...], Field(min_length=1)]
"""Each stands in a text that says it, as whole words in any case; of a list one is enough."""


class Told(Value):
    """Something that a text can say."""

    words: Words

    def said_by(self, text: str) -> bool:
        return all(any(_whole(form).search(text) for form in word) for word in self.words)


@cache
def _whole(form: str) -> re.Pattern[str]:
    """The form with no letter or digit beside it: 808 does not stand in 8080."""
    return re.compile(rf"(?<!\w){re.escape(form)}(?!\w)", re.IGNORECASE)


class Label(Value):
    """`optional`: neither finding it nor missing it is an error."""

    optional: bool = False


class EntityLabel(Label):
    name: str
    type: Annotated[tuple[EntityType, ...], Several]
    also: tuple[str, ...] = ()


class FactLabel(Label):
    """A fact or rule: about one of these entities, said in the message with this index, in words that contain all of
    `says`; each of those is a word or name, or a list of alternatives."""

    entity: Annotated[tuple[str, ...], Several]
    says: Annotated[tuple[Annotated[tuple[str, ...], Several], ...], Field(min_length=1)]
    message: Annotated[int, Field(ge=0)]


class DependencyLabel(Label):
    source: str
    target: str
    type: Annotated[tuple[DependencyType, ...], Several]


class LabelledConversation(Value):
    """A conversation and its labels; those of facts and dependencies name labelled entities."""

    id: str
    topic: Literal["software", "assistant", "ops", "meeting", "noise"]
    project: Name | None
    messages: Annotated[tuple[NewMessage, ...], Field(min_length=1)]
    entities: tuple[EntityLabel, ...]
    attributes: tuple[FactLabel, ...]
    constraints: tuple[FactLabel, ...]
    dependencies: tuple[DependencyLabel, ...]

    @model_validator(mode="after")
    def _names_are_labelled(self) -> "LabelledConversation":
        labelled = {name.casefold() for entity in self.entities for name in (entity.name, *entity.also)}
        named = {name for fact in (*self.attributes, *self.constraints) for name in fact.entity}
        named |= {end for dependency in self.dependencies for end in (dependency.source, dependency.target)}
        strange = sorted(name for name in named if name.casefold() not in labelled)
        if strange:
            raise ValueError(f"no entity is labelled {', '.join(strange)}")
        if any(fact.message >= len(self.messages) for fact in (*self.attributes, *self.constraints)):
            raise ValueError("a label names a message that is not there")
        return self


class LabelledStatement(Value):
    """One side of a pair. `subject`: what it is about, where its words don't say so."""

    content: Annotated[str, Field(min_length=1)]
    created_at: AwareDatetime
    subject: Name | None = None
    kind: AttributeKind = "attribute"
    claim_key: Name | None = None


class LabelledPair(Value):
    """What was known and what arrived after it; `conflict`: the newer statement makes the older one no longer true."""

    id: str
    class_: Annotated[str, Field(alias="class")]
    old: LabelledStatement
    new: LabelledStatement
    conflict: bool
    note: str | None = None
