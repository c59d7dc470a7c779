"""Which texts are compared with a question: how many of each kind, and how much each hangs on what it asks about."""

from collections.abc import Mapping, Sequence

import numpy as np

from graphmem.model.inputs import HitKind
from graphmem.model.stored import OnEntity, ReadText
from graphmem.rules.recall.ranking import Passage

CANDIDATES: Mapping[HitKind, int] = {"message": 40, "memory": 20, "attribute": 20, "summary": 20}
"""Texts that words, and vectors, bring to the comparison where ten hits are asked for; more brought no more evidence
among ten. Messages bring what was said around them."""
USUAL = 10
"""Hits that are asked for unless somebody says otherwise; for more of them, more texts are compared."""
FURTHER = 3
"""How many times as many messages are compared, at least, for more hits than usual: among twenty of them that finds
.003 more of the evidence on LoCoMo, and among ten nothing."""
PARTS = 20
"""Texts of each kind that hold a word of the question inside of a longer one."""
COLD = 60
"""Archived texts of each kind that are compared, where they are asked for."""
READ_CHARS = 1000
"""Characters of a text that are compared with a question."""
ON_ENTITY = 20
COLD_SHARE = 0.8
"""What an archived text counts beside one that is not."""
SPARE = 25
"""Texts read beyond the limit, so that what replaced a superseded one is met too, and what says the same can go."""
TOPIC_AND_QUESTION = (1.0, 0.5)
"""Weights of their vectors."""


def most(kind: HitKind, limit: int) -> int:
    """How many texts of a kind words bring to the comparison of so many hits, and vectors as many."""
    usual = CANDIDATES[kind]
    if limit <= USUAL:
        return usual
    return max(FURTHER * usual if kind == "message" else usual, usual * (limit + USUAL) // (2 * USUAL))


def linked(kind: HitKind, named: Sequence[OnEntity]) -> dict[str, float]:
    """How much each text hangs on the entities of the question: 1 on one of them, a half on a neighbour."""
    linked: dict[str, float] = {}
    for entity in named:
        on_it = {"attribute": entity.attribute_ids, "memory": entity.memory_ids, "message": entity.message_ids}
        beside = {"attribute": entity.nearby_attribute_ids, "message": entity.nearby_message_ids}
        for id_ in beside.get(kind, ()):
            linked.setdefault(id_, 0.5)
        linked |= dict.fromkeys(on_it.get(kind, ()), 1.0)
    return linked


def passage_of(text: ReadText, entities: float, share: float, *, eligible: bool) -> Passage:
    """The text as ranking sees it. `entities`: how much it hangs on the entities of the question; `share`: what of its
    score counts."""
    return Passage(
        id=text.id,
        text=text.text,
        nearness=text.nearness,
        session_id=text.session_id,
        ordinal=text.ordinal,
        speaker=text.speaker,
        at=text.at,
        eligible=eligible,
        entities=entities,
        feedback=text.feedback,
        share=share,
    )


def answer_vector(topic_and_question: Sequence[Sequence[float]]) -> list[float]:
    """The unit vector that answers are near to, from the vectors of a question's topic and of the question; from one
    alone where they are the same."""
    vectors = np.array(topic_and_question)
    vector = np.array(TOPIC_AND_QUESTION[: len(vectors)]) @ vectors
    unit: list[float] = (vector / np.linalg.norm(vector)).tolist()
    return unit
