"""Evidence recall on conversations in the LoCoMo format, through the HTTP API, with BM25 beside it.

A turn becomes a message: role user for speaker A, assistant for speaker B; the content is its text and the
caption of its image. A question counts with the share of its evidence turns among the first k hits.
The data is CC BY-NC 4.0: it is measured with, never shipped, so nothing written here holds its words.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple

import bm25s
from bm25s.stopwords import STOPWORDS_EN_PLUS

from benchmarks.service import (
    PAGE,
    Api,
    BenchmarkFailed,
    paragraph,
    percentile,
    say,
    table,
    wait_until_searchable,
    write_section,
)

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
HEADLINE = (1, 2, 3, 4)
DEPTHS = (5, 10, 20)
BATCH = 100
Mode = Literal["separate", "pooled"]

_TURN_ID = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")


class Key(NamedTuple):
    """A turn, as the API names a message."""

    session_id: str
    message_id: str


@dataclass(frozen=True)
class Turn:
    key: Key
    role: Literal["user", "assistant"]
    name: str
    content: str
    created_at: datetime


@dataclass(frozen=True)
class Session:
    id: str
    started_at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Question:
    """`number` is its place in the conversation; `gold` is empty when nothing usable is given as evidence."""

    conversation: str
    number: int
    category: int
    text: str
    gold: frozenset[Key]


@dataclass(frozen=True)
class Conversation:
    """`flaws` counts what the evidence had to be helped with: normalised, malformed, unknown, missing."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]
    flaws: Counter[str]

    @property
    def turns(self) -> list[Turn]:
        return [turn for session in self.sessions for turn in session.turns]


class Asked(NamedTuple):
    """A question with what came back: turns, best first, and the seconds it took."""

    question: Question
    ranked: tuple[Key, ...]
    seconds: float


class Scores(NamedTuple):
    """Means over questions: recall by depth k, and the reciprocal rank of the first evidence turn."""

    questions: int
    recall: dict[int, float]
    mrr: float


class Ingested(NamedTuple):
    messages: int
    accepted_s: float
    searchable_s: float


def parse_date(text: str) -> datetime:
    """The start of a session, read as UTC: the data names no zone.

    >>> parse_date("1:56 pm on 8 May, 2023").isoformat()
    '2023-05-08T13:56:00+00:00'
    """
    return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def parse_evidence(items: Iterable[str], flaws: Counter[str]) -> list[str]:
    """The turn ids that are meant: two in one item are parted, a stray colon goes, hopeless items too.

    >>> parse_evidence(["D8:6; D9:17", "D:11:26", "D"], Counter())
    ['D8:6', 'D9:17', 'D11:26']
    """
    ids = []
    for item in items:
        found = [f"D{int(session)}:{int(turn)}" for session, turn in _TURN_ID.findall(item)]
        if not found:
            flaws["malformed"] += 1
        elif found != [item]:
            flaws["normalised"] += 1
        ids += found
    return ids


def read_conversation(raw: Mapping[str, Any]) -> Conversation:
    """One conversation of the file. Sessions without turns are left out."""
    conversation_id = str(raw["sample_id"])
    talk = raw["conversation"]
    numbers = sorted(int(match[1]) for name in talk if (match := _SESSION.fullmatch(name)) and talk[match[0]])
    sessions = []
    for number in numbers:
        started_at = parse_date(talk[f"session_{number}_date_time"])
        session_id = f"{conversation_id}:session_{number}"
        turns = tuple(
            Turn(
                key=Key(session_id, turn["dia_id"]),
                role="user" if turn["speaker"] == talk["speaker_a"] else "assistant",
                name=turn["speaker"],
                content=" ".join(filter(None, (turn["text"].strip(), turn.get("blip_caption", "").strip()))),
                created_at=started_at + timedelta(seconds=place),
            )
            for place, turn in enumerate(talk[f"session_{number}"])
        )
        sessions.append(Session(session_id, started_at, turns))
    flaws: Counter[str] = Counter()
    questions = _read_questions(conversation_id, sessions, raw["qa"], flaws)
    return Conversation(conversation_id, tuple(sessions), questions, flaws)


def _read_questions(
    conversation_id: str, sessions: Iterable[Session], raw: Iterable[Mapping[str, Any]], flaws: Counter[str]
) -> tuple[Question, ...]:
    by_id = {turn.key.message_id: turn.key for session in sessions for turn in session.turns}
    questions = []
    for number, item in enumerate(raw):
        meant = parse_evidence(item.get("evidence", ()), flaws)
        gold = frozenset(by_id[turn_id] for turn_id in meant if turn_id in by_id)
        flaws["unknown"] += sum(turn_id not in by_id for turn_id in meant)
        flaws["missing"] += not item.get("evidence")
        questions.append(Question(conversation_id, number, int(item["category"]), item["question"], gold))
    return tuple(questions)


def score(asked: Iterable[Asked]) -> Scores:
    """Scores of the questions that have evidence; zeros when there are none."""
    counted = [item for item in asked if item.question.gold]
    recall = dict.fromkeys(DEPTHS, 0.0)
    reciprocal = 0.0
    for question, ranked, _ in counted:
        for depth in DEPTHS:
            recall[depth] += len(question.gold.intersection(ranked[:depth])) / len(question.gold)
        first = next((rank for rank, key in enumerate(ranked, start=1) if key in question.gold), None)
        reciprocal += 1 / first if first else 0.0
    count = max(len(counted), 1)
    means = {depth: total / count for depth, total in recall.items()}
    return Scores(len(counted), means, reciprocal / count)


def ingest(api: Api, conversations: Sequence[Conversation], agents: Mapping[str, str]) -> Ingested:
    """Sends every session in order and ends it without waiting, then waits until all of it can be found."""
    sent = 0
    started = time.perf_counter()
    for conversation in conversations:
        agent = agents[conversation.id]
        for session in conversation.sessions:
            _send_session(api, conversation.id, session, agent)
            sent += len(session.turns)
            say(f"sent {sent} messages, at {session.id}", over=True)
    accepted_s = time.perf_counter() - started
    say("", over=True)
    failed = wait_until_searchable(api, sorted(set(agents.values())))
    if failed:
        say(f"warning: {failed} jobs failed; the figures are those of what was left")
    return Ingested(sent, accepted_s, time.perf_counter() - started)


def _send_session(api: Api, project: str, session: Session, agent: str) -> None:
    opening = {"sessionId": session.id, "project": project, "startedAt": session.started_at.isoformat()}
    api.post("/api/sessions", opening, agent=agent)
    for start in range(0, len(session.turns), BATCH):
        messages = [
            {
                "messageId": turn.key.message_id,
                "role": turn.role,
                "name": turn.name,
                "content": turn.content,
                "createdAt": turn.created_at.isoformat(),
            }
            for turn in session.turns[start : start + BATCH]
        ]
        api.post(f"/api/sessions/{session.id}/messages", {"messages": messages}, agent=agent)
    api.post(f"/api/sessions/{session.id}/end", agent=agent)


def ask(api: Api, conversations: Sequence[Conversation], agents: Mapping[str, str]) -> list[Asked]:
    """Every question that has evidence, one at a time."""
    asked = []
    for conversation in conversations:
        for question in conversation.questions:
            if not question.gold:
                continue
            body = {"query": question.text, "kinds": ["message"], "limit": max(DEPTHS)}
            answer = api.post("/api/memory/recall", body, agent=agents[conversation.id])
            asked.append(Asked(question, ranked_keys(answer.body["hits"]), answer.seconds))
            say(f"asked {len(asked)} questions, at {conversation.id}", over=True)
    say("", over=True)
    return asked


def ranked_keys(hits: Iterable[Mapping[str, Any]]) -> tuple[Key, ...]:
    """The messages of the hits, in order, each once."""
    keys = (Key(hit["sessionId"], message_id) for hit in hits for message_id in hit["messageIds"])
    return tuple(dict.fromkeys(keys))


_STOP_WORDS = frozenset(STOPWORDS_EN_PLUS)
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:ies|ied|ing|ed|es|s|ly|e|y)$")


def stems(text: str) -> list[str]:
    """The words that BM25 sees: lower case, without stop words, common English endings cut off.

    >>> stems("She runs, and is running by the studies that she studied")
    ['run', 'run', 'stud', 'stud']
    """
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP_WORDS]


def _stem(word: str) -> str:
    stem = _ENDING.sub("", word)
    doubled = stem != word and len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls"
    return stem[:-1] if doubled else stem


def ask_bm25(groups: Iterable[tuple[Sequence[Turn], Sequence[Question]]]) -> list[Asked]:
    """The same questions to BM25 (Lucene's variant) over "speaker: text", with an index for each group."""
    asked = []
    for turns, questions in groups:
        index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
        index.index([stems(f"{turn.name}: {turn.content}") for turn in turns], show_progress=False)
        for question in questions:
            if not question.gold:
                continue
            started = time.perf_counter()
            known = [word for word in stems(question.text) if word in index.vocab_dict]
            ranked: tuple[Key, ...] = ()
            if known:
                limit = min(max(DEPTHS), len(turns))
                places, scores = index.retrieve([known], k=limit, show_progress=False)
                pairs = zip(places[0], scores[0], strict=True)
                ranked = tuple(turns[int(place)].key for place, value in pairs if value > 0)
            asked.append(Asked(question, ranked, time.perf_counter() - started))
    return asked


def score_table(service: Sequence[Asked], bm25: Sequence[Asked]) -> str:
    """Rows: the headline, each category, and each conversation (categories 1–4); columns: both retrievers."""

    def of_category(asked: Sequence[Asked], categories: tuple[int, ...]) -> list[Asked]:
        return [item for item in asked if item.question.category in categories]

    def of_conversation(asked: Sequence[Asked], conversation: str) -> list[Asked]:
        headline = of_category(asked, HEADLINE)
        return [item for item in headline if item.question.conversation == conversation]

    groups = [("**1–4**", of_category(service, HEADLINE), of_category(bm25, HEADLINE))]
    for number, name in CATEGORIES.items():
        groups.append((f"{number} {name}", of_category(service, (number,)), of_category(bm25, (number,))))
    names = sorted({item.question.conversation for item in service})
    groups += [(f"1–4, {name}", of_conversation(service, name), of_conversation(bm25, name)) for name in names]
    rows = []
    for name, ours, theirs in groups:
        scores = score(ours)
        cells = [name, str(scores.questions)]
        for part in (scores, score(theirs)):
            cells += [f"{part.recall[depth]:.3f}" for depth in DEPTHS] + [f"{part.mrr:.3f}"]
        rows.append(cells)
    columns = [*(f"R@{depth}" for depth in DEPTHS), "MRR"]
    header = [
        "category",
        "questions",
        *(f"graphmem {name}" for name in columns),
        *(f"BM25 {n}" for n in columns),
    ]
    return table(header, rows)


def measure(api: Api, conversations: Sequence[Conversation], mode: Mode, run: str) -> tuple[str, list[dict[str, Any]]]:
    """Ingests and asks in one mode: the Markdown of the outcome, and a line per question and retriever."""
    one = f"locomo-pooled-{run}"
    agents = {item.id: one if mode == "pooled" else f"locomo-{item.id}-{run}" for item in conversations}
    retries = api.retries
    ingested = ingest(api, conversations, agents)
    asked = ask(api, conversations, agents)
    if mode == "pooled":
        turns = [turn for conversation in conversations for turn in conversation.turns]
        groups = [(turns, [question for item in conversations for question in item.questions])]
    else:
        groups = [(item.turns, list(item.questions)) for item in conversations]
    bm25 = ask_bm25(groups)
    seconds = [item.seconds for item in asked]
    title = "all conversations in one agent" if mode == "pooled" else "an agent for each conversation"
    pace = paragraph(f"""
        Ingest: {ingested.messages} messages, {ingested.messages / ingested.accepted_s:.0f}/s accepted
        (committed; one client), {ingested.messages / ingested.searchable_s:.0f}/s until every backlog
        was empty ({ingested.searchable_s:.0f} s). Questions over HTTP, one client: p50
        {percentile(seconds, 0.5) * 1000:.0f} ms, p95 {percentile(seconds, 0.95) * 1000:.0f} ms.
        Requests repeated because the service was busy: {api.retries - retries}.""")
    text = "\n\n".join((f"### {mode.capitalize()}: {title}", score_table(asked, bm25), pace))
    lines = [_line(mode, "graphmem", item) for item in asked] + [_line(mode, "bm25", item) for item in bm25]
    return text, lines


def _line(mode: Mode, retriever: str, asked: Asked) -> dict[str, Any]:
    """One question of the per-question file: by number, so that the file holds no words of the data."""
    question, ranked, seconds = asked
    return {
        "mode": mode,
        "retriever": retriever,
        "conversation": question.conversation,
        "question": question.number,
        "category": question.category,
        "gold": sorted(question.gold),
        "ranked": ranked,
        "recall": score([asked]).recall,
        "ms": round(seconds * 1000, 1),
    }


def report(data: Path, conversations: Sequence[Conversation], status: Mapping[str, Any], parts: Iterable[str]) -> str:
    """The section for the page: what was measured, how, and the figures."""
    flaws = sum((item.flaws for item in conversations), Counter[str]())
    questions = [question for item in conversations for question in item.questions]
    scored = [question for question in questions if question.gold]
    headline = sum(question.category in HEADLINE for question in scored)
    turns = sum(len(item.turns) for item in conversations)
    sessions = sum(len(item.sessions) for item in conversations)
    embedder = status.get("embedder") or {}
    digest = hashlib.sha256(data.read_bytes()).hexdigest()[:12]
    what = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `make bench-recall`: graphmem
        {status.get("version")}, embedder {embedder.get("id")} ({embedder.get("state")}),
        {os.cpu_count()} cores. Data: `{data.name}` (sha256 {digest}…, CC BY-NC 4.0, not part of this
        project): {len(conversations)} conversations, {sessions} sessions, {turns} messages,
        {len(questions)} questions, {len(scored)} of them with usable evidence, {headline} of these in
        categories 1–4. Of the evidence, {flaws["normalised"]} items were normalised,
        {flaws["malformed"]} malformed and {flaws["unknown"]} unknown ones left out; {flaws["missing"]}
        questions have none.""")
    how = paragraph(f"""
        How: all messages are sent, then each question goes as it is to `POST /api/memory/recall` with
        `kinds: ["message"]` and `limit: {max(DEPTHS)}`. R@k is the share of a question's evidence turns
        among the first k hits, averaged over questions; MRR looks at the first evidence turn among
        {max(DEPTHS)} hits. BM25 (bm25s, Lucene's variant, "speaker: text", stop words, light stemming)
        answers the same questions over the same texts in the same run, in memory. No language model
        takes part.""")
    return "\n\n".join(["## Evidence recall on LoCoMo", what, how, *parts])


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", type=Path, help="a JSON file in the LoCoMo format")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="a running service (default: %(default)s)")
    modes = parser.add_mutually_exclusive_group()
    for name, help_text in (
        ("separate", "an agent for each conversation (default)"),
        ("pooled", "one agent for all conversations"),
        ("both", "one after the other"),
    ):
        modes.add_argument(f"--{name}", dest="mode", action="store_const", const=name, help=help_text)
    parser.add_argument(
        "--limit-conversations",
        type=int,
        metavar="N",
        help="only the first N; prints, but leaves the page alone",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="a JSON line for each question and retriever")
    parser.set_defaults(mode="separate")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    raw = json.loads(arguments.data.read_text(encoding="utf-8"))
    conversations = [read_conversation(item) for item in raw[: arguments.limit_conversations]]
    modes: list[Mode] = ["separate", "pooled"] if arguments.mode == "both" else [arguments.mode]
    run = uuid.uuid4().hex[:8]
    parts: list[str] = []
    lines: list[dict[str, Any]] = []
    try:
        with Api(arguments.url) as api:
            for mode in modes:
                text, of_mode = measure(api, conversations, mode, run)
                parts.append(text)
                lines += of_mode
            status = api.get("/api/status", agent=f"locomo-{run}").body
    except BenchmarkFailed as failure:
        say(str(failure))
        return 1
    text = report(arguments.data, conversations, status, parts)
    print(text)
    if arguments.out:
        arguments.out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    if arguments.limit_conversations is None:
        write_section(PAGE, "recall", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
