# /// script
# requires-python = ">=3.11"
# dependencies = ["schemathesis==4.32.5", "jsonschema>=4.23"]
# ///
"""Random requests from the service's description, by schemathesis, in an environment of its own; `make fuzz` runs it.

`uv run --script scripts/fuzz_described.py URL REQUESTS SEED RESULT` goes on, with one seed after another, until so many
requests were answered, and writes what it found to RESULT as JSON: requests, statuses, and findings with an example.
Ids that answers held are put in place of every second id that a request names.
"""

import json
import os
import random
import re
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import requests
import schemathesis
from schemathesis.cli import schemathesis as command_line

from benchmarks.hostile import OF_PATH, Description, wrong

CHECK = "answers_as_described"
ID = re.compile(r"(?<=_)id$|Id$|^id$|^idOrName$|^sha256$")
KEPT = 400
"""Ids of a name that are kept, the latest of them."""
EXAMPLES = 40
"""Of each operation, in each phase of one seed."""


class Found:
    """What happened, over all threads."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.statuses: Counter[int] = Counter()
        self.findings: dict[str, Counter[str]] = {}
        self.examples: dict[str, str] = {}
        self.ids: dict[str, list[str]] = {}
        self.put = 0
        self.chance = random.Random(0)

    def tell(self, operation: str, what: str, request: str) -> None:
        with self.lock:
            self.findings.setdefault(what, Counter())[operation] += 1
            self.examples.setdefault(what, request)


found = Found()
about: Description


def gather(answer: Any, name: str, path: str) -> None:
    """Keep the ids of an answer by the names under which requests ask for them."""
    if isinstance(answer, dict):
        for key, value in answer.items():
            gather(value, key, path)
    elif isinstance(answer, list):
        for value in answer:
            gather(value, name, path)
    elif isinstance(answer, str) and answer and ID.search(name.removesuffix("s")):
        for known in {name.removesuffix("s"), "id", _of_path(path) if name == "id" else "id"}:
            kept = found.ids.setdefault(known, [])
            if answer not in kept:
                kept.append(answer)
                del kept[:-KEPT]


def _of_path(path: str) -> str:
    return next((name for begin, name in OF_PATH.items() if path.startswith(begin.rstrip("/"))), "id")


def put(value: Any, name: str) -> Any:
    """The value, with ids of answers in every second place that holds one."""
    if isinstance(value, dict):
        return {key: put(one, key) for key, one in value.items()}
    if isinstance(value, list):
        return [put(one, name) for one in value]
    known = found.ids.get(name)
    if isinstance(value, str) and known and ID.search(name) and found.chance.random() < 0.5:
        found.put += 1
        return found.chance.choice(known)
    return value


@schemathesis.serializer("application/x-ndjson")
def lines_of_json(context: Any, value: Any) -> bytes:
    del context
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    del context, kwargs
    with found.lock:
        meant = _of_path(case.path)
        for name in case.path_parameters or {}:
            known = found.ids.get(name if name != "id" else meant) or found.ids.get(meant)
            if known and found.chance.random() < 0.5:
                found.put += 1
                case.path_parameters[name] = found.chance.choice(known)
        if isinstance(case.body, dict | list):
            case.body = put(case.body, "")
        # So that most requests are of one agent, whose memory grows.
        if found.chance.random() < 0.9:
            case.headers["x-agent-id"] = "fuzz"
        # What tests of the coverage put there: no key is required, and a wrong one ends the request.
        for name in ("authorization", "x-api-key"):
            case.headers.pop(name, None)


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    del context
    with found.lock:
        found.statuses[response.status_code] += 1
        if response.status_code < 300 and len(response.content) < 200_000:
            try:
                gather(json.loads(response.content), "", case.path)
            except ValueError:
                return


@schemathesis.check
def answers_as_described(ctx: Any, response: Any, case: Any) -> None:
    del ctx
    operation = case.operation.definition.raw
    kind = (response.headers.get("content-type") or [""])[0]
    # A method that the description does not have is asked for by some tests.
    described = case.method.lower() == case.operation.method.lower()
    if described and (what := wrong(about, operation, response.status_code, kind, response.content)):
        request = f"{case.method} {case.formatted_path} {case.query} {case.body!r}"[:1000]
        alike = re.sub(r"'[^']{0,300}'|\d{4,}", "…", what)[:160]
        found.tell(f"{case.method} {case.path}", alike, f"{what} ← {request}")


def run(url: str, seed: int) -> None:
    """One seed. Our check fails no test: what ends otherwise than well is a request without an answer, or an error."""
    arguments = ["run", f"{url}/openapi.json", "--checks", CHECK, "--seed", str(seed), "--no-shrink", "--mode", "all"]
    arguments += ["--max-examples", str(EXAMPLES), "--phases", "examples,coverage,fuzzing,stateful", "--workers", "2"]
    arguments += ["--continue-on-failure", "--warnings", "off", "--no-color", "--generation-database", "none"]
    arguments += ["--suppress-health-check", "all", "--request-timeout", "120"]
    # Else most requests bring a key that nobody made, and are answered with 401.
    arguments += ["--generation-with-security-parameters", "false"]
    try:
        ended = command_line.main(arguments, standalone_mode=False)
    except SystemExit as exit_:
        ended = exit_.code
    if ended:
        found.tell("all", f"schemathesis ended with {ended}", "its output says why")


def main(url: str, number: int, seed: int, result: Path) -> None:
    global about
    about = Description(requests.get(f"{url}/openapi.json", timeout=60).json())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        while found.statuses.total() < number:
            before = found.statuses.total()
            run(url, seed)
            seed += 1
            if found.statuses.total() == before:
                raise SystemExit("schemathesis sent nothing")
    told = {
        "requests": found.statuses.total(),
        "statuses": found.statuses,
        "ids": found.put,
        "findings": [
            {"what": what, "operations": operations, "example": found.examples[what]}
            for what, operations in found.findings.items()
        ],
    }
    result.write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]).absolute())
