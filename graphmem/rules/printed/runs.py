"""Test runs: the verdict, the tests that failed, and the first error with its place.

A summary of a run is a line that has nothing but counts of outcomes: "1 failed, 4 passed in 2 s", "Tests run: 5,
Failures: 1", "FAILED (errors=2)". The words are in rules/printed/formats.toml.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from graphmem.model.printed import FAILED_TESTS, ResultLine, ResultVerdict, ToolReading
from graphmem.rules.printed.formats import Format, group, matches, word_kinds
from graphmem.rules.printed.lines import SHOWN_CHARS, Printed, PrintedLine, about, counted, listed, quoted
from graphmem.rules.printed.traces import FoundError, errors

MOST_NAMES = 8
"""Most tests that are named as failed."""
_NAME_CHARS = 100
_SUMMARY_CHARS = 300
_OF_TEST = ("failed", "passed", "skipped")
_NO_SUMMARY = re.compile(r"::|[/\\]|\.\.\. ")
_DECORATION = re.compile(r"^\s*\[?(?:INFO|ERROR|WARNING)\]?\s|[=\-*_~]{2,}|[#ℹ✔✖×!>\[\]()]|(?:^|\s)[=*-](?=\s)|\s-\s")
_TITLED = re.compile(r"^\[ +(?P<outcome>[A-Z]+) +\] (?P<number>\d+ \w+)")
_OF_FILE = re.compile(r"\s-\s\S+\.dll\b.*$")
_ITEM = re.compile(r"[,;]|\.\s|\.$|\s\|\s")
_PAIR = re.compile(r"(?P<number>\d[\d,]*)%?\s+(?P<words>.*)|(?P<named>\D+?)\s*[:=]?\s*(?P<value>\d[\d,]*)")
_NUMBER = re.compile(r"[\d.,:]+(?:ms|s|m|min|h)?%?")
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+|[\d.,:]+(?:ms|s|m|min|h)?%?")
_OF_PARTS = re.compile(r" [>›] |(?<=\w)/(?=\w)")
_XML = re.compile(r"<testsuite\b(?P<given>[^>]*)>")
_XML_COUNT = re.compile(r"\b(?P<named>tests|failures|errors|skipped)=\"(?P<value>\d+)\"")
_XML_CASE = re.compile(r"<testcase\b(?P<given>[^>]*[^/])>\s*<(?:failure|error)\b(?P<why>[^>]*)>")
_XML_VALUE = re.compile(r"\b(?P<key>name|classname|message|file|line)=\"(?P<value>[^\"]*)\"")


@dataclass(frozen=True, slots=True)
class Summary:
    """A line of counts: how many tests had each outcome, whether it counts suites or files instead, and whether it
    says in a word how the run ended."""

    line: PrintedLine
    counts: Counter[str]
    suites: bool
    ended: bool = False


@dataclass(frozen=True, slots=True)
class FailedTest:
    """A test that failed, its line, its message and its place, as far as the line has them."""

    number: int
    name: str
    error: str
    place: str
    whole: bool = False


def read_run(printed: Printed) -> ToolReading | None:
    """A test run; None for what has no summary of one, and no test that failed."""
    summaries = [*_summaries(printed), *_of_xml(printed)]
    endings = _endings(printed, summaries)
    failed = [*_failed(printed), *_failed_in_xml(printed)]
    counts = _counts([one for one in summaries if not one.suites] or summaries)
    judged = any(kind in counts for kind in (*_OF_TEST, "error"))
    judged = judged or (counts["total"] > 0 and (bool(endings) or any(one.ended for one in summaries)))
    ended = [number for number, found in endings if found.verdict == "failed"]
    if not judged and not failed and not _runs_of_packages(printed, endings):
        return None
    broken = counts["failed"] + counts["error"] > 0 or bool(ended)
    broken = broken or (bool(failed) and not judged)
    verdict: ResultVerdict = "failed" if broken else "passed"
    where = [one.line for one in summaries] or [printed.lines[number] for number, _ in endings]
    where = where or [printed.lines[one.number] for one in failed]
    counts["passed"] = counts["passed"] or counts["total"] - counts["failed"] - counts["error"] - counts["skipped"]
    lines = [about(f"Tests {verdict}", _told(counts, failed if broken else ()), where)]
    if broken:
        lines += _first_error(printed, failed)
        lines += _names(printed, failed)
    return ToolReading("tests", verdict, tuple(lines))


def _told(counts: Counter[str], failed: Sequence[FailedTest]) -> str:
    parts = [f"{counts[kind]} {kind}" for kind in ("failed", "passed", "skipped") if counts[kind] > 0]
    if counts["error"]:
        parts.insert(1 if counts["failed"] else 0, counted(counts["error"], "error"))
    if not parts and failed:
        parts = [f"{len({one.name for one in failed})} failed"]
    return ", ".join(parts)


def _summaries(printed: Printed) -> Iterator[Summary]:
    for line in printed.lines:
        if _may_count(line.text) and (found := counts_in(line)):
            yield found


def counts_in(line: PrintedLine) -> Summary | None:
    """The counts of a line that is nothing but a summary; None for any other line.

    >>> counts_in(PrintedLine("== 1 failed, 4 passed in 0.52s ==", 0, 33)).counts
    Counter({'passed': 4, 'failed': 1})
    >>> counts_in(PrintedLine("We had 3 failed attempts at lunch", 0, 33))
    """
    text = line.text
    counts: Counter[str] = Counter()
    suites = ended = False
    said = _OF_FILE.sub("", _TITLED.sub(r"\g<number> \g<outcome>", text))
    for item in _ITEM.split(" ".join(_DECORATION.sub(" , ", said).split())):
        for part in _parts(item.strip()):
            kinds = [_kind(word) for word in _WORD.findall(part)]
            if None in kinds or len(_WORD.sub("", part).strip(" :=.-%")) > 0:
                return None
            if (pair := _PAIR.fullmatch(part)) and not _NUMBER.fullmatch(part):
                number = int((pair["number"] or pair["value"]).replace(",", ""))
                kind = _counted(pair["words"] or pair["named"])
                if "%" not in part and kind:
                    counts[kind] += number
            else:
                suites = suites or "suites" in kinds
                ended = ended or "passed" in kinds or "failed" in kinds
    useful = any(kind in counts for kind in (*_OF_TEST, "total"))
    return (
        Summary(line, counts, suites, ended)
        if useful or (counts["error"] and (ended or text.startswith("==")))
        else None
    )


def _parts(said: str) -> list[str]:
    """An item without the label before a count: "Tests: 1 failed" is "1 failed", "Failures: 1" stays."""
    label, colon, rest = said.partition(":")
    if colon and re.match(r"\s+\d[\d,]*\s+[^\W\d]", rest):
        return [part for part in (label.strip(), rest.strip()) if part]
    leading = re.match(r"(?:[^\W\d_]+\s+)+(?=\d[\d,]*\s+[^\W\d_])", said)
    if leading and not colon:
        return [leading[0].strip(), said[leading.end() :]]
    return [said] if said else []


def _counted(words: str) -> str:
    """What a number counts, by the words beside it: the outcome before the unit."""
    kinds = [_kind(word) for word in _WORD.findall(words)]
    if words.lower().startswith("unexpected success"):
        return "failed"
    if "expected" in words.lower().split():
        return "skipped"
    of_outcome = [kind for kind in kinds if kind in ("failed", "error", "passed", "skipped")]
    return of_outcome[0] if of_outcome else ("total" if "total" in kinds else "")


def _kind(word: str) -> str | None:
    if _NUMBER.fullmatch(word):
        return "number"
    return word_kinds("outcomes").get(word.lower())


def _may_count(text: str) -> bool:
    """Whether a line has a number and a word for an outcome."""
    if len(text) > _SUMMARY_CHARS or not _DIGIT.search(text) or _NO_SUMMARY.search(text):
        return False
    kinds = word_kinds("outcomes")
    return any(kinds.get(word) not in (None, "other", "suites") for word in _LETTERS.findall(text.lower()))


def _counts(summaries: Sequence[Summary]) -> Counter[str]:
    """The counts of a run: lines of one shape, such as one for each package, are added up, and others add the outcomes
    that these lack."""
    shapes: dict[tuple[str, ...], Counter[str]] = {}
    for one in summaries:
        shapes.setdefault(tuple(one.counts), Counter()).update(one.counts)
    counts: Counter[str] = Counter()
    for found in sorted(shapes.values(), key=lambda found: (-len(found), -found["failed"])):
        counts.update({kind: number for kind, number in found.items() if not counts[kind]})
    return counts


def _endings(printed: Printed, summaries: Sequence[Summary]) -> list[tuple[int, Format]]:
    """Lines that end a run in a word: behind counts, and in what go prints for each package."""
    may_end = bool(summaries) or any(cue in printed.text for cue in ("\t", "--- FAIL", " FAILED"))
    return [(number, found) for number, _, found in matches(printed, "ending")] if may_end else []


def _runs_of_packages(printed: Printed, endings: Sequence[tuple[int, Format]]) -> bool:
    return any("\t" in printed.lines[number].text for number, _ in endings)


def _failed(printed: Printed) -> list[FailedTest]:
    found: dict[int, FailedTest] = {}
    for number, match, one in matches(printed, "failed"):
        where = group(match, "where") or ":".join(filter(None, (group(match, "file"), group(match, "line"))))
        name = group(match, "name") or where.partition(":")[0]
        found.setdefault(number, FailedTest(number, name, group(match, "error"), where, one.whole))
    # A test, suite or file whose parts are named failed because of them.
    wholes = {whole for one in found.values() for whole in _wholes(one.name)}
    return [found[number] for number in sorted(found) if found[number].name not in wholes]


def _wholes(name: str) -> list[str]:
    """The names of what a test is a part of."""
    return [name[: mark.start()] for mark in _OF_PARTS.finditer(name)]


def _names(printed: Printed, failed: Sequence[FailedTest]) -> list[ResultLine]:
    """The failed tests by name; files that have failed tests only where no test is named."""
    named = [one for one in failed if not one.whole] or failed
    names = list(dict.fromkeys(quoted(one.name)[:_NAME_CHARS] for one in named))
    if not names:
        return []
    lines = [printed.lines[one.number] for one in named]
    fitting = sum(length <= SHOWN_CHARS for length in accumulate(len(name) + 2 for name in names))
    told = listed(names, max(1, min(fitting, MOST_NAMES)))
    return [ResultLine(FAILED_TESTS, told, min(line.start for line in lines), max(line.end for line in lines))]


def _first_error(printed: Printed, failed: Sequence[FailedTest]) -> list[ResultLine]:
    """The first error that has a place, else the first one; those in lines of failed tests come last."""
    found = errors(printed)
    found += [FoundError(one.number, one.number, one.error, one.place) for one in failed if one.error]
    first = next((one for one in found if one.place), found[0] if found else None)
    return (
        [about("First error", first.text, printed.lines[first.number : first.last + 1], first.place)] if first else []
    )


def _of_xml(printed: Printed) -> Iterator[Summary]:
    for suite in _XML.finditer(printed.text) if printed.has("<testsuite") else ():
        kinds = {"tests": "total", "failures": "failed", "errors": "error", "skipped": "skipped"}
        counts = Counter({kinds[one["named"]]: int(one["value"]) for one in _XML_COUNT.finditer(suite["given"])})
        counts["passed"] = counts["total"] - counts["failed"] - counts["error"] - counts["skipped"]
        if counts["total"]:
            yield Summary(printed.line_at(suite.start()), counts, False)


def _failed_in_xml(printed: Printed) -> Iterator[FailedTest]:
    for case in _XML_CASE.finditer(printed.text) if printed.has("<testcase") else ():
        given = {one["key"]: one["value"] for one in _XML_VALUE.finditer(case["given"])}
        why = {one["key"]: one["value"] for one in _XML_VALUE.finditer(case["why"])}
        name = ".".join(filter(None, (given.get("classname"), given.get("name"))))
        place = f"{given['file']}:{given.get('line', '')}".rstrip(":") if given.get("file") else ""
        yield FailedTest(printed.number_at(case.start("why")), name, why.get("message", ""), place)
