"""How long the managed Neo4j takes from its launch to the first answer over Bolt, and the whole service to
`GET /readyz`, with and without the AOT cache, in turn on the same warm data; and how long the embedding model takes to
load, which no request waits for (tests/graph/test_cold_start.py). And how long the first start of an empty database
takes, until its schema is there, beside that of an earlier version where its checkout is given.

Neo4j's processor seconds stand beside the wall time: they say the same on a busy machine. Nothing is fetched and
nothing is trained: both must be there (`graphmem setup`, `graphmem db train`).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import psutil

from benchmarks.service import (
    PAGE,
    BenchmarkFailed,
    Service,
    paragraph,
    percentile,
    running_service,
    say,
    table,
    write_section,
)
from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.settings import load_settings

PAIRS = 5
HERE = Path(__file__).resolve().parent.parent
GOALS_S = {"Neo4j": 8, "service": 25}
LOADS = 10
LOAD_GOAL_MS = 2000


class Start(NamedTuple):
    """One start: seconds until it answered, and processor seconds of Neo4j up to then."""

    wall_s: float
    cpu_s: float


def start_neo4j(data_dir: Path, use_aot: bool) -> Start:
    server = ManagedServer(
        data_dir, load_settings().cache_dir, preferred_bolt_port=0, preferred_http_port=0, use_aot=use_aot
    )
    began = time.perf_counter()
    running = server.start(timeout_s=600)
    wall_s = time.perf_counter() - began
    try:
        if server.status().aot_in_use != use_aot:
            raise BenchmarkFailed("Java did not do as told with the AOT cache; see logs/aot.log of the server")
        return Start(wall_s, _cpu_s(psutil.Process(running.pid)))
    finally:
        server.stop()


def start_service(data_dir: Path, use_aot: bool) -> Start:
    began = time.perf_counter()
    with running_service(data_dir, {"GRAPHMEM_AOT_CACHE": "use" if use_aot else "off"}) as service:
        return Start(time.perf_counter() - began, _cpu_s(_neo4j_of(service)))


class FirstStart(NamedTuple):
    """A start on an empty folder: seconds until the schema was there and Neo4j's processor seconds, and what of both
    came after Neo4j answered."""

    migrations: int
    wall_s: float
    cpu_s: float
    schema_wall_s: float
    schema_cpu_s: float


def start_first(code: Path) -> FirstStart:
    """With the code of a checkout."""
    script = Path(__file__).with_name("first_start.py")
    environ = os.environ | {"PYTHONPATH": str(code)}
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, cwd=code, env=environ)
    if ran.returncode:
        raise BenchmarkFailed(f"the first start failed: {ran.stderr.strip().splitlines()[-1]}")
    return FirstStart(**json.loads(ran.stdout))


def measure_first(pairs: int, before: Path | None) -> dict[Path, list[FirstStart]]:
    """First starts, those of the earlier version and ours in turn."""
    codes = [*([before] if before else []), HERE]
    starts: dict[Path, list[FirstStart]] = {code: [] for code in codes}
    for number in range(1, pairs + 1):
        for code in codes:
            say(f"first start: {number} of {pairs}", over=True)
            starts[code].append(start_first(code))
    say("", over=True)
    return starts


def first_report(starts: Mapping[Path, Sequence[FirstStart]], load: tuple[float, float]) -> str:
    """The section for the page; a ratio is to the first row, of the medians."""
    rows: list[list[str]] = []
    base: list[float] = []
    for made in starts.values():
        one = [percentile([getattr(start, figure) for start in made], 0.5) for figure in FirstStart._fields[1:]]
        base = base or one
        walls = [start.wall_s for start in made]
        rows.append(
            [
                f"{made[0].migrations} migration{'s' if made[0].migrations > 1 else ''}",
                str(len(made)),
                f"{one[0]:.1f}",
                f"{min(walls):.1f} – {max(walls):.1f}",
                f"{one[1]:.1f}",
                f"{one[2]:.1f}",
                f"{one[3]:.1f}",
                *(["—", "—"] if one is base else [f"{one[0] / base[0]:.2f}", f"{one[2] / base[2]:.2f}"]),
            ]
        )
    what = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `python -m benchmarks.start --only-first`: {os.cpu_count()} cores,
        load of the machine {load[0]:.1f} at the beginning and {load[1]:.1f} at the end. Neo4j starts on an empty
        folder, and the schema comes into it; each time in fresh processes, and both ways in turn. Start: from the
        launch until the schema is there; schema: what of it comes after Neo4j answers. With 89 migrations: the code
        of graphmem 0.1.0, given with `--before`.""")
    header = ["schema made by", "starts", "median s", "range s", "CPU s of Neo4j", "schema s", "schema CPU s"]
    return "\n\n".join(["### First start", what, table([*header, "ratio s", "ratio schema s"], rows)])


class Load(NamedTuple):
    """The embedding model made ready in a fresh process: milliseconds until it was, and processor milliseconds of the
    whole process."""

    wall_ms: float
    cpu_ms: float


def load_model() -> Load:
    before = os.times()
    ran = subprocess.run([sys.executable, "-m", "benchmarks.model_load"], capture_output=True, text=True, check=False)
    after = os.times()
    if ran.returncode:
        raise BenchmarkFailed(f"the model cannot be loaded: {ran.stderr.strip().splitlines()[-1]}")
    cpu_s = after.children_user - before.children_user + after.children_system - before.children_system
    return Load(float(ran.stdout), cpu_s * 1000)


def measure_loads(loads: int) -> list[Load]:
    """After one that does not count: it fetches and builds the model where that was never done."""
    measured = []
    for number in range(loads + 1):
        say(f"embedding model: load {number} of {loads}", over=True)
        measured.append(load_model())
    say("", over=True)
    return measured[1:]


def load_table(loads: Sequence[Load]) -> str:
    walls = [load.wall_ms for load in loads]
    row = [
        "embedding model, warm cache",
        str(len(walls)),
        f"{percentile(walls, 0.5):.0f}",
        f"{min(walls):.0f} – {max(walls):.0f}",
        f"{percentile([load.cpu_ms for load in loads], 0.5):.0f}",
        f"≤ {LOAD_GOAL_MS}",
    ]
    return table(["load", "loads", "median ms", "range ms", "CPU ms", "goal ms"], [row])


def _neo4j_of(service: Service) -> psutil.Process:
    return next(process for process in service.processes() if "java" in process.name().lower())


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def measure(name: str, start: Callable[[Path, bool], Start], pairs: int, folder: Path) -> dict[bool, list[Start]]:
    """Starts without and with the cache, in turn, after one of each that does not count."""
    starts: dict[bool, list[Start]] = {False: [], True: []}
    for number in range(pairs + 1):
        for use_aot in (False, True):
            say(f"{name}: pair {number} of {pairs}, {'with' if use_aot else 'without'} the cache", over=True)
            made = start(folder, use_aot)
            if number:
                starts[use_aot].append(made)
    say("", over=True)
    return starts


def start_table(measured: Mapping[str, Mapping[bool, Sequence[Start]]]) -> str:
    """A row for each way of each start; the ratio is the median of those of the pairs, with to without."""
    rows = []
    for name, starts in measured.items():
        for use_aot in (False, True):
            walls = [start.wall_s for start in starts[use_aot]]
            cpus = [start.cpu_s for start in starts[use_aot]]
            rows.append(
                [
                    f"{name}, {'with' if use_aot else 'without'} AOT cache",
                    str(len(walls)),
                    f"{percentile(walls, 0.5):.1f}",
                    f"{min(walls):.1f} – {max(walls):.1f}",
                    f"{percentile(cpus, 0.5):.1f}",
                    f"{_ratio(starts, 'wall_s'):.2f}" if use_aot else "—",
                    f"{_ratio(starts, 'cpu_s'):.2f}" if use_aot else "—",
                    f"≤ {GOALS_S[name]}" if use_aot else "—",
                ]
            )
    header = ["start", "starts", "median s", "range s", "CPU s of Neo4j", "ratio s", "ratio CPU", "goal s"]
    return table(header, rows)


def _ratio(starts: Mapping[bool, Sequence[Start]], figure: str) -> float:
    pairs = zip(starts[True], starts[False], strict=True)
    return percentile([getattr(with_it, figure) / getattr(without, figure) for with_it, without in pairs], 0.5)


def report(
    measured: Mapping[str, Mapping[bool, Sequence[Start]]], loads: Sequence[Load], load: tuple[float, float]
) -> str:
    """The section for the page."""
    what = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `python -m benchmarks.start`: {os.cpu_count()} cores, load of
        the machine {load[0]:.1f} at the beginning and {load[1]:.1f} at the end. Files are in the page cache,
        the store is small and was made before. Without and with the AOT cache in turn, after one start of each that
        does not count. Neo4j: from its launch until Bolt answers. Service: from `graphmem serve` until
        `GET /readyz` says yes, Neo4j included. A ratio is the median of the pairs' ratios. Embedding model: from
        the first import until it has embedded a text, each time in a fresh process, after one that does not count;
        a service does this in the background, and answers from words meanwhile.""")
    return "\n\n".join(["## Start", what, start_table(measured), load_table(loads)])


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"starts of each kind that count ({PAIRS})")
    parser.add_argument("--loads", type=int, default=LOADS, help=f"loads of the model that count ({LOADS})")
    parser.add_argument("--only-model", action="store_true", help="print the loads of the model, and nothing else")
    parser.add_argument("--only-first", action="store_true", help="measure first starts of an empty database alone")
    parser.add_argument(
        "--before", type=Path, help="the checkout of an earlier version, whose first start is beside it"
    )
    arguments = parser.parse_args(argv)
    try:
        if arguments.only_model:
            print(load_table(measure_loads(arguments.loads)))
            return 0
        before = os.getloadavg()[0]
        first = first_report(measure_first(arguments.pairs, arguments.before), (before, os.getloadavg()[0]))
        if arguments.only_first:
            print(first)
            write_section(PAGE, "first-start", first)
            return 0
        with _folder() as folder:
            if ManagedServer(folder, load_settings().cache_dir).aot_state() != "ready":
                raise BenchmarkFailed("there is no AOT cache to measure; make it: graphmem db train")
            before = os.getloadavg()[0]
            loads = measure_loads(arguments.loads)
            measured = {
                "Neo4j": measure("Neo4j", start_neo4j, arguments.pairs, folder / "neo4j"),
                "service": measure("service", start_service, arguments.pairs, folder / "service"),
            }
            text = report(measured, loads, (before, os.getloadavg()[0]))
    except BenchmarkFailed as failure:
        say(str(failure))
        return 1
    print(text, first, sep="\n\n")
    write_section(PAGE, "start", text)
    write_section(PAGE, "first-start", first)
    return 0


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="graphmem-start-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


if __name__ == "__main__":
    sys.exit(main())
