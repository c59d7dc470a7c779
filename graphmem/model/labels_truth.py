"""Labelled stories for truth: talk that goes in, and what holds afterwards."""

import re
from datetime import datetime
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from graphmem.model.value import Value


class TruthAsk(Value):
    """A question after the talk. A text is right if it contains one of `now`; it shows an outdated value if it contains
    one of `stale` and none of `now`. `unknown`: the right answer is that it is not known any more."""

    q: str = Field(min_length=1)
    now: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    unknown: bool = False

    @model_validator(mode="after")
    def _one_answer(self) -> "TruthAsk":
        if bool(self.now) == self.unknown:
            raise ValueError(f"{self.q!r} needs either `now` or `unknown`")
        return self


class TruthMessage(Value):
    role: Literal["user", "assistant", "tool", "system"]
    content: str
    name: str | None = None


class TruthSession(Value):
    """Messages follow each other by a minute."""

    start: datetime
    project: str | None = None
    messages: tuple[TruthMessage, ...] = Field(min_length=1)


class TruthEdge(Value):
    """A dependency, of any type, that must be active, or must not."""

    source: str
    target: str
    active: bool = True


class TruthStory(Value):
    """`never`: regular expressions that no active fact ("entity: text", lower case) may match. `keep`: all substrings
    of each entry must still be stored together, and not be retired."""

    id: str = Field(min_length=1, max_length=64)
    kinds: tuple[str, ...] = ()
    domain: str | None = None
    door: Literal["sessions", "remember"]
    sessions: tuple[TruthSession, ...] = ()
    remember: tuple[str | dict[str, Any], ...] = ()
    asks: tuple[TruthAsk, ...] = ()
    never: tuple[str, ...] = ()
    keep: tuple[tuple[str, ...], ...] = ()
    edges: tuple[TruthEdge, ...] = ()
    why: str = ""

    @field_validator("never")
    @classmethod
    def _expressions(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for one in given:
            try:
                re.compile(one)
            except re.error as error:
                raise ValueError(f"{one!r} is not a regular expression: {error}") from None
        return given

    @model_validator(mode="after")
    def _talk(self) -> "TruthStory":
        if not (self.sessions if self.door == "sessions" else self.remember):
            raise ValueError(f"{self.id} says nothing: its door is {self.door}")
        return self
