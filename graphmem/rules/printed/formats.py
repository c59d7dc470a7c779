"""The tables of formats, read once: rules/printed/formats.toml."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from graphmem.rules.printed.lines import Printed

Table = Literal["failed", "error", "frame", "broken", "built", "ending"]
Words = Literal["outcomes", "severity", "vendor", "receipts"]


@dataclass(frozen=True, slots=True)
class Format:
    """How a line of a format looks. It is looked for only where `cue` occurs."""

    cue: str
    pattern: re.Pattern[str]
    verdict: str = ""
    whole: bool = False
    """It names what has tests, such as a file."""


def matches(printed: Printed, table: Table) -> list[tuple[int, re.Match[str], Format]]:
    """What has a format of the table, with the numbers of its lines; format by format, in order."""
    if table not in printed.known:
        printed.known[table] = [
            (printed.number_at(found.start()), found, one)
            for one in formats(table)
            if printed.has(one.cue)
            for found in one.pattern.finditer(printed.text)
        ]
    return printed.known[table]


@cache
def formats(table: Table) -> tuple[Format, ...]:
    return tuple(
        Format(
            row.get("cue", ""),
            re.compile(row["pattern"], re.MULTILINE),
            row.get("verdict", ""),
            row.get("whole", False),
        )
        for row in _given()[table]
    )


@cache
def word_kinds(table: Words) -> Mapping[str, str]:
    """The words of a table, folded, each with its kind."""
    return {
        word.replace(".", " ") if table != "vendor" else word: kind
        for kind, given in _given()[table].items()
        for word in given.split()
    }


@cache
def _given() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("formats.toml").read_text(encoding="utf-8"))


def group(found: re.Match[str], name: str) -> str:
    """A named group; '' where the pattern or the match has none."""
    return (found.groupdict().get(name) or "").strip()
