"""How long turns take to be analysed, and how long contexts, lattice queries, compactions and recaps of them take.

One session of 10,000 turns is sent through the API, embedded and analysed there; then calls are timed, one after the
other. Analysis is timed on turns that have their vectors: they are marked as not analysed again. Beside each figure
stands the same done in plain Python over the same turns in memory, in the same run.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import cycle, islice
from typing import Any

import neo4j
import numpy as np
import psutil

from api.eval_continuity import LONG_TOKENS, continuous
from api.filler import long_session, tokens_of
from benchmarks import plain_turns
from benchmarks.chatter import turns as chatter
from benchmarks.plain import driver_of, neo4j_of
from benchmarks.plain_turns import DIMENSIONS, PlainTurn, Vectors
from benchmarks.service import (
    PAGE,
    ROOT,
    Api,
    BenchmarkFailed,
    Service,
    named_processes,
    paragraph,
    percentile,
    running_service,
    say,
    table,
    wait_until_searchable,
    write_section,
)
from graphmem import __version__
from graphmem.model.turns import Overlay
from graphmem.rules.language.text import count_tokens

TURNS, CALLS, COMPACTED, ROUNDS, WARM_UP = 10_000, 100, 500, 3, 20
AGENT, SESSION = "continuity", "long"
CONVERSATIONS = ROOT / "tests" / "data" / "continuity" / "held"
SETTINGS = {"GRAPHMEM_IDLE_END_MINUTES": "1440", "GRAPHMEM_SUPERSESSION_SWEEP_INTERVAL_S": "0"}
"""Nothing is extracted or swept unasked meanwhile."""
CONTEXT_WINDOW, CONTEXT_TOKENS = 200_000, 8_000
COMPACT_WINDOW = 16_000
BATCH = 500
WITHIN_S = 3_600.0
_SAID = (
    "Refactor the {0} module so that its interface hides the component behind {1}.",
    "The {0} token leaked; revoke the credential and cut the permissions of {1}.",
    "As we said earlier, {0} depends on {1}, so that is where it breaks.",
    "Our goal stays that {0} needs no {1}; that was the promise.",
    "Run the deploy command for {0}, then restart the server of {1}.",
    "The algorithm for {0} is O(n log n): cost = 3 * {1} + 17.",
    "Test {0} against {1}, verify the totals and review the difference.",
)
_ASKED = (
    "What did we decide about {0}?",
    "Which module hides {0} now?",
    "How was the leak in {0} closed?",
    "Why does {0} depend on {1}?",
)
QUERIES: tuple[tuple[str, Callable[[PlainTurn], bool]], ...] = (
    ("(O1 > 3) AND (O5 > 3)", lambda turn: turn.overlays["O1"] > 3 and turn.overlays["O5"] > 3),
    ("O2 + O7", lambda turn: turn.overlays["O2"] >= 5 or turn.overlays["O7"] >= 5),
    ("O1 - O2", lambda turn: turn.overlays["O1"] >= 5 > turn.overlays["O2"]),
    ("!O3 & (importance >= 5)", lambda turn: turn.overlays["O3"] < 5 <= turn.importance),
    ("(O4 | O6) & !O2", lambda turn: max(turn.overlays["O4"], turn.overlays["O6"]) >= 5 > turn.overlays["O2"]),
)
MEETS: tuple[tuple[str, Overlay, Overlay], ...] = (("O1 ~ O2", "O1", "O2"), ("O6 -> O7", "O6", "O7"))
UNREAD = """
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s:Unanalysed, s.analysedThrough = 0
WITH s
MATCH (s)-[:HAS_MESSAGE]->(m:Message)
OPTIONAL MATCH (m)-[r:REFERENCES|SIMILAR_TO]->()
DELETE r
REMOVE m.o1, m.o2, m.o3, m.o4, m.o5, m.o6, m.o7, m.novelty, m.noveltyRaw, m.importance, m.paradigmShift, m.class,
  m.tags, m.evidence, m.analysedAt, m.analyser
"""
WAITING = "MATCH (s:Session:Unanalysed {agent_id: $agent_id, id: $session_id}) RETURN count(s) AS n"


@dataclass(frozen=True)
class Calls:
    """Milliseconds of each call, and of the same in plain Python; none where there is no such thing."""

    name: str
    ms: list[float]
    plain_ms: list[float]
    goal_ms: float | None


@dataclass(frozen=True)
class Work:
    """Something done as a whole: milliseconds of each round, and of the same in plain Python; processor milliseconds of
    all our processes and Neo4j where they were counted."""

    name: str
    ms: list[float]
    plain_ms: list[float]
    goal_ms: float | None
    cpu_ms: list[float] = field(default_factory=list)


def talk(count: int, seed: int = 1) -> list[dict[str, str]]:
    """So many turns as messages: chatter, and in every third turn something that is about one of the overlays."""
    chance = random.Random(seed)
    said = []
    for place, (_, text) in enumerate(chatter(count, seed)):
        about = _SAID[place // 3 % len(_SAID)].format(*_things(chance)) + " " if place % 3 == 0 else ""
        role = "assistant" if place % 2 else "user"
        said.append({"messageId": f"{seed}-{place}", "role": role, "content": about + text})
    return said


def _things(chance: random.Random) -> tuple[str, str]:
    return (f"svc-{chance.randrange(400):03}", f"svc-{chance.randrange(400):03}")


def questions(count: int) -> list[str]:
    chance = random.Random(3)
    return [form.format(*_things(chance)) for form in islice(cycle(_ASKED), count)]


def send(api: Api, session_id: str, messages: Sequence[Any]) -> None:
    for start in range(0, len(messages), BATCH):
        body = {"messages": messages[start : start + BATCH]}
        api.post(f"/api/sessions/{session_id}/messages", body, agent=AGENT)


def analysed(api: Api, session_id: str, texts: Sequence[str]) -> list[PlainTurn]:
    """What the service found in the turns, with their texts. Errors: BenchmarkFailed where some are not analysed."""
    turns: list[PlainTurn] = []
    cursor: dict[str, str] = {}
    while True:
        page = api.get(f"/api/sessions/{session_id}/turns", agent=AGENT, limit="1000", **cursor).body
        turns += [
            PlainTurn(turn["messageId"], text, turn["overlays"], turn["importance"], turn["paradigmShift"])
            for turn, text in zip(page["items"], texts[len(turns) :], strict=False)
        ]
        if page["nextCursor"] is None:
            break
        cursor = {"cursor": page["nextCursor"]}
    if len(turns) < len(texts):
        raise BenchmarkFailed(f"{len(texts) - len(turns)} of {len(texts)} turns are not analysed")
    return turns


def vectors_of(count: int) -> Vectors:
    """Made up, of unit length: how long a product of vectors takes does not depend on what is in them."""
    made = np.random.default_rng(5).standard_normal((count, DIMENSIONS), dtype=np.float32)
    lengths: Vectors = np.linalg.norm(made, axis=1, keepdims=True)
    return made / lengths


def time_contexts(api: Api, turns: Sequence[PlainTurn], calls: int) -> Calls:
    vectors, asked = vectors_of(len(turns)), questions(calls + WARM_UP)
    made = vectors_of(len(asked))
    path = f"/api/sessions/{SESSION}/context"
    body = {"contextWindow": CONTEXT_WINDOW, "maxTokens": CONTEXT_TOKENS}
    ours = [1000 * api.post(path, body | {"query": query}, agent=AGENT).seconds for query in asked]
    plain = [_ms(plain_turns.context, turns, vectors, one, CONTEXT_TOKENS) for one in made]
    return Calls("context assembly", ours[WARM_UP:], plain[WARM_UP:], 50)


def time_queries(api: Api, turns: Sequence[PlainTurn], calls: int) -> list[Calls]:
    """Comparisons and set operations, then Meet and projection."""
    sets, pairs = list(islice(cycle(QUERIES), calls + WARM_UP)), list(islice(cycle(MEETS), calls // 5 + len(MEETS)))
    vectors = vectors_of(len(turns))

    def met(left: Overlay, right: Overlay) -> object:
        sides = [[place for place, turn in enumerate(turns) if turn.overlays[one] >= 5] for one in (left, right)]
        return plain_turns.meet(vectors, sides[0], sides[1])

    def ask(query: str) -> float:
        body = {"query": query, "sessionId": SESSION}
        return 1000 * api.post("/api/memory/query", body, agent=AGENT).seconds

    ours = [ask(query) for query, _ in sets]
    plain = [_ms(plain_turns.matching, turns, one) for _, one in sets]
    meets = [ask(query) for query, _, _ in pairs]
    plain_meets = [_ms(met, left, right) for _, left, right in pairs]
    return [
        Calls("lattice query", ours[WARM_UP:], plain[WARM_UP:], 100),
        Calls("lattice query with Meet or projection", meets[len(MEETS) :], plain_meets[len(MEETS) :], None),
    ]


def time_analysis(service: Service, api: Api, driver: neo4j.Driver, count: int) -> Work:
    """A turn's share of the analysis of a session whose vectors are there, from the moment it waits."""
    messages = talk(count, seed=21)
    send(api, "analysis", messages)
    wait_until_searchable(api, [AGENT])
    wall, spent = [], []
    for _ in range(ROUNDS + 1):
        processes = named_processes(service)
        before = [_cpu_s(process) for _, process in processes]
        driver.execute_query(UNREAD, agent_id=AGENT, session_id="analysis", database_="neo4j")
        began = time.perf_counter()
        _wait_for_analysis(driver, "analysis")
        wall.append(1000 * (time.perf_counter() - began) / count)
        after = [_cpu_s(process) for _, process in processes]
        spent.append(1000 * (sum(after) - sum(before)) / count)
    vectors = vectors_of(count)
    plain = [
        _ms(plain_turns.analyse, messages[place]["content"], vectors[place], vectors[:place][-10:])
        for place in range(count)
    ]
    return Work("analysis of a turn, without its embedding", wall[1:], plain, 10, spent[1:])


def _wait_for_analysis(driver: neo4j.Driver, session_id: str) -> None:
    give_up_at = time.monotonic() + WITHIN_S
    while time.monotonic() < give_up_at:
        rows, _, _ = driver.execute_query(WAITING, agent_id=AGENT, session_id=session_id, database_="neo4j")
        if rows[0]["n"] == 0:
            return
        time.sleep(0.02)
    raise BenchmarkFailed(f"the turns were not analysed within {WITHIN_S:.0f} s")


def time_compaction(api: Api, count: int) -> Work:
    """Sessions of so many analysed turns, each compacted once."""
    talks = [talk(count, seed=31 + number) for number in range(ROUNDS + 1)]
    for number, messages in enumerate(talks):
        send(api, f"compacted-{number}", messages)
    wait_until_searchable(api, [AGENT])
    ours, plain = [], []
    for number, messages in enumerate(talks):
        turns = analysed(api, f"compacted-{number}", [message["content"] for message in messages])
        body = {"contextWindow": COMPACT_WINDOW, "force": True}
        answer = api.post(f"/api/sessions/compacted-{number}/compact", body, agent=AGENT)
        if not answer.body["compacted"]:
            raise BenchmarkFailed(f"nothing was compacted: {answer.body['reason']}")
        ours.append(1000 * answer.seconds)
        plain.append(_ms(plain_turns.compact, turns, COMPACT_WINDOW // 4))
    return Work(f"compaction of {count} turns", ours[1:], plain[1:], 1000)


def time_recap(api: Api, tokens: int) -> tuple[Work, float, int]:
    """The recap of a long session of coding work; its true ratio and its tokens too."""
    messages = long_session([one for one in continuous(CONVERSATIONS) if one.topic == "coding"], tokens)
    send(api, "recap", messages)
    wait_until_searchable(api, [AGENT])
    answers = [api.get("/api/sessions/recap/recap", agent=AGENT, mode="auto") for _ in range(ROUNDS + 1)]
    size = count_tokens(answers[-1].body["text"])
    ratio = sum(map(tokens_of, messages)) / max(1, size)
    turns = [PlainTurn("", str(one.get("content") or ""), {}, place % 10, False) for place, one in enumerate(messages)]
    plain = [_ms(plain_turns.compact, turns, 4000) for _ in range(ROUNDS)]
    work = Work(f"recap of a session of {tokens:,} tokens", [1000 * one.seconds for one in answers[1:]], plain, None)
    return work, ratio, size


def _ms(call: Callable[..., object], *given: object) -> float:
    began = time.perf_counter()
    call(*given)
    return 1000 * (time.perf_counter() - began)


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def report(turns: int, calls: Sequence[Calls], works: Sequence[Work], ratio: float, size: int) -> str:
    """The section of the page."""
    how = f"""Measured {datetime.now(UTC):%Y-%m-%d} with `make bench-continuity`: graphmem {__version__}, no model,
        {os.cpu_count()} cores, load of the machine at the end {os.getloadavg()[0]:.1f}. One session of {turns:,}
        analysed turns; one client calls over HTTP, one call after the other, each after {WARM_UP} that do not count. A
        context has {CONTEXT_TOKENS:,} tokens; within the call its question is embedded and the session itself recalled,
        which takes most of it. "Plain" is the same done in plain Python over the same turns in memory: substrings for
        overlays, a product of vectors, a filter, a sort; it keeps nothing and embeds nothing."""
    called = [
        [
            one.name,
            str(len(one.ms)),
            _told(percentile(one.ms, 0.5)),
            _told(percentile(one.ms, 0.95)),
            _told(percentile(one.plain_ms, 0.95)),
            "—" if one.goal_ms is None else f"< {one.goal_ms:.0f}",
        ]
        for one in calls
    ]
    done = [
        [
            one.name,
            str(len(one.ms)),
            _told(percentile(one.ms, 0.5)),
            _told(percentile(one.cpu_ms, 0.5)),
            _told(percentile(one.plain_ms, 0.5)),
            "—" if one.goal_ms is None else f"< {one.goal_ms:.0f}",
        ]
        for one in works
    ]
    rest = f"""Medians. CPU is that of the API, the worker and Neo4j together. The recap has {size:,} tokens, so that
        the true ratio of the texts is {ratio:.1f}, and what can still be answered of such a session stands in
        [quality](quality.md)."""
    return "\n\n".join(
        (
            "## Continuity",
            paragraph(how),
            table(("call", "calls", "p50 ms", "p95 ms", "plain p95 ms", "goal p95 ms"), called),
            table(("work", "rounds", "ms", "CPU ms", "plain ms", "goal ms"), done),
            paragraph(rest),
        )
    )


def _told(ms: float) -> str:
    return "—" if ms != ms else f"{ms:.1f}" if ms >= 0.1 else f"{ms:.3f}"


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.continuity", description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS, help=f"of the one session, {TURNS:,} by default")
    parser.add_argument("--calls", type=int, default=CALLS, help="of each kind that count")
    parser.add_argument("--compacted", type=int, default=COMPACTED, help="turns of a session that is compacted")
    parser.add_argument("--tokens", type=int, default=LONG_TOKENS, help="of the session of which a recap is made")
    parser.add_argument("--dry", action="store_true", help="prints, but leaves the page alone")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    given = _arguments(argv)
    with running_service(settings=SETTINGS) as service, Api(service.url) as api:
        messages = talk(given.turns)
        send(api, SESSION, messages)
        say(f"{given.turns:,} turns sent; they are embedded and analysed")
        wait_until_searchable(api, [AGENT])
        turns = analysed(api, SESSION, [message["content"] for message in messages])
        floor = [1000 * api.get("/healthz", agent=AGENT).seconds for _ in range(given.calls + WARM_UP)]
        calls = [
            Calls("GET /healthz", floor[WARM_UP:], [], None),
            time_contexts(api, turns, given.calls),
            *time_queries(api, turns, given.calls),
        ]
        say("calls are timed; analysis, compaction and recap follow")
        with driver_of(neo4j_of(service)) as driver:
            works = [time_analysis(service, api, driver, given.compacted), time_compaction(api, given.compacted)]
        recap, ratio, size = time_recap(api, given.tokens)
    text = report(given.turns, calls, [*works, recap], ratio, size)
    print(text)
    if not given.dry:
        write_section(PAGE, "continuity", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
