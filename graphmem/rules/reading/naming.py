"""A name in a message: where it stands, what it stands for, and who says it."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.model.knowledge import EntityType

THINGS = frozenset(
    {
        EntityType.PROJECT,
        EntityType.SYSTEM,
        EntityType.TOOL,
        EntityType.FILE,
        EntityType.MODULE,
        EntityType.SYMBOL,
        EntityType.PACKAGE,
    }
)
"""What "it" can mean and what depends on other things."""
SILENT_ROLES = frozenset({"tool", "system", "developer", "function"})
"""Of whose messages nothing is kept."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place [start, end) where an entity is named.

    `found` says how it was found: 'software', 'name', 'phrase', 'known', 'speaker', or 'pronoun' for a word that stands
    for an entity named before. `certain` marks the name of somebody who speaks,
    `group` marks we and our, and `possessive` my, its and the like.
    """

    start: int
    end: int
    name: str
    type: EntityType
    found: str
    role: str = ""
    certain: bool = False
    group: bool = False
    possessive: bool = False


@dataclass(frozen=True, slots=True)
class Voice:
    """Who speaks. `person` is the name that I and my stand for, '' where nobody's; `heard` are words that stand as
    names somewhere in the talk, `systems` those in small letters that name systems, and `full_names` people's."""

    person: str
    project: str | None
    people: frozenset[str]
    known: frozenset[str]
    heard: frozenset[str] = frozenset()
    systems: frozenset[str] = frozenset()
    full_names: frozenset[str] = frozenset()


def free(candidates: Sequence[Mention], taken: Sequence[Mention]) -> list[Mention]:
    """The candidates that overlap neither what is taken nor one another; longer ones first."""
    kept: list[Mention] = []
    for mention in sorted(candidates, key=lambda m: (m.start - m.end, m.start)):
        if not any(m.start < mention.end and mention.start < m.end for m in (*taken, *kept)):
            kept.append(mention)
    return kept


def is_misread(mention: Mention) -> bool:
    """Whether a thing may be taken for a person: the parser's small model does so with names such as Atlas."""
    return mention.type is EntityType.PERSON and mention.found == "name" and not mention.certain


def is_thing(mention: Mention) -> bool:
    """Whether something can depend on it, or it on something."""
    return (
        mention.type in THINGS | {EntityType.UNKNOWN, EntityType.ORGANISATION} and mention.found != "speaker"
    ) or mention.type is EntityType.PROJECT
