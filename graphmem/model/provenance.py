"""Where things come from: what each was made from, by whom, and what was made from it."""

from dataclasses import dataclass
from typing import Literal

from graphmem.model.reading import Kind
from graphmem.model.sealing import SaidMessage
from graphmem.model.value import Value

Direction = Literal["inputs", "dependents"]


TracedKind = Literal["message", "payload", "memory", "attribute", "summary"]
"""The kinds of things that are made from something, or have something made from them."""


class Derivation(Value):
    """A thing on the way from what is asked about, at its fewest steps. `via` names the last step's relationship, `by`
    who or what took it, null where nobody noted it. `changed`: its input says something else now than when it was
    read."""

    id: str
    kind: TracedKind
    depth: int
    via: str
    by: str | None
    changed: bool


class Provenance(Value):
    """What a thing was made of, or what was made of it, nearest first.

    `by` made the thing itself, `embedded_by` its vector: null where nobody noted it, or it has none. `total` counts all
    that was reached; `truncated` when there may be more, because the walk met its bounds.
    """

    id: str
    kind: Kind
    direction: Direction
    by: str | None
    embedded_by: str | None
    items: tuple[Derivation, ...]
    total: int
    truncated: bool
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Made:
    """What is recorded of a thing itself. `origin`: the metadata of a message's session, JSON; `embedded`: it has a
    vector."""

    by: str | None
    origin: str | None
    embedded: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One derivation: of the thing `made` from the thing `used`, with the kinds of both."""

    made: str
    used: str
    via: str
    by: str | None
    changed: bool
    made_kind: TracedKind
    used_kind: TracedKind


@dataclass(frozen=True, slots=True)
class KeptSummary:
    """A summary's content with the hash it had when it was written."""

    id: str
    content: str
    sha256: str


@dataclass(frozen=True, slots=True)
class KeptMessage:
    """A message's texts as its node holds them, what its seal covers and the seal's salt; JSON where `content_kind` is
    not text, and in tool calls. `payloads`: the hash and the place of each that it has."""

    said: SaidMessage
    content: str
    content_kind: str
    tool_calls: str | None
    tool_call_id: str | None
    salt: str | None
    erased: bool
    payloads: tuple[tuple[str, str], ...]
