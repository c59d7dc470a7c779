"""Receipts: results that say no more than that the tool did what it was asked to do."""

import re

from graphmem.model.printed import ToolReading
from graphmem.rules.printed.formats import word_kinds
from graphmem.rules.printed.lines import Printed, about

MOST_CHARS = 400
_ATTACHED = re.compile(
    r"(?:^|\n)[^\n]*(?:result of running|snippet|here is|here's)[^\n]*:\s*\n(?:[ \t]*\d+[→\t|:].*\n?)+", re.IGNORECASE
)
"""The lines of the changed file that some tools add."""
_EXIT = re.compile(
    r"(?i)[\[(<]?\s*(?:process |command |program )?(?:exited|exit|finished|completed|returned)(?:[ _-](?:with|status))*"
    r"[ _-]?(?:code|status)?[\"'>:=\s]{1,4}(?P<code>-?\d{1,5})\b[^\n]{0,20}"
)
_NAME = re.compile(
    r"`[^`\n]*`|\"[^\"\n]*\"|'[^'\n]*'|\S*[/\\]\S*|\S+\.\w{1,10}(?=[\s.,:;)]|$)|#?\d[\d.,:]*\w{0,3}|[✓✔✅√]"
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def read_receipt(printed: Printed) -> ToolReading | None:
    """An acknowledgement; None for what says more, or that something went wrong.

    It has words for a change that was made, or that all is well, names, numbers, and no other words.
    """
    text = _ATTACHED.sub("", printed.text).strip()
    if not text:
        return ToolReading("done", "passed", (about("Done", "no output", printed.lines),), routine=True)
    code = exit_code(printed)
    if len(text) > MOST_CHARS or code not in (None, 0):
        return None
    kinds = word_kinds("receipts")
    said = [kinds.get(word.lower()) for word in _WORD.findall(_NAME.sub(" ", _EXIT.sub(" ", text)))]
    acknowledges = code == 0 or any(kind in ("done", "changed") for kind in said) or _is_silent(text)
    if None in said or not acknowledges:
        return None
    return ToolReading("done", "passed", (about("Done", text, printed.filled),), routine=True)


def exit_code(printed: Printed) -> int | None:
    """The exit code that a result tells in a line of its own, the last one; None where it tells none."""
    for line in reversed(printed.filled):
        if found := _EXIT.fullmatch(line.text.strip()):
            return int(found["code"])
    return None


def exit_line(printed: Printed) -> int:
    """The number of the line with the exit code; -1 where there is none."""
    numbers = [number for number, line in enumerate(printed.lines) if _EXIT.fullmatch(line.text.strip())]
    return numbers[-1] if numbers else -1


def _is_silent(text: str) -> bool:
    return bool(
        re.fullmatch(r"(?i)[(<\[]?\s*(?:no (?:output|content|changes)|empty|null|none|true)\s*[)>\]]?\.?", text)
    )
