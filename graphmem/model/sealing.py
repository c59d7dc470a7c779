"""Seals: what history records of messages, memories and facts, so that one that is altered together with its own hash
is found."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

SealSubject = Literal["messages", "memories", "facts"]


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """What of a message its seal covers. `created_at`: microseconds since 1970; `sha256`: that of its content,
    `fingerprint`: that of all it says, as it came."""

    id: str
    role: str
    name: str | None
    created_at: int
    sha256: str
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class LookedAtMemory:
    """A memory with what may tell that it was altered: its key, and the salt of its seal."""

    id: str
    type: str
    content: str
    content_key: str | None
    salt: str | None


@dataclass(frozen=True, slots=True)
class LookedAtFact:
    """A fact with what may tell that it was altered: its current key, the one it would have back, and the salt of its
    seal."""

    id: str
    entity_id: str
    aspect: str
    kind: str
    content: str
    status: str
    active_key: str | None
    cold_key: str | None
    salt: str | None
    quarantined: bool


@dataclass(frozen=True, slots=True)
class Seal:
    """What becomes history of one thing. `says`: what it has to say still when it gets its salt; `entity_id`: of a
    fact, whose it is."""

    id: str
    salt: str
    says: str
    digest: str
    entity_id: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that a fact was drawn from, with its key; `texts` are what messages say where it stands, `whole`: of
    those there are, one is as it came."""

    content: str
    content_key: str | None
    texts: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class FactSources:
    """What tells what a fact said: its text in the index, its statements, and aspects that it hangs on, each with the
    id of its entity."""

    texts: tuple[str, ...]
    statements: tuple[Statement, ...]
    hung: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FactFaults:
    """What is wrong with an agent's facts. `keys` say what they said and have a wrong key; `altered` say something
    else; `gone` are no longer there; `quarantined` were found altered and put away."""

    keys: tuple[LookedAtFact, ...] = ()
    altered: tuple[LookedAtFact, ...] = ()
    gone: tuple[str, ...] = ()
    quarantined: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryFaults:
    """Memories that were altered, and those that are no longer there."""

    altered: tuple[LookedAtMemory, ...]
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MessageFaults:
    """Messages that were altered or are no longer there, how many there are, and how many history does not seal yet."""

    altered: tuple[str, ...]
    gone: tuple[str, ...]
    messages: int
    unsealed: int


@dataclass(frozen=True, slots=True)
class PastEvent:
    """An event with the JSON of what was after it."""

    at: datetime
    id: str
    subject_id: str
    after: str | None
