"""How long `graphmem ingest-repo` takes over 1,000 Python files: the first time, again, and with one file changed.

The files are copied from packages that are installed with the checks, so the code is real. Each figure is of the whole
command: wall time, its processor time, and that of a Neo4j that runs already. Processor time leaves out waiting, and
grows all the same where the machine is slow; so a command that only parses these files is timed before and behind.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import psutil

from benchmarks.service import PAGE, BenchmarkFailed, paragraph, say, table, write_section
from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.settings import load_settings

FILES = 1_000
PACKAGES = ("networkx", "pip", "fastapi", "openai", "hypothesis", "mypy", "rich", "pydantic", "neo4j")
FIRST_GOAL_S, AGAIN_GOAL_S = 60, 3
PARSED = "parsed with ast alone"
PARSE = "import ast, pathlib, sys; [ast.parse(path.read_bytes()) for path in pathlib.Path(sys.argv[1]).rglob('*.py')]"
"""The baseline: what reading the files costs at least."""
ADDED = "\n\ndef added_by_the_benchmark() -> None:\n    print()\n"


class Taken(NamedTuple):
    """Seconds of one command."""

    wall: float
    ours: float
    neo4j: float


def copy_files(folder: Path, count: int) -> int:
    """Python files of installed packages, tests of theirs left out; how many there are."""
    copied = 0
    for package in PACKAGES:
        found = find_spec(package)
        if found is None or not found.submodule_search_locations:
            raise BenchmarkFailed(f"{package} is not installed; `make .venv/dev.stamp` installs it")
        source = Path(found.submodule_search_locations[0])
        for path in sorted(source.rglob("*.py")):
            inside = path.relative_to(source.parent)
            if copied == count:
                return copied
            if "tests" in inside.parts or "_vendor" in inside.parts:
                continue
            (folder / inside).parent.mkdir(parents=True, exist_ok=True)
            (folder / inside).write_bytes(path.read_bytes())
            copied += 1
    return copied


def ingest(folder: Path, environment: Mapping[str, str], server: psutil.Process) -> Taken:
    """One run of the command. Errors: BenchmarkFailed where it fails."""
    return _timed(["-m", "api.cli", "ingest-repo", str(folder), "--name", "benchmark"], environment, server)


def parse(folder: Path, environment: Mapping[str, str], server: psutil.Process) -> Taken:
    return _timed(["-c", PARSE, str(folder)], environment, server)


def _timed(arguments: list[str], environment: Mapping[str, str], server: psutil.Process) -> Taken:
    before, began, spent = _cpu_s(server), time.perf_counter(), os.times()
    done = subprocess.run([sys.executable, *arguments], env=dict(environment), capture_output=True, text=True)
    wall, after = time.perf_counter() - began, os.times()
    if done.returncode:
        raise BenchmarkFailed(done.stderr[-1000:])
    say(" ".join(done.stdout.split()))
    ours = after.children_user + after.children_system - spent.children_user - spent.children_system
    return Taken(wall, ours, _cpu_s(server) - before)


def run(folder: Path, running: RunningServer, environment: Mapping[str, str], count: int) -> list[tuple[str, Taken]]:
    server = psutil.Process(running.pid)
    repository = folder / "repository"
    copied = copy_files(repository, count)
    taken = [(PARSED, parse(repository, environment, server))]
    taken.append((f"{copied:,} files, the first time", ingest(repository, environment, server)))
    taken.append(("nothing changed", ingest(repository, environment, server)))
    changed = sorted(repository.rglob("*.py"))
    for turn, path in enumerate((changed[len(changed) // 3], changed[len(changed) // 2]), start=1):
        path.write_text(path.read_text(encoding="utf-8") + ADDED, encoding="utf-8")
        taken.append((f"one file changed, {turn}. time", ingest(repository, environment, server)))
    taken.append((PARSED, parse(repository, environment, server)))
    return taken


def report(taken: list[tuple[str, Taken]]) -> str:
    baseline = statistics.mean(one.wall for name, one in taken if name == PARSED)
    rows = [[name, *(f"{seconds:.1f}" for seconds in one), f"{one.wall / baseline:.1f}"] for name, one in taken]
    return "\n\n".join(
        (
            "## Reading a repository",
            paragraph(f"""
            Measured {datetime.now(UTC):%Y-%m-%d} with `make bench-repo`: {os.cpu_count()} cores, load of the machine at
            the end {os.getloadavg()[0]:.1f}. `graphmem ingest-repo` over Python files of installed packages, as a whole
            command, with a Neo4j that runs. The goals are {FIRST_GOAL_S} s the first time and {AGAIN_GOAL_S} s with one
            file changed. The baseline is a command that parses the same files with `ast` and does nothing else.
            Processor seconds stand beside the time: they leave out waiting, and grow too on a slow machine.
            """),
            table(["", "s", "processor s of the command", "of Neo4j", "times the baseline"], rows),
        )
    )


def _cpu_s(process: psutil.Process) -> float:
    spent = process.cpu_times()
    return float(spent.user + spent.system)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--dry", action="store_true", help="print, and leave the page alone")
    given = parser.parse_args()
    settings = load_settings()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        managed = ManagedServer(
            folder / "data", settings.cache_dir, http=False, preferred_bolt_port=0, preferred_http_port=0
        )
        running = managed.start()
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GRAPHMEM_")} | {
            "GRAPHMEM_NEO4J_URI": running.uri,
            "GRAPHMEM_NEO4J_USER": running.user,
            "GRAPHMEM_NEO4J_PASSWORD": running.password,
            "GRAPHMEM_CACHE_DIR": str(settings.cache_dir),
            "GRAPHMEM_DATA_DIR": str(folder / "graphmem"),
        }
        try:
            taken = run(folder, running, environment, given.files)
        finally:
            managed.stop()
    text = report(taken)
    print(text)
    if not given.dry:
        write_section(PAGE, "repo", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
