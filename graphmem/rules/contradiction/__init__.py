"""Whether a newer statement contradicts an older one, read from its words. The other modules are private to it."""

from graphmem.rules.contradiction.candidates import Candidates
from graphmem.rules.contradiction.detector import check
from graphmem.rules.contradiction.single_valued import SINGLE_VALUED
from graphmem.rules.contradiction.traits import Traits, pack, traits_of, unpack

__all__ = ["SINGLE_VALUED", "Candidates", "Traits", "check", "pack", "traits_of", "unpack"]
