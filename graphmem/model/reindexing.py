"""Texts to embed again: the request, its extent, and the progress."""

from dataclasses import dataclass

from graphmem.model.inputs import HitKind
from graphmem.model.stored import WaitingText
from graphmem.model.value import Value


class ReindexItem(Value):
    kind: HitKind
    texts: int


class ReindexReport(Value):
    """The job that was started, or with `dryRun` none: `affected` texts in all, `items` by their kind."""

    job_id: str | None
    affected: int
    items: tuple[ReindexItem, ...]


@dataclass(frozen=True, slots=True)
class TextsAnew:
    """The next texts without their vectors; the one with the largest id is `last`."""

    texts: tuple[WaitingText, ...]
    last: str


@dataclass(frozen=True, slots=True)
class ReindexMark:
    """The progress: continue with ids above `after`, `left` more texts at most, `done` of `of` so far. `waiting`: only
    texts without a vector."""

    of: int
    after: str = ""
    left: int | None = None
    done: int = 0
    waiting: bool = False
