"""JSON as language models write it: inside fences and prose, with extra commas, doubly encoded, or cut off."""

import json
import re
from collections.abc import Collection, Iterator

MAX_CHARS = 400_000
"""Longest answer that is parsed; the rest is ignored."""
MAX_DEPTH = 12
"""Deepest nesting: more is nonsense, and a parser's stack is limited."""
_MAX_STARTS = 25
_MAX_WRAPPINGS = 3
_THOUGHT_ENDS = re.compile(r"</(?:think(?:ing)?|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_BEGINS = re.compile(r"<(?:think(?:ing)?|thought|reasoning)>", re.IGNORECASE)
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]|[^\s{}\[\],"]+|\s+|"', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}


def read_object(text: str, keys: Collection[str]) -> dict[str, object] | None:
    """The first JSON object of an answer that has one of the keys; None where there is none.

    *Shape*: the complete part of an object that is cut off; one that is wrapped in others, or in a string, is
    unwrapped. Never raises, and takes linear time.

    >>> read_object('<think>{"facts": 0}</think>Sure!\\n```json\\n{"facts": [1, 2,], "of": [{"a": 1}, {"b"', {"facts"})
    {'facts': [1, 2], 'of': [{'a': 1}]}
    """
    text = text[:MAX_CHARS]
    behind, before = behind_thoughts(text), _THOUGHT_BEGINS.split(text, maxsplit=1)[0]
    for said in dict.fromkeys((behind, before, behind.replace('\\"', '"'))):
        for candidate in _candidates(said):
            if found := _with_keys(_loaded(candidate), keys, _MAX_WRAPPINGS):
                return found
    return None


def behind_thoughts(text: str) -> str:
    """An answer without the model's thinking before it.

    >>> behind_thoughts("<think>Hm.</think>Yes."), behind_thoughts("<think>Hm, that goes on and")
    ('Yes.', '')
    """
    # Some servers omit the opening mark; a thought that does not end has no answer after it.
    return _THOUGHT_BEGINS.split(_THOUGHT_ENDS.split(text)[-1], maxsplit=1)[0]


def _with_keys(found: object, keys: Collection[str], wrappings: int) -> dict[str, object] | None:
    if isinstance(found, str) and found.lstrip()[:1] in ("{", '"'):
        found = _loaded(found)
    if not isinstance(found, dict):
        return None
    if any(key in found for key in keys):
        return found
    inner = (_with_keys(value, keys, wrappings - 1) for value in found.values()) if wrappings else iter(())
    return next((one for one in inner if one), None)


def _candidates(text: str) -> Iterator[str]:
    """Every part that may be an object, in order; a text that is one JSON string is decoded first."""
    for _ in range(_MAX_WRAPPINGS):
        begun = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
        inner = _loaded(begun) if begun.startswith('"') else None
        if not isinstance(inner, str):
            break
        text = inner
    start = -1
    for _ in range(_MAX_STARTS):
        start = text.find("{", start + 1)
        if start < 0:
            return
        whole, end = _balanced(text, start)
        if whole:
            yield whole
        start = end - 1


def _balanced(text: str, start: int) -> tuple[str, int]:
    """From an opening brace to its closing one, without extra commas, and where it ends.

    A text that ends before is closed after its last complete value.
    """
    pieces: list[str] = []
    open_: list[str] = []
    complete: tuple[int, str] | None = None
    comma = -1
    for match in _PIECE.finditer(text, start):
        piece = match.group()
        if piece in _CLOSING:
            open_.append(piece)
            if len(open_) > MAX_DEPTH:
                return "", match.end()
        elif piece in ("}", "]"):
            if not open_ or _CLOSING[open_.pop()] != piece:
                return "", match.end()
            if comma >= 0:
                pieces[comma] = ""
        elif piece == ",":
            complete = (len(pieces), _closers(open_))
        elif piece == '"':
            break
        comma = len(pieces) if piece == "," else comma if piece.isspace() else -1
        pieces.append(piece)
        if piece in ("}", "]"):
            if not open_:
                return "".join(pieces), match.end()
            complete = (len(pieces), _closers(open_))
    if complete is None:
        return "", start + 1
    kept, closers = complete
    return "".join(pieces[:kept]) + closers, len(text)


def _closers(open_: list[str]) -> str:
    return "".join(_CLOSING[one] for one in reversed(open_))


def _loaded(text: str) -> object:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
