"""Listings of files, and hits of searches: how many, of what, where."""

import re
from collections import Counter
from collections.abc import Sequence

from graphmem.model.printed import ResultLine, ToolReading
from graphmem.rules.printed.lines import Printed, PrintedLine, about, counted, listed

MOST_KINDS = 6
MOST_FILES = 8
_SHARE = 0.8
"""The share of lines that must be entries of a listing."""
_HIT_SHARE = 0.6
_FEWEST = 2
_LONG = re.compile(
    r"^(?P<mode>[-dlbcps][rwxsStT-]{9})[@+.]?\s+\d+\s+\S+\s+(?:\S+\s+)?\d\S*\s+.*?(?P<name>\S+(?: -> \S+)?)$"
)
_TOTAL = re.compile(r"^total \d+\S*$")
_TREE = re.compile(r"^(?:(?:│|\|)?[\s│|]*)(?:├──|└──|\|--|`--|\+--)\s*(?P<name>\S.*)$")
_TREE_TOTAL = re.compile(r"^\s*\d+ director(?:y|ies)(?:, \d+ files?)?\s*$")
_ENTRY = re.compile(
    r"^\s*(?:[-*] )?(?P<name>(?:\.{0,2}/|~/|[A-Za-z]:\\)?(?:[\w.@+~()\[\]{}-]+[/\\])*[\w.@+~()\[\]{}-]+[/\\]?)\s*$"
)
_HEADING = re.compile(r"^(?:Found \d+ (?:files?|results?|matches)\b.*|\S+:|\(Results? (?:are|is) truncated.*\))$")
_HIT = re.compile(r"^(?P<file>(?:[A-Za-z]:)?(?=[^\s:]*[./\\])[^\s:]*[\w)\]]):(?P<line>\d+)(?P<sign>[:-])(?:\d+:)?")
_UNDER = re.compile(r"^(?P<line>\d+)(?P<sign>[:-])")
_CODE = re.compile(r"^[\w$]+\s*$")


def read_listing(printed: Printed) -> ToolReading | None:
    """A listing of files (`ls`, `find`, `tree`, globs); None for anything else."""
    found = _long(printed) or _tree(printed) or _plain(printed)
    if found is None:
        return None
    names, folders = found
    files = [name for name in names if name not in folders]
    parts = [counted(len(files), "file")] if files else []
    parts += [counted(len(folders), "folder")] if folders else []
    kinds = Counter(_kind(name) for name in files)
    lines = [about("Listing", ", ".join(parts), printed.filled)]
    if files:
        told = [f"{kind} ({number})" for kind, number in kinds.most_common()]
        lines.append(about("Of them", listed(told, MOST_KINDS), printed.filled))
    tops = Counter(name.replace("\\", "/").rpartition("/")[0] for name in files if "/" in name or "\\" in name)
    if tops:
        told = [f"{top} ({number})" for top, number in tops.most_common()]
        lines.append(about("In", listed(told, MOST_KINDS), printed.filled))
    return ToolReading("listing", None, tuple(lines))


def _kind(name: str) -> str:
    base = name.replace("\\", "/").rpartition("/")[2].lstrip(".")
    ending = base.rpartition(".")[2] if "." in base else ""
    return f".{ending}" if ending.isalnum() and len(ending) < 10 else "others"


def _long(printed: Printed) -> tuple[list[str], set[str]] | None:
    rows = [found for line in printed.filled if (found := _LONG.match(line.text))]
    if len(rows) < max(1, _SHARE * sum(not _is_heading(line.text) for line in printed.filled)):
        return None
    own = [row for row in rows if row["name"] not in (".", "..")]
    return [row["name"] for row in own], {row["name"] for row in own if row["mode"][0] == "d"}


def _tree(printed: Printed) -> tuple[list[str], set[str]] | None:
    rows = [found["name"] for line in printed.filled if (found := _TREE.match(line.text))]
    if len(rows) < _FEWEST or len(rows) < _SHARE * (len(printed.filled) - 2):
        return None
    deep = [_TREE.match(line.text) for line in printed.filled]
    at = [found.start("name") for found in deep if found]
    folders = {
        name for name, own, below in zip(rows, at, [*at[1:], 0], strict=True) if below > own or name.endswith("/")
    }
    return rows, folders


def _plain(printed: Printed) -> tuple[list[str], set[str]] | None:
    """Names, one a line; most of them show by a slash or an ending that they are files."""
    said = [line.text for line in printed.filled if not _is_heading(line.text)]
    names = [found["name"] for text in said if (found := _ENTRY.match(text))]
    files = [name for name in names if "/" in name or "\\" in name or re.search(r"\w\.[A-Za-z]\w{0,9}$", name)]
    if len(names) < _FEWEST or len(names) < len(said) * 0.95 or len(files) < len(names) / 2:
        return None
    return names, {name for name in names if name.endswith(("/", "\\"))}


def _is_heading(text: str) -> bool:
    return bool(_TOTAL.match(text) or _HEADING.match(text) or _TREE_TOTAL.match(text))


def read_search(printed: Printed) -> ToolReading | None:
    """The hits of a search in files (`grep -n`, `rg`): how many in each file; None for anything else."""
    hits = [(line, found) for line in printed.filled if (found := _HIT.match(line.text))]
    of_file: Counter[str] = Counter()
    if len(hits) >= _FEWEST and len(hits) >= _HIT_SHARE * len(printed.filled):
        of_file.update(found["file"] for _, found in hits if found["sign"] == ":")
        lines = [line for line, found in hits if found["sign"] == ":"]
    else:
        of_file, lines = _headed(printed)
    if sum(of_file.values()) < _FEWEST:
        return None
    return ToolReading("search", None, tuple(_told_hits(of_file, lines)))


def _told_hits(of_file: Counter[str], lines: Sequence[PrintedLine]) -> list[ResultLine]:
    number = sum(of_file.values())
    files = [f"{file} ({hits})" for file, hits in of_file.most_common()]
    return [
        about("Search", f"{counted(number, 'hit')} in {counted(len(of_file), 'file')}", lines),
        about("Hits", listed(files, MOST_FILES), lines),
    ]


def _headed(printed: Printed) -> tuple[Counter[str], list[PrintedLine]]:
    """Hits below the name of their file, as `rg` prints them to a terminal."""
    of_file: Counter[str] = Counter()
    lines, file, strange = [], "", 0
    for line in printed.filled:
        under = _UNDER.match(line.text)
        if under and file:
            if under["sign"] == ":":
                of_file[file] += 1
                lines.append(line)
        elif _ENTRY.match(line.text) and not _CODE.match(line.text):
            file = line.text.strip()
        elif line.text != "--":
            strange += 1
    return (of_file, lines) if strange <= (1 - _HIT_SHARE) * len(printed.filled) / 2 else (Counter(), [])
