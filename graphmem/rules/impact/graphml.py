"""A blast radius as GraphML: the entities, and the edges of their most confident paths."""

from collections.abc import Iterator

import networkx as nx

from graphmem.model.answers import ImpactReport
from graphmem.rules.language.xml import xml_text


def impact_graphml(report: ImpactReport) -> Iterator[str]:
    """The lines of one document. `depth` 0 is the start; an entity that only lies on a path has a name and no depth.

    *Source*: networkx writes it.
    """
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_node(
        report.entity.id, name=xml_text(report.entity.name), type=report.entity.type.value, depth=0, confidence=1.0
    )
    affected = [one for group in report.groups for one in group.entities]
    for one in affected:
        graph.add_node(one.id, name=xml_text(one.name), type=one.type.value, depth=one.depth, confidence=one.confidence)
    for edge in {edge.id: edge for one in affected for edge in one.path}.values():
        for end in (edge.source, edge.target):
            graph.add_node(end.id, name=xml_text(end.name))
        told = {"type": edge.type.value, "confidence": edge.confidence, "reason": xml_text(edge.reason or "")}
        graph.add_edge(edge.source.id, edge.target.id, key=edge.id, **told)
    for line in nx.generate_graphml(graph):
        yield line + "\n"
