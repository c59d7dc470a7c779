"""Patterns for session ids: `*` stays within a colon segment, `**` crosses segments, all else is literal."""

import re
from collections.abc import Sequence
from functools import lru_cache


def glob_match(patterns: Sequence[str], session_id: str, source: str | None = None) -> str | None:
    """The first pattern that matches the session's id, its source, or `source:id`; None where none does.

    A pattern matches the whole text, case-sensitively.

    >>> glob_match(["cron:*"], "cron:tick"), glob_match(["cron:*"], "cron:tick:7"), glob_match(["cron:**"], "cron:a:b")
    ('cron:*', None, 'cron:**')
    >>> glob_match(["slack:*"], "C042", source="slack")
    'slack:*'
    """
    keys = [session_id] if source is None else [session_id, source, f"{source}:{session_id}"]
    return next((pattern for pattern in patterns if any(_compiled(pattern).fullmatch(key) for key in keys)), None)


def is_glob(pattern: str) -> bool:
    """Whether a text is a valid pattern: `***` is not a wildcard, and ids contain no control characters.

    >>> is_glob("cron:*"), is_glob("a***"), is_glob("")
    (True, False, False)
    """
    return bool(pattern) and "***" not in pattern and pattern.isprintable()


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    pieces = re.split(r"(\*+)", pattern)
    return re.compile("".join(_piece(piece) for piece in pieces), re.DOTALL)


def _piece(piece: str) -> str:
    if not piece.startswith("*"):
        return re.escape(piece)
    return "[^:]*" if piece == "*" else ".*"
