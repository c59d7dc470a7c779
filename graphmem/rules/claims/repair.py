"""Slips of a small parser that grammar alone shows, put right before a sentence is read for claims."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.model.parsed import Token
from graphmem.rules.claims.words import LABELS

_OF_NOUNS = frozenset({"pobj", "dobj", "nsubj", "nsubjpass", "attr", "appos"})
_BEFORE_NOUNS = frozenset({"det", "compound", "amod", "poss"})
_COUNTS = frozenset({"nummod", "quantmod"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_MONTHS = ("may", "march")
_LONGEST_MONTH = 31
_NOUNS = ("NOUN", "PROPN")
_VERBS = ("VERB", "AUX")


def repaired(tokens: Sequence[Token], first: int, last: int) -> Sequence[Token]:
    """The tokens of a text, those of the sentence [first, last) without slips; the same object where it has none.

    - A noun with an article before it that is taken for a verb: "of the harbour survey".
    - A noun before its number that is taken for one: "to version 12.1".
    - A month behind its day that is taken for a verb: "on 3 may".
    - A verb that is joined to another one and is taken for a noun: "I live in Porto, work at Globex".
    - The subject of a joined verb that is taken for one more object of the verb before: "Ada leads A and Ben leads B".
    - A verb that is taken for a participle of its subject, in a sentence without another verb: "The price changed from
      3 to 4 euros".
    """
    below: dict[int, list[int]] = defaultdict(list)
    for place in range(first, last):
        if tokens[place].head != place:
            below[tokens[place].head].append(place)
    changed: dict[int, Token] = {}
    for place in range(first, last):
        token = tokens[place]
        if token.pos in _NOUNS and token.dep == "conj":
            changed |= _as_joined(tokens, place, last, below)
        if token.text.lower() in _MONTHS and place > first and _is_month(tokens, place, last):
            changed[place] = replace(token, pos="PROPN", tag="NNP", dep="npadvmod")
        if token.pos != "VERB":
            continue
        if token.dep in _OF_NOUNS and any(tokens[one].dep in _BEFORE_NOUNS and one < place for one in below[place]):
            changed[place] = replace(token, pos="NOUN", tag="NN")
        elif token.text.lower() in LABELS and place + 1 < last and tokens[place + 1].text[:1].isdigit():
            changed |= _as_label(tokens, place)
    root = next((place for place in range(first, last) if tokens[place].head == place), first)
    verbs = [place for place in range(first, last) if tokens[place].pos in _VERBS and place not in changed]
    if len(verbs) == 1 and tokens[root].pos in ("NOUN", "PROPN") and _is_misplaced(tokens[verbs[0]], root, verbs[0]):
        changed |= _as_subject(tokens, root, verbs[0], below[root])
    return [changed.get(place, token) for place, token in enumerate(tokens)] if changed else tokens


def _is_month(tokens: Sequence[Token], place: int, last: int) -> bool:
    day = tokens[place - 1].text
    helps = place + 1 < last and tokens[place + 1].tag in ("VB", "RB")
    return day.isdigit() and 0 < int(day) <= _LONGEST_MONTH and tokens[place].pos in _VERBS and not helps


def _as_joined(tokens: Sequence[Token], place: int, last: int, below: Mapping[int, Sequence[int]]) -> dict[int, Token]:
    """A noun that is joined to something as the verb that it is, or as the subject of the verb that follows it."""
    token = tokens[place]
    bare = not any(tokens[one].dep in _BEFORE_NOUNS | _COUNTS for one in below[place])
    if token.pos == "NOUN" and tokens[token.head].pos == "VERB" and bare and any(one > place for one in below[place]):
        return {place: replace(token, pos="VERB", tag="VBP" if token.tag == "NN" else "VBZ")}
    following = tokens[place + 1] if place + 1 < last else None
    if following is None or following.tag not in ("VBZ", "VBP", "VBD") or following.dep != "conj":
        return {}
    own = any(tokens[one].dep in _SUBJECTS for one in below[place + 1])
    return {} if own or following.head >= place else {place: replace(token, dep="nsubj", head=place + 1)}


def _as_label(tokens: Sequence[Token], place: int) -> dict[int, Token]:
    """A noun before its number, behind a preposition that is taken for a part of the verb."""
    changed = {place + 1: replace(tokens[place + 1], dep="nummod", head=place)}
    before = place - 1
    if before >= 0 and tokens[before].head == place and tokens[before].dep == "aux":
        changed[before] = replace(tokens[before], pos="ADP", tag="IN", dep="prep", head=tokens[place].head)
        changed[place] = replace(tokens[place], pos="NOUN", tag="NN", dep="pobj", head=before)
    else:
        changed[place] = replace(tokens[place], pos="NOUN", tag="NN")
    return changed


def _is_misplaced(verb: Token, root: int, place: int) -> bool:
    return verb.dep == "acl" and verb.head == root < place and verb.tag in ("VBD", "VBN")


def _as_subject(tokens: Sequence[Token], root: int, verb: int, below: Sequence[int]) -> dict[int, Token]:
    changed = {
        root: replace(tokens[root], dep="nsubj", head=verb),
        verb: replace(tokens[verb], dep="ROOT", head=verb, tag="VBD"),
    }
    return changed | {one: replace(tokens[one], head=verb) for one in below if one > verb}
