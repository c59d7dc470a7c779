"""Whose words a text has: what its speaker says, and what they pass on from others.

Quotations, pasted mails, chats and logs, code, and tagged blocks that a program put there are kept and can be found,
but they are no evidence for the speaker. They are found by their form, block by block, before any sentence is read.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

Span = tuple[int, int]
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_TAGGED = re.compile(r"<([A-Za-z][\w.-]*)(?:\s[^<>]*)?>.*?(?:</\1\s*>|\Z)", re.DOTALL)
"""An element as in XML. One within a line is markup of the words unless its name has several parts."""
_INLINE_TAG = re.compile(r"[-_.]")
_CITED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_HEADER = re.compile(r"^[ \t]*(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Message-ID):[ \t]\S.*$", re.MULTILINE)
_FORWARDED = re.compile(
    r"^[ \t]*(?:-{2,}[ \t]*(?:original|forwarded) message[ \t]*-*|on [^\n]{6,80} wrote:)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_LOG = re.compile(
    r"^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d"
    r"|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b[ \t:]).*$",
    re.MULTILINE,
)
_SPEAKER = re.compile(
    r"^[ \t]*(?:\[[^\]\n]{1,30}\][ \t]*)?(?P<name>[A-Z@][\w.'-]*(?: [A-Z][\w.'-]*){0,2})[ \t]*:[ \t]+\S.*$",
    re.MULTILINE,
)
_PERSON = re.compile(r"\b(?:I|we|you|my|our|your|me|us)\b", re.IGNORECASE)
"""In what people say to each other; lists of settings have none."""
_QUOTED = re.compile('(?<!\\w)["“„«](?P<words>[^"“”„«»\\n]{1,2000})["”“»](?!\\w)')
_SAYING = re.compile(
    r"\b(?:writes?|wrote|says?|said|told|claims?|claimed|answers|answered|replies|replied|posted|texted|mailed|e-?mailed"
    r"|messaged|quoted)\b(?:[ ,]+(?:me|us|him|her|them|everyone|everybody|back|today|yesterday|just now"
    r"|(?:to|in|on|at|from)[ ](?:(?:the|my|our|his|her|their)[ ])?[\w-]+|(?-i:[A-Z][\w-]*))){0,3}[ ]?:[ \t]+(?=\S)",
    re.IGNORECASE,
)
_I_SAY = re.compile(r"\b(?:I|we)\b[^.!?:\n]{0,40}$", re.IGNORECASE)
_WHOLE = re.compile(
    r"^\s*(?:this session is being continued from a previous conversation|caveat: the messages below were generated)",
    re.IGNORECASE,
)
_FEWEST = 4
"""Words of a quotation from which on it says something; shorter ones are names and terms."""
_WORD = re.compile(r"\w+")


def others_words(text: str) -> list[Span]:
    """The places of a text that are not its speaker's own words, in order and apart.

    >>> text = 'I live in Bonn. My boss wrote: "I live in Turin and love it." I am glad.'
    >>> [text[start:end] for start, end in others_words(text)]
    ['"I live in Turin and love it."']
    """
    if _WHOLE.match(text):
        return [(0, len(text))]
    found = sorted(span for find in _FINDERS for span in find(text))
    joined: list[Span] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif start < end:
            joined.append((start, end))
    return joined


def own_words(text: str) -> str:
    """A text with blanks in place of what others say, so that places in it stay what they are.

    >>> own_words("> we use Kafka\\nThat is wrong.")
    '              \\nThat is wrong.'
    """
    return blanked(text, others_words(text))


def blanked(text: str, spans: Iterable[Span]) -> str:
    """A text with blanks in these places. Four plain spaces before words would make a line code: there the first blank
    is a no-break space."""
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
        line = text.rfind("\n", 0, start) + 1
        if line < end and text[line:end].isspace() and text[end : _line_end(text, end)].strip():
            first = text.rfind("\n", 0, end) + 1
            text = f"{text[:first]}\xa0{text[first + 1 :]}"
    return text


def _fenced(text: str) -> Iterator[Span]:
    yield from (found.span() for found in _FENCE.finditer(text))


def _tagged(text: str) -> Iterator[Span]:
    """Elements that stand on lines of their own, and those whose name no markup has."""
    for found in _TAGGED.finditer(text):
        line = text.rfind("\n", 0, found.start()) + 1
        own_line = not text[line : found.start()].strip()
        whole = own_line and ("\n" in found[0] or not text[found.end() : _line_end(text, found.end())].strip())
        if (whole and not _void(found[0])) or (_INLINE_TAG.search(found[1]) and f"</{found[1]}" in found[0]):
            yield found.span()


def _void(element: str) -> bool:
    """Whether an element never ends: a lone tag is no block."""
    return "</" not in element


def _lines(text: str) -> Iterator[Span]:
    for pattern in (_CITED, _LOG):
        yield from (found.span() for found in pattern.finditer(text))


def _mails(text: str) -> Iterator[Span]:
    """A mail begins with two header lines, or with the line that a program puts before it, and goes on to the end."""
    headers = list(_HEADER.finditer(text))
    starts = [one.start() for one, other in pairwise(headers) if text[one.end() : other.start()].strip() == ""]
    starts += [found.start() for found in _FORWARDED.finditer(text)]
    if starts:
        yield min(starts), len(text)


def _chats(text: str) -> Iterator[Span]:
    """Lines that begin with who says them, where there are two of them or more."""
    lines = list(_SPEAKER.finditer(text))
    if len({line["name"] for line in lines}) > 1 and any(_PERSON.search(line[0]) for line in lines):
        yield from (line.span() for line in lines)


def _quotations(text: str) -> Iterator[Span]:
    for found in _QUOTED.finditer(text):
        if len(_WORD.findall(found["words"])) >= _FEWEST:
            yield found.span()


def _reported(text: str) -> Iterator[Span]:
    """What stands behind "X wrote:" or "X told us in the meeting:", to the end of the line, unless speakers repeat what
    they said themselves. A verb with an object, as in "writes code:", reports nothing."""
    for found in _SAYING.finditer(text):
        if _QUOTED.match(text, found.end()):
            continue
        line = text.rfind("\n", 0, found.start()) + 1
        before = text[line : found.start()]
        if _I_SAY.search(before[max(before.rfind(mark) for mark in ".!?") + 1 :]):
            continue
        yield found.end(), _line_end(text, found.end())


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


_FINDERS = (_fenced, _tagged, _lines, _mails, _chats, _quotations, _reported)
