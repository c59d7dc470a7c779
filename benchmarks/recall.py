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
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from benchmarks.asking import COUNTED, RANKED, TOKENS, Answers, Asked, ask, ask_baseline, ingest, pace
from benchmarks.baselines import Build, baselines
from benchmarks.conversations import Conversation
from benchmarks.locomo import HEADLINE, KINDS, TUNED_ON, read_conversation
from benchmarks.recall_tables import (
    Groups,
    ablation_table,
    budget_table,
    by_kind,
    fell,
    filled_table,
    group_table,
    interval,
    kept_figures,
    line,
    of_kinds,
    own_table,
    score,
    system_table,
)
from benchmarks.service import PAGE, Api, BenchmarkFailed, paragraph, say, table, write_section
from graphmem.settings import load_settings

Mode = Literal["separate", "pooled"]
WANTED = "goals, never tuned on"
"""What of the file of goals says how good recall is to be; the rest is how good it was, by the data."""


def measure(
    api: Api, conversations: Sequence[Conversation], mode: Mode, searches: Mapping[str, Build]
) -> tuple[str, list[dict[str, Any]], dict[str, float]]:
    """Ingests and asks in one mode: the Markdown of the outcome, a line per question and retriever, and the figures
    that are kept."""
    agents = {item.id: "locomo-pooled" if mode == "pooled" else f"locomo-{item.id}" for item in conversations}
    retries = api.retries
    ingested = ingest(api, conversations, agents)
    answers = {"graphmem": ask(api, conversations, agents, budgets=TOKENS)}
    groups = [conversations] if mode == "pooled" else [[item] for item in conversations]
    answers |= {name: ask_baseline(build, groups) for name, build in searches.items()}
    title = "all conversations in one agent" if mode == "pooled" else "an agent for each conversation"
    headline = {name: of_kinds(asked, HEADLINE) for name, asked in answers.items()}
    tables = (
        system_table(headline, "categories 1–4"),
        split_table(headline["graphmem"]),
        budget_table(_parts(headline["graphmem"]), "categories 1–4, by words"),
        filled_table(headline["graphmem"], "graphmem, what fills a budget"),
        group_table(answers, {**_kinds(), **_conversations(answers)}, "R@10 by category"),
        own_table(answers["graphmem"], {**_together(), **_kinds()}, "graphmem by category"),
        ablation_table(headline["graphmem"]),
    )
    text = "\n\n".join((f"### {mode.capitalize()}: {title}", *tables, pace(ingested, api.retries - retries)))
    lines = [{"mode": mode} | line(system, item) for system, asked in answers.items() for item in asked]
    return text, lines, figures(headline["graphmem"], mode)


def _parts(asked: Sequence[Asked]) -> Answers:
    others = [item for item in asked if item.question.conversation not in TUNED_ON]
    return {"graphmem, all": asked, "graphmem, never tuned on": others}


def _together() -> Groups:
    return {"1–4 together": lambda item: item.question.kind in HEADLINE}


def _kinds() -> Groups:
    return {kind: by_kind(kind) for kind in KINDS.values()}


def _conversations(answers: Answers) -> Groups:
    names = sorted({item.question.conversation for asked in answers.values() for item in asked})
    return {f"1–4, {name}": _of_conversation(name) for name in names}


def _of_conversation(name: str) -> Callable[[Asked], bool]:
    return lambda item: item.question.conversation == name and item.question.kind in HEADLINE


def split_table(headline: Sequence[Asked]) -> str:
    """Conversations that were tuned on and those that were not, with intervals over the questions."""
    rows = []
    tuned = [item for item in headline if item.question.conversation in TUNED_ON]
    others = [item for item in headline if item.question.conversation not in TUNED_ON]
    for name, part in {"tuned on": tuned, "never tuned on": others}.items():
        if part:
            scores, (low, high) = score(part), interval(part)
            multi = score(of_kinds(part, (KINDS[1],))).recall[10]
            rows.append(
                [
                    name,
                    str(scores.questions),
                    f"{scores.recall[10]:.3f} [{low:.3f}–{high:.3f}]",
                    f"{scores.recall[20]:.3f}",
                    f"{scores.mrr:.3f}",
                    f"{multi:.3f}",
                ]
            )
    goals = kept_figures(WANTED)
    columns = ("R@10", "R@20", "MRR", "multi-hop R@10")
    rows.append([WANTED, "", *(f"≥ {goals[name]:.2f}" for name in columns)])
    return table(["conversations", "questions", "R@10 [95 %]", *columns[1:]], rows)


def figures(headline: Sequence[Asked], mode: Mode) -> dict[str, float]:
    """The figures that are kept from run to run."""
    others = [item for item in headline if item.question.conversation not in TUNED_ON]
    chosen = {"all": headline, "never tuned on": others}
    return {f"{mode}, {name}, R@10": round(score(part).recall[10], 4) for name, part in chosen.items() if part}


def report(data: Path, conversations: Sequence[Conversation], status: Mapping[str, Any], parts: Iterable[str]) -> str:
    """The section for the page: what was measured, how, and the figures."""
    flaws = sum((item.flaws for item in conversations), Counter[str]())
    questions = [question for item in conversations for question in item.questions]
    scored = [question for question in questions if question.gold]
    headline = sum(question.kind in HEADLINE for question in scored)
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
        `kinds: ["message"]` and `limit: {COUNTED}`. R@k is the share of a question's evidence turns
        among the first k hits, averaged over questions; MRR looks at the first evidence turn among
        {COUNTED} hits. The same questions go to four searches over the same texts, "speaker: text", in the
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
    parts: list[str] = []
    lines: list[dict[str, Any]] = []
    found: dict[str, float] = {}
    searches = baselines(load_settings().cache_dir)
    try:
        with Api(arguments.url) as api:
            for mode in modes:
                text, of_mode, figures_of_mode = measure(api, conversations, mode, searches)
                parts.append(text)
                lines += of_mode
                found |= figures_of_mode
            status = api.get("/api/status", agent="locomo").body
    except BenchmarkFailed as failure:
        say(str(failure))
        return 1
    text = report(arguments.data, conversations, status, parts)
    print(text)
    if arguments.out:
        arguments.out.write_text("".join(json.dumps(item) + "\n" for item in lines), encoding="utf-8")
    if arguments.limit_conversations is not None:
        return 0
    write_section(PAGE, "recall", text)
    return fell(hashlib.sha256(arguments.data.read_bytes()).hexdigest()[:12], found)


if __name__ == "__main__":
    sys.exit(main())
