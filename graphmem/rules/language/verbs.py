"""Verbs that link things, by all their forms: "writes", "wrote" and "written" are forms of write."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from graphmem.rules.language.stems import word_set

Form = Literal["base", "third", "past", "participle", "ing"]


@dataclass(frozen=True, slots=True)
class Verb:
    """A word as a verb: its lemma, and which forms the word may be."""

    lemma: str
    forms: frozenset[Form]


_IRREGULAR: dict[str, tuple[str, str]] = {
    "be": ("was", "been"),
    "build": ("built", "built"),
    "come": ("came", "come"),
    "feed": ("fed", "fed"),
    "get": ("got", "got"),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "hold": ("held", "held"),
    "keep": ("kept", "kept"),
    "lead": ("led", "led"),
    "put": ("put", "put"),
    "read": ("read", "read"),
    "rewrite": ("rewrote", "rewritten"),
    "run": ("ran", "run"),
    "sell": ("sold", "sold"),
    "send": ("sent", "sent"),
    "sit": ("sat", "sat"),
    "speak": ("spoke", "spoken"),
    "take": ("took", "taken"),
    "write": ("wrote", "written"),
    "do": ("did", "done"),
}
_DOUBLED = word_set("run sit put get ship log port wrap swap plug map sub submit")
_BE: dict[str, Form] = {"is": "third", "are": "base", "'s": "third", "’s": "third", "'re": "base", "’re": "base"}


def verb_forms(lemmas: Iterable[str]) -> dict[str, Verb]:
    """Each form of each verb.

    >>> forms = verb_forms(["write", "rely"])
    >>> forms["written"].lemma, sorted(forms)[:4], sorted(forms["relied"].forms)
    ('write', ['relied', 'relies', 'rely', 'relying'], ['participle', 'past'])
    """
    found: dict[str, set[Form]] = {}
    lemma_of: dict[str, str] = {}
    for lemma in lemmas:
        for word, form in _forms(lemma):
            found.setdefault(word, set()).add(form)
            lemma_of.setdefault(word, lemma)
    return {word: Verb(lemma_of[word], frozenset(forms)) for word, forms in found.items()}


def _forms(lemma: str) -> list[tuple[str, Form]]:
    if lemma == "be":
        return [("be", "base"), ("was", "past"), ("were", "past"), *_BE.items()]
    stem = lemma + lemma[-1] if lemma in _DOUBLED else lemma.removesuffix("e")
    ending = lemma[:-1] + "i" if lemma.endswith("y") and lemma[-2] not in "aeiou" else ""
    third = ending + "es" if ending else lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x", "o")) else "s")
    regular = (ending or stem) + "ed"
    past, participle = _IRREGULAR.get(lemma, (regular, regular))
    return [(lemma, "base"), (third, "third"), (past, "past"), (participle, "participle"), (stem + "ing", "ing")]
