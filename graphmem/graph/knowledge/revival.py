"""Restores entities from the cold tier: on a person's request, or because they are mentioned again."""

from collections.abc import Sequence

from graphmem.graph.connection import WriteTransaction
from graphmem.rules.keeping.history import Line


async def revive(
    tx: WriteTransaction, agent_id: str, ids: Sequence[str], reason: str | None = None, *, by_person: bool = False
) -> list[Line]:
    """Restore locked entities with what went with them; returns the history lines."""
    lines: list[Line] = []
    for id_ in ids:
        lines.append(Line("entity_restored", id_, {"status": "cold"}, {"status": "active"}, reason))
        facts, edges = await entity_restore(tx, agent_id, id_, by_person)
        lines += [Line("attribute_restored", one, {"status": "cold"}, {"status": "active"}) for one in facts]
        lines += [Line("dependency_restored", one, {"status": "cold"}, {"status": "active"}) for one in edges]
    return lines


async def entity_restore(tx: WriteTransaction, agent_id: str, id_: str, by_person: bool) -> tuple[list[str], list[str]]:
    """The facts and the edges that came back with it."""
    row = await tx.row("cold/entity_restore", agent_id=agent_id, id=id_, by_person=by_person)
    return (row["attributeIds"], row["dependencyIds"]) if row else ([], [])
