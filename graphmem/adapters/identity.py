"""The clock and the ids of the real world."""

from datetime import UTC, datetime

import uuid_utils


def utc_now() -> datetime:
    """Now, in UTC, to the microsecond."""
    return datetime.now(UTC)


def new_uuid7() -> str:
    """A UUIDv7: ids made later sort later."""
    return str(uuid_utils.uuid7())
