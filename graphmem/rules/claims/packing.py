"""Claims as a text that is stored with a fact."""

from collections.abc import Sequence
from functools import lru_cache

from pydantic import TypeAdapter

from graphmem.model.claims import Claim

_CLAIMS = TypeAdapter(tuple[Claim, ...])


def packed(claims: Sequence[Claim]) -> str | None:
    """The claims as JSON without default values; None for none."""
    return _CLAIMS.dump_json(tuple(claims), exclude_defaults=True).decode() if claims else None


@lru_cache(maxsize=8_192)
def unpacked(stored: str | None) -> tuple[Claim, ...]:
    """The claims that `packed` wrote."""
    return _CLAIMS.validate_json(stored) if stored else ()
