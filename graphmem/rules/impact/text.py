"""What a change affects, as Markdown: for a pull request, or a prompt."""

from collections.abc import Iterable, Sequence

from graphmem.model.answers import ImpactReport
from graphmem.model.impact import CriticalEntity, CriticalPath, Loosened, StatedMemory
from graphmem.model.inputs import Direction
from graphmem.model.knowledge import Attribute, Dependency, Entity

LISTED = 20
"""Most entities listed of each group; the others are counted."""


def impact_text(report: ImpactReport) -> str:
    """A report, nearest first, each entity with the path that reaches it and the reason of its weakest edge."""
    count = _at_least(report.total, "entity", "entities", more=report.total_is_lower_bound)
    lines = [f"## Impact of changing {_plain(report.entity.name)}", ""]
    lines += [f"{count} {_reached(report.total, report.direction)}, directly or through others."]
    if report.total_is_lower_bound:
        lines.append("The walk was cut short: there may be more, and confidences may be higher.")
    for group in report.groups:
        lines += ["", f"### {group.label} ({_hops(group.depth)})", ""]
        for one in group.entities[:LISTED]:
            reason = f" — {_plain(one.weakest_edge.reason)}" if one.weakest_edge.reason else ""
            way = _path(report.entity.name, one.path)
            lines.append(f"- **{_plain(one.name)}** ({one.type.value}, {one.confidence:.2f}): {way}{reason}")
        if len(group.entities) > LISTED:
            lines.append(f"- and {len(group.entities) - LISTED} more")
    shown = sum(len(group.entities) for group in report.groups)
    if report.total > shown:
        lines += ["", f"{report.total - shown} more are not listed."]
    return "\n".join(lines) + "\n"


def what_if_text(
    attribute: Attribute | None,
    ended: Sequence[Dependency],
    supported: Sequence[Dependency],
    memories: Sequence[StatedMemory],
    changes: Sequence[Loosened],
    *,
    truncated: bool,
) -> str:
    """What would be lost and what only weakened. Nothing has happened yet."""
    what = f"superseding “{_plain(attribute.content)}”" if attribute else "removing a dependency"
    lines = [f"## What if: {what}", ""]
    lines += [f"- ends: {_sentence(edge)}" for edge in ended]
    lines += [f"- stays, for something else supports it: {_sentence(edge)}" for edge in supported]
    lines += [f"- loses its last support: the memory “{_plain(one.content)}”" for one in memories]
    if not (ended or supported or memories):
        lines.append("Nothing hangs on it.")
    for change in changes:
        lost = _at_least(change.total_lost, "entity no longer needs", "entities no longer need", more=False)
        lines += ["", f"### {_plain(change.entity.name)}", ""]
        lines.append(f"{lost} it, {change.total_weakened} less surely or from farther.")
        lines += [""] if change.lost or change.weakened else []
        lines += [f"- lost: **{_plain(one.name)}** ({_hops(one.depth)}, {one.confidence:.2f})" for one in change.lost]
        lines += [
            f"- weaker: **{_plain(one.name)}** {one.confidence_before:.2f} → {one.confidence:.2f}, "
            f"{_hops(one.depth_before)} → {_hops(one.depth)}"
            for one in change.weakened
        ]
    if truncated:
        lines += ["", "Not everything is listed, or the walk was cut short."]
    return "\n".join(lines) + "\n"


def critical_text(
    entity: Entity, single_points: Sequence[CriticalEntity], paths: Iterable[CriticalPath], entities: int
) -> str:
    """Single points of failure and critical paths."""
    lines = [f"## What stands between {_plain(entity.name)} and {entities} others", ""]
    for one in single_points:
        alone = f"the only way to {one.dominates}" if one.dominates else "no only way"
        lines.append(
            f"- **{_plain(one.name)}**: {alone}, on {one.carries} best paths, betweenness {one.betweenness:.3f}"
        )
    if not single_points:
        lines.append("Nothing does: every entity is reached directly.")
    told = [f"- {_path(entity.name, one.path)} ({one.confidence:.2f})" for one in paths]
    lines += ["", "### Critical paths", "", *told] if told else []
    return "\n".join(lines) + "\n"


def _path(start: str, path: Sequence[Dependency]) -> str:
    """The path as read from the start: `←` where the next one needs the one before, `→` where it is needed."""
    told, place = _plain(start), None
    for edge in path:
        at_target = place == edge.target.id if place else edge.target.name == start
        near, far = (edge.target, edge.source) if at_target else (edge.source, edge.target)
        told += f" {'←' if near is edge.target else '→'} {_plain(far.name)}"
        place = far.id
    return told


def _sentence(edge: Dependency) -> str:
    verb = edge.type.value.replace("_", " ")
    return f"{_plain(edge.source.name)} {verb} {_plain(edge.target.name)} ({edge.confidence:.2f})"


def _reached(total: int, direction: Direction) -> str:
    if direction == "upstream":
        return "needs it" if total == 1 else "need it"
    return (
        "is needed by it"
        if direction == "downstream" and total == 1
        else ("are needed by it" if direction == "downstream" else "hang together with it")
    )


def _at_least(number: int, one: str, many: str, *, more: bool) -> str:
    return f"{'At least ' if more else ''}{number} {one if number == 1 else many}"


def _hops(depth: int) -> str:
    return "1 step" if depth == 1 else f"{depth} steps"


def _plain(text: str) -> str:
    """A text on one line, escaped for Markdown."""
    one_line = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>|#" else sign for sign in one_line)
