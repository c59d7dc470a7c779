"""What a clause says, in a form that another clause can be compared with."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, NamedTuple

from graphmem.model.value import Value

ValueKind = Literal["name", "amount", "label", "version", "clock", "weekday", "date", "year", "sort", "thing"]
"""`label`: a number behind its noun (port 7000). `sort`: what distinguishes a thing of its kind (the Team plan).
`thing`: a common noun where a name could stand (works at the bakery)."""
Mood = Literal["stated", "planned", "supposed", "asked", "reported", "denied"]


class ClaimValue(Value):
    """One value in a clause: `key` in `unit`, in a form in which equal values are equal, and the `words` that give it.

    `unit` of a label or sort is the noun it belongs to. `role` is its place in the clause: `subject`, `owner`, `attr`,
    `dobj`, a preposition such as `in`, or the parser's label. `head` is the noun that it modifies, if any.
    """

    kind: ValueKind
    key: str
    unit: str = ""
    words: str
    role: str
    head: str = ""


class Claim(Value):
    """One clause: its verb, what it is about, and its values.

    `subject`, `object` and `about` are the content words of its subject, its object and all else, in lower case and
    without the values; `head` is the noun of the subject, `modifiers` are those of each noun. `former` are values that
    it says hold no more. `speaker` is who speaks, where the clause is about them. `role`: the noun of "the owner of",
    where it says who or what that is. `changes`: its words say that something is otherwise than before; `takes_over`:
    that somebody takes a role from another; `adds`: that something holds as well; `past`: that it was so, and no more
    than that. `passive`: its subject is what something is done to. `since` and `until` (exclusive): the times within
    which it says that this holds, None for open ends; a named day, month or year counts as a whole. `still`: it says
    that it holds since then, as of when it is said. `slot`, `scope`: what a caller said that it fills, and what that is
    narrowed to; of a claim that was read both are empty.
    """

    verb: str
    subject: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    head: str = ""
    modifiers: Mapping[str, tuple[str, ...]] = {}
    values: tuple[ClaimValue, ...] = ()
    former: tuple[ClaimValue, ...] = ()
    speaker: str = ""
    role: str = ""
    mood: Mood = "stated"
    negative: bool = False
    changes: bool = False
    takes_over: bool = False
    adds: bool = False
    past: bool = False
    passive: bool = False
    since: datetime | None = None
    until: datetime | None = None
    still: bool = False
    slot: str = ""
    scope: tuple[str, ...] = ()


Polarity = Literal["positive", "negative"]


class ShownClaim(Value):
    """A claim as people and models see it: `value` in the words that give it; null where nothing is said of one."""

    slot: str | None = None
    value: str | None = None
    scope: tuple[str, ...] = ()
    polarity: Polarity = "positive"
    mood: Mood = "stated"


class Held(NamedTuple):
    """What a clause says of time, None for open ends; `still`: that it holds since then, when it is said."""

    since: datetime | None = None
    until: datetime | None = None
    still: bool = False
