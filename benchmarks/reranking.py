"""What a reranker could add to recall on LoCoMo and in long talk, and what asking one costs, away from a service.

No reranker is at hand here, so a script behind the route `/rerank` scores the texts: by the words that they have in
common with the question, and as one that is always right, which no real one exceeds. The request goes through the
adapter that a service uses, over HTTP on this machine; what a model needs to read the texts comes on top.
"""

import argparse
import asyncio
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.asking import COUNTED, Asked, Found
from benchmarks.recall_tables import score
from benchmarks.service import percentile, table
from benchmarks.signals import Compared, read_and_compare
from graphmem.adapters.reranking import EndpointReranker, RerankSettings
from graphmem.rules.recall.questions import stems
from graphmem.rules.recall.ranking import rank
from graphmem.rules.recall.reranking import SENT, SENT_CHARS, as_shares, blend

WEIGHT = 0.5
"""The default of `GRAPHMEM_RERANK_WEIGHT`."""
Scorer = Callable[[str, str], float]
"""How well a text answers a question, 0..1."""


@contextmanager
def scripted(scorer: Scorer) -> Iterator[str]:
    """The address of a server that answers `/rerank` by a rule."""

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one piece: the second of two waits for an acknowledgement

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            scores = [scorer(asked["query"], text) for text in asked["documents"]]
            results = [{"index": place, "relevance_score": score} for place, score in enumerate(scores)]
            body = json.dumps({"results": results}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def in_common(question: str, text: str) -> float:
    """The share of the question's words that a text has."""
    asked = set(stems(question))
    return len(asked.intersection(stems(text))) / max(len(asked), 1)


def always_right(compared: Sequence[Compared]) -> Scorer:
    """1 for evidence and 0 for the rest."""
    right = {
        (one.question.text[:SENT_CHARS], turn.text[:SENT_CHARS])
        for one in compared
        for turn in one.conversation.turns
        if turn.key in one.question.gold
    }
    return lambda question, text: float((question, text) in right)


async def reranked(compared: Sequence[Compared], url: str) -> tuple[list[Asked], list[int]]:
    """What would be answered with the reranker at an address, in the seconds that it took, and the characters that it
    was sent for each."""
    reranker = EndpointReranker(RerankSettings(url, None, None, timeout_s=30.0))
    answered, sent = [], []
    try:
        for one in compared:
            turns = one.conversation.turns
            ranked = rank(one.asked, one.passages, SENT + COUNTED, features=one.features)
            texts = [turns[int(candidate.id)].text[:SENT_CHARS] for candidate in ranked[:SENT]]
            started = time.perf_counter()
            scores = await reranker.score(one.question.text[:SENT_CHARS], texts)
            seconds = time.perf_counter() - started
            shares = dict(zip((candidate.id for candidate in ranked[:SENT]), as_shares(scores), strict=True))
            best = blend(ranked, shares, WEIGHT)[:COUNTED]
            found = tuple(Found((turns[int(candidate.id)].key,), score=candidate.score) for candidate in best)
            answered.append(Asked(one.question, found, seconds))
            sent.append(sum(map(len, texts)))
    finally:
        await reranker.close()
    return answered, sent


def report(benchmarks: Mapping[str, Sequence[Compared]]) -> str:
    """Without a reranker, and with each script."""
    rows = []
    for name, every in benchmarks.items():
        compared = [one for one in every if one.question.gold]
        alone = score(one.answer({}) for one in compared)
        rows.append([name, "none", f"{alone.recall[10]:.3f}", f"{alone.mrr:.3f}", "—", "—", "—"])
        for kind, scorer in (("words in common", in_common), ("always right", always_right(compared))):
            with scripted(scorer) as url:
                asked, sent = asyncio.run(reranked(compared, url))
            scores = score(asked)
            times = [1000 * one.seconds for one in asked]
            rows.append(
                [name, kind, f"{scores.recall[10]:.3f}", f"{scores.mrr:.3f}", f"{sum(sent) / len(sent):,.0f}"]
                + [f"{percentile(times, share):.1f}" for share in (0.5, 0.95)]
            )
    return table(["benchmark", "reranker", "R@10", "MRR", "characters sent", "p50 ms", "p95 ms"], rows)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reranking", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="a JSON file in the LoCoMo format")
    parser.add_argument("--beam", type=Path, metavar="FOLDER", help="a copy of BEAM's repository")
    given = parser.parse_args(argv)
    print(report(read_and_compare(given.locomo, given.beam)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
