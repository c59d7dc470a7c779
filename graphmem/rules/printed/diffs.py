"""Diffs: which files change, by how many lines, and where in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphmem.model.printed import ResultLine, ToolReading
from graphmem.rules.printed.lines import Printed, PrintedLine, about, counted, listed

MOST_FILES = 8
_MOST_PLACES = 3
_AMONG_FIRST = 40
"""Lines before a diff, such as the message of a commit."""
_GIT = re.compile(r'^diff --(?:git|cc|combined) (?:"?a/.*?"? )?"?(?:b/)?(?P<path>.*?)"?$')
_HUNK = re.compile(
    r"^@@@? -(?P<old>\d+(?:,\d+)?) (?:-\d+(?:,\d+)? )?\+(?P<new>\d+(?:,\d+)?) @@@?(?: (?P<context>.*))?$"
)
_STAT = re.compile(r"^ (?P<path>\S.*?)\s+\|\s+(?P<changes>\d+|Bin\b.*?)(?: (?P<signs>[+-]+))?$")
_STATS = re.compile(r"^ ?\d+ files? changed(?:, \d+ insertions?\(\+\))?(?:, \d+ deletions?\(-\))?$")
_NOWHERE = "/dev/null"


@dataclass(slots=True)
class _File:
    path: str
    first: PrintedLine
    last: PrintedLine
    added: int = 0
    removed: int = 0
    status: str = ""
    places: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)


def read_diff(printed: Printed) -> ToolReading | None:
    """A unified diff, or the figures of one; None for what begins as none."""
    files = list(_files(printed.lines))
    if not files:
        return _read_stat(printed)
    if printed.lines.index(files[0].first) > _AMONG_FIRST:
        return None
    added, removed = sum(one.added for one in files), sum(one.removed for one in files)
    whole = [files[0].first, files[-1].last]
    lines = [about("Diff", f"{counted(len(files), 'file')}, +{added} −{removed}", whole)]
    by_size = sorted(files, key=lambda one: -(one.added + one.removed))
    lines += map(_told, by_size[:MOST_FILES])
    if rest := by_size[MOST_FILES:]:
        lines.append(about("Also changed", listed([one.path for one in rest], MOST_FILES), whole))
    return ToolReading("diff", None, tuple(lines))


def _told(one: _File) -> ResultLine:
    what = one.places[:_MOST_PLACES] or one.begun[:1]
    said = f"{one.status + ' ' if one.status else ''}+{one.added} −{one.removed}"
    return about(one.path, f"{said}: {'; '.join(what)}" if what else said, [one.first, one.last])


def _files(lines: tuple[PrintedLine, ...]) -> Iterator[_File]:
    file: _File | None = None
    at, left = 0, [0, 0]
    while at < len(lines):
        text = lines[at].text
        following = lines[at + 1].text if at + 1 < len(lines) else ""
        if file is not None and (left[0] > 0 or left[1] > 0) and text[:1] in ("+", "-", " ", "\\", ""):
            _count(file, lines[at], left)
        elif git := _GIT.match(text):
            if file is not None:
                yield file
            file, left = _File(git["path"], lines[at], lines[at]), [0, 0]
        elif text.startswith("--- ") and following.startswith("+++ "):
            paths = [_path(text), _path(following)]
            path = paths[0] if paths[1] == _NOWHERE else paths[1]
            if file is None or file.added or file.removed:
                if file is not None:
                    yield file
                file = _File(path, lines[at], lines[at + 1])
            file.path, file.last, left = path, lines[at + 1], [0, 0]
            file.status = file.status or (
                "added" if paths[0] == _NOWHERE else "removed" if paths[1] == _NOWHERE else ""
            )
            at += 1
        elif file is not None:
            _head(file, lines[at], left)
        at += 1
    if file is not None:
        yield file


def _head(file: _File, line: PrintedLine, left: list[int]) -> None:
    if hunk := _HUNK.match(line.text):
        left[:] = [int(hunk[side].partition(",")[2] or 1) for side in ("old", "new")]
        place = (hunk["context"] or "").strip()
        if place and place not in file.places:
            file.places.append(place)
        file.last = line
    elif line.text.startswith(("new file mode", "deleted file mode", "rename to ")):
        file.status = {"n": "added", "d": "removed", "r": "renamed"}[line.text[0]]
        file.last = line


def _count(file: _File, line: PrintedLine, left: list[int]) -> None:
    """Count a line of a hunk: the header says how many it has, so that no line is mistaken for a header."""
    sign = line.text[:1]
    file.last = line
    if sign == "\\":
        return
    file.added += sign == "+"
    file.removed += sign == "-"
    left[0] -= sign != "+"
    left[1] -= sign != "-"
    if sign in ("+", "-") and line.text[1:].strip():
        file.begun.append(line.text[1:].strip())
        del file.begun[1:]


def _path(line: str) -> str:
    path = line[4:].partition("\t")[0].strip().strip('"')
    return path if path == _NOWHERE else re.sub(r"^[abciow]/", "", path)


def _read_stat(printed: Printed) -> ToolReading | None:
    """The figures that `git diff --stat` prints."""
    last = next((line for line in reversed(printed.filled) if _STATS.match(line.text)), None)
    if last is None:
        return None
    rows = [(line, found) for line in printed.lines if (found := _STAT.match(line.text))]
    lines = [about("Diff", last.text, [last])]
    if rows:
        named = [f"{found['path']} ({found['changes']})" for _, found in rows]
        lines.append(about("Changed", listed(named, MOST_FILES), [line for line, _ in rows]))
    return ToolReading("diff", None, tuple(lines))
