"""The clock, the ids and the keys of the real world."""

import secrets
import sys
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from pathlib import Path

import uuid_utils

from graphmem import __version__, rules
from graphmem.rules.language.keys import KEY_PREFIX


def utc_now() -> datetime:
    """Now, in UTC, to the microsecond."""
    return datetime.now(UTC)


def new_uuid7() -> str:
    """A UUIDv7: ids made later sort later."""
    return str(uuid_utils.uuid7())


@cache
def rules_id(package: Path = Path(rules.__file__).parent) -> str:
    """A name of 32 characters for the code that decides on facts: it changes with any line of it, and with Python."""
    digest = blake2b(f"{__version__} {sys.version}".encode(), digest_size=16)
    for path in sorted(package.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def new_key() -> str:
    """The text of a key: the prefix and 256 random bits."""
    return KEY_PREFIX + secrets.token_urlsafe(32)


def new_salt() -> str:
    """128 random bits in hex."""
    return secrets.token_hex(16)
