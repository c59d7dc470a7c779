"""Which service needs which, within a docker-compose file and across all Kubernetes manifests of a repository."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graphmem.model.code import CodeService, Outline
from graphmem.rules.code.services import BY_HOST, STATED


@dataclass(frozen=True, slots=True)
class Need:
    """A service that needs another, both by name, and the line that says so."""

    source: str
    target: str
    confidence: float
    file: str
    line: int
    how: str


def link_services(outlines: Mapping[str, Outline]) -> Iterator[Need]:
    """Stated needs, the pods that a Service routes to, and names of services in the settings of others."""
    cluster = [(path, one) for path, o in sorted(outlines.items()) for one in o.services if one.kind != "compose"]
    yield from _among(cluster)
    for path, outline in sorted(outlines.items()):
        yield from _among([(path, one) for one in outline.services if one.kind == "compose"])


def _among(services: list[tuple[str, CodeService]]) -> Iterator[Need]:
    names = {one.name for _, one in services}
    for path, one in services:
        for need in one.needs:
            yield Need(one.name, need.name, need.confidence, path, one.line, need.how)
        for host in one.hosts:
            if host in names and host != one.name:
                yield Need(one.name, host, BY_HOST, path, one.line, "names in its settings")
        for _, other in services if one.selector else ():
            if other.labels and set(one.selector) <= set(other.labels) and other.name != one.name:
                yield Need(one.name, other.name, STATED, path, one.line, "leads to")
