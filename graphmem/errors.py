"""Every error graphmem raises on purpose.

GraphmemError
├── InvalidInput            what was sent is wrong; `problems` says where
│   └── QueryInvalid        a lattice query that does not follow the grammar; `kind` and `position` say why and where
├── InvalidCursor           a cursor this service did not hand out
├── NotFound                nothing with this id or name for this agent
│   ├── EntityNotFound      no entity of that name; `near` lists similar ones
│   └── ChangeUnknown       nothing was read of what a change touches; the message says what was read
├── Conflict                the request contradicts what is stored
│   ├── MessageChanged      a known messageId came with other content
│   ├── NameTaken           the name belongs to another entity
│   ├── LegalHold           a setting keeps this from being erased
│   ├── SessionStateless    a pattern keeps this session from being written
│   └── IdempotencyKeyReused
├── OutOfRange              bytes beyond the end were requested; `total` is how many there are
├── PayloadDamaged          the bytes of a payload are gone, or are not those that were stored
├── Unauthenticated         no key where one is needed, or one that is not valid
├── ScopeMissing            the key is valid and does not allow this
├── RateLimited             the key sends more requests than it may; carries `retry_after_s`
├── PlanOutdated            the graph changed between reading and writing, several times
├── NotRepairable           no program can repair what was found; the message says what a person can do
├── NotBuiltYet             a route of the contract whose feature does not exist yet
├── DatabaseUnavailable     no answer from Neo4j; carries `retry_after_s`
│   ├── DatabaseBusy        a lock or a time limit; the same call may pass later
│   ├── DatabaseFailed      it met a critical error, and takes no transaction until it is started again
│   ├── DatabaseReadOnly    it takes no writes
│   └── DiskFull            too little room for a write; reads go on
├── DatabaseRefused         Neo4j answered, but not to us: wrong credentials, wrong database, unfit version
├── SchemaMismatch          the schema in the database is not the one this version was built for
├── EmbedderMismatch        the vectors in the database come from another model
├── ModelUnavailable        a model endpoint returns an unusable or late answer, or none
├── SettingsInvalid         a setting cannot be used; the message names it
├── SetupFailed             something this machine lacks: network, disk, a platform we have jars for
│   ├── DownloadFailed
│   └── UnsupportedPlatform
└── ServerFailed            the managed Neo4j did not start, or did not stop

`code` is stable and the same over HTTP, MCP and the command line. The message says what happened, with which value, and
what to do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


class GraphmemError(Exception):
    """Root of the tree. `code` never changes once released; `title` is the same for every instance."""

    code: ClassVar[str] = "internal"
    title: ClassVar[str] = "Something went wrong inside graphmem"


@dataclass(frozen=True)
class Problem:
    """One wrong field: `loc` is the path from the root of the input, `msg` says what would be right."""

    loc: tuple[str | int, ...]
    msg: str


class InvalidInput(GraphmemError):
    code = "invalid_input"
    title = "The input is not valid"

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)

    @classmethod
    def at(cls, *loc: str | int, msg: str) -> "InvalidInput":
        """One wrong field, by its path."""
        return cls(f"{'.'.join(str(part) for part in loc)}: {msg}", [Problem(loc, msg)])


class QueryInvalid(InvalidInput):
    code = "invalid_query"
    title = "The query is not one of the language"

    def __init__(self, message: str, kind: str = "unexpected_token", position: int = 0) -> None:
        """`position` counts code points from 0; at the end of the query it is its length."""
        super().__init__(f"at {position}: {message}", [Problem(("query",), message)])
        self.kind = kind
        self.position = position


class InvalidCursor(GraphmemError):
    code = "invalid_cursor"
    title = "The cursor is not one of ours"


class NotFound(GraphmemError):
    code = "not_found"
    title = "There is no such thing for this agent"


@dataclass(frozen=True)
class NearName:
    id: str
    name: str


class EntityNotFound(NotFound):
    code = "entity_not_found"
    title = "There is no entity of that name or id"

    def __init__(self, wanted: str, near: Sequence[NearName] = (), known_since: datetime | None = None) -> None:
        """`known_since`: the entity exists, but became known after the requested time."""
        hint = f" Did you mean {', '.join(n.name for n in near)}?" if near else ""
        if known_since:
            hint = f" It is known since {known_since.isoformat()}; ask with a later knownAt."
        super().__init__(f"No entity {'was' if known_since else 'is'} called {wanted!r}.{hint}")
        self.wanted = wanted
        self.near = tuple(near)


class ChangeUnknown(NotFound):
    code = "change_unknown"
    title = "Nothing was read of what the change touches"


class Conflict(GraphmemError):
    code = "conflict"
    title = "The request contradicts what is stored"


class MessageChanged(Conflict):
    code = "message_changed"
    title = "This messageId is stored with other content"


class NameTaken(Conflict):
    code = "name_taken"
    title = "The name leads to another entity"


class LegalHold(Conflict):
    code = "legal_hold"
    title = "A legal hold keeps this from being erased"


class SessionStateless(Conflict):
    code = "session_stateless"
    title = "Nothing is written for this session"


class IdempotencyKeyReused(Conflict):
    code = "idempotency_key_reused"
    title = "This Idempotency-Key was used for another request"


class OutOfRange(GraphmemError):
    code = "out_of_range"
    title = "There are no bytes at this offset"

    def __init__(self, message: str, total: int = 0) -> None:
        super().__init__(message)
        self.total = total


class PayloadDamaged(GraphmemError):
    code = "payload_damaged"
    title = "A payload is not what was stored"


class Unauthenticated(GraphmemError):
    code = "unauthenticated"
    title = "A valid key is needed"


class ScopeMissing(GraphmemError):
    code = "scope_missing"
    title = "The key does not allow this"


class RateLimited(GraphmemError):
    code = "rate_limited"
    title = "Too many requests"

    def __init__(self, message: str, retry_after_s: int = 1) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class PlanOutdated(GraphmemError):
    code = "plan_outdated"
    title = "The graph kept changing while this was written"


class NotRepairable(GraphmemError):
    code = "not_repairable"
    title = "No program can put this right"


class NotBuiltYet(GraphmemError):
    code = "not_built_yet"
    title = "This part of the contract is not built yet"


class DatabaseUnavailable(GraphmemError):
    code = "database_unavailable"
    title = "The database does not answer"

    def __init__(self, message: str, retry_after_s: int = 5) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class DatabaseBusy(DatabaseUnavailable):
    code = "database_busy"
    title = "The database did not finish in time"


class DatabaseFailed(DatabaseUnavailable):
    code = "database_failed"
    title = "The database met a critical error"


class DatabaseReadOnly(DatabaseUnavailable):
    code = "database_read_only"
    title = "The database takes no writes"


class DiskFull(DatabaseUnavailable):
    code = "disk_full"
    title = "The disk has too little room for a write"


class DatabaseRefused(GraphmemError):
    code = "database_refused"
    title = "The database refused us"


class SchemaMismatch(GraphmemError):
    code = "schema_mismatch"
    title = "The database has another schema"


class EmbedderMismatch(GraphmemError):
    code = "embedder_mismatch"
    title = "The stored vectors come from another embedder"


class ModelUnavailable(GraphmemError):
    code = "model_unavailable"
    title = "The model does not answer"

    def __init__(self, message: str, *, too_much: bool = False) -> None:
        """`too_much`: the question was too long for a model, or took it too long; a shorter one may be answered."""
        super().__init__(message)
        self.too_much = too_much


class SettingsInvalid(GraphmemError):
    code = "settings_invalid"
    title = "A setting cannot be used"


class SetupFailed(GraphmemError):
    code = "setup_failed"
    title = "This machine lacks something graphmem needs"


class DownloadFailed(SetupFailed):
    code = "download_failed"
    title = "A file could not be fetched or is not the pinned one"


class UnsupportedPlatform(SetupFailed):
    code = "unsupported_platform"
    title = "The managed Neo4j does not run on this platform"


class ServerFailed(GraphmemError):
    code = "server_failed"
    title = "The managed Neo4j did not do as told"
