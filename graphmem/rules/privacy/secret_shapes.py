"""The shapes of secrets in a text: functions that find where one begins and ends.

Every pattern runs in linear time: repetitions are possessive or bounded, and parts that may be far apart, such as a
command and its option, are found in one pass.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

API_WORDS = (
    r"(?:api|access|secret|client|app|application|consumer|service|account|storage|signing|encryption|master|private)"
    r"[_-]?(?:key|token|secret)|secret"
)
BEARER_WORDS = r"authorization|(?:auth|bearer|refresh|session|id|oauth|jwt|csrf|personal[_-]?access)[_-]?token|token"
PASS_WORDS = r"pgpassword|password|passwd|pwd|passphrase|passcode"  # noqa: S105 - names of secrets, not secrets

NO_SECRET = re.compile(
    r"\s*(?:\$\{[^}]*\}|\$\([^)]*\)|\$\w+|%\w+%|\{\{[^}]*\}\}|\{\w*\}|<[^>]*>|\*+|x{3,}|\.{3}|…"
    r"|(?i:string|str|text|bool|boolean|int|integer|number|any|unknown|object|secretstr|optional|none|null|undefined"
    r"|true|false|required|hidden|masked|redacted|omitted|changeme|your[_-]\w[\w-]*|password|passwd|token|secret|key)"
    r"|(?:os|process|env|config|settings|self|this|args|opts|options|request|req|user|params|form|data|import)"
    r"(?:\.\w+)+(?:[\[(].*)?|\w+(?:\.\w+)*[\[(].*)\s*;?",
    re.DOTALL,
)
"""Values that only name a secret's place, type or absence."""

Spans = Iterator[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Finder:
    """Where secrets of one shape begin and end in a text; nowhere in one in which `pattern` cannot match."""

    pattern: re.Pattern[str]
    spans: Callable[[str], Spans]


_START = r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))"
"""The beginning of a word in a name: not within a word, but after `_`, and at a capital."""
_IS = r"(?:[_-]?\d{1,3})?\\?[\"'`]?[ \t]{0,8}(?::=|=>|[:=])[ \t]{0,8}"
_RUN = r"[A-Za-z0-9._~+/=-]"
_QUOTED = (
    r"(?:\\\"(?P<escaped>[^\"\n\\]{6,1000}+)\\\"|\"(?P<double>(?:[^\"\n\\]|\\[^\n]){6,1000}+)\""
    r"|\\?'(?P<single>(?:[^'\n\\]|\\[^'\n]){6,1000}+)\\?'|`(?P<tick>[^`\n]{6,1000}+)`)"
)
_BARE = r"(?P<bare>[^\s,\"'`;<>&|]{6,1000}+)"

_API_ASSIGNED = re.compile(rf"{_START}(?i:{API_WORDS}){_IS}\\?[\"'`]?(?P<value>{_RUN}{{12,}}+)(?![\[(])")
_BEARER_ASSIGNED = re.compile(
    rf"{_START}(?i:{BEARER_WORDS}){_IS}\\?[\"'`]?(?:(?i:token|apikey|digest)[ \t]{{1,8}})?"
    rf"(?P<value>{_RUN}{{12,}}+)(?![\[(])"
)
_OPEN = r"\\?[\"'`](?P<open>(?:[^\s\"'`\\]|\\(?![\"'`])){6,1000}+)"
"""A value after an unclosed quote."""
_PASSWORD_ASSIGNED = re.compile(rf"(?:{_START}(?i:{PASS_WORDS})|(?<=[_-])(?i:pass)){_IS}(?:{_QUOTED}|{_OPEN}|{_BARE})")
_PASSWORD_OF_SHELL = re.compile(
    r"(?<![A-Za-z])(?:(?:PG)?PASSWORD|PASSWD|PASSPHRASE|(?<=_)(?:PWD|PASS))(?:_?\d{1,3})?="
    r"(?:\\\"(?P<escaped>[^\"\n\\]{1,1000}+)\\\"|\"(?P<double>(?:[^\"\n\\]|\\[^\n]){1,1000}+)\"|'(?P<single>[^'\n]{1,1000}+)')"
)
"""A quoted value, of any length."""
_SWITCH = re.compile(r"(?i:yes|no|on|off|y|n|[01])")
_KEY_IN_JSON = r"\\?[\"']\s{0,40}:\s{0,40}"
_PASSWORD_IN_JSON = re.compile(
    rf"{_START}(?i:{PASS_WORDS})(?:[_-]?\d{{1,3}})?{_KEY_IN_JSON}"
    rf"(?:\[\s{{0,40}}|\{{\s{{0,40}}\\?[\"'](?i:value){_KEY_IN_JSON}){_QUOTED}"
)
_PAIR_IN_JSON = re.compile(
    rf"[\"'](?i:name|key){_KEY_IN_JSON}\\?[\"'](?P<name>[\w.-]{{1,80}}+)\\?[\"']\s{{0,40}},\s{{0,40}}"
    rf"\\?[\"'](?i:value){_KEY_IN_JSON}{_QUOTED}"
)
PASSWORD_NAME = re.compile(rf"(?:^|[_.-]|(?<=[a-z])(?=[A-Z]))(?i:{PASS_WORDS}|pass)(?:[_-]?\d+)?$")
_BEARER = re.compile(rf"(?<![A-Za-z])(?i:bearer)[ \t]{{1,8}}(?P<value>{_RUN}{{12,}}+)")
_BASIC = re.compile(r"(?<![A-Za-z])(?i:basic)[ \t]{1,8}(?P<value>[A-Za-z0-9+/]{6,2000}+={0,2})")
_JWT = re.compile(r"(?<![A-Za-z0-9_-])(?P<value>eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+)?)")
_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,200}+:(?=[^\s\"'<>])")
_BEHIND_NAME = re.compile(r"[^\s\"<>]{1,400}+")
_PORT = re.compile(r"\d{1,5}(?:[/?#'),;\]}]|$)")
_COMMAND = re.compile(r"(?<![A-Za-z])(?:curl|mysql|mysqldump|mysqladmin|sshpass)(?=\s)")
_LINE_END = re.compile(r"(?<![\\^`])(?<![\\^`]\r)\n")
"""The end of a command: shells continue after an escaped line end."""
_ARGUMENT = re.compile(
    r"(?<![A-Za-z])(?P<command>curl|mysql|mysqldump|mysqladmin|sshpass)(?=\s)"
    r"|(?<=\s)(?P<client>-p)[ ]?(?:'(?P<quoted>[^'\n]{1,400}+)'|(?P<word>[^\s\"'-][^\s\"']{3,400}+))"
    r"|(?<=\s)(?:-u|--user|--proxy-user)[ \t=]{0,4}(?:"
    r"\\\"[^:\"\n\\]{1,100}+:(?P<escaped>[^\"\n\\]{1,400}+)\\\""
    r"|\"[^:\"\n]{1,100}+:(?P<double>(?:[^\"\n\\]|\\[^\n]){1,400}+)\"|'[^:'\n]{1,100}+:(?P<single>[^'\n]{1,400}+)'"
    r"|\\?[\"']?[^\s:\"']{1,100}+:(?:'(?P<inner>[^'\n]{1,400}+)'|\"(?P<in_double>[^\"\n\\]{1,400}+)\""
    r"|(?P<bare>[^\s\"']{1,400}+)))"
)
_CLIENT_REACH = 200
"""How far after its name a database client's `-p` is searched."""
_OPTION = re.compile(
    r"(?<![A-Za-z0-9-])--(?!(?:no|non|without|ask|prompt|require|allow|skip|use|show|reset|change|update)-)"
    r"(?:[A-Za-z0-9]{1,30}-){0,4}(?:password|passwd|pass|passphrase|pwd)(?:=|[ \t]{1,8})(?:"
    r"\"(?P<double>[^\"\n]{1,200}+)\"|'(?P<single>[^'\n]{1,200}+)'"
    r"|(?!(?:to|is|are|was|for|and|or|in|with|as|if|the|a|an|option|flag|must|should|can|will|from|instead|when)\b)"
    r"(?P<bare>[^\s\"'-][^\s\"']{0,200}+))"
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
_BLOCK_BODY = re.compile(
    r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n]*+"
    r"|(?:\n|\\n)[ \t]{0,20}(?:(?:[>|│#*]|-(?!-)|\d{1,6}[ \t]{0,4}[:|│→.)\]-](?!-))[ \t]{0,4}){1,4}"
    r"|[A-Za-z0-9+/=\s]|\\[nr])*+"
)
"""Lines may be quoted or numbered."""
_ALIVE = re.compile(r"[0-9]|[a-z][A-Z]|[A-Z]{2}|[A-Za-z]{20}")
"""What distinguishes a token from a word."""
_LETTER = re.compile(r"(?<!\\)[A-Za-z]")
_WORD = re.compile(r"[A-Za-z]?[a-z]*")
_PATH = re.compile(r"(?:~|\.{1,2})?/[\w./-]*")
_ELEMENT = re.compile(r"<(?i:[\w.-]{0,40}(?:password|passwd|passphrase))>(?P<value>[^<>\n]{1,200}+)</")
_HEADER = re.compile(rf"(?<![A-Za-z])(?i:authorization){_IS}(?i:bearer)[ \t]{{1,8}}(?P<value>{_RUN}{{12,}}+)")


def _plain(pattern: re.Pattern[str], *, alive: bool = False) -> Finder:
    """The named groups of each match, except values that are not secrets; `alive`: only tokens, no plain words."""

    def spans(text: str) -> Spans:
        for match in pattern.finditer(text):
            group = match.lastgroup or "value"
            value = match[group]
            if not NO_SECRET.fullmatch(value) and (not alive or _ALIVE.search(value)):
                yield match.span(group)

    return Finder(pattern, spans)


def _passwords(text: str) -> Spans:
    for match in _PASSWORD_ASSIGNED.finditer(text):
        group = match.lastgroup or "bare"
        start, end = match.span(group)
        if group == "bare":
            # The closing of a bracket that was opened before the value ends it; its own brackets belong to it.
            while end > start and text[end - 1] in ")]}.:!?" and not _balanced(text[start:end]):
                end -= 1
            if end - start < 6:
                continue
        value = text[start:end]
        if not NO_SECRET.fullmatch(value) and not _PATH.fullmatch(value):
            yield start, end


def _balanced(value: str) -> bool:
    """Whether the last character does not come from the sentence or structure around the value."""
    opening = {")": "(", "]": "[", "}": "{"}.get(value[-1])
    return opening is not None and value.count(opening) >= value.count(value[-1])


def _shell_passwords(text: str) -> Spans:
    for start, end in _plain(_PASSWORD_OF_SHELL).spans(text):
        if not _SWITCH.fullmatch(text, start, end) and not _PATH.fullmatch(text, start, end):
            yield start, end


def _in_json(pattern: re.Pattern[str]) -> Finder:
    """Passwords one level below the name that indicates them; in an open list only the first."""

    def spans(text: str) -> Spans:
        for match in pattern.finditer(text):
            group = match.lastgroup or "double"
            named = match.groupdict().get("name")
            told = named is None or PASSWORD_NAME.search(named)
            if told and not NO_SECRET.fullmatch(match[group]) and not is_prose(match[group]):
                yield match.span(group)

    return Finder(pattern, spans)


def is_prose(text: str) -> bool:
    """Whether a text is a sentence, such as a message about a field, and not a secret of several words.

    >>> is_prose("This field is required."), is_prose("correct horse battery staple")
    (True, False)
    """
    signs = text[:1].isupper() + (text.rstrip()[-1:] in ".!?")
    return signs > 0 and len(text.split()) > 3 - signs


def _urls(text: str) -> Spans:
    for head in _URL.finditer(text) if "@" in text else ():
        if text.find("@", head.end(), head.end() + 400) < 0:
            continue
        run = _BEHIND_NAME.match(text, head.end())
        length = _password_length(run[0]) if run else 0
        if length and not NO_SECRET.fullmatch(text, head.end(), head.end() + length):
            yield head.end(), head.end() + length


def _password_length(run: str) -> int:
    """The length of the password after `scheme://name:`; 0 for a port and a path.

    It ends at the last @ before the path. But passwords may contain `/` and `'` too: so a host without a dot or a port
    does not count if another @ follows.

    >>> [_password_length(run) for run in ("p@ss@db/x", "p@ss/word@host", "pa'ss@h", "8000/x@y", "tok@git.io/x@v1")]
    [4, 9, 5, 0, 3]
    """
    if _PORT.match(run):
        return 0
    path = (run + "/").index("/")
    at = run.rfind("@", 0, run.find("'") if "'" in run[:path] else path)
    if at < 0:
        at = run.rfind("@", 0, path)
    last = run.rfind("@")
    plain_host = at >= 0 and (set(run[at:path]) & set(".:[") or run[at + 1 : path] == "localhost")
    if last > path and not plain_host and run[last - 1] != "/":
        return last
    return max(at, 0)


def _arguments(text: str) -> Spans:
    """Passwords in the options of commands, also over several lines."""
    command = _COMMAND.search(text)
    while command:
        line_end = _LINE_END.search(text, command.end())
        end = line_end.start() if line_end else len(text)
        yield from _arguments_of(text, command.start(), end)
        command = _COMMAND.search(text, end)


def _arguments_of(text: str, start: int, end: int) -> Spans:
    curl, client = False, -_CLIENT_REACH
    for match in _ARGUMENT.finditer(text, start, end):
        if match["command"]:
            curl, client = curl or match["command"] == "curl", client if match["command"] == "curl" else match.end()
        elif match.start() - client <= _CLIENT_REACH if match["client"] else curl:
            group = match.lastgroup or "bare"
            if not NO_SECRET.fullmatch(match[group]):
                yield match.span(group)


def _basic(text: str) -> Spans:
    """`Basic …` where it decodes to `name:password`."""
    for match in _BASIC.finditer(text):
        value = match["value"].rstrip("=")
        try:
            name, colon, password = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).partition(b":")
        except (binascii.Error, ValueError):
            continue
        if not colon or not name.isascii():
            continue
        if password.isascii() or (not _WORD.fullmatch(value) and _readable(name) and _readable(password)):
            yield match.span("value")


def _readable(encoded: bytes) -> bool:
    """Whether it is text in UTF-8, or in the older encoding of headers."""
    try:
        return encoded.decode().isprintable()
    except UnicodeDecodeError:
        return encoded.decode("latin-1").isprintable()


def _blocks(text: str) -> Spans:
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
        if _LETTER.search(text, edge.end(), end):
            yield edge.start(), edge.end() + len(text[edge.end() : end].rstrip(" \t\r\n>|│"))


API_KEYS = (_plain(_API_ASSIGNED), _plain(_KEY_OPTION, alive=True), _plain(_KNOWN))
BEARER_TOKENS = (
    _plain(_HEADER),
    _plain(_BEARER, alive=True),
    _plain(_BEARER_ASSIGNED, alive=True),
    Finder(_BASIC, _basic),
    _plain(_JWT),
)
PASSWORDS = (
    Finder(_PASSWORD_ASSIGNED, _passwords),
    Finder(_PASSWORD_OF_SHELL, _shell_passwords),
    _in_json(_PASSWORD_IN_JSON),
    _in_json(_PAIR_IN_JSON),
    _plain(_OPTION),
    Finder(_URL, _urls),
    _plain(_ELEMENT),
    Finder(_COMMAND, _arguments),
)
PRIVATE_KEYS = (Finder(_BLOCK_EDGE, _blocks),)
