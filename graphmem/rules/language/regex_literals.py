"""The literals that a text must contain for a regular expression to match, derived from the expression.

Only known constructs are used: an expression with anything else (verbose mode, recursion, fuzzy matching, references,
nested sets) has no literals, and every text is tried.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Literals = tuple[str, ...]
MOST_ALTERNATIVES = 16
"""With more alternatives, searching for all of them costs more than it saves."""
_QUANTIFIER = re.compile(r"(?:[*+?]|\{(\d*)(?:,\d*)?\})")
_PLAIN_GROUP = re.compile(r"\?(?::|>|P?<[A-Za-z_]\w*>|[ims]+:)")
_LOOK_AROUND = re.compile(r"\?<?[=!]")
_FLAGS = re.compile(r"\?[ims]+\)")
_CLASSES = frozenset("dDwWsSbBAZntrfv")
"""Letters with a meaning after a backslash and without an argument; none of them stands for itself."""
_MARKS = frozenset("*+?{")


class _NotUnderstood(Exception):
    """A construct that this parser does not know."""


@dataclass
class _Alternative:
    """The requirements of one branch: `ways`, of which one must be met, each with texts that must all occur; `run` is
    the text being read. Requirements that would make more than `most` ways are dropped."""

    most: int
    ways: list[Literals] = field(default_factory=lambda: [()])
    run: str = ""

    def end_run(self) -> None:
        if self.run:
            self.ways = [(*way, self.run) for way in self.ways]
            self.run = ""

    def also(self, ways: list[Literals]) -> None:
        """One of these must be met as well; too many are dropped, which requires less."""
        self.end_run()
        if all(ways) and len(self.ways) * len(ways) <= self.most:
            self.ways = [(*one, *other) for one in self.ways for other in ways]


def literals(pattern: str, most: int = MOST_ALTERNATIVES) -> list[Literals]:
    """Alternatives, of which a matching text contains all texts of at least one, ignoring case; [] where nothing is
    known, or there are more than `most`.

    >>> literals(r"(?i)error: (timeout|refused) in \\d+ ms")
    [('error: ', 'timeout', ' in ', ' ms'), ('error: ', 'refused', ' in ', ' ms')]
    >>> literals(r"colou?r|\\w+")
    []
    """
    try:
        reader = _Reader(pattern, most)
        ways = reader.branches()
        if reader.at < len(pattern):
            return []
    except (_NotUnderstood, RecursionError):
        return []
    return ways if all(ways) and len(ways) <= most else []


class _Reader:
    def __init__(self, pattern: str, most: int) -> None:
        self._pattern = pattern
        self._most = most
        self.at = 0

    def branches(self) -> list[Literals]:
        """The ways of alternatives separated by `|`, up to the end of their group."""
        ways = list(self._branch())
        while self._next() == "|":
            self.at += 1
            ways += self._branch()
        return ways

    def _next(self) -> str:
        return self._pattern[self.at : self.at + 1]

    def _branch(self) -> Iterator[Literals]:
        read = _Alternative(self._most)
        while self._next() not in ("", "|", ")"):
            letter, ways = self._atom()
            least, many = self._quantifier()
            if letter and least and not many:
                read.run += letter
                continue
            if letter and least:
                read.run += letter
            read.end_run()
            if ways and least:
                read.also(ways)
        read.end_run()
        yield from read.ways

    def _atom(self) -> tuple[str, list[Literals]]:
        """The next item of the pattern: a literal letter, or the requirements of a group; else neither."""
        sign = self._next()
        self.at += 1
        if sign == "(":
            return "", self._group()
        if sign == "[":
            self._set()
            return "", []
        if sign == "\\":
            return self._escaped(), []
        if sign in _MARKS:
            raise _NotUnderstood
        return ("" if sign in ".^$" else sign), []

    def _group(self) -> list[Literals]:
        """The requirements of a group; nothing for a lookaround."""
        if self._next() == "?":
            if flags := _FLAGS.match(self._pattern, self.at):
                self.at = flags.end()
                return []
            looks = _LOOK_AROUND.match(self._pattern, self.at)
            opening = looks or _PLAIN_GROUP.match(self._pattern, self.at)
            if opening is None:
                raise _NotUnderstood
            self.at = opening.end()
        else:
            looks = None
        ways = self.branches()
        if self._next() != ")":
            raise _NotUnderstood
        self.at += 1
        return [] if looks else ways

    def _set(self) -> None:
        """Skip a character set."""
        if self._next() == "^":
            self.at += 1
        first = True
        while (sign := self._next()) != "]" or first:
            if sign in ("", "["):
                raise _NotUnderstood
            self.at += 2 if sign == "\\" else 1
            first = False
        self.at += 1

    def _escaped(self) -> str:
        sign = self._next()
        self.at += 1
        if sign in _CLASSES:
            return ""
        if not sign or sign.isalnum() or sign == "_":
            raise _NotUnderstood
        return sign

    def _quantifier(self) -> tuple[bool, bool]:
        """Whether the last item occurs at least once, and whether it may occur more or less often than once."""
        found = _QUANTIFIER.match(self._pattern, self.at)
        if found is None:
            if self._next() == "{":
                raise _NotUnderstood
            return True, False
        self.at = found.end()
        if self._next() in ("?", "+"):  # lazy, possessive
            self.at += 1
        if self._next() in _MARKS:
            raise _NotUnderstood
        least = found[0] == "+" or bool(found[1] and int(found[1]))
        return least, True
