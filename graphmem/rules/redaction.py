"""Secrets in text and in tool calls, found by their shape or by the name they are given, and replaced for good.

The catalogue has the four names that operators know from other stores; each covers more shapes than theirs:

- `api_key`: `api_key = …` and its relatives, `OPENAI_API_KEY=…`, and keys known by their look (AWS, GitHub, Slack, …).
- `bearer_token`: `Bearer …`, `Authorization: …`, `auth_token = …`, JSON web tokens.
- `password_assignment`: `password: …`, `DB_PASSWORD=…`, `--password …`, `curl -u name:…`, `scheme://name:…@host`.
- `private_key`: PEM and PGP private key blocks, with or without their end.

Every pattern runs in linear time: repetitions are possessive or bounded.
"""

import base64
import binascii
import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

PatternName = Literal["api_key", "bearer_token", "password_assignment", "private_key"]
CATALOGUE: tuple[PatternName, ...] = get_args(PatternName)
PLACEHOLDER = re.compile(r"\[redacted (?:api_key|bearer_token|password_assignment|private_key), \d+ characters[^\]]*\]")


def pattern_names(given: object) -> tuple[PatternName, ...]:
    """Names of the catalogue as people write them: a list, or a text with commas; `all` stands for each.

    Errors: ValueError names what is no pattern.

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
    """What was replaced: code points `start` (inclusive) to `end` (exclusive) of the text as it came in."""

    pattern: PatternName
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RedactedValue:
    """As `Redaction`, within the string at `path` (keys and positions joined by dots; JSON inside a string goes on)."""

    pattern: PatternName
    path: str
    start: int
    end: int


def placeholder(pattern: PatternName, secret: str) -> str:
    """What stands for a secret. Equal secrets look equal by a short SHA-256; a password gets none, because short words
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


def find_secrets(text: str, patterns: Iterable[PatternName]) -> list[Redaction]:
    """Secrets in order, none overlapping another or a placeholder."""
    kept: list[Redaction] = []
    spans = sorted(
        (Redaction(name, start, end) for name in patterns for find in _FINDERS[name] for start, end in find(text)),
        key=lambda found: (found.start, -found.end),
    )
    taken = [match.span() for match in PLACEHOLDER.finditer(text)] if spans else []
    for span in spans:
        after = bisect_left(taken, (span.end, -1))
        if after and taken[after - 1][1] > span.start:
            continue  # an earlier pass was here
        if kept and span.start < kept[-1].end:
            kept[-1] = Redaction(kept[-1].pattern, kept[-1].start, max(kept[-1].end, span.end))
        else:
            kept.append(span)
    return kept


def redact_value(value: Any, patterns: Sequence[PatternName]) -> tuple[Any, list[RedactedValue]]:
    """A JSON value (tool calls, parts, metadata) with its secrets replaced, and where they were.

    A string under a name that says what it is goes as a whole, however short. A string that is JSON itself is looked
    into; it is written anew only if something in it was replaced.
    """
    found: list[RedactedValue] = []
    return _redact(value, patterns, "", found), found


def _redact(value: Any, patterns: Sequence[PatternName], path: str, found: list[RedactedValue]) -> Any:
    if isinstance(value, str):
        return _redact_string(value, patterns, path, found)
    if isinstance(value, list):
        return [_redact(item, patterns, _below(path, str(n)), found) for n, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    redacted: dict[str, Any] = {}
    for key, item in value.items():
        below = _below(path, key)
        told = _named(key, item, patterns)
        if told:
            secret = str(item)
            found.append(RedactedValue(told, below, 0, len(secret)))
            kept = placeholder(told, secret)
        else:
            kept = _redact(item, patterns, below, found)
        clean, in_key = redact_text(key, patterns)
        found += [RedactedValue(r.pattern, below, r.start, r.end) for r in in_key]
        while clean in redacted:
            clean += "'"  # two keys that look the same now are still two
        redacted[clean] = kept
    return redacted


def _redact_string(text: str, patterns: Sequence[PatternName], path: str, found: list[RedactedValue]) -> str:
    if text[:1] in "{[" and text[-1:] in "}]" and text:
        try:
            inner = json.loads(text, object_pairs_hook=_no_doubles)
        except (ValueError, RecursionError):
            inner = None  # told twice, or no JSON: it is read as text, so that nothing gets lost
        if isinstance(inner, dict | list):
            before = len(found)
            clean = _redact(inner, patterns, path, found)
            return json.dumps(clean, ensure_ascii=False, separators=(",", ":")) if len(found) > before else text
    clean_text, spans = redact_text(text, patterns)
    found += [RedactedValue(span.pattern, path, span.start, span.end) for span in spans]
    return clean_text


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


# --- names --------------------------------------------------------------------------------------------------

_API_WORDS = (
    r"(?:api|access|secret|client|app|application|consumer|service|account|storage|signing|encryption|master|private)"
    r"[_-]?(?:key|token|secret)|secret"
)
_BEARER_WORDS = r"authorization|(?:auth|bearer|refresh|session|id|oauth|jwt|csrf|personal[_-]?access)[_-]?token|token"
_PASS_WORDS = r"pgpassword|password|passwd|pwd|passphrase|passcode"  # noqa: S105 - names of secrets, none itself

_BY_NAME: dict[PatternName, re.Pattern[str]] = {
    "api_key": re.compile(rf"(?:^|[_-]|(?<=[a-z])(?=[A-Z]))(?i:{_API_WORDS})(?:[_-]?\d+)?$"),
    "bearer_token": re.compile(rf"(?:^|[_-]|(?<=[a-z])(?=[A-Z]))(?i:{_BEARER_WORDS})$"),
    "password_assignment": re.compile(rf"(?:^|[_-]|(?<=[a-z])(?=[A-Z]))(?i:{_PASS_WORDS}|pass)(?:[_-]?\d+)?$"),
}


def _named(key: str, item: object, patterns: Sequence[PatternName]) -> PatternName | None:
    """The pattern a key's name speaks of, where its value can be a secret."""
    for pattern in patterns:
        by_name = _BY_NAME.get(pattern)
        if by_name is None or not by_name.search(key[-80:]):
            continue
        if isinstance(item, str) and item.strip() and not _NO_SECRET.fullmatch(item) and not PLACEHOLDER.search(item):
            return pattern
        if pattern == "password_assignment" and isinstance(item, int) and not isinstance(item, bool) and item > 999:
            return pattern
    return None


_NO_SECRET = re.compile(
    r"\s*(?:\$\{[^}]*\}|\$\([^)]*\)|\$\w+|%\w+%|\{\{[^}]*\}\}|\{\w*\}|<[^>]*>|\*+|x{3,}|\.{3}|…"
    r"|(?i:string|str|text|bool|boolean|int|integer|number|any|unknown|object|secretstr|optional|none|null|undefined"
    r"|true|false|required|hidden|masked|redacted|omitted|changeme|your[_-]\w[\w-]*|password|passwd|token|secret|key)"
    r"|(?:os|process|env|config|settings|self|this|args|opts|options|request|req|user|params|form|data|import)"
    r"(?:\.\w+)+(?:[\[(].*)?|\w+(?:\.\w+)*[\[(].*)\s*;?",
    re.DOTALL,
)
"""Values that only name a secret's place, type or absence."""


# --- shapes in text -----------------------------------------------------------------------------------------

Finder = Callable[[str], Iterator[tuple[int, int]]]

_START = r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))"
"""Where a word of a name begins: not within a word, but after `_`, and at a capital."""
_IS = r"(?:[_-]?\d{1,3})?\\?[\"'`]?[ \t]{0,8}(?::=|=>|[:=])[ \t]{0,8}"
_RUN = r"[A-Za-z0-9._~+/=-]"
_QUOTED = (
    r"(?:\\\"(?P<escaped>[^\"\n\\]{6,1000}+)\\\"|\"(?P<double>(?:[^\"\n\\]|\\[^\n]){6,1000}+)\""
    r"|\\?'(?P<single>(?:[^'\n\\]|\\[^'\n]){6,1000}+)\\?'|`(?P<tick>[^`\n]{6,1000}+)`)"
)
_BARE = r"(?P<bare>[^\s,\"'`;<>&|]{6,1000}+)"

_API_ASSIGNED = re.compile(rf"{_START}(?i:{_API_WORDS}){_IS}\\?[\"'`]?(?P<value>{_RUN}{{12,}}+)(?![\[(])")
_BEARER_ASSIGNED = re.compile(
    rf"{_START}(?i:{_BEARER_WORDS}){_IS}\\?[\"'`]?(?:(?i:token|apikey|digest)[ \t]{{1,8}})?"
    rf"(?P<value>{_RUN}{{12,}}+)(?![\[(])"
)
_PASSWORD_ASSIGNED = re.compile(rf"(?:{_START}(?i:{_PASS_WORDS})|(?<=[_-])(?i:pass)){_IS}(?:{_QUOTED}|{_BARE})")
_BEARER = re.compile(rf"(?<![A-Za-z])(?i:bearer)[ \t]{{1,8}}(?P<value>{_RUN}{{12,}}+)")
_BASIC = re.compile(r"(?<![A-Za-z])(?i:basic)[ \t]{1,8}(?P<value>[A-Za-z0-9+/]{6,2000}+={0,2})")
_JWT = re.compile(r"(?<![A-Za-z0-9_-])(?P<value>eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+)?)")
_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,200}+:(?P<value>[^\s/\"'<>]{1,200})@")
_CURL = re.compile(
    r"(?<![A-Za-z])curl[ \t][^\n]{0,400}?(?<=[ \t])(?:-u|--user)[ \t=]{0,4}[\"']?"
    r"[^\s:\"']{1,100}+:(?P<value>[^\s\"']{1,200}+)"
)
_OPTION = re.compile(
    r"(?<![A-Za-z0-9-])--(?:password|passwd|pass|passphrase|pwd)(?:=|[ \t]{1,8})(?:"
    r"\"(?P<double>[^\"\n]{1,200}+)\"|'(?P<single>[^'\n]{1,200}+)'|(?P<bare>[^\s\"'-][^\s\"']{0,200}+))"
)
_CLIENT = re.compile(
    r"(?<![A-Za-z])(?:mysql|mysqldump|mysqladmin|sshpass)[ \t][^\n]{0,200}?(?<=[ \t])-p[ ]?"
    r"(?P<value>[^\s\"'-][^\s\"']{3,200}+)"
)
_KEY_OPTION = re.compile(
    rf"(?<![A-Za-z0-9-])--(?:api-?key|token|auth-token|secret|access-token|client-secret)(?:=|[ \t]{{1,8}})[\"']?"
    rf"(?P<value>{_RUN}{{8,}}+)"
)
_DIGIT = r"(?=[A-Za-z_-]{0,60}+[0-9])"
_KNOWN = re.compile(
    r"(?<![A-Za-z0-9_])(?P<value>(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])"
    r"|gh[pousr]_[A-Za-z0-9]{20,}+|github_pat_[A-Za-z0-9_]{20,}+|gl(?:pat|dt|rt|ptt|cbt|soat)-[A-Za-z0-9_-]{16,}+"
    rf"|xox[abeoprs]-{_DIGIT}[A-Za-z0-9-]{{10,}}+|xapp-{_DIGIT}[A-Za-z0-9-]{{10,}}+"
    r"|https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}+"
    r"|AIza[0-9A-Za-z_-]{30,}+|ya29\.[0-9A-Za-z_-]{20,}+|GOCSPX-[0-9A-Za-z_-]{20,}+"
    rf"|sk-{_DIGIT}[A-Za-z0-9_-]{{20,}}+|[sr]k_(?:live|test)_[0-9A-Za-z]{{16,}}+|whsec_[0-9A-Za-z+/=]{{20,}}+"
    r"|npm_[A-Za-z0-9]{30,}+|pypi-[A-Za-z0-9_-]{40,}+|hf_[A-Za-z0-9]{30,}+|dop_v1_[a-f0-9]{40,}+"
    r"|SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+|gm_[A-Za-z0-9_-]{32,}+)"
)
_BLOCK_EDGE = re.compile(r"-----(?P<edge>BEGIN|END) (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_BLOCK_BODY = re.compile(r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n]*+|[A-Za-z0-9+/=\s]|\\[nr])*+")
_ALIVE = re.compile(r"[0-9]|[a-z][A-Z]|[A-Z]{2}|[A-Za-z]{20}")
"""What tells a token from a word."""
_PATH = re.compile(r"(?:~|\.{1,2})?/[\w./-]*")
_ELEMENT = re.compile(r"<(?i:[\w.-]{0,40}(?:password|passwd|passphrase))>(?P<value>[^<>\n]{1,200}+)</")
_HEADER = re.compile(rf"(?<![A-Za-z])(?i:authorization){_IS}(?i:bearer)[ \t]{{1,8}}(?P<value>{_RUN}{{12,}}+)")


def _plain(pattern: re.Pattern[str], *, alive: bool = False) -> Finder:
    """The named groups of each match, but for values that are no secret; `alive`: not for mere words."""

    def find(text: str) -> Iterator[tuple[int, int]]:
        for match in pattern.finditer(text):
            group = match.lastgroup or "value"
            value = match[group]
            if not _NO_SECRET.fullmatch(value) and (not alive or _ALIVE.search(value)):
                yield match.span(group)

    return find


def _passwords(text: str) -> Iterator[tuple[int, int]]:
    for match in _PASSWORD_ASSIGNED.finditer(text):
        group = match.lastgroup or "bare"
        start, end = match.span(group)
        if group == "bare":
            # A bracket that was opened before the value ends it; one of its own belongs to it.
            while end > start and text[end - 1] in ")]}.:!?" and not _balanced(text[start:end]):
                end -= 1
            if end - start < 6:
                continue
        value = text[start:end]
        if not _NO_SECRET.fullmatch(value) and not _PATH.fullmatch(value):
            yield start, end


def _balanced(value: str) -> bool:
    """Whether the last character is no leftover of the sentence or structure around the value."""
    opening = {")": "(", "]": "[", "}": "{"}.get(value[-1])
    return opening is not None and value.count(opening) >= value.count(value[-1])


def _basic(text: str) -> Iterator[tuple[int, int]]:
    """`Basic …` where it decodes to `name:password`."""
    for match in _BASIC.finditer(text):
        try:
            decoded = base64.b64decode(match["value"], validate=True)
        except (binascii.Error, ValueError):
            continue
        if b":" in decoded and decoded.isascii():
            yield match.span("value")


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Private key blocks; one without its end goes as far as it looks like one."""
    edges = list(_BLOCK_EDGE.finditer(text))
    for n, edge in enumerate(edges):
        if edge["edge"] == "END":
            continue
        following = edges[n + 1] if n + 1 < len(edges) else None
        if following and following["edge"] == "END":
            yield edge.start(), following.end()
            continue
        body = _BLOCK_BODY.match(text, edge.end(), following.start() if following else len(text))
        end = body.end() if body else edge.end()
        if text[edge.end() : end].strip():
            yield edge.start(), edge.end() + len(text[edge.end() : end].rstrip())


_FINDERS: dict[PatternName, tuple[Finder, ...]] = {
    "api_key": (_plain(_API_ASSIGNED), _plain(_KEY_OPTION, alive=True), _plain(_KNOWN)),
    "bearer_token": (
        _plain(_HEADER),
        _plain(_BEARER, alive=True),
        _plain(_BEARER_ASSIGNED, alive=True),
        _basic,
        _plain(_JWT),
    ),
    "password_assignment": (
        _passwords,
        _plain(_OPTION),
        _plain(_URL),
        _plain(_ELEMENT),
        _plain(_CURL),
        _plain(_CLIENT),
    ),
    "private_key": (_blocks,),
}
