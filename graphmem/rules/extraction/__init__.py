"""From messages to entities, facts, rules and dependencies: `extract`, and the escalation that keeps it bounded."""

from graphmem.rules.extraction.certainty import certainty_of
from graphmem.rules.extraction.chunks import ChunkBounds, first_chunk
from graphmem.rules.extraction.escalation import REASONS, FactKey, climb, climb_strictly, is_over, lost
from graphmem.rules.extraction.extraction import EXTRACTOR, extract
from graphmem.rules.extraction.scoring import Scorer, Scoring, packed, shipped

__all__ = [
    "EXTRACTOR",
    "REASONS",
    "ChunkBounds",
    "FactKey",
    "Scorer",
    "Scoring",
    "certainty_of",
    "climb",
    "climb_strictly",
    "extract",
    "first_chunk",
    "is_over",
    "lost",
    "packed",
    "shipped",
]
