"""Which clauses a careful reader has kept as facts and rules, and about whom."""

from collections.abc import Sequence

from graphmem.model.labels import FactLabel, LabelledConversation
from graphmem.rules.evaluation.tally import says
from graphmem.rules.extraction.claims import Saying, Subject
from graphmem.rules.language.text import canonical_name, parts_text


def label_claim(labelled: LabelledConversation, case: object) -> str | None:
    """'constraint' or 'attribute' where the clause holds the words of such a label, else ''; None where that is
    optional."""
    if not isinstance(case, Saying):
        raise TypeError(case)
    met = _met(labelled, case)
    for kind, labels in (("constraint", labelled.constraints), ("attribute", labelled.attributes)):
        if any(label in met and not label.optional for label in labels):
            return kind
    return None if met else ""


def label_subject(labelled: LabelledConversation, case: object) -> str | None:
    """'keep' where a label that the clause meets is about this entity; None where nothing tells."""
    if not isinstance(case, Subject):
        raise TypeError(case)
    met = _met(labelled, case.saying)
    if not met:
        return None
    mine = {canonical_name(case.entity)}
    for entity in labelled.entities:
        names = {canonical_name(name) for name in (entity.name, *entity.also)}
        mine |= names if mine & names else set()
    about = {canonical_name(name) for label in met for name in label.entity}
    return "keep" if mine & about else ""


def _met(labelled: LabelledConversation, saying: Saying) -> list[FactLabel]:
    """The labels whose words the clause holds, or the greater part of them where its sentence holds all."""
    here = {index for index, message in enumerate(labelled.messages) if _text(message.content) == saying.sentence.text}
    labels = [one for one in (*labelled.attributes, *labelled.constraints) if one.message in here]
    return [label for label in labels if _holds(saying, label.says)]


def _holds(saying: Saying, words: Sequence[Sequence[str]]) -> bool:
    content = f"{saying.content} {saying.words}"
    held = sum(says(content, word) for word in words)
    if held == len(words):
        return True
    sentence = saying.sentence
    rest = f"{sentence.text[sentence.start : saying.start]} {sentence.text[saying.end : sentence.end]}"
    if held * 2 < len(words) or all(says(rest, word) for word in words):
        return False
    return all(says(f"{saying.whole} {sentence.words}", word) for word in words)


def _text(content: str | list[dict[str, object]] | None) -> str:
    return content if isinstance(content, str) else parts_text(content)
