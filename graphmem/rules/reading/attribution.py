"""Whose words a clause is: somebody may only pass on what another says, or quote it."""

import re

_REPORTS = re.compile(
    r"(?i)(?:,[^,]{2,40},| (?:at|from|of) (?:the )?[\w'-]{1,30}(?: [\w'-]{1,30})?)?,? (?:says?|said|told|thinks?|means|"
    r"wants)\b"
)
"""Stands behind who is named as the one who says so, with what may stand between."""
_CLOSING = re.compile('["”]')
_OPENING = re.compile(r"(?<!\w)[\"“][^\"“”]*$")
_BACK = 300
"""So far before a clause a quotation may begin: each clause is looked at shortly, however long its sentence is."""
_MARGIN = 3
"""A quotation may end so much before its clause does: the marks themselves."""


def reports(text: str, name_end: int, end: int) -> bool:
    """Whether who is named just before is the one who says the rest, up to `end`.

    >>> reports("Doc says the pen has to be swapped", 3, 34), reports("Doc has to be called", 3, 20)
    (True, False)
    """
    return bool(_REPORTS.match(text, name_end, end))


def is_quoted(text: str, first: int, start: int, end: int) -> bool:
    """Whether a clause [start, end) of the sentence that begins at `first` stands within quotation marks: it is
    somebody else's, or only an example.

    >>> is_quoted('write "never push" there', 0, 6, 18), is_quoted('"Atlas" must never stop', 0, 0, 23)
    (True, False)
    """
    opened = _OPENING.search(text, max(first, start - _BACK), min(start + 2, len(text)))
    return opened is not None and not _CLOSING.search(text, opened.end(), end - _MARGIN)
