"""What a language model is asked, and the pieces of its answer, each checked by itself."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


@dataclass(frozen=True, slots=True)
class Question:
    """`system` gives the instructions and contains nothing that anybody sent; `data` is what they apply to. `schema` is
    the JSON schema of the answer, None for one in plain text."""

    system: str
    data: str
    schema: Mapping[str, Any] | None


def _share(given: object) -> object:
    number = given if isinstance(given, int | float) and not isinstance(given, bool) else None
    return min(max(float(number), 0.0), 1.0) if number is not None and math.isfinite(number) else None


def _texts(given: object) -> object:
    return tuple(one for one in given if isinstance(one, str)) if isinstance(given, list | tuple) else ()


def _items(given: object) -> object:
    return given if isinstance(given, list) else [] if given is None else [given]


def _text_or_none(given: object) -> object:
    return given if isinstance(given, str) else None


Share = Annotated[float | None, BeforeValidator(_share)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]
Items = Annotated[list[Any], BeforeValidator(_items)]
Said = Annotated[str | None, BeforeValidator(_text_or_none)]


class Claimed(BaseModel):
    """A piece of an answer. Required fields have the right type; optional ones are None where they are wrong; others
    are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ClaimedEntity(Claimed):
    name: str
    type: Said = None
    aliases: Texts = ()


class ClaimedStatement(Claimed):
    message: Annotated[int | None, BeforeValidator(lambda given: given if type(given) is int else None)] = None
    quote: str
    content: Said = None
    type: Said = None
    importance: Share = None
    since: Said = None
    facts: Items = []
    dependencies: Items = []


class ClaimedFact(Claimed):
    entity: str
    aspect: Said = None
    content: str
    kind: Said = None
    confidence: Share = None


class ClaimedDependency(Claimed):
    source: str
    target: str
    type: str
