"""Tool calls and their results: a model is given both or neither, for providers refuse one without the other."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from graphmem.model.context import SaidMessage
from graphmem.model.conversation import Part

Place = tuple[int, int]
"""A call or a result by its message's place in the list, and its own place in the message."""


def paired(messages: Sequence[SaidMessage]) -> list[SaidMessage]:
    """The messages, oldest first, without calls that have no later result among them and results without their call.

    A call is in `tool_calls` or a part of the type `tool_use`; a result is a message of the role `tool`, or a part of
    the type `tool_result`. Where an id repeats, a result belongs to the latest call that has none yet. A message that
    says nothing any more is left out.
    """
    if not any(message.tool_calls or message.parts or message.role == "tool" for message in messages):
        return list(messages)  # hundreds in a context, and mostly so
    kept = _answered(messages)
    shown = (_without(message, place, kept) for place, message in enumerate(messages))
    return [message for message in shown if message is not None]


def _answered(messages: Sequence[SaidMessage]) -> set[Place]:
    """Calls and results that belong together."""
    waiting: dict[str, list[Place]] = defaultdict(list)
    together: set[Place] = set()
    for place, message in enumerate(messages):
        for own, id_ in _results(message).items():
            if waiting[id_]:
                together |= {waiting[id_].pop(), (place, own)}
        for own, id_ in _calls(message).items():
            waiting[id_].append((place, own))
    return together


def _without(message: SaidMessage, place: int, kept: set[Place]) -> SaidMessage | None:
    called, resulted = _calls(message), _results(message)
    loose = {own for own in (*called, *resulted) if (place, own) not in kept}
    if not loose:
        return message
    if _WHOLE in loose:
        return None
    calls = tuple(call for own, call in enumerate(message.tool_calls or ()) if _call_place(own) not in loose)
    parts = tuple(part for own, part in enumerate(message.parts or ()) if own not in loose)
    if not message.text and not calls and not parts:
        return None
    return replace(message, tool_calls=calls or None, parts=parts or None)


_WHOLE = -1
"""The place of a result that is the message itself. Parts count from 0, calls in `tool_calls` down from -2."""


def _call_place(number: int) -> int:
    return -2 - number


def _calls(message: SaidMessage) -> dict[int, str]:
    calls = {_call_place(own): _id(call, "id") for own, call in enumerate(message.tool_calls or ())}
    return calls | _of_type(message.parts, "tool_use", "id")


def _results(message: SaidMessage) -> dict[int, str]:
    whole = {_WHOLE: message.tool_call_id or ""} if message.role == "tool" else {}
    return whole or _of_type(message.parts, "tool_result", "tool_use_id")


def _of_type(parts: Sequence[Part] | None, kind: str, key: str) -> dict[int, str]:
    return {own: _id(part, key) for own, part in enumerate(parts or ()) if part.get("type") == kind}


def _id(value: JsonValue | Mapping[str, JsonValue], key: str) -> str:
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, str) else ""
