"""What is said, changed and asked in the ways that are understood, with names and values that nobody has met: the rows
of `graphmem/rules/claims/slots.toml`, filled from a seeded source."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from graphmem.rules.claims.understood import UnderstoodSlot

_PARTS = ["west", "north", "central"]
_ONSETS = [
    "b",
    "br",
    "d",
    "dr",
    "f",
    "g",
    "gr",
    "h",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "pr",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "z",
]
_VOWELS = ["a", "e", "i", "o", "u"]
_CODAS = ["l", "n", "r", "s", "t", "m", "k", "nd", "rt", "lm", "sk"]
_THINGS = [
    "canoe",
    "greenhouse",
    "loom",
    "cello",
    "kiln",
    "allotment",
    "trailer",
    "ladder",
    "caravan",
    "sauna",
    "piano",
    "barn",
]
_MADE_OF = ["rowing", "brass", "tide", "harbour", "seed", "orchard", "copper", "linen", "ferry"]
_GROUPS = ["choir", "circle", "survey", "club", "workshop", "course", "team", "orchestra", "project"]
_TRADES = [
    "welder",
    "nurse",
    "baker",
    "carpenter",
    "teacher",
    "plumber",
    "gardener",
    "translator",
    "surveyor",
    "potter",
]
_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = ["January", "February", "April", "June", "July", "August", "September", "October", "November", "December"]


@dataclass(frozen=True, slots=True)
class Filled:
    """A slot with what it is of, two values, another thing of the same kind with a value, and its noun."""

    slot: UnderstoodSlot
    noun: str
    subject: str
    old: str
    value: str
    other: str
    third: str

    def say(self, way: str, value: str | None = None, subject: str | None = None) -> str:
        said = way.format(
            noun=self.noun, subject=subject or self.subject, value=value or self.value, old=self.old
        ).replace("s's ", "s' ")
        return said[0].upper() + said[1:] if said[0].islower() and "-" not in said.split()[0] else said


def filled(slot: UnderstoodSlot, source: Random) -> Filled:
    """The slot with made-up names and values, all of them different."""
    made: list[str] = []

    def make(kind: str) -> str:
        while (one := KINDS[kind](source)) in made or any(
            set(one.split()) & set(m.split()) - {"the", "our"} for m in made if kind in ("person", "company")
        ):
            pass
        made.append(one)
        return one

    noun = (slot.noun or "").format(made_up=f"{_word(source, 2).lower()}er")
    subject, other = make(slot.of), make(slot.of)
    old, value, third = make(slot.value), make(slot.value), make(slot.value)
    return Filled(slot, noun, subject, old, value, other, third)


def _word(source: Random, syllables: int) -> str:
    parts = [source.choice(_ONSETS) + source.choice(_VOWELS) for _ in range(syllables)]
    return "".join(parts).capitalize() + source.choice(_CODAS)


def _person(source: Random) -> str:
    return f"{_word(source, 1)}a {_word(source, 2)}" if source.random() < 0.5 else f"{_word(source, 2)}o"


def _company(source: Random) -> str:
    return _word(source, 2) + source.choice(["", " Labs", " Mills"])


def _system(source: Random) -> str:
    return f"{_word(source, 1).lower()}-{source.choice(['api', 'gateway', 'worker', 'store', 'portal'])}"


def _of(words: list[str]) -> Callable[[Random], str]:
    return lambda source: source.choice(words)


KINDS: dict[str, Callable[[Random], str]] = {
    "person": _person,
    "company": _company,
    "place": lambda source: _word(source, 2),
    "product": lambda source: _word(source, 2),
    "system": _system,
    "group": lambda source: f"the {source.choice(_MADE_OF)} {source.choice(_GROUPS)}",
    "thing": lambda source: f"the {source.choice(_THINGS)}",
    "identifier": lambda source: f"{_word(source, 1).lower()}-{source.choice(_PARTS)}-{source.randint(1, 4)}",
    "number": lambda source: str(source.randint(2100, 65000)),
    "version": lambda source: f"{source.randint(1, 19)}.{source.randint(0, 40)}.{source.randint(0, 9)}",
    "duration": lambda source: f"{source.randint(2, 59)} {source.choice(['seconds', 'minutes'])}",
    "money": lambda source: f"{source.randint(20, 9000)} {source.choice(['euros'])}",
    "degrees": lambda source: f"{source.randint(5, 90)} degrees",
    "length": lambda source: f"{source.randint(2, 90)} metres",
    "date": lambda source: f"{source.randint(1, 28)} {source.choice(_MONTHS)}",
    "clock": lambda source: f"{source.randint(6, 12)}:{source.choice(['00', '15', '30', '45'])}",
    "weekday": _of(_WEEKDAYS),
    "trade": _of(_TRADES),
    "language": lambda source: f"{_word(source, 1)}ish",
}
"""What a value or a thing of each kind looks like."""


def not_said(said: str) -> tuple[str, ...]:
    """A sentence denied, asked, supposed, made a condition, quoted."""
    inside = said[0].lower() + said[1:] if said.startswith("The ") else said
    bare = inside.removesuffix(".")
    return (
        f"It is not true that {inside}",
        f"Is it true that {bare}?",
        f"Maybe {inside}",
        f"I doubt that {inside}",
        f"If {bare}, we are fine.",
        f'Anna wrote: "{said}"',
    )
