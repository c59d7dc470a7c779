"""`graphmem try overlays|importance|novelty`: turn analysis of turns, scores and vectors."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

from pydantic import Field, JsonValue

from graphmem.errors import GraphmemError, InvalidInput
from graphmem.model.conversation import Role
from graphmem.model.turns import OVERLAYS, AnalysedTurn, Formula, Overlays, Unit, WaitingTurn
from graphmem.model.value import Value
from graphmem.rules.language.keys import canonical_json
from graphmem.rules.turns.analysis import Past, analyse_all
from graphmem.rules.turns.importance import class_of, importance_of
from graphmem.rules.turns.novelty import CALIBRATIONS, UNCALIBRATED, Calibration, novelty_of
from graphmem.rules.turns.overlays import Anchors, anchor_texts, anchors_of
from graphmem.services.ports import Embedder
from graphmem.settings import load_settings

Json = dict[str, Any]
Number = Annotated[float, Field(allow_inf_nan=False)]


class TriedTurn(Value):
    role: Role
    text: str
    tool_calls: JsonValue = None


class TryOverlays(Value):
    turns: Annotated[tuple[TriedTurn, ...], Field(max_length=10_000)]


class TryImportance(Value):
    novelty: Unit
    overlays: Overlays
    formula: Formula | None = None


class Between(Value):
    """The distances that count as not new and as completely new."""

    lo: Number
    hi: Number


class TryNovelty(Value):
    embedding: Annotated[tuple[Number, ...], Field(min_length=1)]
    previous: tuple[tuple[Number, ...], ...] = ()
    calibration: Between | str | None = None


def _overlays(given: TryOverlays) -> Json:
    """As the service would analyse a session of an agent with an empty memory; `embedder` is null where none could be
    loaded and only the words decided."""
    settings = load_settings()
    reader = _reader()
    vectors = reader.vectors([turn.text for turn in given.turns])
    waiting = [
        WaitingTurn(
            id=str(place),
            message_id=str(place),
            ordinal=place,
            role=turn.role,
            text=turn.text,
            calls=None if turn.tool_calls is None else canonical_json(turn.tool_calls),
            vector=tuple(vectors[place]) if vectors and turn.text.strip() else None,
        )
        for place, turn in enumerate(given.turns)
    ]
    past = Past(settings.novelty_window)
    found = analyse_all(waiting, past, reader.anchors, settings.turns, CALIBRATIONS.get(reader.embedder or ""))
    return {"turns": [_told(turn) for turn in found], "embedder": reader.embedder}


def _told(turn: AnalysedTurn) -> Json:
    return dict(zip(OVERLAYS, turn.scores, strict=True)) | {
        "novelty": turn.novelty,
        "importance": turn.importance,
        "paradigmShift": turn.shift,
        "class": turn.class_,
        "evidence": {overlay: [one.model_dump(mode="json") for one in of] for overlay, of in turn.evidence.items()},
        "tags": list(turn.tags),
        "references": [int(link.to_id) for link in turn.references],
    }


def _importance(given: TryImportance) -> Json:
    settings = load_settings()
    importance = importance_of(given.novelty, given.overlays.scores, given.formula or settings.importance_formula)
    return {
        "importance": importance,
        "class": class_of(importance, settings.preserve_threshold, settings.routine_threshold),
    }


def _novelty(given: TryNovelty) -> Json:
    calibration = UNCALIBRATED
    if isinstance(given.calibration, str):
        if given.calibration not in CALIBRATIONS:
            known = ", ".join(CALIBRATIONS)
            raise InvalidInput.at("calibration", msg=f"names no embedder that is calibrated; there are {known}")
        calibration = CALIBRATIONS[given.calibration]
    elif given.calibration is not None:
        if given.calibration.lo >= given.calibration.hi:
            raise InvalidInput.at("calibration", msg="lo must be below hi")
        calibration = Calibration(given.calibration.lo, given.calibration.hi)
    found = novelty_of(given.embedding, given.previous, calibration)
    return {"raw": found.raw, "novelty": found.value}


class _Reader:
    """The embedder of the settings, if it can be loaded, and the vectors of the anchors."""

    def __init__(self) -> None:
        from graphmem.opening import make_embedder

        self._runner = asyncio.Runner()
        embedder = make_embedder(load_settings(), threads=2)
        self.embedder: str | None = None
        self.anchors: Anchors | None = None
        self._loaded: Embedder | None = None
        try:
            self._runner.run(embedder.load())
            self.anchors = anchors_of(self._runner.run(embedder.embed(anchor_texts())), embedder.id)
        except GraphmemError:
            return
        self._loaded, self.embedder = embedder, embedder.id

    def vectors(self, texts: Sequence[str]) -> list[list[float]] | None:
        return self._runner.run(self._loaded.embed(texts)) if self._loaded else None


@cache
def _reader() -> _Reader:
    return _Reader()


TURN_RULES: Mapping[str, tuple[type[Value], Callable[[Any], Json]]] = {
    "overlays": (TryOverlays, _overlays),
    "importance": (TryImportance, _importance),
    "novelty": (TryNovelty, _novelty),
}
