"""Conversations into a service and their questions to it, and to searches over the same texts."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.baselines import Build
from benchmarks.conversations import Conversation, Key, Question, Session, Turn
from benchmarks.service import Api, paragraph, say, wait_until_searchable

BATCH = 100
COUNTED = 20
"""Hits that count."""
RANKED = 100
"""Hits that are asked for besides, to see what each signal is worth and what a budget of words contains."""
TOKENS = (650, 2_000, 4_000)
"""Budgets that are filled; about 500, 1,500 and 3,000 words."""
KINDS = ("message", "memory", "attribute", "summary")


class Ingested(NamedTuple):
    """What was sent, not what was there already."""

    messages: int
    accepted_s: float
    searchable_s: float


class Found(NamedTuple):
    """A hit: the turns that it leads back to, none for a summary; the number of its words; its score, and the part of
    each signal in it."""

    keys: tuple[Key, ...]
    words: int = 0
    score: float = 0.0
    why: Mapping[str, float] = {}


class Asked(NamedTuple):
    """A question with its first hits, best first, and the seconds they took; the first 100; and what fills a budget, by
    its tokens."""

    question: Question
    hits: tuple[Found, ...]
    seconds: float
    more: tuple[Found, ...] = ()
    filled: Mapping[int, tuple[Found, ...]] = {}


Answers = Mapping[str, Sequence[Asked]]
"""What each system answered, by its name; ours comes first."""


def ingest(api: Api, conversations: Sequence[Conversation], agents: Mapping[str, str], *, end: bool = True) -> Ingested:
    """Sends every session in order and ends it without waiting, then waits until all of it can be found. Nothing is
    sent for an agent that has all of its messages. Without `end` no facts are drawn and nothing is summarised."""
    sent = 0
    started = time.perf_counter()
    for agent in dict.fromkeys(agents.values()):
        theirs = [item for item in conversations if agents[item.id] == agent]
        kept = api.get("/api/status", agent=agent).body["counts"]["messages"]
        if kept == sum(len(item.turns) for item in theirs):
            continue
        for conversation in theirs:
            for session in conversation.sessions:
                _send_session(api, conversation.id, session, agent, end=end)
                sent += len(session.turns)
                say(f"sent {sent} messages, at {session.id}", over=True)
    accepted_s = time.perf_counter() - started
    say("", over=True)
    failed = wait_until_searchable(api, sorted(set(agents.values())))
    if failed:
        say(f"warning: {failed} jobs failed; the figures are those of what was left")
    return Ingested(sent, accepted_s, time.perf_counter() - started)


def _send_session(api: Api, project: str, session: Session, agent: str, *, end: bool) -> None:
    opening = {"sessionId": session.id, "project": project, "startedAt": session.started_at.isoformat()}
    api.post("/api/sessions", opening, agent=agent)
    for start in range(0, len(session.turns), BATCH):
        messages = [_message(turn) for turn in session.turns[start : start + BATCH]]
        api.post(f"/api/sessions/{session.id}/messages", {"messages": messages}, agent=agent)
    if end:
        api.post(f"/api/sessions/{session.id}/end", {"force": True}, agent=agent)  # all of it is to be read


def _message(turn: Turn) -> dict[str, Any]:
    message = {
        "messageId": turn.key.message_id,
        "role": turn.role,
        "content": turn.content,
        "createdAt": turn.created_at.isoformat(),
    }
    return message | ({"name": turn.name} if turn.name else {})


def pace(ingested: Ingested, repeated: int) -> str:
    """How fast the messages came in, as a paragraph of the page."""
    if not ingested.messages:
        return f"Ingest: all messages were there already. Requests repeated because the service was busy: {repeated}."
    return paragraph(f"""
        Ingest: {ingested.messages} messages, {ingested.messages / ingested.accepted_s:.0f}/s accepted
        (committed; one client), {ingested.messages / ingested.searchable_s:.0f}/s until every backlog
        was empty ({ingested.searchable_s:.0f} s). Requests repeated because the service was busy: {repeated}.""")


def ask(
    api: Api,
    conversations: Sequence[Conversation],
    agents: Mapping[str, str],
    kinds: Sequence[str] = ("message",),
    budgets: Sequence[int] = (),
) -> list[Asked]:
    """Every question that can be scored, one at a time; each is timed with the hits that count, and asked again for
    more, and for what fills each budget."""
    asked = []
    for conversation in conversations:
        for question in conversation.asked:
            body = {"query": question.text, "kinds": list(kinds)}
            agent = agents[conversation.id]
            answer = api.post("/api/memory/recall", body | {"limit": COUNTED}, agent=agent)
            more = api.post("/api/memory/recall", body | {"limit": RANKED}, agent=agent)
            filled = {
                tokens: _found(api.post("/api/memory/recall", body | {"maxTokens": tokens}, agent=agent).body)
                for tokens in budgets
            }
            asked.append(Asked(question, _found(answer.body), answer.seconds, _found(more.body), filled))
            say(f"asked {len(asked)} questions, at {conversation.id}", over=True)
    say("", over=True)
    return asked


def _found(answer: Mapping[str, Any]) -> tuple[Found, ...]:
    return tuple(
        Found(
            tuple(Key(hit["sessionId"], message_id) for message_id in hit["messageIds"]),
            len(hit["text"].split()),
            hit["score"],
            hit["why"],
        )
        for hit in answer["hits"]
    )


def ask_baseline(build: Build, groups: Iterable[Sequence[Conversation]]) -> list[Asked]:
    """The same questions to a search over the same texts, with an index for each group."""
    asked = []
    for group in groups:
        turns = [turn for conversation in group for turn in conversation.turns]
        lengths = [len(turn.text.split()) for turn in turns]
        search = build([turn.text for turn in turns], RANKED)
        for question in (question for conversation in group for question in conversation.asked):
            started = time.perf_counter()
            matches = search(question.text)
            seconds = time.perf_counter() - started
            found = tuple(Found((turns[place].key,), lengths[place], score) for place, score in matches)
            asked.append(Asked(question, found[:COUNTED], seconds, found))
    return asked
