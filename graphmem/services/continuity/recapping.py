"""Recaps: a session in few words, each line with its source; returned, or stored in the DAG."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.errors import NotFound
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.recap import AskedMode, Citation, DrawnFact, Recap, RecapRow, ToldTurn
from graphmem.rules.contradiction import check
from graphmem.rules.language.grams import grams
from graphmem.rules.language.keys import agent_key, sha256_hex
from graphmem.rules.language.text import TOKEN_COUNTER, count_tokens
from graphmem.rules.privacy.redaction import without_secrets
from graphmem.rules.recall.outdated import outdated_in
from graphmem.rules.summaries.recap_lines import RECAPPER, Line, Section, budget, fit
from graphmem.rules.summaries.recap_sections import sections
from graphmem.rules.summaries.recap_turns import Conversation, RecapFact, RecapTurn
from graphmem.rules.turns.mode import mode_of
from graphmem.services.conversation.guards import Guards
from graphmem.services.ports import Clock, NewId, Recaps, Sessions

SHORT_REF = 16
"""Longest message id that is cited behind a line; for longer ones the place in the session is."""
SETTLED = frozenset({"decision", "constraint", "preference"})
"""Types of memories that record decisions."""


class Recapping:
    def __init__(self, recaps: Recaps, sessions: Sessions, guards: Guards, clock: Clock, new_id: NewId) -> None:
        self._recaps = recaps
        self._sessions = sessions
        self._guards = guards
        self._clock = clock
        self._new_id = new_id

    async def recap(self, agent_id: str, session_id: str, mode: AskedMode, max_tokens: int) -> Recap:
        """The current recap of a session; nothing is written. Errors: NotFound."""
        return (await self._made(agent_id, session_id, mode, max_tokens))[0]

    async def keep(self, caller: Caller, session_id: str, mode: AskedMode, max_tokens: int) -> Recap:
        """The recap of a session, stored as its only recap in the DAG. Errors: NotFound; SessionStateless."""
        await self._guards.require_open(caller.agent_id, session_id)
        recap, cited, through = await self._made(caller.agent_id, session_id, mode, max_tokens)
        now = self._clock()
        row = RecapRow(
            id=self._new_id(),
            dag_key=f"recap:{session_id}",
            content=recap.text,
            tokens=recap.tokens_after,
            sha256=sha256_hex(recap.text),
            by=RECAPPER,
            search_text=recap.text,
            agent_key=agent_key(caller.agent_id),
            grams=grams(recap.text),
            message_ids=cited,
            told_through=through,
        )
        event = EventRow(self._new_id(), "summary_created", row.id, "recap", now)
        return await self._recaps.store(caller, session_id, row, recap, event)

    async def _made(
        self, agent_id: str, session_id: str, mode: AskedMode, max_tokens: int
    ) -> tuple[Recap, Sequence[str], int]:
        """The recap, the ids of the messages it cites, and the ordinal up to which it covers the session."""
        if await self._sessions.find(agent_id, session_id) is None:
            raise NotFound(f"There is no session {session_id!r}.")
        told, drawn, said = await asyncio.gather(
            self._recaps.turns(agent_id, session_id),
            self._recaps.facts(agent_id, session_id, self._clock()),
            self._recaps.said(agent_id, session_id, self._clock()),
        )
        recap, cited = await asyncio.to_thread(make_recap, session_id, told, drawn, mode, max_tokens)
        recap = recap.model_copy(update={"outdated": outdated_in(recap.text, said)})
        return recap, cited, told[-1].ordinal + 1 if told else 0


def make_recap(
    session_id: str, told: Sequence[ToldTurn], drawn: Sequence[DrawnFact], mode: AskedMode, max_tokens: int
) -> tuple[Recap, Sequence[str]]:
    """The recap of these turns, and the store's ids of the messages it cites."""
    talk = conversation_of(session_id, told, drawn)
    turns = talk.turns
    verdict = mode_of([turn.spoken for turn in turns])
    chosen = verdict.mode if mode == "auto" else mode
    built = sections(talk, quest=chosen == "quest")
    waiting = [place for place, turn in enumerate(turns) if turn.scores is None]
    if waiting:
        said = f"{len(waiting)} of {len(turns)} turns, the first of them this; their words alone decided"
        built.append(Section("Not analysed yet", 1, (Line(said, (waiting[0],)),), least=1))
    tokens_before = sum(one.tokens for one in told)
    refs = {place: _ref(one) for place, one in enumerate(told)}
    room = budget(max_tokens, tokens_before)
    fitted = fit(built, refs, room)
    tokens_after = count_tokens(fitted.text)
    recap = Recap(
        session_id=session_id,
        mode=chosen,
        mode_score=verdict.score,
        mode_parts=dict(verdict.parts),
        mode_counts=dict(verdict.counts),
        text=fitted.text,
        citations=tuple(
            Citation(
                ref=refs[at],
                message_id=told[at].message_id,
                id=told[at].id,
                session_id=session_id,
                ordinal=told[at].ordinal,
            )
            for at in fitted.places
        ),
        tokens_before=tokens_before,
        tokens_after=tokens_after,
        used_tokens=tokens_after,
        ratio=round(tokens_before / tokens_after, 2) if tokens_after else 1.0,
        unanalysed=len(waiting),
        truncated=fitted.left_out,
        token_counter=TOKEN_COUNTER,
        summary_id=None,
    )
    return recap, [told[at].id for at in fitted.places]


def conversation_of(session_id: str, told: Sequence[ToldTurn], drawn: Sequence[DrawnFact]) -> Conversation:
    """A session as rules read it, without secrets."""
    turns = [
        RecapTurn(
            one.role,
            without_secrets(one.text),
            one.calls is not None,
            without_secrets(one.calls) if one.calls else "",
            one.scores,
            one.importance,
            one.shift,
        )
        for one in told
    ]
    return Conversation(turns, _facts(session_id, told, [_without_secrets(fact) for fact in drawn]), check)


def _without_secrets(fact: DrawnFact) -> DrawnFact:
    return replace(fact, content=without_secrets(fact.content), current=fact.current and without_secrets(fact.current))


def _facts(session_id: str, told: Sequence[ToldTurn], drawn: Sequence[DrawnFact]) -> list[RecapFact]:
    """What was extracted, by the places of turns; a current value from another session cites what it replaced."""
    places = {one.ordinal: place for place, one in enumerate(told)}
    return [
        RecapFact(
            text=fact.content,
            place=places[fact.ordinal],
            settled=fact.type in SETTLED or fact.kind == "constraint",
            importance=fact.importance,
            superseded=fact.superseded,
            current=fact.current,
            current_place=_place_of(fact, session_id, places),
        )
        for fact in drawn
        if fact.ordinal in places
    ]


def _place_of(fact: DrawnFact, session_id: str, places: Mapping[int, int]) -> int | None:
    if fact.current_session_id != session_id or fact.current_ordinal is None:
        return None
    return places.get(fact.current_ordinal)


def _ref(one: ToldTurn) -> str:
    plain = len(one.message_id) <= SHORT_REF and not set(one.message_id) & set(" []")
    return one.message_id if plain else f"#{one.ordinal}"
