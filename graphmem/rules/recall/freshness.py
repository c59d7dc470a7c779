"""Puts the newest first among hits that fit a question about as well: what was said last is what holds.

It is a stand-in for knowing that two texts speak of the same thing, see
docs/decisions/0070-put-the-newest-of-equal-hits-first.md.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from graphmem.model.stored import FoundText
from graphmem.rules.language.text import fold
from graphmem.rules.recall.answer_types import asks_about_past
from graphmem.rules.recall.passages import only_asks
from graphmem.rules.recall.questions import Asked, stems
from graphmem.rules.recall.ranking import Ranked, lowered

ABOUT_AS_WELL = 0.85
"""Least share of the best score; the words of the question must be as many as in the best hit, too."""
ONE_THING = 500
"""Most characters of a text that states a value: a longer one has the words of a question about other things too."""
_HAPPENED = re.compile(r"\b(?:did|was|were|had)\b")


def freshest_first(
    asked: Asked, ranked: Sequence[Ranked], texts: Mapping[str, FoundText]
) -> tuple[list[Ranked], dict[str, str]]:
    """The hits with the newest of the best ones first, and, for those of them that are older, its id.

    Only short statements count: no questions, nothing that begins to hold on a day still to come, and no summaries,
    which repeat what was said. A question about the past keeps its order, and so does one that has more than one
    answer, or asks when something happened: no newer text outdates these. Scores never rise along the list.
    """
    if not ranked or _lasts(asked):
        return list(ranked), {}
    question, best = asked.text, ranked[0]
    sought = set(stems(question))
    least = len(sought.intersection(stems(texts[best.id].text)))
    close = [
        one
        for one in ranked
        if one.score >= ABOUT_AS_WELL * best.score
        and _states(texts[one.id], question)
        and len(sought.intersection(stems(texts[one.id].text))) >= least
    ]
    if not close:
        return list(ranked), {}
    newest = max(close, key=lambda one: (_time(texts[one.id]), one.score))
    rest = [lowered(one, newest.score) for one in ranked if one is not newest]
    older = {one.id: newest.id for one in close if _time(texts[one.id]) < _time(texts[newest.id])}
    return [newest, *rest], older


def _lasts(asked: Asked) -> bool:
    """Whether what answers a question stays an answer, whatever is said later."""
    happened = asked.when and bool(_HAPPENED.search(fold(asked.text)))
    return asked.gathers or happened or asks_about_past(asked.text)


def _states(text: FoundText, question: str) -> bool:
    begun = text.status == "active" and not text.until
    short = text.kind != "summary" and len(text.text) <= ONE_THING
    return short and begun and not only_asks(text.text, question)


def _time(text: FoundText) -> datetime:
    return text.valid_from or text.created_at
