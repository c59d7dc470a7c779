"""Which older facts the newer ones retire: a plan, by the rules, by a model or by a person. Nothing is written here."""

from graphmem.rules.supersession.correction import instead_of, restated, subject
from graphmem.rules.supersession.decision import Fact, Likely, Retirement, decide
from graphmem.rules.supersession.likeness import TRAINED_WITH, Compared, likely
from graphmem.rules.supersession.model_verdicts import (
    MAX_ASKED,
    PROMPTS,
    Pair,
    judgements,
    most_alike,
    question,
    read_verdicts,
)
from graphmem.rules.supersession.nearby import (
    confirmation_missed,
    said_otherwise,
    with_confirmations,
    with_related,
)
from graphmem.rules.supersession.retirement import (
    Swept,
    kept_pairs_to_ask,
    late_since,
    pairs_to_ask,
    pairs_to_compare,
    rivals_missed,
    row_of,
    swept,
    with_supersessions,
)
from graphmem.rules.supersession.rollback import plan_rollback

__all__ = [
    "MAX_ASKED",
    "PROMPTS",
    "TRAINED_WITH",
    "Compared",
    "Fact",
    "Likely",
    "Pair",
    "Retirement",
    "Swept",
    "confirmation_missed",
    "decide",
    "instead_of",
    "judgements",
    "kept_pairs_to_ask",
    "late_since",
    "likely",
    "most_alike",
    "pairs_to_ask",
    "pairs_to_compare",
    "plan_rollback",
    "question",
    "read_verdicts",
    "restated",
    "rivals_missed",
    "row_of",
    "said_otherwise",
    "subject",
    "swept",
    "with_confirmations",
    "with_related",
    "with_supersessions",
]
