"""Whether what a service shows after a story is true: which answers are right, and what is shown that no longer holds.

The figures are shares: `asks`, questions whose first hit has the current value, with no unmarked stale text above it;
`answers`, questions that are answered with it; `context`, contexts that hold it where they hold anything, and nothing
stale unmarked; `stale`, questions with an outdated value that recall shows unmarked above or without the current one;
`false`, stories with a fact that nobody stated; `kept` and `edges`, the demands of each kind that hold.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphmem.model.labels_truth import TruthAsk, TruthStory

MARKED = frozenset({"superseded", "outdated", "retired", "cold", "deleted", "stale", "past"})
"""The statuses that say that a text no longer holds."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A text that a service shows; `outdated` are the places in it that are marked as no longer valid."""

    text: str
    status: str | None = None
    outdated: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class AskSeen:
    """What a service shows for a question: hits, best first; an answer; the items of a new session's context."""

    hits: Sequence[Shown]
    answer: Shown
    found: bool
    context: Sequence[Shown]


@dataclass(frozen=True, slots=True)
class StorySeen:
    """What a service shows after a story. `facts`: entity and text of the active ones; `retired`: texts of superseded
    ones; `edges`: source and target of active dependencies; `trouble`: calls that failed."""

    asks: Sequence[AskSeen]
    facts: Sequence[tuple[str, str]] = ()
    retired: Sequence[str] = ()
    edges: Sequence[tuple[str, str]] = ()
    trouble: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class AskScore:
    """`changed`: the question has an outdated value. `stale`: recall shows that unmarked."""

    changed: bool
    ask: bool
    answer: bool
    context: bool
    stale: bool


@dataclass(frozen=True, slots=True)
class StoryScore:
    """`false`: whether a fact matches what nobody stated, None where the story forbids none; `kept` and `edges`: for
    each demand whether it holds; `misses`: what is wrong, a line each."""

    id: str
    door: str
    asks: tuple[AskScore, ...]
    false: bool | None
    kept: tuple[bool, ...]
    edges: tuple[bool, ...]
    misses: tuple[str, ...]


def score(story: TruthStory, seen: StorySeen) -> StoryScore:
    """The figures of one story."""
    asks, misses = [], [*seen.trouble]
    for ask, shown in zip(story.asks, seen.asks, strict=True):
        one = _score_ask(ask, shown)
        asks.append(one)
        wanted = f"{ask.q!r} wants {list(ask.now) or 'nothing'}, not {list(ask.stale)}"
        if not one.ask:
            misses.append(f"ask: {wanted}; hits {[(hit.status, hit.text[:70]) for hit in shown.hits[:3]]}")
        if not one.answer:
            misses.append(f"answer: {wanted}; {shown.answer.text[:120]!r}, found {shown.found}")
        if not one.context:
            misses.append(f"context: {wanted}; items {[item.text[:60] for item in shown.context[:5]]}")
    said = [f"{entity}: {text}".lower() for entity, text in seen.facts]
    false = [(one, fact) for one in story.never for fact in said if re.search(one, fact)]
    gone = [text.lower() for text in seen.retired]
    kept = tuple(_has_all(said, demand) or not _has_all(gone, demand) for demand in story.keep)
    edges = tuple(_linked(seen.edges, edge.source, edge.target) == edge.active for edge in story.edges)
    misses += [f"false: {fact!r} matches {one!r}" for one, fact in false]
    misses += [f"lost: {list(demand)}" for demand, held in zip(story.keep, kept, strict=True) if not held]
    misses += [f"edge: {edge}" for edge, held in zip(story.edges, edges, strict=True) if not held]
    return StoryScore(
        story.id, story.door, tuple(asks), bool(false) if story.never else None, kept, edges, tuple(misses)
    )


def _score_ask(ask: TruthAsk, seen: AskSeen) -> AskScore:
    right = next((place for place, hit in enumerate(seen.hits) if _has_any(hit.text, ask.now)), None)
    stale = next((place for place, hit in enumerate(seen.hits) if shows_stale(hit, ask)), None)
    bad = any(shows_stale(item, ask) for item in seen.context)
    good = any(_has_any(item.text, ask.now) for item in seen.context)
    if ask.unknown:
        answered = not seen.found or not shows_stale(seen.answer, ask)
    else:
        answered = seen.found and _has_any(seen.answer.text, ask.now)
    return AskScore(
        changed=bool(ask.stale),
        ask=stale is None if ask.unknown else right == 0,
        answer=answered,
        context=not bad and (ask.unknown or good or not seen.context),
        stale=stale is not None and (right is None or stale < right),
    )


def shows_stale(shown: Shown, ask: TruthAsk) -> bool:
    """Whether a text shows an outdated value as if it were valid: unmarked, and without the current one."""
    if (shown.status or "active").lower() in MARKED:
        return False
    text = shown.text
    for start, end in sorted(shown.outdated, reverse=True):
        text = text[:start] + text[end:]
    return _has_any(text, ask.stale) and not _has_any(text, ask.now)


def _has_any(text: str, parts: Iterable[str]) -> bool:
    return any(part.lower() in text.lower() for part in parts)


def _has_all(texts: Iterable[str], parts: Sequence[str]) -> bool:
    return any(all(part.lower() in text for part in parts) for text in texts)


def _linked(edges: Iterable[tuple[str, str]], source: str, target: str) -> bool:
    return any(_plain(source) in _plain(one) and _plain(target) in _plain(other) for one, other in edges)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


@dataclass(frozen=True, slots=True)
class Figure:
    """A share: of `total`, `met`."""

    name: str
    met: int
    total: int

    @property
    def value(self) -> float | None:
        return self.met / self.total if self.total else None


def figures(scored: Sequence[StoryScore]) -> list[Figure]:
    """The figures of many stories; for `stale` and `false` lower is better."""
    asks = [ask for one in scored for ask in one.asks]
    changed = [ask for ask in asks if ask.changed]
    forbidding = [one for one in scored if one.false is not None]
    found = []
    for among, suffix in ((changed, ", changed"), (asks, "")):
        found += [
            Figure(f"asks{suffix}", sum(ask.ask for ask in among), len(among)),
            Figure(f"answers{suffix}", sum(ask.answer for ask in among), len(among)),
            Figure(f"context{suffix}", sum(ask.context for ask in among), len(among)),
        ]
    kept, edges = [held for one in scored for held in one.kept], [held for one in scored for held in one.edges]
    return [
        *found,
        Figure("stale", sum(ask.stale for ask in changed), len(changed)),
        Figure("false", sum(bool(one.false) for one in forbidding), len(forbidding)),
        Figure("kept", sum(kept), len(kept)),
        Figure("edges", sum(edges), len(edges)),
    ]
