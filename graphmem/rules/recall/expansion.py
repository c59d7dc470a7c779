"""The expansion of an entity: its lines, in order, within a budget."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.answers import SummaryLine
from graphmem.model.knowledge import Attribute, AttributeKind, AttributeStatus, Dependency
from graphmem.rules.language.framing import cited, fit_line, one_line
from graphmem.rules.language.text import count_tokens, fold
from graphmem.rules.recall.answering import asked_words

MOST_CITED = 5
"""Most messages that a line cites; the fact has the others."""
LEAST_CUT = 12
"""Least tokens of a cut line worth showing."""
_ENDS = (".", "!", "?", ":", ";", "…")
"""What a line ends with that another may follow at once."""
LINE_TOKENS = 44
"""Least tokens of the line of a fact besides its words: two ids and a day."""
EDGE_TOKENS = 35
"""Least tokens of the line of a dependency."""
WEIGHT, IMPORTANCE = 0.15, 0.05
"""The influence of a fact's aspect weight and its importance on its relevance, which is 0 to 2."""


@dataclass(frozen=True, slots=True)
class FactInShort:
    """The fields of a fact that determine its order. `nearness`: cosine to the question; None without a question or a
    vector."""

    id: str
    aspect_id: str
    aspect: str
    weight: float
    content: str
    kind: AttributeKind
    status: AttributeStatus
    importance: float
    pinned: bool
    valid_from: datetime
    nearness: float | None


def constraints_first(facts: Sequence[FactInShort], question: str | None) -> list[FactInShort]:
    """Constraints first, then active before superseded facts; within these by how well they match the question and by
    weight, then the newest, ties by id."""
    met = _met(facts, question)

    def place(fact: FactInShort) -> tuple[bool, bool, float, bool, float, str]:
        relevance = met.get(fact.id, 0.0) + max(0.0, fact.nearness or 0.0)
        worth = relevance + WEIGHT * fact.weight + IMPORTANCE * fact.importance
        return (
            fact.kind != "constraint",
            fact.status != "active",
            -round(worth, 6),
            not fact.pinned,
            -fact.valid_from.timestamp(),
            fact.id,
        )

    return sorted(facts, key=place)


def _met(facts: Sequence[FactInShort], question: str | None) -> dict[str, float]:
    """The share of the question's words in each fact; words in all of them, such as the entity's name, do not count."""
    asked = asked_words(question) if question else {}
    if not asked:
        return {}
    # A stem is the beginning of its words: searching for beginnings takes a fifth of the time of splitting into words.
    begins = {word: re.compile(rf"\b{re.escape(word)}") for word in asked}
    said = {}
    for fact in facts:
        text = fold(f"{fact.aspect} {fact.content}")
        said[fact.id] = {word for word, pattern in begins.items() if pattern.search(text)}
    frequency = Counter(word for met in said.values() for word in met)
    worth = {word: weight * math.log((len(facts) + 1) / (frequency[word] or 1)) for word, weight in asked.items()}
    whole = sum(worth.values()) or 1.0
    return {id_: sum(worth[word] for word in met) / whole for id_, met in said.items()}


def worth_reading(facts: Sequence[FactInShort], max_tokens: int) -> list[FactInShort]:
    """The first ones, as many as could fit at most."""
    kept, used = [], 0
    for fact in facts:
        if used > max_tokens:
            break
        kept.append(fact)
        used += count_tokens(fact.content) + LINE_TOKENS
    return kept


def strongest(edges: Iterable[Dependency], entity_id: str) -> list[Dependency]:
    """Dependencies by strength, then confidence, then the neighbour's name."""

    def place(edge: Dependency) -> tuple[float, float, str, str]:
        other = edge.target if edge.source.id == entity_id else edge.source
        return (-edge.strength, -edge.confidence, other.name, edge.id)

    return sorted({edge.id: edge for edge in edges}.values(), key=place)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an expansion: its subject, its text, and the ids of its sources."""

    id: str
    section: str
    text: str
    ids: tuple[str, ...]

    def written(self) -> str:
        return f"- {one_line(self.text)}" + (f" [{cited(self.ids)}]" if self.ids else "")


def fact_line(fact: Attribute, aspect_id: str) -> Line:
    """A fact with its aspect, itself and the messages it was said in; where none, the memories."""
    until = f", superseded {fact.valid_to:%Y-%m-%d}" if fact.status == "superseded" and fact.valid_to else ""
    section, text = ("Constraints", fact.content)
    if fact.kind != "constraint" or until:
        section = "Constraints" if fact.kind == "constraint" else "Facts"
        text = f"{fact.content} (since {fact.valid_from:%Y-%m-%d}{until})"
    return Line(fact.id, section, text, (aspect_id, fact.id, *(fact.message_ids or fact.memory_ids)[:MOST_CITED]))


def edge_line(edge: Dependency) -> Line:
    text = f"{edge.source.name} {edge.type.value.replace('_', ' ')} {edge.target.name} ({edge.confidence:.2f})"
    return Line(edge.id, "Dependencies", text, (edge.id, *edge.message_ids[:MOST_CITED]))


def summary_line(summary: SummaryLine) -> Line:
    """A summary in one line, with the day of its end: it describes the state of that day."""
    until = f"As of {summary.latest_at:%Y-%m-%d}: " if summary.latest_at else ""
    *others, last = [line.removeprefix("- ") for line in summary.text.splitlines()] or [""]
    text = until + " ".join([*(line if line.endswith(_ENDS) else f"{line};" for line in others), last])
    return Line(summary.id, "Summaries", text, (summary.id,))


@dataclass(frozen=True, slots=True)
class Composed:
    """A block of sections, the included text of each line, by `Line.id`, and its tokens."""

    text: str
    shown: frozenset[str]
    used_tokens: int
    truncated: bool


def compose(title: str, lines: Sequence[Line], max_tokens: int) -> Composed:
    """As many lines as fit, in order. One that does not fit is left out and a shorter one may follow; if it is the
    first, its beginning is shown."""
    title = one_line(title)
    text = title if count_tokens(title) <= max_tokens else ""
    most = count_tokens(text)
    shown: set[str] = set()
    section = ""
    truncated = False
    for line in lines:
        if max_tokens - most < LEAST_CUT and truncated:
            break
        more = ("\n" if text else "") + (f"{line.section}\n" if line.section != section else "") + line.written()
        # A whole has no more tokens than its parts, so it is counted only near the end.
        cost = count_tokens(more)
        if most + cost > max_tokens:
            whole = count_tokens(text + more)
            if whole > max_tokens:
                truncated = True
                if not shown and (cut := _cut(line, text, max_tokens)):
                    text, section, most = cut, line.section, count_tokens(cut)
                    shown.add(line.id)
                continue
            most = whole
        else:
            most += cost
        text, section = text + more, line.section
        shown.add(line.id)
    return Composed(text, frozenset(shown), count_tokens(text), truncated)


def _cut(line: Line, text: str, max_tokens: int) -> str | None:
    """The text followed by the beginning of a line and its ids: with little room the first two, with the least the
    second, which is the fact's; None where not even that fits."""
    head = f"{text}\n{line.section}\n- "
    for named in (line.ids, line.ids[:2], line.ids[1:2]):
        ids = f" [{cited(named)}]" if named else ""
        room = max_tokens - count_tokens(head) - count_tokens(ids)
        if room >= LEAST_CUT and (said := fit_line(line.text, room)):
            return f"{head}{one_line(said)}{ids}"
    return None
