"""A change to a repository's files, and what it affects."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from graphmem.model.answers import AffectedEntity, ImpactGroup
from graphmem.model.knowledge import EntityType
from graphmem.model.value import Value


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file of a diff by the path it had, or has where it is new. `lines`: ranges of its lines before the change,
    inclusive; an insertion between two lines covers both."""

    path: str
    status: Literal["changed", "added", "removed", "renamed"]
    lines: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TouchedPart:
    """A file and ranges of its lines; None means all of it."""

    file: str
    lines: tuple[tuple[int, int], ...] | None


@dataclass(frozen=True, slots=True)
class Touched:
    """An entity at the place of a change; a file has no line."""

    id: str
    name: str
    type: EntityType
    file: str
    line: int | None


class TouchedEntity(Value):
    id: str
    name: str
    type: EntityType
    file: str
    line: int | None


class TouchedOwner(Value):
    """An owner of files that a change touches or affects."""

    id: str
    name: str
    files: tuple[str, ...]


class Saying(Value):
    """A decision or statement about an entity. `type` is a memory's type, a fact's kind, or the speaker; `file` and
    `line` are those of a passage."""

    entity_id: str
    entity: str
    kind: Literal["memory", "attribute", "message"]
    id: str
    type: str
    text: str
    file: str | None
    line: int | None
    at: datetime


class ChangeReport(Value):
    """What a diff touches, its owners, and what it affects. `unknown`: files that the last reading of the repository
    did not know, including new ones. `groups` are those of impact, over everything touched."""

    repository: str
    files: int
    unknown: tuple[str, ...]
    touched: tuple[TouchedEntity, ...]
    groups: tuple[ImpactGroup, ...]
    total: int
    truncated: bool
    owners: tuple[TouchedOwner, ...]
    decisions: tuple[Saying, ...]

    @property
    def affected(self) -> tuple[AffectedEntity, ...]:
        return tuple(one for group in self.groups for one in group.entities)
