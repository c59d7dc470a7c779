"""Erasing: what is asked, what was done, and what is recorded of it. No value here holds an erased word."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, StringConstraints, model_validator

from graphmem.model.inputs import Name, OpaqueId
from graphmem.model.value import Value

SubjectKind = Literal["entity", "person", "session", "message", "payload", "memory"]
FileState = Literal["clean", "found", "notSearched", "notOurs"]
_Id = Annotated[str, StringConstraints(min_length=1, max_length=300)]


class EraseSubject(Value):
    """One of these; a `messageId` may have its `sessionId` beside it. `entity` and `person` are an id or any name; of
    a person all that says one of the names goes, known as an entity or not. `memoryId` is a memory or a fact."""

    entity: Name | None = None
    person: Name | None = None
    session_id: OpaqueId | None = None
    message_id: OpaqueId | None = None
    payload: Annotated[str, StringConstraints(pattern=r"^[0-9a-fA-F]{64}$")] | None = None
    memory_id: _Id | None = None

    @model_validator(mode="after")
    def _one(self) -> "EraseSubject":
        given = [name for name in ("entity", "person", "message_id", "payload", "memory_id") if getattr(self, name)]
        if len(given) > 1 or (self.session_id and given not in ([], ["message_id"])) or not (given or self.session_id):
            raise ValueError(
                "name one of entity, person, sessionId, messageId, payload and memoryId; only a messageId may have its "
                "sessionId beside it"
            )
        return self

    @property
    def kind(self) -> SubjectKind:
        if self.message_id:
            return "message"
        if self.session_id:
            return "session"
        if self.payload:
            return "payload"
        if self.memory_id:
            return "memory"
        return "person" if self.person else "entity"


class Erase(Value):
    """Without `confirm` nothing is erased: the answer tells how much would be."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"subject": {"person": "Mara Lindqvist"}}]})

    subject: EraseSubject
    confirm: bool = False


class FileSearch(Value):
    """What was found of the erased words in the files of the database: `found` files of `searched`. `notSearched`: the
    service runs on them; `notOurs`: another Neo4j than the managed one. `advice` says what removes old bytes."""

    state: FileState
    searched: int
    found: int
    advice: str | None


class OlderCopy(Value):
    """A backup or a dump that was made earlier, and still holds what was erased. `exists`: it is where it was put."""

    path: str
    kind: Literal["backup", "dump"]
    at: datetime
    exists: bool


class ErasureReceipt(Value):
    """What was erased, by label; of a preview what would be.

    `rebuilt` are summaries that were made again without it, by kind, and `job_ids` the jobs that make the others.
    `cleared` are records that stay without their words: events, stored answers, jobs, and properties of what stays.
    `verified`: nothing else than what `said_elsewhere` counts, texts that say the same by themselves, holds any of the
    `canaries`, the words and runs of words that were looked for in all of `searched`.
    """

    erasure_id: str | None
    agent_id: str
    kind: SubjectKind
    subject_sha256: str
    preview: bool
    exact: bool
    at: datetime
    deleted: dict[str, int]
    cleared: dict[str, int]
    rebuilt: dict[str, int]
    job_ids: tuple[str, ...]
    held_by: tuple[str, ...]
    verified: bool
    canaries: int
    said_elsewhere: int
    searched: dict[str, int]
    left: tuple[str, ...]
    files: FileSearch
    older_copies: tuple[OlderCopy, ...]


class Signature(Value):
    """An Ed25519 signature over the canonical JSON of the receipt: sorted keys, no blanks, UTF-8. Both values are
    base64."""

    algorithm: Literal["Ed25519"] = "Ed25519"
    public_key: str
    value: str


class Erased(Value):
    """The answer; a preview is not signed."""

    receipt: ErasureReceipt
    signature: Signature | None


class Erasure(Value):
    """What the list of erasures keeps of one: with it the same is erased again from an older backup. Ids and hashes;
    `session_key` is the hash of an erased session's id."""

    agent_id: str
    id: str
    kind: SubjectKind
    created_at: datetime
    session_key: str | None = None
    message_ids: tuple[str, ...] = ()
    memory_ids: tuple[str, ...] = ()
    fact_ids: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] = ()
    payloads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EraseNamed:
    """An entity with those merged into it, and all their names. `user`: it is the one whose memory this is, whom "I"
    and no name stands for."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    user: bool


@dataclass(frozen=True, slots=True)
class EraseBatch:
    """What one transaction erases: messages with what rests on them alone, a session as a whole, and single things."""

    erasure_id: str
    message_ids: tuple[str, ...] = ()
    session_id: str | None = None
    memory_ids: tuple[str, ...] = ()
    fact_ids: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] = ()
    summary_ids: tuple[str, ...] = ()
    payloads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EraseStep:
    """What a batch erased: counts by label, ids, what is gone, and what is to be made again.

    `texts` were said by somebody, `told` was made of that, `names` were those of entities. `files` are payloads that
    nothing holds any more: (hash, place). `summed` are sessions that had a summary, `recapped` a recap, `compacted` a
    compaction; `condensed` are projects, "" for none.
    """

    deleted: dict[str, int]
    ids: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    memory_ids: tuple[str, ...] = ()
    fact_ids: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    sessions: tuple[str, ...] = ()
    summed: tuple[str, ...] = ()
    recapped: tuple[str, ...] = ()
    compacted: tuple[str, ...] = ()
    condensed: tuple[str, ...] = ()

    def __add__(self, other: "EraseStep") -> "EraseStep":
        """Both, one after the other."""
        labels = (*self.deleted, *other.deleted)
        counts = {label: self.deleted.get(label, 0) + other.deleted.get(label, 0) for label in labels}
        rest = [one.name for one in fields(self) if one.name != "deleted"]
        both = {name: tuple(dict.fromkeys((*getattr(self, name), *getattr(other, name)))) for name in rest}
        return EraseStep(counts, **both)


@dataclass(frozen=True, slots=True)
class HeldText:
    """The texts of a node, or of a relationship without labels: each its property, and what it holds. `node` is the
    database's own handle. `source`: it says this by itself."""

    node: str
    labels: frozenset[str]
    id: str
    texts: tuple[tuple[str, ...], ...]
    source: bool


@dataclass(frozen=True, slots=True)
class StaleText:
    """Properties that hold erased words, and what they hold from now on."""

    node: str
    edge: bool
    keys: tuple[str, ...]
    instead: str | None
