"""What extraction and supersession found, compared with a careful reader's labels."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from graphmem.model.extraction import ExtractedAttribute, Extraction
from graphmem.model.labels import FactLabel, Label, LabelledConversation, LabelledPair, LabelledStatement
from graphmem.rules.language.gazetteer import lookup
from graphmem.rules.language.text import canonical_name, fold
from graphmem.rules.supersession import Fact, Retirement, decide

Kind = Literal["entities", "attributes", "constraints", "dependencies"]
KINDS: tuple[Kind, ...] = ("entities", "attributes", "constraints", "dependencies")
_ENDING = re.compile(r"(?:ies|es|ed|ing|e|s|y)$")
_IRREGULAR = {
    form: {"lead": ("led",), "write": ("wrote", "written"), "run": ("ran",), "hold": ("held",), "keep": ("kept",)}[stem]
    for stem in ("lead", "write", "run", "hold", "keep")
    for form in (stem, f"{stem}s")
}
_JOINERS = re.compile(r"[\s_\-‐‑–—]+")
Labelled = TypeVar("Labelled", bound=Label)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Tally:
    """The finds of one kind: how many are right and wrong, how many labels were found and missed; and in words, what
    was wrong and what was missed."""

    right: int = 0
    wrong: tuple[str, ...] = ()
    held: int = 0
    missed: tuple[str, ...] = ()

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.right + other.right, self.wrong + other.wrong, self.held + other.held, self.missed + other.missed
        )

    @property
    def precision(self) -> float | None:
        """The share of the finds that is right; None where nothing was found."""
        return self.right / (self.right + len(self.wrong)) if self.right or self.wrong else None

    @property
    def recall(self) -> float | None:
        """The share of the labels that was found; None where there are none."""
        return self.held / (self.held + len(self.missed)) if self.held or self.missed else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of the two; None where one of them is None."""
        precision, recall = self.precision, self.recall
        if precision is None or recall is None:
            return None
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def compare(found: Extraction, labels: LabelledConversation) -> dict[Kind, Tally]:
    """How the finds agree with the labels of the conversation, by kind.

    *Shape*: one label and one find of the same thing are one hit. A fact matches when it is about a labelled entity,
    was read in the labelled message and contains the labelled words; one that states two labelled things is right for
    both, and two that together state one labelled thing are right. Optional labels, and what matches them, do not
    count.
    """
    names = _Names(labels)
    by_kind = {
        kind: [attribute for attribute in found.attributes if attribute.kind == kind]
        for kind in ("attribute", "constraint")
    }
    return {
        "entities": _paired(
            found.entities,
            labels.entities,
            lambda entity, label: bool(
                names.forms(entity.name, *entity.aliases) & names.forms(label.name, *label.also)
            ),
            lambda entity: entity.name,
            lambda label: label.name,
        ),
        "attributes": _facts(found, by_kind["attribute"], labels.attributes, names),
        "constraints": _facts(found, by_kind["constraint"], labels.constraints, names),
        "dependencies": _paired(
            found.dependencies,
            labels.dependencies,
            lambda edge, label: (
                edge.type in label.type
                and names.same(edge.source, [label.source])
                and names.same(edge.target, [label.target])
            ),
            lambda edge: f"{edge.source} {edge.type} {edge.target}",
            lambda label: f"{label.source} {'/'.join(label.type)} {label.target}",
        ),
    }


def retirement(pair: LabelledPair, min_confidence: float) -> Retirement | None:
    """What a write of the newer statement of a pair would do to the older one; None: nothing.

    Both are extracted facts of one aspect of one entity, unless the pair names two subjects: facts of two entities are
    never compared.
    """
    subjects = {canonical_name(side.subject) for side in (pair.old, pair.new) if side.subject}
    if len(subjects) > 1:
        return None
    old, new = _as_fact("old", pair.old), _as_fact("new", pair.new)
    plan = decide([new], [old], min_confidence=min_confidence, shadow=False)
    return next((one for one in plan if one.old_id == old.id), None)


def _as_fact(id_: str, side: LabelledStatement) -> Fact:
    return Fact(
        id=id_,
        content=side.content,
        kind=side.kind,
        claim_key=side.claim_key,
        confidence=1.0,
        explicit=False,
        pinned=False,
        valid_from=side.created_at,
        created_at=side.created_at,
    )


def tally_pair(pair: LabelledPair, min_confidence: float) -> Tally:
    """A pair as a tally of one: rightly found, wrongly found, missed, or, rightly, nothing."""
    told = f"{pair.old.content} | {pair.new.content}"
    if retirement(pair, min_confidence) is None:
        return Tally(missed=(told,)) if pair.conflict else Tally()
    return Tally(right=1, held=1) if pair.conflict else Tally(wrong=(told,))


class _Names:
    """Which names mean the same, by the labels."""

    def __init__(self, labels: LabelledConversation) -> None:
        self._entity: Mapping[str, int] = {
            canonical_name(name): index
            for index, entity in enumerate(labels.entities)
            for name in (entity.name, *entity.also)
        }

    def forms(self, *names: str) -> set[str]:
        return {canonical_name(name) for name in names}

    def same(self, name: str, others: Iterable[str]) -> bool:
        """Whether a name is one of the others, or they name the same labelled entity."""
        mine = canonical_name(name)
        theirs = [canonical_name(other) for other in others]
        entity = self._entity.get(mine)
        return mine in theirs or (entity is not None and entity in [self._entity.get(other) for other in theirs])


def _paired(
    found: Sequence[Found],
    labels: Sequence[Labelled],
    same: Callable[[Found, Labelled], bool],
    told: Callable[[Found], str],
    told_label: Callable[[Labelled], str],
) -> Tally:
    """Each label is paired with its first find; the rest is wrong or missed."""
    left = list(labels)
    wrong: list[str] = []
    right = 0
    for one in found:
        label = next((label for label in left if same(one, label)), None)
        if label is None:
            wrong.append(told(one))
            continue
        left.remove(label)
        right += not label.optional
    missed = tuple(told_label(label) for label in left if not label.optional)
    return Tally(right, tuple(wrong), right, missed)


def _facts(found: Extraction, facts: Sequence[ExtractedAttribute], labels: Sequence[FactLabel], names: _Names) -> Tally:
    right: set[int] = set()
    excused: set[int] = set()
    missed: list[str] = []
    held = 0
    for label in labels:
        near = [
            place
            for place, fact in enumerate(facts)
            if found.statements[fact.statement].source.message == label.message
            and names.same(fact.entity, label.entity)
        ]
        whole = [place for place in near if all(says(facts[place].content, word) for word in label.says)]
        if not whole:
            partly = [place for place in near if any(says(facts[place].content, word) for word in label.says)]
            together = "\n".join(facts[place].content for place in partly)
            whole = partly if all(says(together, word) for word in label.says) else []
        if label.optional:
            excused.update(whole)
        elif whole:
            held += 1
            right.update(whole)
        else:
            missed.append(f"{label.message}: {'/'.join(label.entity)}: {' '.join('/'.join(w) for w in label.says)}")
    excused -= right
    wrong = [
        f"{found.statements[fact.statement].source.message}: {fact.entity}: {fact.content}"
        for place, fact in enumerate(facts)
        if place not in right and place not in excused
    ]
    return Tally(len(right), tuple(wrong), held, tuple(missed))


def says(content: str, alternatives: Sequence[str]) -> bool:
    text = _spaced(content)
    return any(re.search(rf"(?<!\w){re.escape(form)}", text) for word in alternatives for form in _forms(word))


def _forms(word: str) -> Iterable[str]:
    """A word without its ending, so that all endings match; a name also in graphmem's spelling."""
    known = lookup(word)
    yield _spaced(_ENDING.sub("", word) if len(word) > 3 and word.isalpha() and not known else word)
    if known:
        yield _spaced(known.name)
    yield from _IRREGULAR.get(fold(word), ())


def _spaced(text: str) -> str:
    return _JOINERS.sub(" ", fold(text))
