"""Cursors: where a list continues, opaque to the caller."""

import base64
import binascii
import json
from datetime import UTC, datetime

from graphmem.errors import InvalidCursor

FAR_FUTURE = datetime.max.replace(tzinfo=UTC)
LAST_ID = "\U0010ffff"
"""With `FAR_FUTURE` the place before the first item of a list that begins with the newest."""
MAX_PLACE = 2**53
"""Larger than any ordinal or offset; a cursor beyond it is not ours."""


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
        raise _damaged()
    return parts


def moment(cursor: str | None) -> tuple[datetime, str] | None:
    """The (time, id) after which a list continues. Errors: InvalidCursor."""
    if cursor is None:
        return None
    when, id_ = decode_cursor(cursor, 2)
    try:
        return datetime.fromisoformat(when), id_
    except ValueError:
        raise _damaged() from None


def place(cursor: str | None) -> tuple[datetime, str, int] | None:
    """The (time, id, number) after which a list continues. Errors: InvalidCursor."""
    if cursor is None:
        return None
    when, id_, number = decode_cursor(cursor, 3)
    behind = moment(encode_cursor(when, id_))
    (at,) = places(encode_cursor(number), 1)
    return (*behind, at) if behind else None


def places(cursor: str | None, count: int) -> list[int]:
    """The numbers at which a list continues, all 0 at the beginning. Errors: InvalidCursor."""
    try:
        numbers = [int(part) for part in decode_cursor(cursor, count)] if cursor is not None else [0] * count
    except ValueError:
        raise _damaged() from None
    if not all(0 <= number < MAX_PLACE for number in numbers):
        raise _damaged()
    return numbers


def _damaged() -> InvalidCursor:
    return InvalidCursor("The cursor is damaged. Use nextCursor as it was given, or leave it out.")


def _is_text(part: object) -> bool:
    """Whether a part is a text the database accepts: JSON can encode lone surrogates."""
    return isinstance(part, str) and not any("\ud800" <= letter <= "\udfff" for letter in part)
