"""Builds: what compilers, linters and build tools say, by their errors with file and line.

A diagnostic is a place, a severity and a message, in the order of any of the usual tools, in any of the languages whose
words for severities are in rules/printed/formats.toml.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from graphmem.model.printed import ResultLine, ResultVerdict, ToolReading
from graphmem.rules.printed.formats import group, matches, word_kinds
from graphmem.rules.printed.lines import Printed, about, counted, listed

MOST_FILES = 6
_FILE = (
    r"(?P<file>(?:[A-Za-z]:)?[^\s:()\[\]\"'<>|]*[\w+-]\.[A-Za-z][\w+-]{0,9}"
    r"|(?:\S*/)?(?:Makefile|Dockerfile|Kconfig))"
)
_AT = r"(?::(?P<line>\d+)(?::\d+(?:-\d+)?)?|\((?P<in>\d+)(?:,\d+)*\)|:\[(?P<at>\d+),\d+\])"
_RULE = re.compile(
    rf"^(?:\./)?{_FILE}:(?P<line>\d+):\d+: (?P<rule>[A-Z]{{1,4}}\d{{2,5}})\b:? (?P<message>\S.*)$", re.MULTILINE
)
"""Linters that name a rule instead of a severity."""
_GO_PACKAGE = re.compile(r"^# [\w./-]+(?: \[[\w./-]+\])?$", re.MULTILINE)
_GO_ERROR = re.compile(
    r"^(?P<file>(?:\./|\.\./|[\w-]+/)?[\w./-]*\.go):(?P<line>\d+):\d+: (?P<message>\S.*)$", re.MULTILINE
)
_STYLISH_FILE = re.compile(r"^(?:[A-Za-z]:)?[\w./\\@+-]+\.\w{1,6}$")
_ARROW = re.compile(r"^\s*(?:-->|╭─\[|::: ) ?(?P<file>[^\s:]+):(?P<line>\d+)(?::\d+)?\]?$")
_ARROW_NEAR = 4
_FOUND = re.compile(
    r"^(?:✖ )?(?:Found )?(?P<errors>\d+) (?:errors?|problems?)\b(?! messages?)(?:.{0,120})$",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding of a compiler or linter, with the number of its line. `file` is '' for one of the whole build."""

    number: int
    severity: str
    message: str
    file: str
    line: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.file and self.line else self.file


def read_build(printed: Printed) -> ToolReading | None:
    """A build or a check of code; None for what has no diagnostic, and does not say how it ended."""
    broken = [(number, group(found, "error")) for number, found, _ in matches(printed, "broken")]
    built = [number for number, _, _ in matches(printed, "built")]
    found = diagnostics(printed)
    if not (broken or built or found):
        return None
    wrong = [one for one in found if one.severity == "error"]
    failed = bool(broken or wrong)
    verdict: ResultVerdict = "failed" if failed else "passed"
    lines = [printed.lines[one.number] for one in found]
    lines += [printed.lines[number] for number in (*(number for number, _ in broken), *(() if failed else built))]
    said = _told(printed, found) or (printed.lines[built[-1]].text if built and not failed else "")
    told = [about(f"Build {verdict}", said, lines)]
    if wrong:
        first = wrong[0]
        told.append(about("First error", first.message, [printed.lines[first.number]], first.place))
    elif broken:
        number, message = broken[0]
        told.append(about("First error", message, [printed.lines[number]]))
    return ToolReading("build", verdict, (*told, *_files(printed, wrong or found, "error" if wrong else "warning")))


def is_judged(printed: Printed) -> bool:
    """Whether a result says that a build failed, beyond diagnostics, which other programs may print."""
    return bool(matches(printed, "broken")) or bool(_FOUND.search(printed.text))


def diagnostics(printed: Printed) -> list[Diagnostic]:
    """All findings in order, one for each line."""
    found: dict[int, Diagnostic] = {}
    for one in (*_placed(printed), *_ruled(printed), *_arrowed(printed), *_stylish(printed), *_of_go(printed)):
        found.setdefault(one.number, one)
    return [found[number] for number in sorted(found)]


def _placed(printed: Printed) -> Iterator[Diagnostic]:
    """`x.c:12:5: error: …`, `x.ts(12,5): error TS2322: …`, `x.ts:12:5 - error …`, `[ERROR] X.java:[12,5] …`."""
    for match in _placed_pattern().finditer(printed.text) if _said_severity().search(printed.text) else ():
        severity = _severity(match["before"] or match["severity"] or "")
        if severity:
            line = match["line"] or match["in"] or match["at"] or ""
            number = printed.number_at(match.start())
            yield Diagnostic(number, severity, match["message"].strip(), match["file"], line)


def _ruled(printed: Printed) -> Iterator[Diagnostic]:
    for match in _RULE.finditer(printed.text):
        number = printed.number_at(match.start())
        yield Diagnostic(number, "error", f"{match['rule']} {match['message']}", match["file"], match["line"])


def _arrowed(printed: Printed) -> Iterator[Diagnostic]:
    """`error[E0308]: …` with `--> src/a.rs:12:5` in one of the next lines, as rustc and Ruff print it."""
    for number, line in enumerate(printed.lines) if printed.has("-->") or printed.has("╭─[") else ():
        at = _ARROW.match(line.text)
        if at is None:
            continue
        for before in range(number - 1, max(-1, number - 1 - _ARROW_NEAR), -1):
            said = printed.lines[before].text
            if header := _HEADER.match(said):
                severity = _severity(header["severity"]) or ("error" if header["rule"] else "")
                if severity:
                    message = f"{header['rule']} {header['message']}".strip()
                    yield Diagnostic(before, severity, message, at["file"], at["line"])
                break


_HEADER = re.compile(
    r"^(?P<severity>[a-z]*)(?:\[\w+\])?:? ?(?P<rule>(?:[A-Z]{1,4}\d{2,5})?)(?: \[\*\])? ?(?P<message>\S.*)$"
)


def _stylish(printed: Printed) -> Iterator[Diagnostic]:
    """A file in a line of its own, and its findings below: `  12:5  error  …`, as ESLint prints them."""
    file = ""
    for number, line in enumerate(printed.lines):
        if match := _stylish_pattern().match(line.text):
            if file:
                yield Diagnostic(number, _severity(match["severity"]), match["message"].strip(), file, match["line"])
        elif _STYLISH_FILE.match(line.text):
            file = line.text
        elif not line.text.strip():
            file = ""


def _of_go(printed: Printed) -> Iterator[Diagnostic]:
    """`./x.go:12:5: …` below `# package`: the compiler of Go names no severity."""
    if printed.has(".go:") and _GO_PACKAGE.search(printed.text):
        for match in _GO_ERROR.finditer(printed.text):
            number = printed.number_at(match.start())
            yield Diagnostic(number, "error", match["message"], match["file"], match["line"])


def _told(printed: Printed, found: Sequence[Diagnostic]) -> str:
    counts = Counter(one.severity for one in found)
    said = [match[0].strip() for match in _FOUND.finditer(printed.text)]
    if said and counts["error"] == 0:
        return said[-1]
    return ", ".join(counted(counts[kind], kind) for kind in ("error", "warning") if counts[kind])


def _files(printed: Printed, found: Sequence[Diagnostic], kind: str) -> list[ResultLine]:
    files = Counter(one.file for one in found if one.file)
    if not files or (len(files) == 1 and len(found) == 1):
        return []
    names = [f"{file} ({number})" for file, number in files.most_common()]
    return [about(f"{kind.capitalize()}s in", listed(names, MOST_FILES), [printed.lines[one.number] for one in found])]


def _severity(word: str) -> str:
    kinds = {word_kinds("severity").get(part.lower(), "") for part in re.findall(r"[^\W\d_]+", word)}
    return "error" if "error" in kinds else ("warning" if "warning" in kinds else "")


@cache
def _words() -> str:
    return "|".join(map(re.escape, sorted(word_kinds("severity"), key=len, reverse=True)))


@cache
def _said_severity() -> re.Pattern[str]:
    return re.compile(rf"(?:{_words()})", re.IGNORECASE)


@cache
def _placed_pattern() -> re.Pattern[str]:
    severity = rf"(?:fatal |internal |syntax )?(?:{_words()})(?: fatale| interne)?"
    return re.compile(
        rf"^(?:\[(?P<before>{severity})\][ \t]+|(?:ERROR|error) in )?{_FILE}{_AT}"
        r"(?:[ \t]*[:：][ \t]?|[ \t]+-[ \t]+|[ \t]+)"
        rf"(?:(?P<severity>{severity})(?:[ \t]+[A-Z]+\d+|\[[\w-]+\])?[ \t]*(?:[:：]|-|(?=\[))[ \t]*)?"
        r"(?P<message>\S.*)$",
        re.MULTILINE | re.IGNORECASE,
    )


@cache
def _stylish_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"^[ \t]+(?P<line>\d+):\d+[ \t]+(?:✖ |⚠ )?(?P<severity>{_words()})[ \t]+(?P<message>\S.*)$", re.IGNORECASE
    )
