"""Logs: how many lines of which level, and the first error."""

import re
from collections import Counter

from graphmem.model.printed import ToolReading
from graphmem.rules.printed.lines import Printed, about, counted
from graphmem.rules.printed.traces import frames, place_of

_SHARE = 0.5
"""The share of lines that must begin as lines of a log do; others belong to the one before."""
_FEWEST = 3
_TIME = (
    r"(?:\[?\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\]?"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?|\[?\d\d?[./]\w{2,3}[./]\d{2,4}[ :]\d\d:\d\d(?::\d\d)?(?: [+-]\d{4})?\]?"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\[ *\d+\.\d{3,6}\]|ts=\S+|time=\S+)"
)
_LEVELS = {
    "error": "error err errors fatal critical crit panic severe alert emerg emergency exception fehler erreur ошибка "
    "错误",
    "warning": "warn warning warnings warnung avertissement предупреждение 警告",
    "info": "info notice information log",
    "debug": "debug trace verbose fine finer finest",
}
_LEVEL_OF = {word: level for level, words in _LEVELS.items() for word in words.split()}
_TIMED = re.compile(rf"^{_TIME}[ \t\]:,-]")
_STATUS = re.compile(r'" (?P<status>[1-5]\d\d) (?:\d+|-)')
"""The status of a request in an access log."""
_SHORT = re.compile(r"(?P<letter>[EWIDF])\d{4}$")
"""A level by its letter, with the day behind it."""
_SHORT_LEVELS = {"E": "error", "F": "error", "W": "warning", "I": "info", "D": "debug"}
_NAMED = re.compile(r"^(?:level|lvl|severity)=")
_MARKS = "[](){}<>:|,\"'*"
_AMONG_FIRST = 5
"""The words of a line, behind its time, among which its level stands."""


def read_log(printed: Printed) -> ToolReading | None:
    """A log; None for anything else."""
    levels: Counter[str] = Counter()
    first, begun, timed = -1, 0, 0
    for number, line in enumerate(printed.lines):
        level, has_time = _read(line.text)
        begun += bool(level) or has_time
        timed += has_time
        if level:
            levels[level] += 1
        if level == "error" and first < 0:
            first = number
    if begun < _FEWEST or begun < _SHARE * len(printed.filled) or (not timed and sum(levels.values()) < begun):
        return None
    counts = [counted(levels[level], level) for level in ("error", "warning") if levels[level]]
    lines = [about("Log", ", ".join([counted(begun, "entry", "entries"), *counts]), printed.filled)]
    if first >= 0:
        lines.append(about("First error", printed.lines[first].text, [printed.lines[first]], _place(printed, first)))
    return ToolReading("log", None, tuple(lines))


def _read(text: str) -> tuple[str, bool]:
    """The level of a line, '' where it shows none, and whether it begins with a time."""
    time = _TIMED.match(text)
    timed = bool(time)
    for place, word in enumerate(text[time.end() if time else 0 :][:200].split(None, _AMONG_FIRST)[:_AMONG_FIRST]):
        bare = _NAMED.sub("", word).strip(_MARKS)
        level = _LEVEL_OF.get(bare.lower(), "")
        if place == 0 and (letter := _SHORT.match(word)):
            level, bare = _SHORT_LEVELS[letter["letter"]], ""
        if level and (bare != word or bare.isupper() or (timed and place == 0)) and (timed or place == 0):
            return level, timed
    status = _STATUS.search(text)
    return ("error" if status and status["status"][0] == "5" else "", timed or bool(status))


def _place(printed: Printed, number: int) -> str:
    """The place of an error, where a trace is logged with it."""
    following = printed.lines[number + 1].text if number + 1 < len(printed.lines) else ""
    return "" if _read(following)[1] else place_of(number, frames(printed))
