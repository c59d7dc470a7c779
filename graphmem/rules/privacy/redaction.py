"""Secrets in text and in tool calls, found by their shape or by their name, and replaced permanently.

The catalogue has the four names that operators know from other stores; each covers more shapes than there:

- `api_key`: `api_key = …` and its relatives, `OPENAI_API_KEY=…`, and keys known by their look (AWS, GitHub, Slack, …).
- `bearer_token`: `Bearer …`, `Authorization: …`, `auth_token = …`, JSON web tokens.
- `password_assignment`: `password: …`, `DB_PASSWORD=…`, `--password …`, `curl -u name:…`, `scheme://name:…@host`.
- `private_key`: PEM and PGP private key blocks, with or without their end.

What each looks like: secret_shapes.py.
"""

import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from graphmem.rules.language.marks import Sieve
from graphmem.rules.privacy.secret_shapes import (
    API_KEYS,
    API_WORDS,
    BEARER_TOKENS,
    BEARER_WORDS,
    NO_SECRET,
    PASSWORD_NAME,
    PASSWORDS,
    PRIVATE_KEYS,
    Finder,
    is_prose,
)

PatternName = Literal["api_key", "bearer_token", "password_assignment", "private_key"]
CATALOGUE: tuple[PatternName, ...] = get_args(PatternName)
MAX_LEVELS = 100
"""JSON in a string that is nested deeper is read as text."""
PLACEHOLDER = re.compile(r"\[redacted (?:api_key|bearer_token|password_assignment|private_key), \d+ characters[^\]]*\]")


def pattern_names(given: object) -> tuple[PatternName, ...]:
    """Names of the catalogue as people write them: a list, or a text with commas; `all` means each.

    Errors: ValueError names an unknown pattern.

    >>> pattern_names("private_key, API_KEY"), pattern_names("")
    (('private_key', 'api_key'), ())
    """
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise ValueError("must be names of patterns, or all")
    told = dict.fromkeys(name.strip().lower() for name in names if name.strip())
    if unknown := sorted(told.keys() - {*CATALOGUE, "all"}):
        raise ValueError(f"{unknown[0]!r} is no pattern; there are {', '.join(CATALOGUE)}, and all")
    return CATALOGUE if "all" in told else tuple(cast(PatternName, name) for name in told)


@dataclass(frozen=True, slots=True)
class Redaction:
    """What was replaced: code points `start` (inclusive) to `end` (exclusive) of the original text."""

    pattern: PatternName
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RedactedValue:
    """As `Redaction`, within the string at `path` (keys and positions joined by dots; JSON inside a string continues
    the path)."""

    pattern: PatternName
    path: str
    start: int
    end: int


def placeholder(pattern: PatternName, secret: str) -> str:
    """The placeholder of a secret. Equal secrets have the same short SHA-256; a password gets none, because short words
    could be tried against it.

    >>> placeholder("password_assignment", "hunter2")
    '[redacted password_assignment, 7 characters]'
    """
    if pattern == "password_assignment":
        return f"[redacted {pattern}, {len(secret)} characters]"
    return f"[redacted {pattern}, {len(secret)} characters, sha256 {hashlib.sha256(secret.encode()).hexdigest()[:16]}]"


def redact_text(text: str, patterns: Iterable[PatternName]) -> tuple[str, list[Redaction]]:
    """The text with its secrets replaced, and where they were.

    >>> redact_text("DB_PASSWORD=correct-horse and more", ["password_assignment"])[0]
    'DB_PASSWORD=[redacted password_assignment, 13 characters] and more'
    >>> redact_text("password: string;", ["password_assignment"])[1]
    []
    """
    found = find_secrets(text, patterns)
    pieces: list[str] = []
    at = 0
    for redaction in found:
        pieces += [text[at : redaction.start], placeholder(redaction.pattern, text[redaction.start : redaction.end])]
        at = redaction.end
    return "".join([*pieces, text[at:]]), found


def without_secrets(text: str) -> str:
    """The text with every secret of a known shape replaced, for what is made of messages; its lines stay lines.

    What is set is not asked: a message keeps what was said, and nothing repeats it that nobody asked for.

    >>> without_secrets("We deploy with postgres://ada:hunter-22@db.example/shop now.")
    'We deploy with postgres://ada:[redacted password_assignment, 9 characters]@db.example/shop now.'
    """
    pieces: list[str] = []
    at = 0
    for found in find_secrets(text, CATALOGUE):
        secret = text[found.start : found.end]
        pieces += [text[at : found.start], placeholder(found.pattern, secret), "\n" * secret.count("\n")]
        at = found.end
    return "".join([*pieces, text[at:]])


def find_secrets(text: str, patterns: Iterable[PatternName]) -> list[Redaction]:
    """Secrets in order, none overlapping another or a placeholder."""
    kept: list[Redaction] = []
    wanted = frozenset(patterns)
    tried = (_FINDERS[place] for place in sorted(_SIEVE.tried(text)))
    spans = sorted(
        (Redaction(name, *span) for name, finder in tried if name in wanted for span in finder.spans(text)),
        key=lambda found: (found.start, -found.end),
    )
    taken = [match.span() for match in PLACEHOLDER.finditer(text)] if spans else []
    for span in spans:
        after = bisect_left(taken, (span.end, -1))
        if after and taken[after - 1][1] > span.start:
            continue  # replaced by an earlier pass
        if kept and span.start < kept[-1].end:
            kept[-1] = Redaction(kept[-1].pattern, kept[-1].start, max(kept[-1].end, span.end))
        else:
            kept.append(span)
    return kept


def redact_value(value: Any, patterns: Sequence[PatternName]) -> tuple[Any, list[RedactedValue]]:
    """A JSON value (tool calls, parts, metadata) with its secrets replaced, and where they were.

    A string under a telling name is replaced as a whole, however short: directly below it, in a list there, as the
    `value` there, or as the `value` beside a `name`. A string that is JSON is parsed, unless it is nested too deeply;
    it is rewritten only if something in it was replaced.
    """
    walk = _Walk(patterns)
    return walk.value(value, "", 0), walk.found


@dataclass(slots=True)
class _Walk:
    patterns: Sequence[PatternName]
    found: list[RedactedValue] = field(default_factory=list)

    def value(self, value: Any, path: str, depth: int, under: PatternName | None = None) -> Any:
        """`under` is the pattern of a name above it."""
        if under and _can_be(under, value) and not is_prose(str(value)):
            return self._whole(under, value, path)
        if isinstance(value, str):
            return self._text(value, path, depth)
        if isinstance(value, list):
            return [self.value(item, _below(path, str(n)), depth + 1, under) for n, item in enumerate(value)]
        return self._table(value, path, depth, under) if isinstance(value, dict) else value

    def _table(self, table: dict[str, Any], path: str, depth: int, under: PatternName | None) -> dict[str, Any]:
        redacted: dict[str, Any] = {}
        names = [name for key, name in table.items() if key.lower() in _NAME_KEYS and isinstance(name, str)]
        beside = next((told for name in names if (told := _named(name, self.patterns))), None)
        for key, item in table.items():
            below = _below(path, key)
            pattern = _named(key, self.patterns)
            if pattern and _can_be(pattern, item):
                kept = self._whole(pattern, item, below)
            else:
                pattern = pattern or (beside if key.lower() in _BESIDE_KEYS else None)
                pattern = pattern or (under if key.lower() in _BELOW_KEYS else None)
                kept = self.value(item, below, depth + 1, pattern)
            clean, in_key = redact_text(key, self.patterns)
            self.found += [RedactedValue(r.pattern, below, r.start, r.end) for r in in_key]
            while clean in redacted:
                clean += "'"  # two keys that look the same now must stay distinct
            redacted[clean] = kept
        return redacted

    def _whole(self, pattern: PatternName, value: object, path: str) -> str:
        secret = str(value)
        self.found.append(RedactedValue(pattern, path, 0, len(secret)))
        return placeholder(pattern, secret)

    def _text(self, text: str, path: str, depth: int) -> str:
        inner = _json_in(text, MAX_LEVELS - depth)
        if inner is not None:
            before = len(self.found)
            clean = self.value(inner, path, depth)
            return json.dumps(clean, ensure_ascii=False, separators=(",", ":")) if len(self.found) > before else text
        clean_text, spans = redact_text(text, self.patterns)
        self.found += [RedactedValue(span.pattern, path, span.start, span.end) for span in spans]
        return clean_text


def _json_in(text: str, levels: int) -> Any:
    """The object or list in a string; None where it holds something else, is nested too deeply, or repeats a key: then
    it is treated as text, so that nothing gets lost."""
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
        return None
    try:
        found = json.loads(text, object_pairs_hook=_no_doubles)
    except (ValueError, RecursionError):
        return None
    at_level = [found]
    while at_level:
        levels -= 1
        if levels < 0:
            return None
        inner = [value.values() if isinstance(value, dict) else value for value in at_level]
        at_level = [item for items in inner for item in items if isinstance(item, dict | list)]
    return found


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


# --- names --------------------------------------------------------------------------------------------------

_BY_NAME: dict[PatternName, re.Pattern[str]] = {
    "api_key": re.compile(rf"(?:^|[_-]|(?<=[a-z])(?=[A-Z]))(?i:{API_WORDS})(?:[_-]?\d+)?$"),
    "bearer_token": re.compile(rf"(?:^|[_-]|(?<=[a-z])(?=[A-Z]))(?i:{BEARER_WORDS})$"),
    "password_assignment": PASSWORD_NAME,
}


_NAME_KEYS = frozenset({"name", "key", "id", "variable", "env", "field", "header", "option"})
_BESIDE_KEYS = frozenset({"value", "val"})
_BELOW_KEYS = _BESIDE_KEYS | {"values", "plain", "plaintext", "raw", "old", "new", "current"}


def _named(key: str, patterns: Sequence[PatternName]) -> PatternName | None:
    """The pattern that a name indicates."""
    return next((one for one in patterns if one in _BY_NAME and _BY_NAME[one].search(key[-80:])), None)


def _can_be(pattern: PatternName, item: object) -> bool:
    """Whether a value can be a secret of that kind."""
    if isinstance(item, str):
        return bool(item.strip()) and not NO_SECRET.fullmatch(item) and not PLACEHOLDER.search(item)
    return pattern == "password_assignment" and isinstance(item, int) and not isinstance(item, bool) and item > 999


_SHAPES: dict[PatternName, tuple[Finder, ...]] = {
    "api_key": API_KEYS,
    "bearer_token": BEARER_TOKENS,
    "password_assignment": PASSWORDS,
    "private_key": PRIVATE_KEYS,
}
_FINDERS = [(name, finder) for name, finders in _SHAPES.items() for finder in finders]
_SIEVE = Sieve(finder.pattern.pattern for _, finder in _FINDERS)
