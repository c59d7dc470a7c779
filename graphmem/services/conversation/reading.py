"""Conversations are read back: page by page, message by message, and from the summaries over them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from graphmem.errors import NotFound
from graphmem.model.answers import ExpandedSummary, Page
from graphmem.model.conversation import Session, StoredMessage, Summary
from graphmem.model.inputs import ExpandSummary, LoadSession
from graphmem.model.reading import ExpandedMessage, LoadedSession
from graphmem.model.stored import Bounds, ChildRef, MessageRef, SummaryFilter
from graphmem.rules.keeping.paging import encode_cursor, moment, places
from graphmem.rules.language.text import TOKEN_COUNTER
from graphmem.rules.recall.outdated import outdated_in
from graphmem.rules.summaries.excerpts import fit_said, most_chars, planned
from graphmem.services.ports import Clock, Knowledge, SessionReads, Sessions

Part = TypeVar("Part", StoredMessage, Summary, StoredMessage | Summary)
UNBOUNDED = 2**30
"""More characters than any message has: a request is far smaller."""
EXTRAS_CHARS = 20_000
"""Longest further field of a message that is still returned with a cut content."""
CHILDREN_AT_ONCE = 200


class Reading:
    def __init__(self, reads: SessionReads, sessions: Sessions, knowledge: Knowledge, clock: Clock) -> None:
        self._reads = reads
        self._sessions = sessions
        self._knowledge = knowledge
        self._clock = clock

    async def messages(
        self, agent_id: str, session_id: str, after: int, limit: int, max_content_chars: int | None
    ) -> Page[StoredMessage]:
        """The messages after an ordinal, in order; pass `next_cursor` as `after` for the next page. Errors:
        NotFound."""
        await self._session(agent_id, session_id)
        found = await self._reads.page(agent_id, session_id, after, limit + 1, _bounds(max_content_chars))
        return Page[StoredMessage](
            items=tuple(found[:limit]), next_cursor=str(found[limit - 1].ordinal) if len(found) > limit else None
        )

    async def message(self, agent_id: str, wanted: MessageRef, limit: int | None) -> StoredMessage:
        """One message, `limit` characters of its content. Errors: NotFound."""
        within = replace(wanted, offset=min(wanted.offset, UNBOUNDED))
        found = await self._reads.message(agent_id, within, _bounds(limit))
        if found is None:
            raise NotFound(f"There is no message {wanted.id!r}.")
        return found

    async def load(self, agent_id: str, asked: LoadSession) -> LoadedSession:
        """A page of a session that is named, or found by going back from one or from the newest. Errors: NotFound."""
        session = await self._picked(agent_id, asked)
        chars = min(asked.max_content_chars, most_chars(asked.max_tokens))
        found = await self._reads.page(agent_id, session.session_id, asked.after, asked.limit + 1, Bounds(chars, chars))
        shown, used = fit_said(found[: asked.limit], asked.max_tokens)
        more = len(shown) < len(found)
        return LoadedSession(
            session=session,
            items=tuple(shown),
            used_tokens=used,
            truncated=more or any(message.content_truncated for message in shown),
            next_cursor=str(shown[-1].ordinal) if more else None,
            token_counter=TOKEN_COUNTER,
        )

    async def expand_message(
        self, agent_id: str, message_id: str, max_tokens: int, cursor: str | None
    ) -> ExpandedMessage:
        """As much of a message as fits, from the cursor on. Errors: NotFound; InvalidCursor."""
        (offset,) = places(cursor, 1)
        chars = most_chars(max_tokens)
        found = await self.message(agent_id, MessageRef(message_id, offset=offset), chars)
        if not found.content_chars and (found.parts or "parts" in found.omitted):
            found = await self.message(agent_id, MessageRef(found.id, offset=offset, raw=True), chars)
        ((shown,), used) = fit_said([found], max_tokens)
        (shown,) = await self._marked(agent_id, [shown], offset)
        return ExpandedMessage(
            message=shown,
            used_tokens=used,
            truncated=shown.content_truncated,
            next_cursor=encode_cursor(str(offset + len(shown.content or ""))) if shown.content_truncated else None,
            token_counter=TOKEN_COUNTER,
        )

    async def summaries(
        self,
        agent_id: str,
        wanted: SummaryFilter,
        limit: int,
        cursor: str | None = None,
        before: str | None = None,
        back: int = 0,
    ) -> Page[Summary]:
        """Summaries from `back` steps back on: newest first, or, with `before`, those before that one, nearest first.

        Errors: NotFound for an unknown `before`; InvalidCursor.
        """
        if before is not None:
            return await self._predecessors(agent_id, before, wanted, limit, cursor, back)
        skip = 0 if cursor else back
        found = await self._reads.summary_page(agent_id, wanted, moment(cursor), skip, limit + 1)
        last = found[limit - 1] if len(found) > limit else None
        return Page[Summary](
            items=tuple(found[:limit]),
            next_cursor=encode_cursor(last.latest_at.isoformat(), last.id) if last and last.latest_at else None,
        )

    async def expand_summary(self, agent_id: str, summary_id: str, given: ExpandSummary) -> ExpandedSummary:
        """The sources of a summary, in order, as much as fits; the cursor always advances. Its memories come with the
        first page.

        Errors: NotFound; InvalidCursor.
        """
        summary = await self._summary(agent_id, summary_id)
        position, offset = places(given.cursor, 2)
        refs = await self._reads.children(agent_id, summary_id, position, CHILDREN_AT_ONCE)
        sizes = [0 if offset and ref is refs[0] else ref.tokens for ref in refs]
        children = await self._children(agent_id, refs[: planned(sizes, given.max_tokens)], offset, given.max_tokens)
        shown, used = fit_said(children, given.max_tokens)
        next_cursor = _onward(position, offset, refs, children, shown)
        begun = bool(shown) and shown[0].id == refs[0].id
        shown = await self._marked(agent_id, shown, offset if begun else 0)
        (summary,) = await self._marked(agent_id, [summary])
        memories = [] if given.cursor else await self._knowledge.memories(agent_id, summary.memory_ids)
        return ExpandedSummary(
            summary=summary,
            children=tuple(shown),
            memories=tuple(memories),
            used_tokens=used,
            truncated=next_cursor is not None,
            next_cursor=next_cursor,
            token_counter=TOKEN_COUNTER,
        )

    async def _picked(self, agent_id: str, asked: LoadSession) -> Session:
        named = await self._session(agent_id, asked.session_id) if asked.session_id else None
        if named and not asked.back:
            return named
        project = asked.project or (named.project if named else None)
        start = (named.started_at, named.session_id) if named else None
        back = asked.back - 1 if named else asked.back
        found = await self._sessions.page(agent_id, project, None, start, back + 1)
        if len(found) <= back:
            where = f" of project {project!r}" if project else ""
            before = f" before {asked.session_id!r}" if named else ""
            raise NotFound(f"There are only {len(found)} sessions{where}{before}: give a smaller back.")
        return found[back]

    async def _children(
        self, agent_id: str, refs: Sequence[ChildRef], offset: int, max_tokens: int
    ) -> list[StoredMessage | Summary]:
        """The parts of a summary that still exist, the first from `offset` of its content on."""
        chars = most_chars(max_tokens)
        at = {ref.id: min(offset, UNBOUNDED) if ref is refs[0] else 0 for ref in refs}
        messages = [(ref.id, at[ref.id]) for ref in refs if ref.kind == "message"]
        summaries = [ref.id for ref in refs if ref.kind == "summary"]
        found: dict[str, StoredMessage | Summary] = {}
        if messages:
            found |= await self._reads.messages(agent_id, messages, Bounds(chars, max(chars, EXTRAS_CHARS)))
        if summaries:
            found |= {
                id_: one.model_copy(update={"content": one.content[at[id_] :]})
                for id_, one in (await self._reads.summaries(agent_id, summaries)).items()
            }
        return [found[ref.id] for ref in refs if ref.id in found]

    async def _marked(self, agent_id: str, read: Sequence[Part], offset: int = 0) -> list[Part]:
        """Messages and summaries with the places in them that no longer hold; the first begins at `offset` of its
        content."""
        said = await self._reads.said(agent_id, [one.id for one in read], self._clock())
        return [
            one.model_copy(
                update={"outdated": outdated_in(one.content or "", said.get(one.id, ()), offset=0 if place else offset)}
            )
            for place, one in enumerate(read)
        ]

    async def _predecessors(
        self, agent_id: str, before: str, wanted: SummaryFilter, limit: int, cursor: str | None, back: int
    ) -> Page[Summary]:
        await self._summary(agent_id, before)
        (skip,) = places(cursor, 1) if cursor else (max(back - 1, 0),)
        found = await self._reads.predecessors(agent_id, before, wanted, skip, limit + 1)
        return Page[Summary](
            items=tuple(found[:limit]), next_cursor=encode_cursor(str(skip + limit)) if len(found) > limit else None
        )

    async def _session(self, agent_id: str, session_id: str) -> Session:
        found = await self._sessions.find(agent_id, session_id)
        if found is None:
            raise NotFound(f"There is no session {session_id!r}.")
        return found

    async def _summary(self, agent_id: str, summary_id: str) -> Summary:
        found = (await self._reads.summaries(agent_id, [summary_id])).get(summary_id)
        if found is None:
            raise NotFound(f"There is no summary {summary_id!r}.")
        return found


def _bounds(chars: int | None) -> Bounds:
    if chars is None or chars > UNBOUNDED:
        return Bounds(UNBOUNDED, UNBOUNDED)
    return Bounds(chars, max(chars, EXTRAS_CHARS))


def _onward(
    position: int,
    offset: int,
    refs: Sequence[ChildRef],
    read: Sequence[StoredMessage | Summary],
    shown: Sequence[StoredMessage | Summary],
) -> str | None:
    """The cursor after the last part that was shown, or, where that was cut, inside it."""
    if not shown:  # the targets of these refs are deleted
        return encode_cursor(str(position + len(refs)), "0") if len(refs) == CHILDREN_AT_ONCE else None
    last, whole = shown[-1], read[len(shown) - 1]
    done = [ref.id for ref in refs].index(last.id) + 1
    cut = last.content_truncated if isinstance(last, StoredMessage) else len(last.content) < len(whole.content or "")
    if cut:
        begun = offset if done == 1 else 0
        return encode_cursor(str(position + done - 1), str(begun + len(last.content or "")))
    more = done < len(refs) or len(refs) == CHILDREN_AT_ONCE
    return encode_cursor(str(position + done), "0") if more else None
