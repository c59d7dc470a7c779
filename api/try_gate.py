"""`graphmem try gate`: would a session with these turns be read?"""

from typing import Annotated, Any

from pydantic import AliasChoices, Field

from graphmem.model.conversation import Role
from graphmem.model.significance import Spoken
from graphmem.model.value import Value
from graphmem.rules.turns.significance import Thresholds, judge, substantive_turns
from graphmem.settings import load_settings


class Turn(Value):
    role: Role
    text: Annotated[str, Field(validation_alias=AliasChoices("text", "content"))]


class GateThresholds(Value):
    """Missing values are those of the settings."""

    min_turns: Annotated[int, Field(ge=0)] | None = None
    min_entity_overlap: Annotated[int, Field(ge=0)] | None = None
    novelty_threshold: Annotated[float, Field(ge=0, le=1)] | None = None


class TriedGate(Value):
    """`entity_hits`: how many important entities are mentioned."""

    turns: tuple[Turn, ...]
    entity_hits: Annotated[int, Field(ge=0)]
    novelty: Annotated[float, Field(ge=0, le=1)]
    thresholds: GateThresholds = GateThresholds()


def try_gate(given: TriedGate) -> dict[str, Any]:
    turns = substantive_turns(Spoken(turn.role, turn.text) for turn in given.turns)
    own, said = load_settings().gate(), given.thresholds
    thresholds = Thresholds(
        own.min_turns if said.min_turns is None else said.min_turns,
        own.min_entity_overlap if said.min_entity_overlap is None else said.min_entity_overlap,
        own.novelty_threshold if said.novelty_threshold is None else said.novelty_threshold,
    )
    return judge(turns, given.entity_hits, given.novelty, thresholds).model_dump(mode="json")
