"""Questions over sessions: what was discussed, decided or left open, session by session with dates and quotes."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from graphmem.model.answering import Answered, ExpandQuery
from graphmem.model.recap import ToldTurn
from graphmem.rules.language.text import content_words, count_tokens
from graphmem.rules.privacy.redaction import without_secrets
from graphmem.rules.recall import answering as answers
from graphmem.rules.recall.answering import AnswerLine, Passage
from graphmem.rules.recall.outdated import mark
from graphmem.rules.summaries.recap_sections import decided_points, open_points
from graphmem.rules.summaries.recap_turns import Conversation
from graphmem.rules.summaries.surveys import Survey, SurveyLine, chosen_lines, in_sessions, of_results, survey_of
from graphmem.services.continuity.recapping import conversation_of
from graphmem.services.ports import Clock, Recaps, Sessions
from graphmem.services.recall.answering import Answering, Gathered, as_answer

NEWEST_SESSIONS = 5
"""Sessions that are read where a question names neither a topic nor a session."""
LEAST_WORDS = 0.5
"""The share of a topic's words that an open point about it has."""


class Surveying:
    """Answers questions over sessions by rules; all others, and all where there is a model, by `answering`."""

    def __init__(self, answering: Answering, recaps: Recaps, sessions: Sessions, clock: Clock) -> None:
        self._answering = answering
        self._recaps = recaps
        self._sessions = sessions
        self._clock = clock

    async def answer(self, agent_id: str, asked: ExpandQuery) -> Answered:
        """An answer with its quotes, or the result that none was found."""
        survey = None if self._answering.by_model or asked.as_of or asked.known_at else survey_of(asked.question)
        if survey is None:
            return await self._answering.answer(agent_id, asked)
        more = False
        if survey.kind in ("open", "failed") or not survey.topic:
            lines, gathered, more = await self._from_sessions(agent_id, asked, survey)
            if not lines and asked.session_id:  # there may be no such session, which is said there
                return await self._answering.answer(agent_id, asked)
        else:
            topical = asked.model_copy(update={"question": survey.topic})
            gathered = await self._answering.gather(agent_id, topical)
            lines = await asyncio.to_thread(chosen_lines, survey, gathered.passages)
            if not lines and survey.kind == "decided":  # then what was said of it
                lines = await asyncio.to_thread(chosen_lines, replace(survey, kind="about"), gathered.passages)
            if not lines and survey.kind in ("about", "why"):
                return await self._answering.answer(agent_id, asked)
        told = [_line(one) for one in lines]
        written = answers.write(told, asked.max_tokens) if told else None
        if written and more:
            written = replace(written, truncated=True)
        return as_answer(written, gathered, None, "extractive", None)

    async def _from_sessions(
        self, agent_id: str, asked: ExpandQuery, survey: Survey
    ) -> tuple[list[SurveyLine], Gathered, bool]:
        """The lines from the words of the session that is asked about, or of the newest; and whether there are more
        lines or sessions."""
        if asked.session_id:
            ids = [asked.session_id]
        else:
            newest = await self._sessions.page(agent_id, None, None, None, NEWEST_SESSIONS + 1)
            ids = [session.session_id for session in newest]
        lines: list[SurveyLine] = []
        for session_id in ids[:NEWEST_SESSIONS]:
            told, drawn, said = await asyncio.gather(
                self._recaps.turns(agent_id, session_id),
                self._recaps.facts(agent_id, session_id, self._clock()),
                self._recaps.said(agent_id, session_id, self._clock()),
            )
            if told:
                talk = conversation_of(session_id, told, drawn)
                found = in_sessions(await asyncio.to_thread(_lines_of, survey, session_id, told, talk))
                lines += [
                    one for one in found if one.text in mark(one.passage.text, said).text
                ]  # without what was deleted
        chosen = in_sessions(lines)
        passages = list({one.passage.id: one.passage for one in chosen}.values())
        gathered = Gathered(passages, sum(count_tokens(one.text) for one in passages), [], {})
        return chosen, gathered, len(ids) > NEWEST_SESSIONS or len(chosen) < len(lines)


def _lines_of(survey: Survey, session_id: str, told: Sequence[ToldTurn], talk: Conversation) -> list[SurveyLine]:
    topic = set(content_words(survey.topic or ""))
    if survey.kind == "failed":
        about = {place: one for place, one in talk.results.items() if not topic - set(content_words(told[place].text))}
        return of_results({place: _passage(session_id, told[place]) for place in about}, about)
    points = open_points(talk) if survey.kind == "open" else decided_points(talk)
    lines = []
    for point in reversed(points) if survey.kind == "open" else points:
        if topic and len(topic & set(content_words(point.text))) < LEAST_WORDS * len(topic):
            continue
        passage = _passage(session_id, told[point.place])
        start = passage.text.find(point.text)
        if start >= 0:
            lines.append(SurveyLine(passage, start, start + len(point.text), point.worth))
    return lines


def _passage(session_id: str, turn: ToldTurn) -> Passage:
    return Passage(
        id=turn.id,
        kind="message",
        text=without_secrets(turn.text),
        session_id=session_id,
        message_ids=(turn.message_id,),
        speaker=turn.name or turn.role,
        said_at=turn.at,
    )


def _line(one: SurveyLine) -> AnswerLine:
    """The line with its day, session and speaker."""
    passage = one.passage
    day = f"{passage.said_at:%Y-%m-%d}" if passage.said_at else ""
    led = ", ".join(part for part in (day, passage.session_id or "", passage.speaker or "") if part)
    ended = answers.outdated_at(one.start, one.end, passage)
    said = " ".join(one.text.split())
    return AnswerLine(f"{led}: {one.told or said}{' (superseded)' if ended else ''}", passage, one.text, ended)
