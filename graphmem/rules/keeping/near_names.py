"""Names that may mean the same thing: proposed to a person, never merged automatically."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from graphmem.model.change import EntityRow, LikenessRow
from graphmem.model.extraction import ExtractedEntity, Extraction
from graphmem.model.stored import KnownEntity
from graphmem.rules.language.stems import entries, word_set
from graphmem.rules.language.text import canonical_name

TYPE_WORDS = word_set(
    "service server system app application api database db project package library module repository repo cluster "
    "platform tool website"
)
"""Words after a name that say what kind of thing it is."""
LEGAL_FORMS = entries(
    """inc; incorporated; corp; corporation; co; company; llc; llp; lp; ltd; limited; plc; pty ltd; pte ltd; pvt ltd;
    gmbh; gmbh & co. kg; mbh; ag; kg; ug; se; kgaa; ohg; e.v; sa; s.a; sas; sarl; srl; s.r.l; spa; s.p.a; sl; s.l; bv;
    b.v; nv; n.v; oy; oyj; ab; as; a/s; aps; kk; k.k; lda; ltda; sp. z o.o; s.r.o; kft; zrt; d.o.o"""
)
"""Words behind the name of a company for its legal form, canonical."""
_BEHIND_COMMA = ("inc", "llc", "ltd", "corp")
SHORTEST = 4
"""Least letters of a name to compare: too many shorter ones resemble each other."""
LONG, VERY_LONG = 8, 14
"""Least letters for one typo, and for two: in shorter names one different letter more often makes another word than a
misspelt one (Marta and Maria, stage and state)."""
MAX_PROPOSED = 10
"""Most proposals from one change."""
_DIGITS = re.compile(r"\d+")


def forms(name: str) -> list[str]:
    """Other canonical names under which the same thing may be stored: plural and singular, with and without a word for
    its kind, and, of a company, with and without each legal form. Abbreviations are not guessed.

    >>> forms("billing service")[:2], forms("acme gmbh")[:2]
    (['billing', 'billing services'], ['acme', 'acme inc'])
    >>> forms("invoices")[:2]
    ['invoice', 'invoic']
    """
    company = _company(name)
    behind = [*LEGAL_FORMS, *(f", {form}" for form in _BEHIND_COMMA)]
    incorporated = [f"{company} {form}".replace(" ,", ",") for form in behind]
    if company != name:
        return [company, *(one for one in incorporated if one != name)]
    if len(name) < SHORTEST:
        return []
    head, _, last = name.rpartition(" ")
    bare = [head] if last in TYPE_WORDS and len(head) >= SHORTEST else []
    typed = [] if last in TYPE_WORDS else [f"{name} {word}" for word in sorted(TYPE_WORDS)]
    numbers = [f"{head} {other}".strip() for other in _numbers(last)]
    return list(dict.fromkeys([*bare, *(one for one in numbers if len(one) >= SHORTEST), *typed, *incorporated]))


def _company(name: str) -> str:
    """A name without the legal form at its end.

    >>> _company("acme, inc"), _company("acme")
    ('acme', 'acme')
    """
    ends = [form for form in LEGAL_FORMS if name.endswith(f" {form}")]
    return name.removesuffix(f" {max(ends, key=len)}").rstrip(" ,") if ends else name


def worth_spelling(name: str) -> bool:
    """Whether a name is long enough for a search of misspelt forms."""
    return len(name) >= LONG


def misspelt(name: str, other: str) -> bool:
    """Whether two canonical names differ only by typos: the same beginning, the same numbers, and few different
    letters.

    >>> misspelt("payments gateway", "payment gatway"), misspelt("service 1", "service 2")
    (True, False)
    """
    shorter = min(len(name), len(other))
    allowed = 0 if shorter < LONG else 1 if shorter < VERY_LONG else 2
    return (
        name != other
        and name[0] == other[0]
        and _DIGITS.findall(name) == _DIGITS.findall(other)
        and abs(len(name) - len(other)) <= allowed
        and _distance(name, other) <= allowed
    )


def stated(entities: Iterable[EntityRow], new_id: Callable[[], str]) -> tuple[LikenessRow, ...]:
    """A row for each other name that somebody said an entity has."""
    return tuple(
        LikenessRow(
            new_id(), row.canonical, canonical_name(name), f"{name!r} is said to be {row.name!r} as well", stated=True
        )
        for row in entities
        for name in row.stated
    )


def under_known_names(found: Extraction, known: Iterable[KnownEntity]) -> Extraction:
    """The extraction with things under the name that the graph knows them by, where that is the other name that was
    said of them: of "we renamed Orion to Atlas" Atlas becomes a name of Orion, where there is only that."""
    there = {entity.canonical for entity in known}
    named = {canonical_name(entity.name) for entity in found.entities}
    renamed: dict[str, str] = {}
    for entity in found.entities:
        others = [name for name in entity.stated if canonical_name(name) in there]
        if canonical_name(entity.name) not in there and len(others) == 1 and canonical_name(others[0]) not in named:
            renamed[entity.name] = others[0]
    if not renamed:
        return found

    def name(given: str) -> str:
        return renamed.get(given, given)

    return found.model_copy(
        update={
            "entities": tuple(_renamed(entity, renamed) for entity in found.entities),
            "attributes": tuple(one.model_copy(update={"entity": name(one.entity)}) for one in found.attributes),
            "dependencies": tuple(
                one.model_copy(update={"source": name(one.source), "target": name(one.target)})
                for one in found.dependencies
            ),
        }
    )


def _renamed(entity: ExtractedEntity, renamed: Mapping[str, str]) -> ExtractedEntity:
    """The entity under its new name, which takes the place of the old one among its other names."""
    name = renamed.get(entity.name)
    if name is None:
        return entity

    def others(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys((entity.name, *(one for one in names if canonical_name(one) != canonical_name(name))))
        )

    return entity.model_copy(update={"name": name, "aliases": others(entity.aliases), "stated": others(entity.stated)})


def likenesses(
    new: Sequence[str], there: Collection[str], spelled: Mapping[str, Sequence[str]], new_id: Callable[[], str]
) -> tuple[LikenessRow, ...]:
    """The proposals for new canonical names: each pair once, `MAX_PROPOSED` at most. `there` are the names of entities,
    `spelled` the similar ones that an index finds."""
    found: dict[frozenset[str], LikenessRow] = {}
    for name in new:
        formed = [
            (form, f"{name!r} may be {form!r}: another number, or a word for its kind or legal form")
            for form in forms(name)
        ]
        slips = [
            (other, f"{name!r} may be {other!r}: hardly another spelling")
            for other in dict.fromkeys([*spelled.get(name, ()), *new])
            if worth_spelling(name) and misspelt(name, other)
        ]
        for other, reason in [*(one for one in formed if one[0] in there or one[0] in new), *slips]:
            found.setdefault(frozenset((name, other)), LikenessRow(new_id(), name, other, reason))
    return tuple(found.values())[:MAX_PROPOSED]


def _numbers(word: str) -> Iterable[str]:
    """The plural of an English singular, or the reverse."""
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
    if word.endswith("es"):
        yield word[:-2]
    if not word.endswith("s"):
        yield f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        yield f"{word}es"


def _distance(one: str, other: str) -> int:
    """The edit distance: letters replaced, removed, inserted, or swapped with the next one."""
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, also in enumerate(other, 1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != also))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == also:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]
