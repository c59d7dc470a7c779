"""A scripted model that knows the labels: it answers what a careful reader would keep, with inventions among it.

What of it arrives tells how much the way through a model loses of a good answer, and how much it lets pass of a bad
one; it tells nothing of how well a language model reads.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from graphmem.model.labels import DependencyLabel, EntityLabel, FactLabel, LabelledConversation
from graphmem.rules.language.text import parts_text
from graphmem.rules.reading.statements import prose_sentences
from tests.scripted_model import statement

INVENTED = "Zorbalith"
"""A name that no conversation has."""


class LabelledReader:
    """Answers `model_prompts.question` about these conversations from their labels.

    It adds to them an entity that nobody named, and, to what it keeps, a fact whose quote nobody said and one with a
    name that is not in what is said.
    """

    def __init__(self, conversations: Iterable[LabelledConversation]) -> None:
        self._having: dict[str, dict[str, LabelledConversation]] = {}
        for one in conversations:
            for text in _texts(one):
                self._having.setdefault(text, {})[one.id] = one

    def __call__(self, asked: dict[str, Any]) -> str:
        lines = [json.loads(line) for line in asked["messages"][1]["content"].splitlines()[1:-1]]
        shown = {line["text"]: line["message"] for line in lines if "text" in line}
        labelled = self._conversation(shown)
        if labelled is None:
            return json.dumps({"entities": [], "statements": []})
        statements = list(_statements(labelled, shown))
        told = " ".join(shown).casefold()
        entities = [
            {"name": name, "type": label.type[0]} for label in labelled.entities if (name := _form_in(told, label))
        ]
        invented = {"entity": INVENTED, "aspect": "general", "content": f"{INVENTED} hums", "kind": "attribute"}
        if statements:  # an answer of inventions alone is refused whole, and rules read instead
            first = statements[0]["facts"]
            strange = first[0] if first else invented
            first.append(strange | {"content": f"{strange['content']} and {INVENTED}"})
            statements.append(statement(f"{INVENTED} hums at night.", facts=[invented], dependencies=[]))
        return json.dumps({"entities": [*entities, {"name": INVENTED, "type": "tool"}], "statements": statements})

    def _conversation(self, shown: dict[str, int]) -> LabelledConversation | None:
        """The one that has all the texts."""
        candidates = [self._having.get(text, {}) for text in shown]
        common = set.intersection(*map(set, candidates)) if candidates else set()
        return candidates[0][min(common)] if common else None


def _statements(labelled: LabelledConversation, shown: dict[str, int]) -> Iterator[dict[str, Any]]:
    names = {name: label for label in labelled.entities for name in (label.name, *label.also)}
    texts = _texts(labelled)
    told = " ".join(shown).casefold()
    for kind, facts in (("attribute", labelled.attributes), ("constraint", labelled.constraints)):
        for fact in facts:
            text = texts[fact.message]
            if text in shown:
                quote = _sentence_of(text, fact)
                entity = _form_in(told, names[fact.entity[0]]) or fact.entity[0]
                content = f"{entity}: {quote}" if entity.casefold() not in quote.casefold() else quote
                said = {"entity": entity, "aspect": "general", "content": content, "kind": kind, "confidence": 0.7}
                yield statement(quote, shown[text], content=content, facts=[said], dependencies=[])
    for edge in labelled.dependencies:
        ends = [_form_in(told, names[end]) for end in (edge.source, edge.target)]
        place = _where(texts, shown, names, edge)
        if place and all(ends):
            quote, message = place
            needs = [{"source": ends[0], "target": ends[1], "type": edge.type[0]}]
            yield statement(quote, message, facts=[], dependencies=needs)


def _texts(labelled: LabelledConversation) -> list[str]:
    return [one.content if isinstance(one.content, str) else parts_text(one.content) for one in labelled.messages]


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in prose_sentences(text)] or [text]


def _sentence_of(text: str, fact: FactLabel) -> str:
    """The sentence that has most of the labelled words."""

    def held(said: str) -> int:
        folded = said.casefold()
        return sum(any(word.casefold()[:4] in folded for word in words) for words in fact.says)

    return max(_sentences(text), key=held)


def _where(
    texts: list[str], shown: dict[str, int], names: dict[str, EntityLabel], edge: DependencyLabel
) -> tuple[str, int] | None:
    """The sentence of the messages shown that names most of the ends of an edge, the target at least."""
    best: tuple[int, str, int] | None = None
    for text in texts:
        for sentence in _sentences(text) if text in shown else ():
            folded = sentence.casefold()
            source, target = (bool(_form_in(folded, names[end])) for end in (edge.source, edge.target))
            if target and (best is None or 1 + source > best[0]):
                best = (1 + source, sentence, shown[text])
    return (best[1], best[2]) if best else None


def _form_in(text: str, label: EntityLabel) -> str | None:
    """The name of a label that stands in a text in small letters."""
    return next(
        (name for name in (label.name, *label.also) if re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text)),
        None,
    )
