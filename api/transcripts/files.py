"""Transcript files: finding them, detecting their format, and reading their values one by one."""

import itertools
import json
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path, PurePath
from typing import IO, Literal

from pydantic import JsonValue

from api.transcripts.chatgpt import read_chatgpt
from api.transcripts.claude_ai import read_claude_ai
from api.transcripts.claude_code import read_claude_code
from api.transcripts.codex import is_codex, read_codex
from api.transcripts.jsonl import read_transcript
from api.transcripts.markdown import SUFFIXES, read_markdown
from api.transcripts.openai import read_openai
from api.transcripts.shape import Gathered, Reading, Values
from graphmem.errors import InvalidInput

Format = Literal["jsonl", "openai", "chatgpt", "claude-ai", "claude-code", "codex", "markdown"]
STDIN = "-"
LOOKED_AT = 50
"""Values examined to detect the format of a file."""
READ = frozenset({".json", ".jsonl", *SUFFIXES})
"""The endings of the names of transcripts in folders and archives."""
ARCHIVE = ".zip"

_READERS: Mapping[str, Callable[[Values, Gathered, str], Reading]] = {
    "openai": read_openai,
    "chatgpt": lambda values, gathered, _: read_chatgpt(values, gathered),
    "claude-ai": lambda values, gathered, _: read_claude_ai(values, gathered),
    "claude-code": read_claude_code,
    "codex": read_codex,
}
_OF_OURS = frozenset({"sessionid", "messageid"})
_OF_CLAUDE_CODE = frozenset({"sessionId", "uuid", "leafUuid", "message", "snapshot", "operation"})
_NO_GAP = re.compile(r"[^\s,]|\Z")
_UNKNOWN = (
    "it is no transcript of a known format; name one with --format jsonl, openai, chatgpt, claude-ai, claude-code, "
    "codex or markdown"
)


class NoTranscript(Exception):
    """A file of no known format. In a folder it is skipped, given by name it is an error."""


@dataclass(frozen=True)
class Transcript:
    """A file to read, or a member of an archive. `named`: it was given itself, not a folder or an archive with it."""

    path: str
    member: str | None = None
    named: bool = False

    @property
    def name(self) -> str:
        """Without its folder."""
        return PurePath(self.member or self.path).name

    def __str__(self) -> str:
        return f"{self.path}, {self.member}" if self.member else self.path


def transcript_files(given: str) -> list[Transcript]:
    """The files to read: the given one, or those in a folder or a zip archive whose names end in .json, .jsonl or .md,
    by name; a folder's archives are opened too. `-` is standard input.

    Errors: InvalidInput for a folder or an archive without any, and for a damaged archive.
    """
    path = Path(given)
    if given == STDIN or not (path.is_dir() or path.suffix.lower() == ARCHIVE):
        return [Transcript(given, named=True)]
    paths = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    found: list[Transcript] = []
    for one in paths:
        if one.suffix.lower() == ARCHIVE:
            found += [Transcript(str(one), member) for member in _members(one)]
        elif one.suffix in READ:
            found.append(Transcript(str(one)))
    if not found:
        raise InvalidInput(f"{given} holds no .json, .jsonl or .md file.")
    return found


def _members(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            return sorted(name for name in archive.namelist() if PurePath(name).suffix in READ)
    except (OSError, zipfile.BadZipFile) as error:
        raise InvalidInput(f"{path} cannot be read as a zip archive: {error}") from error


def read_file(found: Transcript, format_: Format | None = None) -> tuple[Format, Reading]:
    """The format of a file and its contents.

    Errors: InvalidInput for a file that cannot be read at all; NoTranscript.
    """
    try:
        # Bad bytes become lone surrogates, so that they spoil one line and not the file.
        with _opened(found) as file:
            lines = TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="\n")
            return read_lines(lines, found.name, format_)
    except OSError as error:
        raise InvalidInput(f"it cannot be read: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError) as error:  # damaged, or encrypted
        raise InvalidInput(f"it cannot be read from the archive: {error}") from error


@contextmanager
def _opened(found: Transcript) -> Iterator[IO[bytes]]:
    if found.path == STDIN:
        yield sys.stdin.buffer
    elif found.member is None:
        with Path(found.path).open("rb") as file:
            yield file
    else:
        with zipfile.ZipFile(found.path) as archive, archive.open(found.member) as file:
            yield file


def read_lines(lines: Iterable[str], name: str, format_: Format | None = None) -> tuple[Format, Reading]:
    """The same for lines of text. `name` is the file's: sessions without an id are identified by it."""
    source = iter(lines)
    head = list(itertools.islice(source, LOOKED_AT))
    every = itertools.chain(head, source)
    if format_ == "jsonl" or (format_ is None and _is_ours(head)):
        return "jsonl", Reading(read_transcript(every))
    gathered = Gathered()
    if format_ == "markdown" or (format_ is None and _is_text(head)):
        reading = read_markdown("".join(every), gathered, name, certain=format_ is not None)
        if reading is None:
            raise NoTranscript(_UNKNOWN)
        return "markdown", reading
    values = _values(head, every, gathered)
    first = list(itertools.islice(values, LOOKED_AT))
    format_ = format_ or next((found for _, value in first if (found := _format_of(value))), None)
    if format_ is None:
        raise NoTranscript("; ".join([*gathered.problems[:1], _UNKNOWN]))
    values = itertools.chain(first, values)
    if format_ == "jsonl":
        return format_, Reading(read_transcript(json.dumps(value) for _, value in values))
    return format_, _READERS[format_](values, gathered, name)


def _is_text(head: Sequence[str]) -> bool:
    """Whether the file does not begin as JSON."""
    first = next((line.strip() for line in head if line.strip()), "")
    return bool(first) and not first.startswith(("{", "["))


def _is_ours(head: Sequence[str]) -> bool:
    found = next((value for line in head if isinstance(value := _try(line), dict)), None)
    return _format_of(found) == "jsonl"


def _format_of(value: JsonValue) -> Format | None:
    if isinstance(value, list):
        return "openai" if any(isinstance(one, dict) and "role" in one for one in value) else None
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("mapping"), dict):
        return "chatgpt"
    if isinstance(value.get("chat_messages"), list):
        return "claude-ai"
    if is_codex(value):
        return "codex"
    if "role" in value and _OF_OURS & {key.lower() for key in value}:
        return "jsonl"
    if "role" in value or isinstance(value.get("messages"), list):
        return "openai"
    return "claude-code" if "type" in value and _OF_CLAUDE_CODE & value.keys() else None


def _values(head: Sequence[str], every: Iterable[str], gathered: Gathered) -> Values:
    """The values in lines, in an array, or in one object over several lines."""
    starts = [line.strip() for line in head if line.strip()][:2]
    if not starts:
        return
    many = len(starts) > 1
    if starts[0].startswith("[") and not (many and starts[0].endswith("]") and starts[1].startswith("[")):
        yield from _items("".join(every), gathered)
        return
    if many and starts[0].startswith("{") and _try(starts[0]) is None:
        text = "".join(every)
        if _try(text) is not None:
            yield from gathered.decode("item 1", text)
            return
        every = text.split("\n")
    for number, line in enumerate(every, 1):
        if line.strip():
            yield from gathered.decode(f"line {number}", line)


def _items(text: str, gathered: Gathered) -> Values:
    """The items of an array one by one, so that a big export is never completely in memory, and a truncated one is read
    as far as possible."""
    decoder = json.JSONDecoder()
    at = text.index("[") + 1
    for number in itertools.count(1):
        at = next(_NO_GAP.finditer(text, at)).start()
        if text.startswith("]", at):
            return
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            line = text.count("\n", 0, at) + 1
            gathered.problems.append(
                f"item {number} (line {line}): no JSON, or cut off; it and all behind it was left out"
            )
            return
        yield from gathered.decode(f"item {number}", text[at:end])
        at = end


def _try(text: str) -> JsonValue:
    """The value of a text, None where it has none."""
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value
