"""Which lines of which files a unified diff changes, by their positions before the change."""

import re
from collections.abc import Iterator, Sequence

from graphmem.errors import InvalidInput
from graphmem.model.changes import ChangedFile

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_GIT = re.compile(r'^diff --git (?:"?a/(.*?)"?) (?:"?b/(.*?)"?)$')
_NOWHERE = "/dev/null"


class _File:
    """A file of the diff while it is read."""

    def __init__(self) -> None:
        self.old = self.new = ""
        self.status = "changed"
        self.lines: list[tuple[int, int]] = []

    def done(self) -> ChangedFile | None:
        if not self.old and not self.new:
            return None
        if self.old == _NOWHERE or self.status == "added":
            return ChangedFile(self.new, "added", ())
        if self.new == _NOWHERE or self.status == "removed":
            return ChangedFile(self.old, "removed", ())
        renamed = self.old != self.new and bool(self.new)
        return ChangedFile(self.old, "renamed" if renamed else "changed", tuple(self.lines))


def read_diff(text: str) -> list[ChangedFile]:
    """The files of a unified diff, as `diff -u` and `git diff` write it, in their order.

    Errors: InvalidInput for a text that is not a diff.

    >>> read_diff("--- a/x.py\\n+++ b/x.py\\n@@ -3,2 +3,2 @@\\n def f():\\n-    return 1\\n+    return 2\\n")
    [ChangedFile(path='x.py', status='changed', lines=((4, 4),))]
    """
    found = [file for file in _files(text.splitlines()) if file]
    if not found and text.strip():
        raise InvalidInput("This is no unified diff: it has no line that begins with `--- ` or `diff --git`.")
    return found


def _files(lines: Sequence[str]) -> Iterator[ChangedFile | None]:
    file = _File()
    place = 0
    while place < len(lines):
        line = lines[place]
        if git := _GIT.match(line):
            yield file.done()
            file = _File()
            file.old, file.new = git[1], git[2]
        elif line.startswith("--- ") and place + 1 < len(lines) and lines[place + 1].startswith("+++ "):
            old, new = _path(line), _path(lines[place + 1])
            if file.lines or (file.old and _NOWHERE not in (old, new) and (old, new) != (file.old, file.new)):
                yield file.done()
                file = _File()
            file.old, file.new = old, new
            place += 1
        elif line.startswith("new file mode"):
            file.status = "added"
        elif line.startswith("deleted file mode"):
            file.status = "removed"
        elif hunk := _HUNK.match(line):
            place += _hunk(lines, place + 1, int(hunk[1]), _count(hunk[2]), _count(hunk[4]), file.lines)
        place += 1
    yield file.done()


def _hunk(lines: Sequence[str], start: int, at: int, old: int, new: int, ranges: list[tuple[int, int]]) -> int:
    """The number of lines in the hunk; its changes are added to `ranges`. The header gives the number of lines of each
    kind, so that a line of a file that looks like a header is not mistaken for one."""
    place = start
    before = at if old else at + 1  # for an empty range, the header names the line above
    removed = False
    while place < len(lines) and (old > 0 or new > 0 or lines[place].startswith("\\")):
        sign = lines[place][:1]
        if sign == "-":
            _add(ranges, before, before)
            before, old, removed = before + 1, old - 1, True
        elif sign == "+":
            if not removed:
                _add(ranges, max(before - 1, 1), before)
            new -= 1
        elif sign != "\\":
            before, old, new, removed = before + 1, old - 1, new - 1, False
        place += 1
    return place - start


def _add(ranges: list[tuple[int, int]], first: int, last: int) -> None:
    if ranges and ranges[-1][1] >= first - 1:
        ranges[-1] = (ranges[-1][0], max(ranges[-1][1], last))
    else:
        ranges.append((first, last))


def _count(text: str | None) -> int:
    return 1 if text is None else int(text)


def _path(line: str) -> str:
    """The path of a `---` or `+++` line, without its time, its quotes and the letter that git puts before it."""
    path = line[4:].partition("\t")[0].strip().strip('"')
    return path if path == _NOWHERE else re.sub(r"^[abciow]/", "", path)
