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
from typing import Any, NamedTuple

from benchmarks.baselines import Search, Vectors, bm25, fts5
from benchmarks.locomo import Conversation, Key, Question, Session, Turn, read_conversation
from benchmarks.recall_tables import (
    DEPTHS,
    HEADLINE,
    TUNED_ON,
    Asked,
    Mode,
    ablation_table,
    category_table,
    fallen,
    figures,
    keep_figures,
    kept_figures,
    own_table,
    score,
    split_table,
    system_table,
)
from benchmarks.service import (
    PAGE,
    Api,
    BenchmarkFailed,
    paragraph,
    say,
    wait_until_searchable,
    write_section,
)
from graphmem.adapters.embedding import LocalEmbedder
from graphmem.settings import load_settings

BASELINES = {"BM25": bm25, "FTS5": fts5}
Build = Callable[[Sequence[str], int], Search]
BATCH = 100
RANKED = 100
"""Hits that are asked for: 20 count, the others show what each signal is worth."""


class Ingested(NamedTuple):
    messages: int
    accepted_s: float
    searchable_s: float


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
    """Every question that has evidence, one at a time; each is timed with the hits that count, and asked again for
    more."""
    asked = []
    for conversation in conversations:
        for question in conversation.questions:
            if not question.gold:
                continue
            body = {"query": question.text, "kinds": ["message"], "limit": max(DEPTHS)}
            answer = api.post("/api/memory/recall", body, agent=agents[conversation.id])
            more = api.post("/api/memory/recall", body | {"limit": RANKED}, agent=agents[conversation.id]).body["hits"]
            words = sum(len(hit.get("text", "").split()) for hit in answer.body["hits"])
            signals = tuple(hit.get("why", {}) for hit in more)
            ranked = ranked_keys(answer.body["hits"])
            asked.append(Asked(question, ranked, answer.seconds, words, ranked_keys(more), signals))
            say(f"asked {len(asked)} questions, at {conversation.id}", over=True)
    say("", over=True)
    return asked


def ranked_keys(hits: Iterable[Mapping[str, Any]]) -> tuple[Key, ...]:
    """The messages of the hits, in order, each once."""
    keys = (Key(hit["sessionId"], message_id) for hit in hits for message_id in hit["messageIds"])
    return tuple(dict.fromkeys(keys))


def ask_baseline(build: Build, groups: Iterable[tuple[Sequence[Turn], Sequence[Question]]]) -> list[Asked]:
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


def measure(
    api: Api, conversations: Sequence[Conversation], mode: Mode, run: str, baselines: Mapping[str, Build]
) -> tuple[str, list[dict[str, Any]], dict[str, float]]:
    """Ingests and asks in one mode: the Markdown of the outcome, a line per question and retriever, and the figures
    that are kept."""
    one = f"locomo-pooled-{run}"
    agents = {item.id: one if mode == "pooled" else f"locomo-{item.id}-{run}" for item in conversations}
    retries = api.retries
    ingested = ingest(api, conversations, agents)
    answers: dict[str, Sequence[Asked]] = {"graphmem": ask(api, conversations, agents)}
    if mode == "pooled":
        turns = [turn for conversation in conversations for turn in conversation.turns]
        groups = [(turns, [question for item in conversations for question in item.questions])]
    else:
        groups = [(item.turns, list(item.questions)) for item in conversations]
    answers |= {name: ask_baseline(build, groups) for name, build in baselines.items()}
    title = "all conversations in one agent" if mode == "pooled" else "an agent for each conversation"
    pace = paragraph(f"""
        Ingest: {ingested.messages} messages, {ingested.messages / ingested.accepted_s:.0f}/s accepted
        (committed; one client), {ingested.messages / ingested.searchable_s:.0f}/s until every backlog
        was empty ({ingested.searchable_s:.0f} s). Requests repeated because the service was busy:
        {api.retries - retries}.""")
    own = answers["graphmem"]
    tables = (system_table(answers), split_table(own), category_table(answers), own_table(own), ablation_table(own))
    text = "\n\n".join((f"### {mode.capitalize()}: {title}", *tables, pace))
    lines = [_line(mode, system, item) for system, asked in answers.items() for item in asked]
    return text, lines, figures(own, mode)


def _line(mode: Mode, retriever: str, asked: Asked) -> dict[str, Any]:
    """One question of the per-question file: by number, so that the file holds no words of the data."""
    question, ranked = asked.question, asked.ranked[: max(DEPTHS)]
    return {
        "mode": mode,
        "retriever": retriever,
        "conversation": question.conversation,
        "question": question.number,
        "category": question.category,
        "gold": sorted(question.gold),
        "ranked": ranked,
        "recall": score([asked]).recall,
        "ms": round(asked.seconds * 1000, 1),
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
        {max(DEPTHS)} hits. The same questions go to four searches over the same texts, "speaker: text", in the
        same run: without the question's stop words BM25 (bm25s, Lucene's variant, light stemming) and
        SQLite {sqlite3.sqlite_version} FTS5 (Porter stems, bm25(), any word of the question); our embedder's vectors
        alone; and these with BM25 by reciprocal ranks. Times are those of one client, graphmem's over HTTP with
        everything on disk, the others' inside one process and in memory. No language model takes part. What a
        signal is worth is seen among the first {RANKED} hits, put in order anew without it. The weights were tuned
        on {", ".join(TUNED_ON)} and are the same for all.""")
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
    found: dict[str, float] = {}
    vectors = Vectors(LocalEmbedder(load_settings().cache_dir))
    baselines = BASELINES | {"vectors": vectors.dense, "BM25 + vectors (RRF)": vectors.fused}
    try:
        with Api(arguments.url) as api:
            for mode in modes:
                text, of_mode, figures_of_mode = measure(api, conversations, mode, run, baselines)
                parts.append(text)
                lines += of_mode
                found |= figures_of_mode
            status = api.get("/api/status", agent=f"locomo-{run}").body
    except BenchmarkFailed as failure:
        say(str(failure))
        return 1
    text = report(arguments.data, conversations, status, parts)
    print(text)
    if arguments.out:
        arguments.out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    if arguments.limit_conversations is not None:
        return 0
    write_section(PAGE, "recall", text)
    digest = hashlib.sha256(arguments.data.read_bytes()).hexdigest()[:12]
    for loss in (lost := fallen(found, kept_figures(digest))):
        say(loss)
    keep_figures(digest, found)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
