"""The kind of a tool result, by its structure, and what is said of it."""

import re
from collections.abc import Callable, Sequence

from graphmem.model.printed import ResultLine, ToolReading
from graphmem.rules.printed.builds import is_judged, read_build
from graphmem.rules.printed.data import read_json
from graphmem.rules.printed.diffs import read_diff
from graphmem.rules.printed.lines import Printed, about, counted, read_lines
from graphmem.rules.printed.listings import read_listing, read_search
from graphmem.rules.printed.logs import read_log
from graphmem.rules.printed.receipts import exit_code, exit_line, read_receipt
from graphmem.rules.printed.runs import read_run
from graphmem.rules.printed.traces import read_trace

SHORT_LINES, SHORT_CHARS = 3, 300
"""A result without a form that is known is shown as it is up to this size."""
_NUMBERED = re.compile(r"^[ \t]*\d+(?:→|\t|[ ]?\|)")
_FAILED_WORDS = re.compile(
    r"(?i)^\W*(?:<tool_use_error>|(?:fatal |uncaught )?(?:error|exception|fatal|failed|failure)\b(?=[\s:!,.]|$))"
)
_NOT_DONE = re.compile(r"(?i)\b(?:command not found|no such file or directory|permission denied|not recognized as)\b")


def read_tool_result(text: str, tool_name: str | None = None) -> ToolReading:
    """What a tool result is and says, by its kind; each line with its place in `text`.

    Where it may be of two kinds, the one that surely failed goes first; a result of no kind is shown by the name of its
    tool and its size. Time and memory grow with its length. Never raises.

    >>> read_tool_result("== 1 failed, 4 passed in 0.5s ==\\n").lines[0].told
    'Tests failed: 1 failed, 4 passed'
    >>> read_tool_result("Wrote 12 lines to src/tide.py").routine
    True
    """
    printed = read_lines(text, tool_name or "")
    receipt = read_receipt(printed)
    if receipt is not None:
        return receipt
    whole: Sequence[Callable[[Printed], ToolReading | None]] = (lambda p: read_json(text, p), read_diff)
    for read in () if _is_numbered(printed) else whole:
        if found := read(printed):
            return found
    return _by_verdict(printed) or _other(printed, len(text))


def _by_verdict(printed: Printed) -> ToolReading | None:
    """The reading of what judges, failures first, else of what does not."""
    if _is_numbered(printed):
        return None
    search = read_search(printed)
    build = None if search and not is_judged(printed) and _hits_of_text(printed, search) else read_build(printed)
    run = read_run(printed)
    if run and build and build.verdict == "failed" and run.verdict == "passed" and not is_judged(printed):
        build = None  # what a test prints is no build
    if run and build:
        first, second = (build, run) if build.verdict == "failed" and run.verdict == "passed" else (run, build)
        # A test run prints errors in the form of diagnostics, too.
        joined = second.lines[:1] if second.verdict != first.verdict or is_judged(printed) else ()
        return ToolReading(first.kind, first.verdict, (*first.lines, *joined))
    if run:
        return run
    log = read_log(printed)
    if build and (build.verdict == "failed" or not log):
        return log if log and not is_judged(printed) else build
    return log or read_trace(printed) or search or read_listing(printed)


def _hits_of_text(printed: Printed, search: ToolReading) -> bool:
    """Whether hits of a search are no diagnostics: a compiler says in each line how severe it is."""
    found = read_build(printed)
    return (
        found is None
        or bool(re.search(r"(?i)grep|search|\brg\b|find", printed.tool))
        or len(found.lines) == 0
        or (search.lines[0].text.partition(" ")[0] != found.lines[0].text.partition(" ")[0])
    )


def _is_numbered(printed: Printed) -> bool:
    """Whether it is a file that was read, with the numbers of its lines."""
    lines = printed.filled[:40]
    return bool(lines) and sum(bool(_NUMBERED.match(line.text)) for line in lines) > 0.8 * len(lines)


def _other(printed: Printed, chars: int) -> ToolReading:
    code = exit_code(printed)
    failed = code not in (None, 0) or any(
        _FAILED_WORDS.match(line.text) or _NOT_DONE.search(line.text) for line in printed.filled[:SHORT_LINES]
    )
    lines: list[ResultLine] = []
    if len(printed.filled) <= SHORT_LINES and chars <= SHORT_CHARS:
        lines = [about("", line.text, [line]) for line in printed.filled]
    else:
        name = printed.tool or "Output"
        size = f"{counted(len(printed.filled), 'line')}, {counted(chars, 'character')}"
        lines = [about(name, size, printed.filled), *(_failure(printed) if failed else ())]
    return ToolReading("other", "failed" if failed else None, tuple(lines))


def _failure(printed: Printed) -> list[ResultLine]:
    """What failed, where a result only says that something did: its exit code, and the line that tells why."""
    number = exit_line(printed)
    code = [about("Failed", printed.lines[number].text, [printed.lines[number]])] if number >= 0 else []
    why = [line for line in printed.filled if _FAILED_WORDS.match(line.text) or _NOT_DONE.search(line.text)]
    return [*code, *(about("First error", line.text, [line]) for line in why[:1])]
