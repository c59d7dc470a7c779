"""Names that an input does not have, and the ones that were probably meant."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

MOST_LISTED = 12
"""Most names that are listed where none is near."""


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The name that was probably meant, as a sentence for an error; else those there are, if they are few.

    >>> did_you_mean("max_tokns", ["query", "maxTokens"])
    'did you mean maxTokens?'
    >>> did_you_mean("colour", ["query", "maxTokens"])
    'it takes maxTokens, query'
    """
    names = sorted(set(known))
    folded = {name.lower(): name for name in names}
    near = get_close_matches(to_camel(given.strip("_")).lower(), folded, n=1, cutoff=0.7)
    if near:
        return f"did you mean {folded[near[0]]}?"
    if not names:
        return "it takes none"
    return f"it takes {', '.join(names)}" if len(names) <= MOST_LISTED else ""


def fields_at(model: type[BaseModel], loc: Sequence[str | int]) -> list[str]:
    """The fields of the object in which a field was not known, by its path in the input; none where it takes any."""
    schema = model.model_json_schema()
    here = [schema]
    for part in loc[:-1]:
        inside = [found for one in here for found in _inside(one, part, schema)]
        here = inside or here  # a part that names a choice and no field
    return [name for one in here for each in _choices(one, schema) for name in each.get("properties", ())]


def _inside(one: dict[str, Any], part: str | int, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for each in _choices(one, schema):
        if isinstance(part, int):
            items = each.get("items")
            found = items if isinstance(items, dict) else None
        else:
            found = each.get("properties", {}).get(part)
        if found:
            yield found


def _choices(one: dict[str, Any], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema, or those it refers to."""
    if "$ref" in one:
        yield from _choices(schema["$defs"][one["$ref"].rpartition("/")[2]], schema)
    for key in ("anyOf", "oneOf", "allOf"):
        for choice in one.get(key, ()):
            yield from _choices(choice, schema)
    yield one
