"""Services and their needs: docker-compose files and Kubernetes manifests, as plain data; and the endpoints of OpenAPI
documents."""

import re
from collections.abc import Iterator, Mapping, Sequence

from graphmem.model.code import CodeEndpoint, CodeService, Outline, ServiceNeed

STATED, BY_HOST = 1.0, 0.7
"""Confidence of a stated need, and of one inferred from a service's name in an address or a setting."""
_WORKLOADS = frozenset({"Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Pod", "ReplicaSet"})
_HOST = re.compile(r"(?:^|//|@|,|\s|=)([a-z][a-z0-9-]*[a-z0-9])(?:\.[\w.-]+)?(?=[:/,?\s]|$)")
_METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})


def read_documents(name: str, documents: Sequence[object], text: str) -> Outline | None:
    """The services or endpoints in a YAML or JSON file; None where it is about something else."""
    lines = text.splitlines()
    first = documents[0] if documents else None
    if isinstance(first, Mapping) and ("openapi" in first or "swagger" in first) and "paths" in first:
        return Outline(language="openapi", endpoints=tuple(_endpoints(first, lines)))
    if isinstance(first, Mapping) and re.fullmatch(r"(?:docker-)?compose[\w.-]*\.ya?ml", name):
        return Outline(language="services", services=tuple(_compose(first, lines)))
    found = [service for one in documents if isinstance(one, Mapping) for service in _kubernetes(one, lines)]
    return Outline(language="services", services=tuple(found)) if found else None


def _compose(document: Mapping[object, object], lines: Sequence[str]) -> Iterator[CodeService]:
    services = document.get("services")
    for name, told in services.items() if isinstance(services, Mapping) else ():
        if not isinstance(told, Mapping):
            continue
        needs = [ServiceNeed(name=one, confidence=STATED, how="depends on") for one in _keys(told.get("depends_on"))]
        linked = [one.partition(":")[0] for one in _keys(told.get("links"))]
        needs += [ServiceNeed(name=one, confidence=STATED, how="links to") for one in linked]
        settings = [told.get(key) for key in ("environment", "command", "entrypoint")]
        yield CodeService(
            name=str(name),
            kind="compose",
            line=_line(rf"\s*[\"']?{re.escape(str(name))}[\"']?\s*:", lines),
            needs=tuple(needs),
            hosts=tuple(_hosts(settings)),
        )


def _kubernetes(document: Mapping[object, object], lines: Sequence[str]) -> Iterator[CodeService]:
    kind, name = document.get("kind"), _at(document, "metadata", "name")
    if "apiVersion" not in document or not isinstance(kind, str):
        return
    if kind == "List":
        items = document.get("items")
        for one in items if isinstance(items, list) else ():
            if isinstance(one, Mapping):
                yield from _kubernetes(one, lines)
        return
    if not isinstance(name, str):
        return
    spec = document.get("spec")
    line = _line(rf"\s*name:\s*[\"']?{re.escape(name)}[\"']?\s*$", lines)
    if kind in _WORKLOADS:
        template = _at(spec, "jobTemplate", "spec", "template") or _at(spec, "template") or document
        labels, pod = _at(template, "metadata", "labels"), _at(template, "spec")
        yield CodeService(name=name, kind=kind, line=line, labels=_pairs(labels), hosts=tuple(_hosts(pod)))
    elif kind == "Service":
        yield CodeService(name=name, kind=kind, line=line, selector=_pairs(_at(spec, "selector")))
    elif kind == "Ingress":
        needs = dict.fromkeys(_backends(spec))
        told = tuple(ServiceNeed(name=one, confidence=STATED, how="routes to") for one in needs)
        yield CodeService(name=name, kind=kind, line=line, needs=told)


def _backends(told: object) -> Iterator[str]:
    for node in _walk(told):
        if isinstance(node, Mapping):
            found = _at(node, "service", "name") or node.get("serviceName")
            if isinstance(found, str):
                yield found


def _hosts(told: object) -> Iterator[str]:
    """Names in the values of settings that may be hosts, each once."""
    texts = (one for one in _walk(told) if isinstance(one, str))
    return iter(dict.fromkeys(found for text in texts for found in _HOST.findall(text)))


def _endpoints(document: Mapping[object, object], lines: Sequence[str]) -> Iterator[CodeEndpoint]:
    paths = document["paths"]
    for path, told in paths.items() if isinstance(paths, Mapping) else ():
        line = _line(rf"\s*[\"']?{re.escape(str(path))}[\"']?\s*:", lines)
        for method in told if isinstance(told, Mapping) else ():
            if str(method).lower() in _METHODS:
                yield CodeEndpoint(method=str(method).upper(), path=str(path), line=line)


def _walk(told: object) -> Iterator[object]:
    """Everything in a value. What YAML's anchors repeat is visited once: it may be endless."""
    waiting, met = [told], set[int]()
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Mapping | list) and id(node) not in met:
            met.add(id(node))
            waiting.extend(node.values() if isinstance(node, Mapping) else node)


def _at(told: object, *keys: str) -> object:
    for key in keys:
        told = told.get(key) if isinstance(told, Mapping) else None
    return told


def _keys(told: object) -> list[str]:
    """The names of a list, or of a mapping's keys."""
    return [str(one) for one in told] if isinstance(told, list | Mapping) else []


def _pairs(told: object) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((str(key), str(value)) for key, value in told.items())) if isinstance(told, Mapping) else ()


def _line(pattern: str, lines: Sequence[str]) -> int:
    """The line of the first occurrence of a name; 1 where it is not found."""
    wanted = re.compile(pattern)
    return next((number for number, line in enumerate(lines, 1) if wanted.match(line)), 1)
