"""What a machine printed and somebody put into a message without a fence around it."""

from graphmem.model.printed import ToolReading
from graphmem.rules.language.sentences import code_blocks, without_code
from graphmem.rules.printed import read_tool_result
from graphmem.rules.reading.statements import is_log

LEAST_LINES, GAP_LINES = 3, 4
"""Fewest lines of what is pasted, and most lines in the midst of it that could also be somebody's words."""
KINDS = frozenset({"tests", "build", "trace", "diff"})
"""What has a form of its own; anything else could be words as well."""


JUDGING = frozenset({"tests", "build", "trace"})
"""Kinds of results that tell whether the work is right."""
MOST_BLOCKS = 20
"""Most blocks of a message that are read."""


def results_in(text: str) -> list[ToolReading]:
    """What blocks of a message say, fenced or not, that tell whether the work is right."""
    _, pieces = without_pasted(without_code(text))
    readings = map(read_tool_result, [*code_blocks(text), *pieces][:MOST_BLOCKS])
    return [reading for reading in readings if reading.kind in JUDGING and reading.verdict]


def without_pasted(text: str) -> tuple[str, list[str]]:
    """A text without what was pasted into it, and each of the pasted pieces. Time grows with the length of the text.

    >>> printed = "== FAILURES ==\\nE   assert 4 == 5\\ntests/test_sum.py:3: AssertionError\\n== 1 failed in 0.1s =="
    >>> rest, pieces = without_pasted(f"It fails:\\n{printed}\\nPort 80 stays.")
    >>> rest, pieces == [printed]
    ('It fails:\\nPort 80 stays.', True)
    """
    if text.count("\n") < LEAST_LINES - 1:
        return text, []
    lines = text.split("\n")
    kept, pieces, at = list[str](), list[str](), 0
    for start, end in _runs(lines):
        start = max(start, at)
        piece = "\n".join(lines[start:end])
        if read_tool_result(piece).kind in KINDS:
            kept += lines[at:start]
            pieces.append(piece)
            at = end
    return ("\n".join([*kept, *lines[at:]]), pieces) if pieces else (text, [])


def _runs(lines: list[str]) -> list[tuple[int, int]]:
    """Stretches of lines that begin and end with a machine's, with lines directly beside them that say nothing."""
    runs: list[tuple[int, int]] = []
    for number in (number for number, line in enumerate(lines) if line.strip() and is_log(line)):
        if runs and number - runs[-1][1] <= GAP_LINES and not any(map(_is_said, lines[runs[-1][1] : number])):
            runs[-1] = runs[-1][0], number + 1
        else:
            runs.append((number, number + 1))
    return [run for run in (_widened(lines, *run) for run in runs) if run[1] - run[0] >= LEAST_LINES]


def _widened(lines: list[str], start: int, end: int) -> tuple[int, int]:
    while start and lines[start - 1].strip() and not _is_said(lines[start - 1]):
        start -= 1
    while end < len(lines) and lines[end].strip() and not _is_said(lines[end]):
        end += 1
    return start, end


def _is_said(line: str) -> bool:
    """Whether a line ends as a sentence or its announcement does."""
    return not is_log(line) and line.rstrip().endswith((".", "!", "?", ":"))
