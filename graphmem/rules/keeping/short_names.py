"""Which entity a name that is none of its names may mean: `postgres` where there is only PostgreSQL."""

from collections.abc import Iterable, Sequence

from graphmem.model.stored import KnownEntity
from graphmem.rules.keeping.near_names import SHORTEST, forms
from graphmem.rules.language.gazetteer import lookup
from graphmem.rules.language.stems import word_set
from graphmem.rules.language.text import canonical_name

SUFFIXES = word_set("sql db js ts mq ql hq io ai ci os kit lang base search cloud")
"""What names of products end with and people leave out."""


def other_names(given: str) -> list[str]:
    """Canonical names under which what is meant by a name may be stored: the listed name of software, another number,
    with or without a word for its kind, a legal form or an ending that is often left out.

    >>> other_names("k8s")
    ['kubernetes']
    >>> {"postgres", "mongo"} <= {*other_names("postgresql"), *other_names("mongodb")}
    True
    """
    name = canonical_name(given)
    known = lookup(given) or lookup(name)
    listed = [canonical_name(known.name)] if known else []
    return [one for one in dict.fromkeys([*listed, *forms(name), *_shortened(name)]) if one != name]


def meant(given: str, named: Iterable[KnownEntity], beginning: Iterable[KnownEntity]) -> str | None:
    """The id of the one entity that a name can mean; None where there is none, or more than one.

    `named` are those of `other_names`, `beginning` those with a name that begins so.
    """
    name = canonical_name(given)
    longer = [one for one in beginning if _leaves_out(name, one.canonical)]
    ids = {one.id for one in (*named, *longer)}
    return ids.pop() if len(ids) == 1 else None


def likely(beginning: Sequence[KnownEntity], most: int) -> list[KnownEntity]:
    """The first entities with a name that begins as a given one, each once."""
    return list({one.id: one for one in reversed(beginning)}.values())[::-1][:most]


def _shortened(name: str) -> list[str]:
    """A name without its ending, or with the beginning of it: postgres of postgresql."""
    endings = [suffix for suffix in sorted(SUFFIXES) if name.endswith(suffix)]
    stems = [(name.removesuffix(suffix).rstrip(" ."), suffix) for suffix in endings]
    return [stem + suffix[:more] for stem, suffix in stems for more in range(len(suffix)) if len(stem) >= SHORTEST]


def _leaves_out(name: str, longer: str) -> bool:
    """Whether a name is a longer one without its ending, of which it may have the beginning."""
    rest = longer.removeprefix(name).lstrip(" .")
    if len(name) < SHORTEST or not rest or rest == longer:
        return False
    return any(
        suffix.endswith(rest) and name.endswith(suffix[: len(suffix) - len(rest)])
        for suffix in SUFFIXES
        if len(rest) <= len(suffix)
    )
