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
from graphmem.rules.claims.likeness import Alike, alike, circumstances, frame
from graphmem.rules.claims.packing import packed, unpacked
from graphmem.rules.claims.reading import ClaimReader, FoundClaim

__all__ = [
    "Alike",
    "ClaimReader",
    "FoundClaim",
    "alike",
    "circumstances",
    "equal",
    "exclusion",
    "frame",
    "given",
    "left",
    "main_topic",
    "main_value",
    "packed",
    "tells_value",
    "terms",
    "topics",
    "unpacked",
]
