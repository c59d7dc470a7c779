"""The words of a text that are read: not whom it is addressed to, nothing that others say in it, and nothing in other
languages than English."""

import re
from dataclasses import dataclass
from functools import lru_cache

from graphmem.rules.language.foreign import foreign_stretches
from graphmem.rules.language.own_words import blanked, own_words
from graphmem.rules.reading.statements import prose_sentences

_PICTURE = "[\U0001f1e6-\U0001faff\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\u200d\ufe0f]+"
_PICTURES = re.compile(
    rf"(?:^[ \t]*(?:[-*•+][ \t]+)?|(?<=[.!?…:]\s))(?P<lead>{_PICTURE}[ \t]*)(?=[\w\"'(`*@:\[])", re.MULTILINE
)
"""Pictographs before a sentence; those behind one end it."""
_WORD = re.compile(r"\w")
_ADDRESS = re.compile(
    r"\s*(?P<lead>(?:(?:@[\w.-]*\w|:[a-z0-9_+-]+:|\[(?!(?:debug|info|warn|warning|error|fatal|trace|critical)\b)"
    r"[^\W\d_][^\W\d]+(?:[ .'-][^\W\d]+){0,3}\])[,:]?[ \t]+)+)(?=[^\W\d_])(?![^\n]*[{;]\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
"""Whom a message is addressed to, or a label in front of it: `@ana`, `[web team]`, `:tada:`. What has a digit in
brackets is a thread or a time of a log, and a line that ends as code is code."""


@dataclass(frozen=True, slots=True)
class AsRead:
    """A text with blanks in place of what is not read, so that places in it stay what they are. `foreign`: some of it
    is in another language."""

    text: str
    foreign: bool


@lru_cache(500)  # asked when a text is parsed, and when it is read
def as_read(text: str) -> AsRead:
    """What is read of a text; of one that is a quotation as a whole, what it says.

    >>> as_read("@ana we use Kafka. Usamos Redis en Madrid.")
    AsRead(text='\\xa0    we use Kafka.                        ', foreign=True)
    """
    own = own_words(text)
    text = own if _WORD.search(own) else text
    leads = [found.span("lead") for found in _PICTURES.finditer(text)] if not text.isascii() else []
    text = blanked(text, leads)
    if address := _ADDRESS.match(text):
        text = blanked(text, [address.span("lead")])
    foreign = foreign_stretches(text, prose_sentences(text))
    return AsRead(blanked(text, foreign), bool(foreign))
