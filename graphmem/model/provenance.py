"""Where things come from: what each was made of, by whom, and what was made of it."""

from dataclasses import dataclass
from typing import Literal

from graphmem.model.reading import Kind
from graphmem.model.value import Value

Direction = Literal["inputs", "dependents"]


class Derivation(Value):
    """A thing on the way from what is asked about, at its fewest steps. `via` names the last step's relationship, `by`
    who or what took it, null where nobody noted it. `changed`: its input says something else now than when it was
    read."""

    id: str
    kind: Literal["message", "payload", "memory", "attribute", "summary"]
    depth: int
    via: str
    by: str | None
    changed: bool


class Provenance(Value):
    """What a thing was made of, or what was made of it, nearest first."""

    id: str
    kind: Kind
    direction: Direction
    items: tuple[Derivation, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class KeptMessage:
    """A message's content with its hash; `moved`: a part of the original lies in a payload."""

    id: str
    content: str
    sha256: str
    moved: bool
