"""Claims: what each clause says of what, and whether a newer one leaves no room for an older one."""

from graphmem.rules.claims.comparison import (
    equal,
    exclusion,
    given,
    left,
    main_topic,
    main_value,
    tells_besides,
    tells_value,
    terms,
    topics,
)
from graphmem.rules.claims.likeness import Alike, alike, circumstances, frame
from graphmem.rules.claims.packing import packed, unpacked
from graphmem.rules.claims.reading import ClaimReader, FoundClaim
from graphmem.rules.claims.repair import repaired
from graphmem.rules.claims.slots import (
    Filling,
    Verdict,
    claim_of,
    fillings,
    in_one_slot,
    other_unit,
    shown,
    slot_key,
)
from graphmem.rules.claims.times import holding, tense_of
from graphmem.rules.claims.topic import of_one_thing
from graphmem.rules.claims.words import CURRENCIES, UNITS, name_words, verbs_like

__all__ = [
    "CURRENCIES",
    "UNITS",
    "Alike",
    "ClaimReader",
    "Filling",
    "FoundClaim",
    "Verdict",
    "alike",
    "circumstances",
    "claim_of",
    "equal",
    "exclusion",
    "fillings",
    "frame",
    "given",
    "holding",
    "in_one_slot",
    "left",
    "main_topic",
    "main_value",
    "name_words",
    "of_one_thing",
    "other_unit",
    "packed",
    "repaired",
    "shown",
    "slot_key",
    "tells_besides",
    "tells_value",
    "tense_of",
    "terms",
    "topics",
    "unpacked",
    "verbs_like",
]
