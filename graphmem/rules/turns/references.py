"""The back references of a turn, and the names by which it is found."""

import re
from collections.abc import Iterator

MOST_TAGS = 20
MOST_CAMEL = 5
MOST_TAG_CHARS = 100
READ_CHARS = 20_000

_SPOKEN = (
    "said|mentioned|discussed|decided|agreed|talked about|noted|settled|explained|wrote|suggested|proposed|described"
)
_CUE = re.compile(
    r"(?i)\b(?:earlier(?! than)|previously|"
    rf"(?:as|like|what|that|which|and) (?:we|i|you) (?:already )?(?:{_SPOKEN}|planned)|"
    rf"(?:we|i|you) (?:already |had |'ve |have )+(?:{_SPOKEN})|(?:we|i|you) (?:mentioned|discussed|talked about)|"
    r"as (?:said|mentioned|discussed|agreed|decided|noted|explained)|(?:mentioned|said) before|mentioned above|"
    r"the above|from above|(?:going|coming|getting|circling) back to|back to (?:the|our|your|my|what)|"
    r"(?:do you |you |i )?remember (?:when|that|the|how|what|our|your)|last time|before that we|"
    r"the (?:previous|aforementioned|former)|at the (?:start|beginning) (?:we|you|i|of)|you told me|i told you|"
    r"where were we|a while (?:ago|back)|some time ago|in our last|(?:same )?as before|like before|still stands?)\b"
)
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:@-]{1,255}")
_TAGS = re.compile(
    r"(?P<file>(?<![\w/.@-])(?:[\w.-]+/)*[\w-][\w.-]*\.(?:tsx?|jsx?|mjs|py|pyi|md|rs|go|java|kt|rb|php|cs|cpp|hpp|c|h|"
    r"sql|sh|ya?ml|toml|json|cypher|ini|cfg|html|css|scss|vue|tf|proto|ipynb|txt|lock|csv)\b(?![\w/]))"
    r"|(?P<package>(?<![\w/])@[a-z0-9][\w.-]*/[a-z0-9][\w.-]*)"
    r"|(?P<camel>\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b)"
)


def cue(text: str) -> str | None:
    """The words by which a text refers back in the conversation; None where it does not.

    >>> cue("As we said earlier, keep it small."), cue("Earlier than nine is too early.")
    ('As we said', None)
    """
    found = _CUE.search(text[:READ_CHARS])
    return found[0] if found else None


def named_ids(text: str) -> Iterator[str]:
    """Possible message ids: tokens with a digit and a letter or punctuation, such as `m12` or a UUID, never a plain
    word or number.

    >>> list(named_ids("see m12, not 12 or twelve."))
    ['m12']
    """
    for found in _TOKEN.finditer(text[:READ_CHARS]):
        token = found[0].rstrip(".:-")
        if len(token) > 1 and any(map(str.isdigit, token)) and not token.isdigit():
            yield token


def tags(text: str) -> tuple[str, ...]:
    """The names by which a turn is found, in order: files, scoped packages, and up to five names in camel case.

    >>> tags("Move `UserStore` from src/store.py to @acme/users, e.g. today.")
    ('UserStore', 'src/store.py', '@acme/users')
    """
    found: dict[str, None] = {}
    camel = 0
    for match in _TAGS.finditer(text[:READ_CHARS]):
        tag = match[0]
        if tag in found or len(tag) > MOST_TAG_CHARS or (match["camel"] and camel == MOST_CAMEL):
            continue
        camel += bool(match["camel"])
        found[tag] = None
        if len(found) == MOST_TAGS:
            break
    return tuple(found)
