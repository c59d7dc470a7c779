"""Claims: what each clause says of what, and whether a newer one leaves no room for an older one."""

from graphmem.rules.claims.comparison import (
    equal,
    exclusion,
    given,
    left,
    main_topic,
    main_value,
    tells_value,
    terms,
    topics,
)
from graphmem.rules.claims.packing import packed, unpacked
from graphmem.rules.claims.reading import ClaimReader, FoundClaim
from graphmem.rules.claims.times import holding, tense_of

__all__ = [
    "ClaimReader",
    "FoundClaim",
    "equal",
    "exclusion",
    "given",
    "holding",
    "left",
    "main_topic",
    "main_value",
    "packed",
    "tells_value",
    "tense_of",
    "terms",
    "topics",
    "unpacked",
]
