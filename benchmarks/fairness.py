"""How soon a short session is known that ends behind a long one. Written to docs/benchmarks.md.

One agent ends a session of many messages; then fifty agents end sessions of ten messages each, all at once, and fifty
one after the other. Measured over HTTP with one service and one worker, from the end of a session to that of its job.
"""

import argparse
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.service import ROOT, Api, paragraph, percentile, running_service, table, write_section
from graphmem import __version__
from graphmem.adapters.identity import utc_now

PAGE = ROOT / "docs" / "benchmarks.md"
LONG, AGENTS, SHORT, WARM_UP = 20_000, 50, 10, 10
BATCH = 500
PAUSE_S = 0.1
SAID = (
    "The {n} gate of the mill opens at {n} o'clock.",
    "Ok, noted.",
    "mill-{n} depends on sluice-{n}.",
    "Thanks!",
    "We paid {n} euros for the oak of stall {n}.",
)


def messages(number: int) -> list[dict[str, str]]:
    """So many messages, of which three in five tell something."""
    roles = ("user", "assistant", "user", "assistant", "user")
    return [{"role": roles[n % 5], "content": SAID[n % 5].format(n=n)} for n in range(number)]


def tell(api: Api, agent: str, number: int) -> str:
    """Store and end a session; the id of the job that reads it."""
    said = messages(number)
    api.post("/api/sessions", {"sessionId": "s"}, agent=agent)
    for start in range(0, number, BATCH):
        api.post("/api/sessions/s/messages", {"messages": said[start : start + BATCH]}, agent=agent)
    return str(api.post("/api/sessions/s/end", {"force": True}, agent=agent).body["jobId"])


def job(api: Api, agent: str, job_id: str) -> dict[str, Any]:
    return api.get(f"/api/jobs/{job_id}", agent=agent).body


def short_ones(api: Api, name: str, agents: int) -> list[float]:
    """Seconds from the end of each short session until it is known."""
    waiting: dict[str, tuple[str, float]] = {}
    known: list[float] = []
    for n in range(agents):
        waiting[f"{name}-{n}"] = tell(api, f"{name}-{n}", SHORT), time.perf_counter()
    while waiting:  # in their order, which is that of the worker: to ask for all of them keeps it from its work
        agent, (job_id, ended) = next(iter(waiting.items()))
        if job(api, agent, job_id)["status"] == "done":
            known.append(time.perf_counter() - ended)
            del waiting[agent]
        else:
            time.sleep(PAUSE_S)
    return known


def one_by_one(api: Api, name: str, agents: int) -> list[float]:
    """The same where each ends when the one before it is known."""
    return [seconds for n in range(agents) for seconds in short_ones(api, f"{name}-{n}", 1)]


def measure(long: int, agents: int) -> tuple[dict[str, list[float]], list[float]]:
    """Seconds of the short sessions, by how they came; and the progress of the long one before and after them."""
    with running_service() as service, Api(service.url) as api:
        short_ones(api, "warm", WARM_UP)
        seconds = {"all at once, nothing else to do": short_ones(api, "alone", agents)}
        job_id = tell(api, "long", long)
        progress = [job(api, "long", job_id)["progress"]]
        seconds["one after the other, behind the long one"] = one_by_one(api, "single", agents)
        seconds["all at once, behind the long one"] = short_ones(api, "behind", agents)
        progress.append(job(api, "long", job_id)["progress"])
        return seconds, progress


def report(long: int, agents: int) -> str:
    seconds, progress = measure(long, agents)
    rows = [[name, *(f"{percentile(took, share):.2f}" for share in (0.5, 0.95, 1.0))] for name, took in seconds.items()]
    how = paragraph(
        f"Measured {utc_now():%Y-%m-%d} with `make bench-fairness`, graphmem {__version__}: seconds from the end of a "
        f"session of {SHORT} messages until it is known, {agents} agents, one worker, 2 cores. The long session has "
        f"{long:,} messages; its progress rose from {progress[0]:.3f} to {progress[-1]:.3f} meanwhile."
    )
    return f"## Fairness\n\n{how}\n\n" + table(["short sessions end", "p50 s", "p95 s", "longest s"], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", type=int, default=LONG, help="messages of the long session")
    parser.add_argument("--agents", type=int, default=AGENTS, help="how many end a short session")
    parser.add_argument("--dry", action="store_true", help="prints, but leaves the page alone")
    given = parser.parse_args(arguments)
    text = report(given.long, given.agents)
    print(text)
    if not given.dry:
        write_section(PAGE, "fairness", text)


if __name__ == "__main__":
    main()
