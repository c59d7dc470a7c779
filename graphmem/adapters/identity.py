"""The clock, the ids and the keys of the real world."""

import secrets
from datetime import UTC, datetime

import uuid_utils

from graphmem.rules.identity import KEY_PREFIX


def utc_now() -> datetime:
    """Now, in UTC, to the microsecond."""
    return datetime.now(UTC)


def new_uuid7() -> str:
    """A UUIDv7: ids made later sort later."""
    return str(uuid_utils.uuid7())


def new_key() -> str:
    """The text of a key: the prefix and 256 random bits."""
    return KEY_PREFIX + secrets.token_urlsafe(32)
