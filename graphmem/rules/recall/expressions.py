"""Regular expressions over texts: compiled, and matched within a time limit."""

import re

import regex

from graphmem.errors import InvalidInput
from graphmem.rules.recall.grep import Met

MAX_CHARS = 10_000
MAX_STEPS = 50_000
"""Steps of a pattern with its counted repeats written out, as the library does: `(a{1000}){1000}` would take seconds
and half a gigabyte to compile."""
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(?P<count>\d+)(?:,\d*)?\}|.", re.DOTALL)
_LOOKS_BACK = re.compile(r"\^|\\[AG]|\(\?<[=!]")
"""Anchors that may match at the beginning of a message but not after the speaker's name."""
_SHORT_CHARS = 200


class Expression:
    """A pattern in the `search` sense of the `regex` library, applied to texts as written.

    Errors: InvalidInput says what is wrong with the pattern, and where.
    """

    def __init__(self, pattern: str) -> None:
        if len(pattern) > MAX_CHARS:
            raise InvalidInput.at("pattern", msg=f"a regular expression has at most {MAX_CHARS:,} characters")
        if _steps(pattern) > MAX_STEPS:
            raise InvalidInput.at("pattern", msg="its counted repeats are too many: write smaller numbers in { }")
        try:
            self._compiled = regex.compile(pattern, cache_pattern=False)
        except regex.error as error:
            raise InvalidInput.at("pattern", msg=f"is no regular expression: {error}") from None
        except (RecursionError, OverflowError, MemoryError, ValueError, KeyError, IndexError, TypeError):
            raise InvalidInput.at("pattern", msg="is no regular expression that can be used: simplify it") from None
        self._looks_back = _LOOKS_BACK.search(pattern) is not None

    def matched(self, text: str, name: str | None, timeout_s: float) -> Met | None:
        """The match of a text with the pattern; `name` is the speaker it may begin with.

        *Score*: the shorter the text, the better. Errors: TimeoutError.
        """
        spoken = f"{name}: "
        begin = len(spoken) if name and self._looks_back and text.startswith(spoken) else 0
        found = self._span(text[begin:], timeout_s) if begin else None
        span = (found[0] + begin, found[1] + begin) if found else self._span(text, timeout_s)
        return Met((), round(0.5 + 0.5 / (1 + len(text) / _SHORT_CHARS), 6), span) if span else None

    def _span(self, text: str, timeout_s: float) -> tuple[int, int] | None:
        found = self._compiled.search(text, timeout=max(timeout_s, 0.001), concurrent=True)
        return found.span() if found else None


def _steps(pattern: str) -> int:
    """The approximate number of steps of a pattern with its counted repeats expanded."""
    open_groups = [0]
    last = 0
    for token in _TOKEN.finditer(pattern):
        if token["count"]:
            open_groups[-1] += last * (int(token["count"][:9]) - 1)
            last *= int(token["count"][:9])
        elif token[0] == "(":
            open_groups.append(0)
        elif token[0] == ")" and len(open_groups) > 1:
            last = open_groups.pop()
            open_groups[-1] += last
        else:
            last = 1
            open_groups[-1] += last
    return max(open_groups)
