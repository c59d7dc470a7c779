"""A graph as text: JSON lines, GraphML, or Cypher that recreates it in another database."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

from graphmem.model.knowledge import Attribute, Dependency, Entity, ExportedFact
from graphmem.rules.claims import packed
from graphmem.rules.language.xml import xml_text

ExportFormat = Literal["jsonl", "graphml", "cypher"]
Item = Entity | ExportedFact | Dependency
_KINDS: Mapping[type, str] = {Entity: "entity", ExportedFact: "attribute", Dependency: "dependency"}


def as_jsonl(items: Iterable[Item]) -> Iterator[str]:
    """A line for each: the object as the routes return it, and its `kind` under the name `record`. Facts have their
    `claims`, so that an import compares them as before."""
    for item in items:
        told = {"record": _KINDS[type(item)]} | item.model_dump(mode="json", by_alias=True, exclude={"claims"})
        if isinstance(item, ExportedFact):
            told["claims"] = json.loads(packed(item.claims) or "[]")
        yield json.dumps(told, ensure_ascii=False) + "\n"


def as_cypher(items: Iterable[Item]) -> Iterator[str]:
    """A statement for each; run in order they create entities, facts with their successors, and dependencies. Running
    them again changes nothing."""
    for item in items:
        if isinstance(item, Entity):
            yield f"MERGE (n:Entity {{id: {_literal(item.id)}}}) SET n += {_map(_plain(item))};\n"
        elif isinstance(item, Attribute):
            yield (
                f"MATCH (e:Entity {{id: {_literal(item.entity_id)}}}) MERGE (n:Attribute {{id: {_literal(item.id)}}}) "
                f"SET n += {_map(_plain(item))} MERGE (e)-[:HAS_ATTRIBUTE {{aspect: {_literal(item.aspect)}}}]->(n);\n"
            )
            if item.superseded_by:
                yield (
                    f"MATCH (n:Attribute {{id: {_literal(item.id)}}}) "
                    f"MERGE (o:Attribute {{id: {_literal(item.superseded_by)}}}) MERGE (n)-[:SUPERSEDED_BY]->(o);\n"
                )
        else:
            yield (
                f"MATCH (a:Entity {{id: {_literal(item.source.id)}}}), (b:Entity {{id: {_literal(item.target.id)}}}) "
                f"MERGE (a)-[d:DEPENDS_ON {{id: {_literal(item.id)}}}]->(b) SET d += {_map(_plain(item))};\n"
            )


def as_graphml(items: Iterable[Item]) -> Iterator[str]:
    """One document. Entities and facts are nodes (`label` says which), relationships between them are edges.

    *Source*: networkx writes it; what GraphML has no type for, such as times and lists, is text.
    """
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for item in items:
        told = {name: _text(value) for name, value in _plain(item).items()}
        if isinstance(item, Dependency):
            graph.add_edge(item.source.id, item.target.id, key=item.id, label="DEPENDS_ON", **told)
            continue
        graph.add_node(item.id, label=_KINDS[type(item)].capitalize(), **told)
        if isinstance(item, Attribute):
            graph.add_edge(item.entity_id, item.id, label="HAS_ATTRIBUTE", aspect=xml_text(item.aspect))
            if item.superseded_by:
                graph.add_edge(item.id, item.superseded_by, label="SUPERSEDED_BY")
    for line in nx.generate_graphml(graph):
        yield line + "\n"


def _plain(item: Item) -> dict[str, Any]:
    """Its own values: without missing ones, and without its ends, which its place shows."""
    held = item.model_dump(by_alias=True, exclude={"id", "source", "target", "claims"}, exclude_none=True)
    return {name: value for name, value in held.items() if value != ()}


def _text(value: Any) -> str | int | float | bool:
    if isinstance(value, str):
        return xml_text(value)
    if isinstance(value, int | float):
        return value
    return xml_text(value.isoformat() if isinstance(value, datetime) else json.dumps(list(value), ensure_ascii=False))


def _map(values: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{name}: {_literal(value)}" for name, value in values.items()) + "}"


def _literal(value: Any) -> str:
    """A value as Cypher literal. Texts are escaped as in JSON."""
    if isinstance(value, datetime):
        return f'datetime("{value.isoformat()}")'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_literal(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)
