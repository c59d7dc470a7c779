"""The words by which claims are read and compared, from `words.toml` and `slots.toml`."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from graphmem.rules.claims.understood import understood
from graphmem.rules.language.relative_dates import WEEKDAYS
from graphmem.rules.language.stems import stem


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))


def _set(group: str, name: str) -> frozenset[str]:
    return frozenset(_table()[group][name].split())


def _phrases(*names: str) -> re.Pattern[str]:
    said = [phrase.strip() for name in names for phrase in _table()["words"][name].split(",")]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(said, key=len, reverse=True)))})\b")


_PARTS = re.compile(r"[\s\-_/]+")


def name_words(name: str) -> frozenset[str]:
    """The keys of the words of a name, as topics have them.

    >>> sorted(name_words("tide-plots"))
    ['plot', 'tid']
    """
    return frozenset(stem(word) for word in _PARTS.split(name) if word)


NUMBERS: dict[str, int] = _table()["numbers"]
UNITS: dict[str, tuple[str, float]] = {
    word: (unit, float(worth)) for unit, words in _table()["units"].items() for word, worth in words.items()
}
"""Each word for a unit: the unit it is counted in, and how many of it that is."""
CURRENCIES = frozenset({"eur", "usd", "gbp", "chf", "jpy"})
CHANGE = _set("verbs", "change")
REPLACE = _set("verbs", "replace")
LEAVE = _set("verbs", "leave")
INTEND = _set("verbs", "intend")
REPORT = _set("verbs", "report")
ONE_DOES = _set("verbs", "one_does")
MANY = _set("verbs", "many")
PART = _set("verbs", "part")
CEASE = _set("verbs", "cease")
BECOME = _set("verbs", "become")
LABELS = _set("nouns", "labels")
MANY_ROLES = _set("nouns", "many")
_COUNTED = {
    "number": ("amount", "label"),
    "version": ("version",),
    "date": ("date", "year"),
    "clock": ("clock",),
    "weekday": ("weekday",),
}
"""Kinds of values of which a claim has kinds of its own; others are amounts."""
_NAMED = ("name", "thing", "sort", "label")
RELATIONS: dict[str, frozenset[tuple[str, str]]] = {slot.name: slot.frames for slot in understood() if slot.frames}
"""Each slot that verbs fill: those verbs, each with a preposition or an adjective, '' for neither."""
KINDS: dict[str, frozenset[str]] = {
    slot.name: frozenset(_COUNTED.get(slot.value, ("amount",)) if slot.is_counted else _NAMED) for slot in understood()
}
"""Each slot with the kinds of its values."""
SINGLE = frozenset(slot.name for slot in understood() if slot.single)
"""Slots of which another value excludes the one before, whether or not a change is spoken of."""
MANY_SLOTS = frozenset(slot.name for slot in understood() if slot.many)
SLOT_NAMES: dict[str, str] = {
    slot_word: slot.name
    for slot in understood()
    for slot_word in (slot.name, slot.noun, *slot.also)
    if slot_word and "{" not in slot.noun
}
"""Each noun and other name of a slot, with its one name."""
SLOTS_BY_NOUN: dict[str, str] = {stem(word): name for word, name in SLOT_NAMES.items() if word.isalpha()}
FRAMES = frozenset[tuple[str, str]]().union(*RELATIONS.values())


def verbs_like(verb: str) -> frozenset[str]:
    """The other verbs that tell a relation which this one tells.

    >>> sorted({"move", "settle"} & verbs_like("live"))
    ['move', 'settle']
    """
    told = (frozenset(one for one, _ in frames) for frames in RELATIONS.values())
    return frozenset[str]().union(*(verbs for verbs in told if verb in verbs)) - {verb}


LIGHT = _set("words", "light")
FADING = _set("words", "fading")
BYGONE = _set("words", "bygone")
MEANT = _set("words", "meant")
WHEN = _set("words", "when")
PREPOSITIONS = _set("words", "prepositions")
DIRECTED = _set("words", "directed")
BOUNDS = _set("words", "bounds")
TITLES = _set("words", "titles")
SUPPOSING = _set("words", "supposing")
GONE = _set("words", "gone")
DOUBT = _phrases("doubt")
ALSO = _phrases("also")
OTHERWISE = re.compile(rf"{_phrases('now', 'moved').pattern}|\bfrom (?:now|today|tomorrow|next \w+|\w+ on)\b")
"""What says that something is otherwise than before."""
WEEKDAY = {form: name for name in WEEKDAYS for form in (name, f"{name}s")}
"""Each weekday by its forms."""
