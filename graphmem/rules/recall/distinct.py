"""Removes duplicate hits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.model.stored import FoundText
from graphmem.rules.recall.questions import stems
from graphmem.rules.recall.ranking import Ranked

Words = Mapping[str, tuple[Sequence[str], frozenset[str]]]
"""The words of texts, in order and as a set, by the id of the text."""
ALIKE = 0.9
"""Least share of common words at which texts of two kinds are one hit."""
TELLING = 3
"""Least content words, including its speaker, of a message that may be dropped as a duplicate."""


def distinct(ranked: Sequence[Ranked], texts: Mapping[str, FoundText]) -> list[Ranked]:
    """The hits without those that repeat a better one: a statement and the fact extracted from it are one hit, shown as
    the fact, which names its entity."""
    said = {candidate.id: stems(texts[candidate.id].text) for candidate in ranked}
    words = {id_: (in_order, frozenset(in_order)) for id_, in_order in said.items()}
    facts = [texts[candidate.id] for candidate in ranked if texts[candidate.id].kind == "attribute"]
    kept: dict[str, Ranked] = {}
    for candidate in ranked:
        text = texts[candidate.id]
        if text.kind == "memory":
            fact = next((fact for fact in facts if _says_the_same(text, fact, words)), None)
            if fact is not None:
                text, candidate = fact, replace(candidate, id=fact.id)
        if candidate.id in kept:
            continue
        if not any(_says_the_same(text, texts[id_], words) for id_ in kept):
            kept[candidate.id] = candidate
    return list(kept.values())


def _says_the_same(
    text: FoundText, other: FoundText, words: Mapping[str, tuple[Sequence[str], frozenset[str]]]
) -> bool:
    """Whether two texts say the same: of one kind the same words in the same order, except for endings and the smallest
    words; of two kinds nearly the same words. A message is never the same as what was extracted from it; two messages
    of a word or two ("Yes, thanks") may answer different things."""
    if not text.status == other.status == "active" or (text.kind == "message") != (other.kind == "message"):
        return False
    (in_order, mine), (others_in_order, others) = words[text.id], words[other.id]
    if text.kind == other.kind:
        return in_order == others_in_order and len(in_order) >= (TELLING if text.kind == "message" else 1)
    return bool(mine) and len(mine & others) >= ALIKE * len(mine | others)
