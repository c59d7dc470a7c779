"""What a diff touches, as text for a terminal and as Markdown for a pull request."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import groupby

from graphmem.model.answers import AffectedEntity, ImpactGroup
from graphmem.model.changes import ChangeReport, Saying
from graphmem.rules.impact.radius import label

SHOWN = 25
"""Most entities of one distance, and most decisions, that a report lists; it counts the others."""
_QUOTED = 160
_CUT = "This is a part of it: a limit was reached, and more may depend on the change."


def united(
    reports: Iterable[Sequence[ImpactGroup]], own: frozenset[str], limit: int
) -> tuple[tuple[ImpactGroup, ...], int]:
    """The union of several radii, and its number of entities: each entity at its least distance, by its most confident
    path. What is touched itself (`own`) is left out."""
    best: dict[str, AffectedEntity] = {}
    for groups in reports:
        for one in (one for group in groups for one in group.entities if one.id not in own):
            other = best.get(one.id)
            if other is None:
                best[one.id] = one
                continue
            surer = one if one.confidence > other.confidence else other
            best[one.id] = surer.model_copy(update={"depth": min(one.depth, other.depth)})
    ordered = sorted(best.values(), key=lambda one: (one.depth, -one.confidence, one.name, one.id))
    groups = tuple(
        ImpactGroup(depth=depth, label=label(depth), entities=tuple(inside))
        for depth, inside in groupby(ordered[:limit], key=lambda one: one.depth)
    )
    return groups, len(ordered)


def as_text(report: ChangeReport) -> str:
    """The report for a terminal: one line for each thing."""
    lines = [f"{report.files} files changed in {report.repository}; {report.total} entities depend on what is touched."]
    lines += [_CUT] if report.truncated else []
    lines += _section("Touched", [f"{one.name} ({one.type.value})" for one in report.touched])
    for group in report.groups:
        lines += _section(f"{group.label} (depth {group.depth})", [_affected(one) for one in group.entities])
    lines += _section("Owners", [f"{one.name}: {_few(one.files)}" for one in report.owners])
    lines += _section("Decisions and statements", [_said(one) for one in report.decisions])
    lines += _section("Not in the last reading of the repository", report.unknown)
    return "\n".join(lines)


def as_markdown(report: ChangeReport) -> str:
    """The report as a comment on a pull request."""
    lines = [
        "## Impact",
        "",
        f"{report.files} files changed; **{report.total}** entities depend on what is touched.",
        "",
    ]
    lines += [_CUT, ""] if report.truncated else []
    lines += _table("Touched", ("entity", "type"), [(_code(one.name), one.type.value) for one in report.touched])
    rows = [
        (group.label, _code(one.name), f"{one.confidence:.2f}", _escaped(_why(one)))
        for group in report.groups
        for one in group.entities[:SHOWN]
    ]
    lines += _table("Reached", ("", "entity", "confidence", "because"), rows)
    for group in report.groups:
        if len(group.entities) > SHOWN:
            lines += [f"… and {len(group.entities) - SHOWN} more: {group.label}.", ""]
    lines += _table("Owners", ("owner", "files"), [(one.name, _code(_few(one.files))) for one in report.owners])
    if report.decisions:
        lines += ["### Decisions and statements", ""]
        lines += [f"- {_escaped(_said(one))}" for one in report.decisions[:SHOWN]]
        lines += [f"- … and {len(report.decisions) - SHOWN} more"] if len(report.decisions) > SHOWN else []
        lines += [""]
    if report.unknown:
        lines += [f"Not in the last reading of the repository: {', '.join(map(_code, report.unknown))}.", ""]
    return "\n".join(lines).rstrip() + "\n"


def never_read(repository: str, read: Sequence[str]) -> str:
    """Says that a repository is not known, which are, and how one is read.

    >>> never_read("shop", [])
    "No repository was read yet. Read it as it was before the change: `graphmem ingest-repo DIR --name 'shop'`."
    """
    how = f"Read it as it was before the change: `graphmem ingest-repo DIR --name {repository!r}`."
    if not read:
        return f"No repository was read yet. {how}"
    near = get_close_matches(repository, read, n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"No repository called {repository!r} was read, only {_few(read)}; --name chooses one.{meant} {how}"


def not_of_it(repository: str, changed: Sequence[str], read: Sequence[str]) -> str:
    """Says that a diff changes no file of a repository."""
    others = [name for name in read if name != repository]
    other = f" Is it a diff of {_few(others)}? --name chooses." if others else ""
    return (
        f"None of the {len(changed)} files that the diff changes was in {repository!r} when that was last read: "
        f"{_few(changed)}. Paths count from the folder that was read.{other} Or read it again as it was before the "
        f"change: `graphmem ingest-repo DIR --name {repository!r}`."
    )


def _section(title: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    more = [f"  … and {len(items) - SHOWN} more"] if len(items) > SHOWN else []
    return ["", title, *(f"  {item}" for item in items[:SHOWN]), *more]


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    lines = [f"### {title}", "", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]


def _affected(one: AffectedEntity) -> str:
    return f"{one.confidence:.2f} {one.name} ({one.type.value}): {_why(one)}"


def _why(one: AffectedEntity) -> str:
    return "; ".join(edge.reason or edge.type.value for edge in one.path)


def _said(one: Saying) -> str:
    where = f"{one.file} line {one.line}" if one.file else f"{one.kind} {one.id}"
    told = " ".join(one.text.split())
    told = told if len(told) <= _QUOTED else f"{told[: _QUOTED - 1]}…"
    return f"{one.entity}: {told} ({one.type}, {where})"


def _few(files: Sequence[str]) -> str:
    return ", ".join(files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")


def _code(text: str) -> str:
    return f"`{text}`"


def _escaped(text: str) -> str:
    """Escapes text of a repository: its Markdown, HTML and mentions must have no effect in a comment."""
    return "".join(_ESCAPES.get(sign, sign) for sign in text)


_ESCAPES: Mapping[str, str] = {"|": "\\|", "<": "&lt;", ">": "&gt;", "@": "@\u200b", "`": "'", "[": "\\[", "]": "\\]"}


def unique_sayings(sayings: Iterable[Saying], most: int) -> Iterator[Saying]:
    """Each statement once, passages and decisions first, up to the limit."""
    seen: set[str] = set()
    ranked = sorted(sayings, key=lambda one: one.type not in ("decision", "constraint", "passage"))
    for one in ranked:
        if one.id not in seen and len(seen) < most:
            seen.add(one.id)
            yield one
