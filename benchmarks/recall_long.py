"""Evidence recall in long talk: BEAM's conversations between a user and an assistant, through the HTTP API.

A question counts with the share of its evidence messages among the first hits. The data is measured with, never
shipped, so nothing written here holds its words.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.asking import COUNTED, KINDS, RANKED, TOKENS, Answers, Asked, ask, ask_baseline, ingest, pace
from benchmarks.baselines import Build, baselines
from benchmarks.beam import NUMBERS, TUNED_ON, digest_of, number_of, numbers, read_conversation
from benchmarks.conversations import Conversation, exchanges
from benchmarks.recall_tables import (
    ablation_table,
    budget_table,
    by_exchange,
    by_kind,
    fell,
    filled_table,
    group_table,
    interval,
    kept_figures,
    line,
    own_table,
    score,
    separation,
    within,
    words_in,
)
from benchmarks.service import PAGE, Api, BenchmarkFailed, paragraph, percentile, say, table, write_section
from graphmem.settings import load_settings

WANTED = "goals, long talk, only reported"
"""What of the file of goals says how good recall is to be."""
OWN, EVERY_KIND = "graphmem", "graphmem, all kinds"
WORDS = "words in 10 hits"
ASKED = f"Each question goes as it is to `POST /api/memory/recall` with `limit: {COUNTED}`"
ENDED = f"""all sessions are ended and read. {ASKED}, once with `kinds: ["message"]` and once with all kinds, where a
fact or statement counts for the messages that it leads back to, and a summary for none."""
UNENDED = f"""no session is ended, so there are messages only. {ASKED} and `kinds: ["message"]`."""


def measure(
    api: Api, conversations: Sequence[Conversation], searches: Mapping[str, Build], *, end: bool = True
) -> tuple[Answers, str]:
    """Ingests and asks, an agent for each conversation: what each system answered, and how fast the messages came in.
    Without `end` there is nothing but messages."""
    agents = {item.id: item.id if end else f"{item.id}-unended" for item in conversations}
    retries = api.retries
    ingested = ingest(api, conversations, agents, end=end)
    answers = {OWN: ask(api, conversations, agents, budgets=TOKENS)}
    if end:
        answers[EVERY_KIND] = ask(api, conversations, agents, KINDS)
    answers |= {name: ask_baseline(build, [[item] for item in conversations]) for name, build in searches.items()}
    return answers, pace(ingested, api.retries - retries)


def tables(answers: Answers, conversations: Sequence[Conversation], title: str) -> str:
    """The figures of some conversations."""
    exchange_of = exchanges(conversations)
    scored = {name: [item for item in asked if item.question.gold] for name, asked in answers.items()}
    grouped = {name: by_exchange(asked, exchange_of) for name, asked in scored.items()}
    kinds = {kind: by_kind(kind) for kind in sorted({item.question.kind for item in scored[OWN]})}
    together: dict[str, Callable[[Asked], bool]] = {"together": lambda _: True}
    low, high = interval(scored[OWN])
    spread = paragraph(f"""
        graphmem's R@10 by message is {score(scored[OWN]).recall[10]:.3f}, within {low:.3f} to {high:.3f} (95 %, over
        questions).""")
    return "\n\n".join(
        (
            f"### {title}",
            budget_table(scored, "by message"),
            budget_table(grouped, "by exchange"),
            filled_table(scored[OWN], "graphmem, what fills a budget"),
            spread,
            group_table(scored, together | kinds, "R@10 by kind, by message"),
            own_table(scored[OWN], together | kinds, "graphmem by kind, by message"),
            first_table(answers),
            ablation_table(scored[OWN]),
        )
    )


def first_table(answers: Answers) -> str:
    """How well each system's best score tells questions that nothing answers from the others, and its times."""
    rows = []
    for system, asked in answers.items():
        seconds = [item.seconds for item in asked]
        times = [f"{percentile(seconds, share) * 1000:.2f}" for share in (0.5, 0.95)]
        rows.append([system, f"{separation(asked):.3f}", *times])
    return table(["score of the first hit, and time", "abstention AUC", "p50 ms", "p95 ms"], rows)


def figures(asked: Sequence[Asked]) -> dict[str, float]:
    """The figures of graphmem that have goals."""
    scores = score(asked)
    return {
        "R@10": scores.recall[10],
        "MRR": scores.mrr,
        "evidence in 1,500 words": within(asked, 1500),
        "abstention AUC": separation(asked),
        WORDS: words_in(asked, 10),
    }


def goals_table(parts: Mapping[str, Sequence[Asked]]) -> str:
    """The figures beside their goals."""
    rows = [[name, *(_shown(value) for value in figures(asked).values())] for name, asked in parts.items()]
    goals = kept_figures(WANTED)
    columns = list(figures(()))
    wanted = [f"{'≤' if name == WORDS else '≥'} {_shown(goals[name])}" for name in columns]
    return table(["graphmem, conversations", *columns], [*rows, [WANTED, *wanted]])


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value > 1 else f"{value:.3f}"


def report(
    folder: Path, conversations: Sequence[Conversation], status: Mapping[str, Any], parts: Iterable[str], *, end: bool
) -> str:
    """The section for the page: what was measured, how, and the figures."""
    flaws = sum((item.flaws for item in conversations), Counter[str]())
    asked = [question for item in conversations for question in item.asked]
    scored = sum(bool(question.gold) for question in asked)
    turns = [turn for item in conversations for turn in item.turns]
    words = sum(len(turn.text.split()) for turn in turns)
    embedder = status["embedder"]
    what = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `make bench-recall-long`: graphmem {status["version"]}, embedder
        {embedder["id"]} ({embedder["state"]}), {os.cpu_count()} cores. Data: BEAM, `chats/100K` (sha256
        {digest_of(folder, _numbers_of(conversations))}…, not part of this project): {len(conversations)} conversations,
        {sum(len(item.sessions) for item in conversations)} sessions, {len(turns)} messages of {words / len(turns):.0f}
        words on average, {scored} questions with evidence and {len(asked) - scored} that nothing answers;
        {flaws["missing"]} others have no evidence and do not count, {flaws["unknown"]} pieces of evidence are no
        messages.""")
    how = paragraph(f"""
        How: each conversation has an agent of its own. A batch is a session; {ENDED if end else UNENDED} R@k is the
        share of a question's evidence among the first k hits, averaged over questions; MRR looks at the first evidence
        among {COUNTED} hits. Evidence in so many words: whole hits from the first on, until one has no room; what fills
        a budget is asked for with `maxTokens` alone. By exchange, a hit counts for the user's message it answers with
        all its replies. The abstention AUC is the share of pairs of a question with evidence and one without, in which
        the first hit of the former has the higher score. The same questions go to the searches of the LoCoMo benchmark
        over the same texts in the same run. No language model takes part. What a signal is worth is seen among the
        first {RANKED} hits, put in order anew without it. Weights may be tuned on conversations {TUNED_ON.start} to
        {TUNED_ON.stop - 1}; of the others only figures are looked at.""")
    return "\n\n".join(["## Evidence recall in long talk", what, how, *parts])


def _numbers_of(conversations: Iterable[Conversation]) -> list[int]:
    return [number_of(item.id) for item in conversations]


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recall_long", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("data", type=Path, help="a copy of BEAM's repository: a folder with chats/100K")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="a running service (default: %(default)s)")
    parser.add_argument(
        "--conversations",
        type=numbers,
        metavar="N[-M]",
        help="only these; prints, but leaves the page alone",
    )
    parser.add_argument(
        "--unended",
        action="store_true",
        help="sessions are not ended, so that there are messages only: much faster",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="a JSON line for each question and retriever")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    conversations = [read_conversation(arguments.data, number) for number in arguments.conversations or NUMBERS]
    searches = baselines(load_settings().cache_dir)
    try:
        with Api(arguments.url) as api:
            answers, pace_text = measure(api, conversations, searches, end=not arguments.unended)
            status = api.get("/api/status", agent="beam").body
    except BenchmarkFailed as failure:
        say(str(failure))
        return 1
    parts = split(conversations, answers)
    own = {title: of[OWN] for title, (_, of) in parts.items()}
    shown = [tables(of, items, title) for title, (items, of) in parts.items()]
    text = report(
        arguments.data, conversations, status, [goals_table(own), *shown, pace_text], end=not arguments.unended
    )
    print(text)
    if arguments.out:
        lines = (line(system, item) for system, asked in answers.items() for item in asked)
        arguments.out.write_text("".join(json.dumps(item) + "\n" for item in lines), encoding="utf-8")
    if arguments.conversations:
        return 0
    write_section(PAGE, "recall-long", text)
    found = {
        f"{title}, {name}": round(value, 4)
        for title, asked in own.items()
        for name, value in figures(asked).items()
        if name != WORDS
    }
    return fell(digest_of(arguments.data, NUMBERS), found)


def split(conversations: Sequence[Conversation], answers: Answers) -> dict[str, tuple[Sequence[Conversation], Answers]]:
    """The conversations that may be tuned on and those that are only reported, each with its answers, by a title."""
    parts: dict[str, tuple[Sequence[Conversation], Answers]] = {}
    for what, tuned in (("tuned on", True), ("only reported", False)):
        theirs = [item for item in conversations if (number_of(item.id) in TUNED_ON) is tuned]
        ids = {item.id for item in theirs}
        if theirs:
            first, last = number_of(theirs[0].id), number_of(theirs[-1].id)
            parts[f"conversations {first} to {last}, {what}"] = (
                theirs,
                {
                    system: [item for item in asked if item.question.conversation in ids]
                    for system, asked in answers.items()
                },
            )
    return parts


if __name__ == "__main__":
    sys.exit(main())
