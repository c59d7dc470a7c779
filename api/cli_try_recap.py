"""`graphmem try mode|compression`: which recap a conversation gets, and which turns fit a budget."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field, JsonValue

from graphmem.model.inputs import MAX_COUNT
from graphmem.model.value import Value
from graphmem.rules.language.keys import canonical_json
from graphmem.rules.turns.compression import Weighed, compress
from graphmem.rules.turns.mode import Spoken, mode_of
from graphmem.settings import load_settings

Json = dict[str, Any]
Score = Annotated[float, Field(ge=0, le=10)]
Count = Annotated[int, Field(ge=0, le=MAX_COUNT)]


class TriedTurn(Value):
    """A turn without any overlay is not analysed; in a turn with some, the others are 0."""

    role: str
    text: str | None = None
    tool_calls: JsonValue = None
    o1: Score | None = Field(None, alias="O1")
    o2: Score | None = Field(None, alias="O2")
    o3: Score | None = Field(None, alias="O3")
    o4: Score | None = Field(None, alias="O4")
    o5: Score | None = Field(None, alias="O5")
    o6: Score | None = Field(None, alias="O6")
    o7: Score | None = Field(None, alias="O7")


class TryMode(Value):
    turns: Annotated[tuple[TriedTurn, ...], Field(max_length=10_000)]


class TriedSize(Value):
    id: str
    tokens: Count
    importance: Score
    paradigm_shift: bool = False


class TryCompression(Value):
    """`budget`: in tokens; that of the settings where none is given."""

    turns: Annotated[tuple[TriedSize, ...], Field(max_length=100_000)]
    budget: Count | None = None


def _mode(given: TryMode) -> Json:
    verdict = mode_of([_spoken(turn) for turn in given.turns])
    return {
        "mode": verdict.mode,
        "score": verdict.score,
        "parts": dict(verdict.parts),
        "counts": dict(verdict.counts),
    }


def _spoken(turn: TriedTurn) -> Spoken:
    scores = (turn.o1, turn.o2, turn.o3, turn.o4, turn.o5, turn.o6, turn.o7)
    return Spoken(
        role=turn.role,
        text=turn.text or "",
        calls=bool(turn.tool_calls),
        called=canonical_json(turn.tool_calls) if turn.tool_calls else "",
        scores=None if all(score is None for score in scores) else tuple(score or 0.0 for score in scores),
    )


def _compression(given: TryCompression) -> Json:
    settings = load_settings()
    found = compress(
        [Weighed(one.id, one.tokens, one.importance, one.paradigm_shift) for one in given.turns],
        settings.compression_target if given.budget is None else given.budget,
        preserve=settings.preserve_threshold,
        routine=settings.routine_threshold,
    )
    return {
        "preserved": list(found.preserved),
        "summarized": list(found.summarized),
        "compressed": list(found.compressed),
        "left": list(found.left),
        "usedTokens": found.used,
    }


RECAP_RULES: Mapping[str, tuple[type[Value], Callable[[Any], Json]]] = {
    "mode": (TryMode, _mode),
    "compression": (TryCompression, _compression),
}
