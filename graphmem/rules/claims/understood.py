"""The kinds of things that are understood, from `slots.toml`: the ways to say, change, end and ask for each."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_PEOPLE = ("person", "company")
_COUNTED = ("number", "version", "duration", "money", "degrees", "length", "date", "clock", "weekday")


@dataclass(frozen=True, slots=True)
class UnderstoodSlot:
    """One slot. `of`, `value`: kinds of what it is of, and of its value. `single`: another value excludes the one
    before though no word tells of a change. `also`: other names of it. `frames`: verbs that say it, each with the
    preposition before its value or an adjective, "" for neither. The ways have places for {subject}, {value}, {old}
    and {noun}."""

    name: str
    of: str
    value: str
    noun: str = ""
    many: bool = False
    single: bool = False
    also: tuple[str, ...] = ()
    frames: frozenset[tuple[str, str]] = frozenset()
    say: tuple[str, ...] = ()
    change: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()

    @property
    def is_counted(self) -> bool:
        """Whether its values are amounts, numbers, times or days, rather than names."""
        return self.value in _COUNTED


@cache
def understood() -> tuple[UnderstoodSlot, ...]:
    """All slots, with the ways that each has from its noun and the kind of its values."""
    table = tomllib.loads(files(__package__).joinpath("slots.toml").read_text(encoding="utf-8"))
    return tuple(_slot(name, row, table["ways"]) for name, row in table["slots"].items())


def _slot(name: str, row: Mapping[str, Any], ways: Mapping[str, Mapping[str, list[str]]]) -> UnderstoodSlot:
    kinds = ["noun"] if "noun" in row else []
    if kinds and row["value"] in _PEOPLE:
        kinds.append("person")
    if kinds and row["value"] in _COUNTED:
        kinds.append("amount")
    said = {
        part: tuple(dict.fromkeys([*row.get(part, ()), *(way for kind in kinds for way in ways[kind].get(part, ()))]))
        for part in ("say", "change", "end", "ask")
        if not (part == "change" and row.get("many"))
    }
    also = tuple(one.strip() for one in row.get("also", "").split(",") if one.strip())
    frames = frozenset(
        (verb, word.strip("-"))
        for verbs, words in row.get("frames", {}).items()
        for verb in verbs.split()
        for word in words.split()
    )
    return UnderstoodSlot(name, **{**row, "also": also, "frames": frames, **said})
