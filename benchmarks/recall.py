"""Evidence recall on conversations in the LoCoMo format, through the HTTP API, with full-text search beside it.

A question counts with the share of its evidence turns among the first k hits.
The data is CC BY-NC 4.0: it is measured with, never shipped, so nothing written here holds its words.
"""

import argparse
import hashlib
import json
import os
import sqlite3
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from benchmarks.baselines import Search, bm25, fts5
from benchmarks.locomo import Conversation, Key, Question, Session, Turn, read_conversation
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
BASELINES = {"BM25": bm25, "FTS5": fts5}
Mode = Literal["separate", "pooled"]


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
    api.post(f"/api/sessions/{session.id}/end", {"force": True}, agent=agent)  # all of it is to be read


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


def ask_baseline(
    build: Callable[[Sequence[str], int], Search], groups: Iterable[tuple[Sequence[Turn], Sequence[Question]]]
) -> list[Asked]:
    """The same questions to a search over "speaker: text", with an index for each group."""
    asked = []
    for turns, questions in groups:
        search = build([f"{turn.name}: {turn.content}" for turn in turns], max(DEPTHS))
        for question in questions:
            if not question.gold:
                continue
            started = time.perf_counter()
            ranked = tuple(turns[place].key for place in search(question.text))
            asked.append(Asked(question, ranked, time.perf_counter() - started))
    return asked


Answers = Mapping[str, Sequence[Asked]]
"""What each system answered, by its name; ours comes first."""


def system_table(answers: Answers) -> str:
    """A row for each system: its scores in categories 1–4, and how long a question took."""
    rows = []
    for system, asked in answers.items():
        scores = score(_of_categories(asked, HEADLINE))
        seconds = [item.seconds for item in asked]
        times = [f"{percentile(seconds, share) * 1000:.2f}" for share in (0.5, 0.95)]
        recalls = [f"{scores.recall[depth]:.3f}" for depth in DEPTHS]
        rows.append([system, *recalls, f"{scores.mrr:.3f}", *times])
    return table(["categories 1–4", *(f"R@{depth}" for depth in DEPTHS), "MRR", "p50 ms", "p95 ms"], rows)


def category_table(answers: Answers) -> str:
    """A row for each category, and for each conversation (categories 1–4); a column with R@10 for each system."""
    groups = {f"{number} {name}": _by_category(number) for number, name in CATEGORIES.items()}
    conversations = sorted({item.question.conversation for asked in answers.values() for item in asked})
    groups |= {f"1–4, {name}": _by_conversation(name) for name in conversations}
    rows = []
    for name, chosen in groups.items():
        scores = [score(chosen(asked)) for asked in answers.values()]
        rows.append([name, str(scores[0].questions), *(f"{part.recall[10]:.3f}" for part in scores)])
    return table(["R@10 by category", "questions", *answers], rows)


def _of_categories(asked: Sequence[Asked], categories: tuple[int, ...]) -> list[Asked]:
    return [item for item in asked if item.question.category in categories]


def _by_category(number: int) -> Callable[[Sequence[Asked]], list[Asked]]:
    return lambda asked: _of_categories(asked, (number,))


def _by_conversation(name: str) -> Callable[[Sequence[Asked]], list[Asked]]:
    return lambda asked: [item for item in _of_categories(asked, HEADLINE) if item.question.conversation == name]


def measure(api: Api, conversations: Sequence[Conversation], mode: Mode, run: str) -> tuple[str, list[dict[str, Any]]]:
    """Ingests and asks in one mode: the Markdown of the outcome, and a line per question and retriever."""
    one = f"locomo-pooled-{run}"
    agents = {item.id: one if mode == "pooled" else f"locomo-{item.id}-{run}" for item in conversations}
    retries = api.retries
    ingested = ingest(api, conversations, agents)
    answers = {"graphmem": ask(api, conversations, agents)}
    if mode == "pooled":
        turns = [turn for conversation in conversations for turn in conversation.turns]
        groups = [(turns, [question for item in conversations for question in item.questions])]
    else:
        groups = [(item.turns, list(item.questions)) for item in conversations]
    answers |= {name: ask_baseline(build, groups) for name, build in BASELINES.items()}
    title = "all conversations in one agent" if mode == "pooled" else "an agent for each conversation"
    pace = paragraph(f"""
        Ingest: {ingested.messages} messages, {ingested.messages / ingested.accepted_s:.0f}/s accepted
        (committed; one client), {ingested.messages / ingested.searchable_s:.0f}/s until every backlog
        was empty ({ingested.searchable_s:.0f} s). Requests repeated because the service was busy:
        {api.retries - retries}.""")
    text = "\n\n".join((f"### {mode.capitalize()}: {title}", system_table(answers), category_table(answers), pace))
    return text, [_line(mode, system, item) for system, asked in answers.items() for item in asked]


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
        {max(DEPTHS)} hits. The same questions go to two searches over the same texts, "speaker: text", in the
        same run and without the question's stop words: BM25 (bm25s, Lucene's variant, light stemming) and
        SQLite {sqlite3.sqlite_version} FTS5 (Porter stems, bm25(), any word of the question). Times are those of
        one client, graphmem's over HTTP with vectors and everything on disk, the others' inside one process and
        in memory. No language model takes part.""")
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
