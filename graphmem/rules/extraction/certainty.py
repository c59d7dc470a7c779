"""How sure what was read once is: by how clearly it is said, by whom, and how far they hold back."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from graphmem.model.claims import Claim

PLAIN = 0.7
"""The confidence of a fact that is said plainly, once; what an impact asks of each dependency by default."""
SECOND_HAND = 0.8
"""What is left of a confidence where somebody else is said to have said it, or only an assistant says it."""
_LEAST, _BY_CLARITY = 0.5, 0.3
"""The confidence of a dependency whose words are as good as unread, and how much clear words add. On labelled talk
dependencies that a scorer is 60, 80 and 100 % sure of are right in 54, 69 and 81 of 100 cases."""
_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Hedge:
    """How far somebody holds back: the `share` of a confidence that is left, and the `words` for it."""

    share: float
    words: str


@cache
def _hedges() -> tuple[tuple[float, re.Pattern[str]], ...]:
    table = tomllib.loads(files(__package__).joinpath("hedges.toml").read_text(encoding="utf-8"))
    return tuple(
        (
            grade["share"],
            re.compile(rf"\b(?:{'|'.join(re.escape(one.strip()) for one in grade['words'].split(','))})\b"),
        )
        for grade in table.values()
    )


def hedge_of(words: str) -> Hedge | None:
    """How far a clause holds back, by the words of `hedges.toml`; None for not at all. The strongest counts.

    >>> hedge_of("Maybe the depot, I think, uses Odoo"), hedge_of("The depot uses Odoo")
    (Hedge(share=0.5, words='maybe'), None)
    """
    said = words.lower().replace("’", "'")
    found = [Hedge(share, match[0]) for share, pattern in _hedges() if (match := pattern.search(said))]
    return min(found, key=lambda hedge: hedge.share, default=None)


@dataclass(frozen=True, slots=True)
class Certainty:
    """A share of a confidence, and the reasons for it in words, '' where nothing takes from it."""

    share: float = 1.0
    why: str = ""


def certainty_of(words: str, claims: Sequence[Claim], role: str) -> Certainty:
    """How sure a clause is by its hedges and by who says it.

    >>> certainty_of("As far as I know the depot uses Odoo", (), "assistant")
    Certainty(share=0.68, why='hedged (as far as i know); said by the assistant alone')
    """
    hedge, told = hedge_of(words), []
    share = hedge.share if hedge else 1.0
    if hedge:
        told.append(f"hedged ({hedge.words})")
    if any(claim.mood == "reported" for claim in claims):
        share *= SECOND_HAND
        told.append("reported")
    if role == "assistant":
        share *= SECOND_HAND
        told.append("said by the assistant alone")
    return Certainty(round(share, _DIGITS), "; ".join(told))


def fact_confidence(certainty: Certainty) -> float:
    """The confidence of a fact that is read once."""
    return round(PLAIN * certainty.share, _DIGITS)


def edge_confidence(clarity: float, certainty: Certainty) -> float:
    """The confidence of a dependency that is read once; `clarity`: how sure the scorer is that words say it, 0 to 1.

    >>> [edge_confidence(clarity, Certainty()) for clarity in (1.0, 0.67, 0.2)], edge_confidence(1.0, Certainty(0.75))
    ([0.8, 0.7, 0.56], 0.6)
    """
    return round((_LEAST + _BY_CLARITY * clarity) * certainty.share, _DIGITS)
