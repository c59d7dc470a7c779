"""Random and hostile requests at every route: nothing but what is described comes back. Written to docs/reliability.md.

First the hostile ones (`benchmarks.hostile`): each field of each route with each value of the tables, as far as
`--hostile` goes, and heads that are no HTTP. Then `scripts/fuzz_described.py`: schemathesis makes requests from the
description, and puts ids of earlier answers into later ones. An answer is wrong where it is a server error other than
501, 503 and 507, tells of the inside, is of another type or shape than described, or takes what must be refused. Ends
with 1 where there is one.
"""

import argparse
import http.client
import json
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.hostile import HEADS, JSON, STORY, Description, Known, chosen, filled, learn, names_of, wrong
from benchmarks.service import ROOT, BenchmarkFailed, paragraph, running_service, say, table, write_section
from graphmem import __version__
from graphmem.adapters.identity import utc_now

PAGE = ROOT / "docs" / "reliability.md"
DESCRIBED = ROOT / "scripts" / "fuzz_described.py"
REQUESTS, HOSTILE, SEED = 20_000, 4_000, 1
PATIENCE_S = 120.0


class Wire:
    """Sends requests as they are: no library that mends them is between."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._authority = urlsplit(url).netloc
        self._headers = {"Host": self._authority, **headers}
        self._connection = http.client.HTTPConnection(self._authority, timeout=PATIENCE_S)

    def send(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> tuple[int, str, bytes]:
        """Status, content type and body. Errors: BenchmarkFailed where nothing is answered, twice."""
        for last in (False, True):
            try:
                self._connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
                for name, value in {**self._headers, **headers}.items():
                    self._connection.putheader(name, value.encode("latin-1"))
                if body is not None:
                    self._connection.putheader("Content-Length", str(len(body)))
                self._connection.endheaders(body)
                response = self._connection.getresponse()
                return response.status, response.headers.get("content-type", ""), response.read()
            except (OSError, http.client.HTTPException) as error:
                self._connection.close()
                if last:
                    raise BenchmarkFailed(f"{method} {target[:200]} is not answered: {error!r}") from error
        raise AssertionError

    def send_head(self, head: bytes) -> bytes:
        """What is answered to these bytes; empty where the connection is closed."""
        host, _, port = self._authority.partition(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as raw:
            raw.sendall(head.replace(b"HOST", self._authority.encode()))
            raw.shutdown(socket.SHUT_WR)
            found = b""
            while piece := raw.recv(65_536):
                found += piece
            return found


@dataclass
class Told:
    """Requests, statuses, and wrong answers by what is wrong with them, each with the first request."""

    requests: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    findings: dict[str, tuple[int, str]] = field(default_factory=dict)

    def answered(self, status: int) -> None:
        self.requests += 1
        self.statuses[str(status)] += 1

    def found(self, what: str, request: str, times: int = 1) -> None:
        before, first = self.findings.get(what, (0, request))
        if not before:
            say(f"{what} ← {request}")
        self.findings[what] = before + times, first


def tell_story(wire: Wire) -> Known:
    """What later requests name. Errors: BenchmarkFailed for a step that is refused."""
    known: Known = {}
    for step in STORY:
        method, path, body = filled(step, known)
        status, _, answer = wire.send(method, path, JSON if body else {}, json.dumps(body).encode() if body else None)
        if status > 299:
            raise BenchmarkFailed(f"{method} {path}: {status} {answer[:300]!r}")
        learn(step, json.loads(answer), known)
    if missing := names_of(STORY) - known.keys():
        raise BenchmarkFailed(f"the story gave no {', '.join(sorted(missing))}")
    return known


def send_hostile(wire: Wire, about: Description, number: int, seed: int) -> Told:
    told = Told()
    operations = {(method, path): operation for method, path, operation in about.operations()}
    for one in chosen(about, tell_story(wire), number, seed):
        status, kind, body = wire.send(one.method, one.target, one.headers, one.body)
        told.answered(status)
        operation = operations[one.method, one.template]
        if what := wrong(about, operation, status, kind, body, must_refuse=one.must_refuse):
            told.found(what[:200], str(one))
        if told.requests % 500 == 0:
            say(f"{told.requests:,} hostile requests", over=True)
    for name, head in HEADS.items():
        line = wire.send_head(head).partition(b"\r\n")[0]
        status = int(line.split()[1]) if line.startswith(b"HTTP/1.1 ") else 0
        told.answered(status)
        if not 400 <= status < 500:
            told.found(f"{line[:60]!r} to a head that is no HTTP", name)
    return told


def send_described(url: str, number: int, seed: int) -> tuple[Told, int]:
    """What schemathesis found, and how many ids of answers it put into requests."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "found.json"
        uv = Path(sys.executable).with_name("uv")
        command = [uv, "run", "--quiet", "--script", DESCRIBED, url, str(number), str(seed), result]
        ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if not result.exists():
            raise BenchmarkFailed(f"schemathesis ended with {ended.returncode}:\n{ended.stdout[-3000:]}")
        found: Any = json.loads(result.read_text(encoding="utf-8"))
    if found["findings"]:
        say(ended.stdout[-5000:])
    told = Told(found["requests"], Counter(found["statuses"]))
    for one in found["findings"]:
        told.found(one["what"], one["example"], sum(one["operations"].values()))
    return told, found["ids"]


def report(described: Told, ids: int, hostile: Told, seconds: float) -> str:
    rows = [
        (
            name,
            f"{told.requests:,}",
            *(f"{sum(n for status, n in told.statuses.items() if status[0] == kind):,}" for kind in "2345"),
            str(len(told.findings)),
        )
        for name, told in (("hostile, from tables", hostile), ("random, from the description", described))
    ]
    how = paragraph(
        f"Sent {utc_now():%Y-%m-%d} with `make fuzz`, graphmem {__version__}, in {seconds / 60:.0f} minutes, to a "
        f"service of its own. {ids:,} ids that answers held were put into later requests. Looked at is each answer: "
        "no server error but 501, 503 and 507, nothing of the inside, every error a problem, type and shape as "
        "described, and nothing taken that the description refuses."
    )
    header = ["requests", "sent", "2xx", "3xx", "4xx", "5xx", "kinds of wrong answers"]
    wrongs = [
        f"- {n:,} × {what} ({first[:300]})" for t in (hostile, described) for what, (n, first) in t.findings.items()
    ]
    return "\n\n".join([f"## Fuzzing\n\n{how}", table(header, rows), *(["\n".join(wrongs)] if wrongs else [])])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="random ones, at least")
    parser.add_argument("--hostile", type=int, default=HOSTILE, help="of the tables")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--dry", action="store_true", help="prints, but leaves the page alone")
    given = parser.parse_args(arguments)
    began = utc_now()
    with running_service(settings={"GRAPHMEM_LOG_LEVEL": "warning"}) as service:
        wire = Wire(service.url, {"X-Agent-Id": "fuzz"})
        about = Description(json.loads(wire.send("GET", "/openapi.json", {})[2]))
        hostile = send_hostile(wire, about, given.hostile, given.seed)
        described, ids = send_described(service.url, given.requests, given.seed)
        if (status := wire.send("GET", "/readyz", {})[0]) != 200:
            described.found(f"{status} from a service that is no longer ready", "GET /readyz")
    text = report(described, ids, hostile, (utc_now() - began).total_seconds())
    print(text)
    if not given.dry:
        write_section(PAGE, "fuzz", text)
    return 1 if described.findings or hostile.findings else 0


if __name__ == "__main__":
    sys.exit(main())
