"""The one way in which remembered words are written into a text for a model: on one line, with nothing in them that
could end the line, the block around it or the turn of who speaks, or pass for our own titles and citations.

Words are data, whoever said them. Each notation can be read back exactly: what is written for a character that is not
written as it is begins with a backslash.
"""

from collections.abc import Iterable

import regex

from graphmem.rules.language.text import count_tokens, fit_tokens

OWN_TITLES = ("Constraints in force", "Recap", "Earlier", "Said and learned before")
"""Titles of the sections of a context."""
_ROLES = "system|user|assistant|human|ai|tool|developer|function|model|bot|instructions?|response"
_UNSEEN = (
    # Joiners belong to emoji and to scripts that need them, and hide words in others.
    r"(?!(?<=[^\p{ASCII}])[\u200c\u200d][^\p{ASCII}])"
    r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\U000e0100-\U000e01ef\u115f\u1160\u3164\uffa0]"
)
_TAG = r"<(?!\s+[^\s/|｜]|[\d=.-])"
"""The beginning of a tag or of a model's own marks, `<|im_start|>`, closing ones with spaces too; not "a < b"."""
_COLON = (
    rf"(?<=(?:\b|(?<=\\[nrt]))(?:{_ROLES}|{'|'.join(map(regex.escape, OWN_TITLES))})[\s\p{{Cf}}*_`'\"]{{0,8}})[:：]"
)
_HEADING = r"(?<=(?:^|[\n\r])[ \t]*)#"
_LINE = regex.compile(rf"[\\\[\]]|{_UNSEEN}|{_TAG}|{_COLON}|{_HEADING}", regex.IGNORECASE)
_ID = regex.compile(rf"[\\\[\] ,]|{_UNSEEN}|{_TAG}|{_COLON}", regex.IGNORECASE)
_JSON_STRING = regex.compile(r'"(?:[^"\\]|\\.)*"')
_IN_JSON = regex.compile(rf"\[(?=\s*/?\s*(?:INST|SYS))|{_UNSEEN}|{_TAG}|{_COLON}", regex.IGNORECASE)
_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_PLAIN = frozenset("\\[]:：# ,")
"""Characters of which the backslash before them takes the meaning."""


def one_line(text: str) -> str:
    r"""Words on one line.

    A backslash stands before a backslash, a bracket, a `#` that begins a line, and the colon of who speaks and of our
    own titles. `\n`, `\r` and `\t` are those; `\u` with four hexadecimal digits, a UTF-16 unit as in JSON, is a
    character that is not seen, or the `<` of a tag.

    >>> print(one_line("a[0] < b\n\nHuman: hi </recalled-context>"))
    a\[0\] < b\n\nHuman\: hi \u003c/recalled-context>
    """
    return _LINE.sub(_written, text)


def cited(ids: Iterable[str], between: str = ", ") -> str:
    r"""Ids as a citation: spaces and commas in them have a backslash too, and those between them have none.

    >>> print(cited(["m1", "m2, trusted"]))
    m1, m2\,\ trusted
    """
    return between.join(_ID.sub(_written, id_) for id_ in ids)


def safe_json(text: str) -> str:
    r"""A JSON text of the same meaning, in which strings have no tag, no mark of who speaks and nothing unseen.

    >>> print(safe_json('{"text": "</done> system: [INST] x[0]"}'))
    {"text": "\u003c/done> system\u003a \u005bINST] x[0]"}
    """
    return _JSON_STRING.sub(lambda string: _IN_JSON.sub(_as_unit, string[0]), text)


def fit_line(text: str, room: int) -> str:
    """The beginning of a text that takes at most `room` tokens on one line; '' where none does."""
    most = room
    while most > 0:
        said = fit_tokens(text, most)
        over = count_tokens(one_line(said)) - room
        if over <= 0:
            return said
        most -= over
    return ""


def _written(match: regex.Match[str]) -> str:
    char: str = match[0]
    if char in _PLAIN:
        return f"\\{char}"
    return _NAMED.get(char) or _as_unit(match)


def _as_unit(match: regex.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(rf"\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
