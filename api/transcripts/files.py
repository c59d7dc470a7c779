"""Transcript files: finding them, detecting their format, and reading their values one by one."""

import itertools
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from api.transcripts.chatgpt import read_chatgpt
from api.transcripts.claude_code import read_claude_code
from api.transcripts.jsonl import read_transcript
from api.transcripts.markdown import SUFFIXES, read_markdown
from api.transcripts.openai import read_openai
from api.transcripts.shape import Gathered, Reading, Values
from graphmem.errors import InvalidInput

Format = Literal["jsonl", "openai", "chatgpt", "claude-code", "markdown"]
STDIN = "-"
LOOKED_AT = 50
"""Values examined to detect the format of a file."""

_READERS: Mapping[str, Callable[[Values, Gathered, str], Reading]] = {
    "openai": read_openai,
    "chatgpt": lambda values, gathered, _: read_chatgpt(values, gathered),
    "claude-code": read_claude_code,
}
_OF_OURS = frozenset({"sessionid", "messageid"})
_OF_CLAUDE_CODE = frozenset({"sessionId", "uuid", "leafUuid", "message", "snapshot", "operation"})
_NO_GAP = re.compile(r"[^\s,]|\Z")
_UNKNOWN = (
    "it is no transcript of a known format; name one with --format jsonl, openai, chatgpt, claude-code or markdown"
)


class NoTranscript(Exception):
    """A file of no known format. In a folder it is skipped, given by name it is an error."""


def transcript_files(given: Path) -> list[Path]:
    """The files to read: the given one, or those below a folder whose names end in .json, .jsonl or .md, by name.

    Errors: InvalidInput for a folder without any.
    """
    if not given.is_dir():
        return [given]
    found = sorted(
        path for path in given.rglob("*") if path.suffix in {".json", ".jsonl", *SUFFIXES} and path.is_file()
    )
    if not found:
        raise InvalidInput(f"{given} holds no .json, .jsonl or .md file.")
    return found


def read_file(path: str | Path, format_: Format | None = None) -> tuple[Format, Reading]:
    """The format of a file and its contents; `-` is standard input.

    Errors: InvalidInput for a file that cannot be read at all; NoTranscript.
    """
    try:
        # Bad bytes become lone surrogates, so that they spoil one line and not the file.
        with nullcontext(sys.stdin.buffer) if path == STDIN else Path(path).open("rb") as file:
            lines = TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="\n")
            return read_lines(lines, Path(path).name, format_)
    except OSError as error:
        raise InvalidInput(f"it cannot be read: {error.strerror}") from error


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
