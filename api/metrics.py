"""Metrics for Prometheus: the requests of this process, and the state of the store.

Labels are routes, statuses and kinds: never an agent, never sent content, so their number is bounded.
"""

import asyncio
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, PlatformCollector, ProcessCollector
from prometheus_client import GCCollector as GarbageCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from graphmem import __version__
from graphmem.app import Graphmem
from graphmem.errors import GraphmemError
from graphmem.model.answers import UpkeepRun
from graphmem.model.stored import Totals
from graphmem.services.knowledge.judging import Judging
from graphmem.services.recall.reranking import Reranking

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4
ANSWER_WITHIN_S = 3.0
"""A database that takes longer counts as down: Prometheus waits 10 s by default."""
BUCKETS_S = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


class Metrics:
    """The metrics of one application."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        GarbageCollector(registry=self._registry)
        Info("graphmem_build", "What runs here.", registry=self._registry).info({"version": __version__})
        self._requests = Counter(
            "graphmem_http_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "graphmem_http_request_duration_seconds",
            "Time until a request was answered.",
            ("method", "route"),
            buckets=BUCKETS_S,
            registry=self._registry,
        )
        self._open = Gauge("graphmem_http_requests_in_flight", "Requests being answered.", registry=self._registry)

    def began(self) -> None:
        self._open.inc()

    def ended(self, method: str, route: str, status: int, seconds: float) -> None:
        """`route` is the template of a path, never the path."""
        method = method if method in METHODS else "other"
        self._open.dec()
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(method, route).observe(seconds)

    async def text(self, graphmem: Graphmem) -> bytes:
        """All metrics, in the format of Prometheus; where the database is down, those of the store are left out."""
        totals: Totals | None = None
        runs: Sequence[UpkeepRun] = ()
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                totals = await graphmem.operation.totals.totals()
                runs = await graphmem.operation.chores.runs()
        except (GraphmemError, TimeoutError):
            pass
        state = StoreState(
            totals,
            runs,
            embedder_ready=graphmem.embedder.state == "ready",
            judging=graphmem.knowledge.judging,
            reranking=graphmem.recall.reranking,
            remembered=graphmem.knowledge.learning.levels,
        )
        return generate_latest(self._registry) + generate_latest(state)

    async def of_agent(self, graphmem: Graphmem, agent_id: str) -> bytes:
        """What there is of one agent, and nothing of others or of the process they share."""
        totals: Totals | None = None
        with contextlib.suppress(GraphmemError, TimeoutError):
            async with asyncio.timeout(ANSWER_WITHIN_S):
                totals = await graphmem.operation.reporting.totals(agent_id)
        return generate_latest(
            StoreState(totals, (), embedder_ready=graphmem.embedder.state == "ready", of="the agent")
        )


@dataclass(frozen=True)
class StoreState(Collector):
    """A snapshot of the store; `totals` is None where it did not answer."""

    totals: Totals | None
    runs: Sequence[UpkeepRun]
    embedder_ready: bool
    judging: Judging | None = None
    reranking: Reranking | None = None
    remembered: Mapping[int, int] | None = None
    of: str = "all agents"

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("graphmem_database_up", "Whether the database answers.", int(self.totals is not None))
        yield GaugeMetricFamily(
            "graphmem_embedder_ready", "Whether texts can be embedded in this process.", int(self.embedder_ready)
        )
        if self.remembered is not None:
            remembered = CounterMetricFamily(
                "graphmem_extraction_statements",
                "Statements that remember read at each level, by this process: 1 in full, 2 strictly, 3 cut at the "
                "limits.",
                labels=["level"],
            )
            for level in (1, 2, 3):
                remembered.add_metric([str(level)], self.remembered.get(level, 0))
            yield remembered
        if self.judging:
            yield CounterMetricFamily(
                "graphmem_semantic_questions", "Questions to a model about facts, by this process.", self.judging.asked
            )
            yield CounterMetricFamily(
                "graphmem_semantic_failures", "Those of them that no model answered.", self.judging.failed
            )
        if self.reranking:
            yield CounterMetricFamily(
                "graphmem_rerank_questions", "Recalls of this process that asked a reranker.", self.reranking.asked
            )
            yield CounterMetricFamily(
                "graphmem_rerank_failures", "Those of them that kept their own order.", self.reranking.failed
            )
        if self.totals is None:
            return
        yield _gauge("graphmem_nodes", f"Nodes of {self.of}.", "label", self.totals.nodes)
        yield _gauge("graphmem_jobs", f"Jobs of {self.of}.", "status", self.totals.jobs)
        waiting = {"embedding": self.totals.unembedded}
        waiting |= {} if self.totals.unsealed is None else {"sealing": self.totals.unsealed}
        yield _gauge("graphmem_backlog", "What waits for a vector, or to be chained.", "kind", waiting)
        yield _gauge(
            "graphmem_extraction_chunks",
            "Chunks of messages read at each level: 1 in full, 2 strictly, 3 cut at the limits.",
            "level",
            self.totals.chunks,
        )
        yield GaugeMetricFamily(
            "graphmem_extraction_dropped", "Items that extraction cut or did not believe.", self.totals.dropped
        )
        yield GaugeMetricFamily(
            "graphmem_extraction_fallbacks", "Chunks that rules read in place of a model.", self.totals.fallbacks
        )
        yield _gauge("graphmem_supersessions", f"Supersessions of {self.of}.", "status", self.totals.supersessions)
        if self.totals.precision is not None:
            yield GaugeMetricFamily(
                "graphmem_supersession_precision",
                "Of the supersessions that rules found and people judged, the part that was right.",
                self.totals.precision,
            )
        if not self.runs:
            return
        yield _gauge(
            "graphmem_upkeep_last_run_timestamp_seconds",
            "When a chore last ended, in seconds since 1970.",
            "chore",
            {run.name: run.last_run.timestamp() for run in self.runs if run.last_run},
        )
        yield _gauge(
            "graphmem_upkeep_failed",
            "Whether the last run of a chore met an error.",
            "chore",
            {run.name: int(run.error is not None) for run in self.runs},
        )


def _gauge(name: str, meaning: str, label: str, values: dict[str, int] | dict[str, float]) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, meaning, labels=[label])
    for of, value in values.items():
        gauge.add_metric([of], value)
    return gauge
