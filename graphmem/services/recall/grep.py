"""Grep: the messages and summaries that contain a pattern, word for word."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from graphmem.model.answers import GrepItem, Grepped
from graphmem.model.inputs import Grep
from graphmem.model.stored import GrepCandidate, GrepFilters, GrepKind, GrepPlace, Said
from graphmem.rules.language.grams import SIZE, spoken
from graphmem.rules.language.keys import agent_key
from graphmem.rules.recall.expressions import Expression
from graphmem.rules.recall.grep import (
    MAX_TERMS,
    Limits,
    Met,
    Term,
    fullest,
    holding_all,
    holding_literals,
    holding_most,
    looked_for,
    rarity,
    terms,
)
from graphmem.rules.recall.grep_pages import END_OF_TIME, EPOCH, Found, Level, Looked, Stretch, after, cursor_of
from graphmem.services.ports import GrepTexts

TIME_S = {"text": 8.0, "regex": 1.7}
"""Longest time for matching texts, by mode; the rest of a request's time is for the database."""
TEXT_TIME_S = 0.25
"""Longest time a regular expression may take for one text."""
RANKED = 500
"""Up to this many candidates all are matched and ranked; of more the newest are matched, until a page is full."""
FEW = 100
"""Candidates that mostly suffice to show whether a term occurs."""
RELAXED = 300
"""Candidates of a search for most of the terms, those with most first."""
COUNTED_TERMS = 2_000
ALL = 2**31 - 1
READ_CHARS, TOGETHER_CHARS = 4_000, 4_000_000
"""Longest text that is read with its candidate; most characters held at a time."""
WALKED_BATCH, MAX_WALKED_BATCH = 250, 2_000
ASKED_BATCH, MAX_ASKED_BATCH = {"text": 250, "regex": 3_000}, 8_000
"""Texts fetched together: from all messages, and from those that the index returns. An expression matches few of the
latter."""
WALKED = 1_000
"""Most messages to scan until a page is full, estimated from the share found so far; beyond it the index is used
instead, which reads all its matches before it returns the newest."""
Look = Callable[[str, str | None, float], Met | None]
"""Matches a text with the pattern: arguments are the text, its speaker's name, the time left in seconds. Errors:
TimeoutError."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The search at one level: the full-text query of its candidates ('' for all texts), and how each is matched."""

    level: Level
    query: str
    look: Look


class Grepping:
    def __init__(self, texts: GrepTexts) -> None:
        self._texts = texts

    async def grep(self, agent_id: str, asked: Grep) -> Grepped:
        """The texts that contain the pattern; no text pattern is an error, and an empty result is valid.

        Errors: InvalidInput says where a regular expression is wrong; InvalidCursor.
        """
        search = Search(self._texts, agent_id, asked)
        if asked.mode == "regex":
            expression = await asyncio.to_thread(Expression, asked.pattern)
            wanted = Wanted("all", holding_literals(asked.pattern), expression.matched)
            return await search.answer("all", await search.page(wanted))
        for level, of_level in await search.levels(asked.pattern):
            page = await search.page(await search.wanted(level, of_level))
            if page.found or page.late or search.after:
                return await search.answer(level, page)
        return await search.answer("all", Stretch(by_score=asked.sort == "relevance"))


class Search:
    """One request: its filters, where it continues, and its deadline."""

    def __init__(self, texts: GrepTexts, agent_id: str, asked: Grep) -> None:
        self._texts = texts
        self._agent_id = agent_id
        self._asked = asked
        self._ends = time.monotonic() + TIME_S[asked.mode]
        self.after = after(asked.cursor)
        self._filters = GrepFilters(asked.session_id, asked.role, asked.source, asked.from_, asked.to)
        self._limits = Limits(agent_key(agent_id), asked.session_id, asked.role, asked.source)
        self._summaries_omitted = bool(asked.role or asked.from_ or asked.to)
        self._kinds: tuple[GrepKind, ...] = ("message",) if self._summaries_omitted else ("message", "summary")
        self._newest_first = asked.sort == "recency" or bool(self.after and self.after.score is None)
        self._begins = ((asked.to - EPOCH) // timedelta(microseconds=1), "") if asked.to else END_OF_TIME

    # --- levels of the search

    async def levels(self, pattern: str) -> list[tuple[Level, list[Term]]]:
        """The searches, in order, until something is found; on a further page the one that found the first page."""
        wanted, occur = await self._terms(pattern)
        content = [term for term in wanted if not term.is_stop_word] or wanted
        levels: list[Level] = ["all"] if occur else []
        if occur and len(content) < len(wanted):
            levels.append("content")
        if len(content) > 1:
            levels.append("most")
        if self.after:
            levels = [self.after.level]
        return [(level, wanted if level == "all" else content) for level in levels if wanted]

    async def wanted(self, level: Level, of_level: Sequence[Term]) -> Wanted:
        weights, query, least = [1.0] * len(of_level), holding_all(of_level), len(of_level)
        if level == "most":
            counts = await self._counts([holding_all([term]) for term in of_level])
            weights, least = rarity(counts, RANKED), 1
            query = holding_most(of_level, weights)
        return Wanted(level, query, lambda text, _name, _left: looked_for(text, of_level, weights, least))

    async def _terms(self, pattern: str) -> tuple[list[Term], bool]:
        """The terms to search, at most `MAX_TERMS`, and whether all terms of the pattern may occur."""
        given = terms(pattern)
        if len(given) > COUNTED_TERMS:
            given = sorted(given, key=lambda term: -len(term.text))[:COUNTED_TERMS]
        wanted = await self._without_strange_edges(given)
        if len(wanted) <= MAX_TERMS:
            return wanted, True
        counts = await self._counts([holding_all([term]) for term in wanted])
        rarest = sorted(
            (count, -len(term.text), term.text, term) for term, count in zip(wanted, counts, strict=True) if count
        )
        kept = {term for *_, term in rarest[:MAX_TERMS]}
        return [term for term in wanted if term in kept], all(counts)

    async def _without_strange_edges(self, given: Sequence[Term]) -> list[Term]:
        """The terms; those that occur nowhere with the punctuation at their edges without it."""
        edged = {term: bare for term in given if (bare := term.bare()) != term}
        counts = await self._counts([holding_all([term]) for term in edged]) if edged else []
        for term, count in zip(list(edged), counts, strict=True):
            if count and (len(given) > MAX_TERMS or await self._occurs(term)):
                del edged[term]
        return list(dict.fromkeys(wanted for term in given if (wanted := edged.get(term, term))))

    async def _occurs(self, term: Term) -> bool:
        """Whether a text contains a term whose grams some texts have."""
        if len(term.words) == 1 and len(term.text) <= SIZE:
            return True
        wanted = Wanted("all", holding_all([term]), lambda text, _name, _left: looked_for(text, [term], [1.0], 1))
        for best in (FEW, RANKED):
            if (await self._look_at(await self._matching(wanted, best, self._begins), wanted.look)).found:
                return True
        return False

    async def _counts(self, queries: Sequence[str]) -> list[int]:
        of_kinds = {kind: [self._query(kind, query) for query in queries] for kind in self._kinds}
        return await self._texts.counts(self._agent_id, of_kinds, RANKED + 1)

    def _query(self, kind: GrepKind, query: str) -> str:
        return f"{self._limits.query(messages=kind == 'message')} {query}".rstrip()

    # --- finding

    async def page(self, wanted: Wanted) -> Stretch:
        """The next finds, ranked where they are few enough, else newest first."""
        if wanted.level == "most":
            return await self._ranked(wanted, RELAXED)
        (count,) = await self._counts([wanted.query])
        if not count:
            return Stretch(by_score=not self._newest_first)
        if count <= RANKED or (self.after and self.after.score is not None):
            return await self._ranked(wanted, RANKED)
        return await self._newest(wanted)

    async def _ranked(self, wanted: Wanted, best: int) -> Stretch:
        newest_first = self._newest_first
        most = wanted.level == "most"  # the texts with most terms are known only after matching all
        before = self.after.place if self.after and newest_first and not most else self._begins
        looked = await self._look_at(await self._matching(wanted, best, before), wanted.look)
        found = looked.found
        if looked.stopped and most:
            looked = replace(looked, stopped=None, passed_over=True)
        if looked.stopped and not self.after:
            newest_first = True  # the unmatched candidates are older
        if most:
            least = fullest([one.met for one in found], newest_first)
            found = [one for one in found if len(one.met.found) >= least]
        if newest_first:
            return self._cut(looked.but(found))
        found.sort(key=lambda one: one.by_score, reverse=True)
        if self.after and self.after.score is not None:
            behind = (self.after.score, *self.after.place)
            found = [one for one in found if one.by_score < behind]
        limit = self._asked.limit
        return Stretch(found[:limit], by_score=True, goes_on=len(found) > limit, late=looked.late)

    async def _matching(self, wanted: Wanted, best: int, before: GrepPlace) -> list[GrepCandidate]:
        """The best candidates of all kinds, newest first. With a filter that the index does not know, it returns all
        its matches: better ones outside the filter must not displace those inside."""
        queries = {kind: self._query(kind, wanted.query) for kind in self._kinds}
        asked = self._asked
        narrowed = bool(asked.from_ or asked.to or (asked.source and "summary" in self._kinds))
        found = await self._texts.matching(
            self._agent_id,
            queries,
            self._filters,
            before,
            scan=ALL if narrowed else best,
            best=best,
            chars=READ_CHARS,
            limit=best,
        )
        return sorted(found, key=_place, reverse=True)

    async def _newest(self, wanted: Wanted) -> Stretch:
        looked = [await self._newest_of_kind(kind, wanted) for kind in self._kinds]
        return self._cut(
            Looked(
                [found for of_kind in looked for found in of_kind.found],
                max((of_kind.stopped for of_kind in looked if of_kind.stopped), default=None),
                any(of_kind.passed_over for of_kind in looked),
            )
        )

    async def _newest_of_kind(self, kind: GrepKind, wanted: Wanted) -> Looked:
        """The newest finds of a kind, one more than wanted if there are more."""
        limits = self._filters
        walks = kind == "message" and not (limits.session_id or limits.role or limits.source)
        queries = {kind: self._query(kind, wanted.query)}
        looked = Looked([])
        place = self.after.place if self.after else self._begins
        walked, ask = 0, ASKED_BATCH[self._asked.mode]
        while len(looked.found) <= self._asked.limit:
            to_walk = walked * (self._asked.limit + 1) // max(1, len(looked.found))
            walks = walks and (to_walk <= WALKED or not wanted.query)
            if walks:
                batch = min(max(WALKED_BATCH, to_walk - walked), MAX_WALKED_BATCH)
                candidates = await self._texts.newest(
                    self._agent_id, limits.from_, place, chars=READ_CHARS, limit=batch
                )
                walked += batch
            else:
                batch, ask = ask, MAX_ASKED_BATCH  # the index reads all its matches each time
                candidates = await self._texts.matching(
                    self._agent_id, queries, limits, place, scan=ALL, best=ALL, chars=READ_CHARS, limit=batch
                )
            looked = looked.and_then(await self._look_at(candidates, wanted.look))
            if len(candidates) < batch or looked.stopped:
                break
            place = _place(candidates[-1])
        return looked

    def _cut(self, looked: Looked) -> Stretch:
        """The newest finds, after the cursor and before the place where time ran out."""
        behind = self.after.place if self.after else END_OF_TIME
        last = looked.stopped or (-END_OF_TIME[0], "")
        kept = sorted(
            (one for one in looked.found if last <= one.place < behind), key=lambda one: one.place, reverse=True
        )
        limit = self._asked.limit
        goes_on = len(kept) > limit
        return Stretch(kept[:limit], goes_on=goes_on, stopped=None if goes_on else looked.stopped, late=looked.late)

    async def _look_at(self, candidates: Sequence[GrepCandidate], look: Look) -> Looked:
        looked = Looked([])
        for group in _groups(candidates):
            long = [one.id for one in group if one.said is None]
            texts = await self._texts.texts(self._agent_id, long) if long else {}
            looked = looked.and_then(await asyncio.to_thread(_look_through, group, texts, look, self._ends))
            if looked.stopped:
                break
        done = bool(candidates) and looked.stopped == _place(candidates[-1])
        return replace(looked, stopped=None) if done else looked

    # --- the answer

    async def answer(self, level: Level, page: Stretch) -> Grepped:
        """The page of the answer."""
        ids = [one.place[1] for one in page.found]
        told = await self._texts.items(self._agent_id, ids) if ids else {}
        long = [one.place[1] for one in page.found if one.text is None]
        texts = {id_: (await self._texts.texts(self._agent_id, [id_])).get(id_) for id_ in long}
        items = tuple(
            GrepItem(
                **told[one.place[1]],
                snippet=one.met.snippet(one.text if one.text is not None else _spoken(texts[one.place[1]])),
                score=one.met.score,
                terms=tuple(term.text for term in one.met.found),
            )
            for one in page.found
            if one.place[1] in told
        )
        return Grepped(
            items=items,
            next_cursor=cursor_of(level, page),
            sort="relevance" if page.by_score else "recency",
            relaxed=level != "all" and bool(items),
            truncated=page.late,
            summary_results_omitted=self._summaries_omitted,
        )


def _look_through(group: Sequence[GrepCandidate], texts: Mapping[str, Said], look: Look, ends: float) -> Looked:
    """What is found in the group. At least one text is matched, so that every page advances."""
    found: list[Found] = []
    passed_over = False
    for candidate in group:
        said = candidate.said or texts.get(candidate.id)
        text = _spoken(said)
        left = ends - time.monotonic()
        try:
            met = look(text, said.name if said else None, min(max(left, 0.05), TEXT_TIME_S))
        except TimeoutError:
            met, passed_over = None, True
        if met:
            found.append(Found(_place(candidate), met, text if candidate.said else None))
        if time.monotonic() > ends:
            return Looked(found, _place(candidate), passed_over)
    return Looked(found, None, passed_over)


def _groups(candidates: Sequence[GrepCandidate]) -> Iterator[list[GrepCandidate]]:
    """The candidates in order, as many at a time as may be held together."""
    group: list[GrepCandidate] = []
    chars = 0
    for candidate in candidates:
        if group and chars + candidate.chars > TOGETHER_CHARS:
            yield group
            group, chars = [], 0
        group.append(candidate)
        chars += candidate.chars
    if group:
        yield group


def _place(candidate: GrepCandidate) -> GrepPlace:
    return candidate.at_us, candidate.id


def _spoken(said: Said | None) -> str:
    return spoken(said.search_text, said.tool_calls, said.parts) if said else ""
