"""Cursors: where a list goes on, opaque to the caller."""

import base64
import binascii
import json

from graphmem.errors import InvalidCursor


def encode_cursor(*parts: str) -> str:
    """A cursor that holds these parts.

    >>> decode_cursor(encode_cursor("2026-03-02", "a"), 2)
    ['2026-03-02', 'a']
    """
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, count: int) -> list[str]:
    """The parts of a cursor. Errors: InvalidCursor for anything `encode_cursor` did not make with `count` parts."""
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        parts = None
    if not isinstance(parts, list) or len(parts) != count or not all(_is_text(part) for part in parts):
        raise InvalidCursor("The cursor is damaged. Use nextCursor as it was given, or leave it out.")
    return parts


def _is_text(part: object) -> bool:
    """Whether a part is a text the database can take: JSON can spell halves of characters."""
    return isinstance(part, str) and not any("\ud800" <= letter <= "\udfff" for letter in part)
