"""Which texts are compared with a question: how many of each kind, and how strongly each is linked to its entities."""

from collections.abc import Mapping, Sequence

import numpy as np

from graphmem.model.inputs import HitKind
from graphmem.model.stored import OnEntity, ReadText
from graphmem.rules.recall.ranking import Passage

CANDIDATES: Mapping[HitKind, int] = {"message": 40, "memory": 20, "attribute": 20, "summary": 20}
"""Candidates from words, and from vectors, for ten hits; more found no more evidence among ten. Messages include their
neighbours."""
USUAL = 10
"""Default number of hits; for more of them, more texts are compared."""
IN_BUDGET, IN_BUDGET_GATHERED = 50, 100
"""Hits that a budget of tokens may be filled with, where no other number is asked for; more where an answer has several
parts."""
FURTHER = 3
"""The least factor for compared messages with more hits than usual: among twenty it finds .003 more of the evidence on
LoCoMo, among ten nothing."""
PARTS = 20
"""Texts of each kind that contain a word of the question inside a longer one."""
COLD = 60
"""Archived texts of each kind that are compared, if they are requested."""
READ_CHARS = 1000
"""Characters of a text that are compared with a question."""
ON_ENTITY = 20
COLD_SHARE = 0.8
"""The weight of an archived text relative to others."""
SPARE = 25
"""Texts read beyond the limit, so that successors of superseded ones are found too, and duplicates can be dropped."""
TOPIC_AND_QUESTION = (1.0, 0.5)
"""Weights of their vectors."""


def most(kind: HitKind, limit: int, *, gathers: bool = False) -> int:
    """The number of candidates of a kind from words, and as many from vectors, for this many hits; for a question that
    gathers an answer from several texts, as many as for more hits."""
    usual = CANDIDATES[kind]
    if limit <= USUAL and not gathers:
        return usual
    return max(FURTHER * usual if kind == "message" else usual, usual * (limit + USUAL) // (2 * USUAL))


def in_budget(*, gathers: bool) -> int:
    """Hits that a budget may be filled with, for a question that gathers an answer from several texts or not."""
    return IN_BUDGET_GATHERED if gathers else IN_BUDGET


def linked(kind: HitKind, named: Sequence[OnEntity]) -> dict[str, float]:
    """How strongly each text is linked to the entities of the question: 1 to one of them, a half to a neighbour."""
    linked: dict[str, float] = {}
    for entity in named:
        on_it = {"attribute": entity.attribute_ids, "memory": entity.memory_ids, "message": entity.message_ids}
        beside = {"attribute": entity.nearby_attribute_ids, "message": entity.nearby_message_ids}
        for id_ in beside.get(kind, ()):
            linked.setdefault(id_, 0.5)
        linked |= dict.fromkeys(on_it.get(kind, ()), 1.0)
    return linked


def passage_of(text: ReadText, entities: float, share: float, *, eligible: bool) -> Passage:
    """The text as ranking sees it. `entities`: how strongly it is linked to the entities of the question; `share`: the
    share of its score that counts."""
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
        chars=text.chars,
    )


def answer_vector(topic_and_question: Sequence[Sequence[float]]) -> list[float]:
    """The unit vector that answers are near to, from the vectors of a question's topic and of the question; from one
    alone where they are the same."""
    vectors = np.array(topic_and_question)
    vector = np.array(TOPIC_AND_QUESTION[: len(vectors)]) @ vectors
    unit: list[float] = (vector / np.linalg.norm(vector)).tolist()
    return unit
