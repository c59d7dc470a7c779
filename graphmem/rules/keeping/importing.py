"""Reads lines of a graph into batches that are written completely or not at all."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from graphmem.model.claims import Claim
from graphmem.model.importing import EdgeLine, EntityLine, FactLine, GraphLine, LineError
from graphmem.model.inputs import SlotClaim
from graphmem.rules.claims import claim_of

IMPORTER = "import-1"
"""Names the interpretation of such lines. Raise the number when it changes."""
BATCH = 1_000
"""Lines that are written together. Source: measured, a transaction of 5,000 is slower."""
_KINDS: Mapping[str, TypeAdapter[EntityLine] | TypeAdapter[FactLine] | TypeAdapter[EdgeLine]] = {
    "entity": TypeAdapter(EntityLine),
    "attribute": TypeAdapter(FactLine),
    "dependency": TypeAdapter(EdgeLine),
}


@dataclass
class Batch:
    """Consecutive lines of one kind; it is written only where `errors` is empty."""

    kind: str
    lines: list[GraphLine] = field(default_factory=list)
    errors: list[LineError] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    """The values of the readable lines."""
    count: int = 0


def batches(lines: Iterable[bytes], most: int = BATCH, first: int = 1) -> Iterator[Batch]:
    """The lines in order; empty ones are skipped, an unreadable one is an error of its batch.

    >>> [(batch.kind, batch.count) for batch in batches([b'{"source": "a", "target": "b"}'])]
    [('dependency', 1)]
    """
    batch: Batch | None = None
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        kind, read = _read(line)
        if batch is None or batch.count >= most or (kind is not None and kind != batch.kind):
            if batch is not None:
                yield batch
            batch = Batch(kind or "dependency")
        batch.count += 1
        if isinstance(read, str):
            batch.errors.append(LineError(line=number, message=read))
        else:
            batch.lines.append(read)
            batch.numbers.append(number)
    if batch is not None:
        yield batch


def claims_of(line: FactLine, entity: str) -> tuple[Claim, ...]:
    """What a fact claims: as it was exported, else as whoever wrote the line says."""
    if line.claims or line.slot is None:
        return line.claims
    said = SlotClaim(slot=line.slot, value=line.value, scope=line.scope, polarity=line.polarity)
    given = claim_of(said, line.claim_key, entity)
    return (given,) if given else ()


def _read(line: bytes) -> tuple[str | None, GraphLine | str]:
    """The kind of a line and its value, or what is wrong with it."""
    try:
        value = from_json(line, allow_inf_nan=False)
    except ValueError as error:
        return None, f"the line is no JSON: {error}"
    if not isinstance(value, dict):
        return None, "the line is no JSON object"
    kind = value.get("record", "dependency")
    if not isinstance(kind, str) or kind not in _KINDS:
        return None, "record: must be entity, attribute or dependency"
    try:
        return kind, _KINDS[kind].validate_python(value)
    except ValidationError as error:
        wrong = [(".".join(map(str, one["loc"])), one["msg"]) for one in error.errors(include_url=False)]
        return kind, "; ".join(f"{place}: {why.removeprefix('Value error, ')}" for place, why in wrong)
