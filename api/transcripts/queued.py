"""Prompts typed while Claude Code was working: they wait in a queue, and often stand in its lines only."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.transcripts.shape import table, text

TAKEN_BACK = "queued prompts that were taken back before they were sent"
SAID_LATER = "queued prompts that another line says"


class Queues:
    """What becomes of each line that puts a prompt into the queue of its session.

    `fate` maps the place of a line among all to the reason why it is no message: another line delivers its prompt, or
    the person took it back to edit it. All other queued prompts were said.
    """

    def __init__(self, lines: Sequence[object]) -> None:
        self.fate: dict[int, str] = {}
        self._waiting: dict[str | None, dict[int, str]] = {}
        for place, line in enumerate(map(table, lines)):
            waiting = self._waiting.setdefault(text(line.get("sessionId")), {})
            if (prompt := enqueued(line)) is not None:
                waiting[place] = prompt
            elif line.get("operation") == "popAll":
                taken = text(line.get("content"))
                self._leave(waiting, [at for at, told in waiting.items() if taken in (None, told)], TAKEN_BACK)
            elif said := delivered(line):
                self._leave(waiting, _those_in(said, waiting), SAID_LATER)

    def _leave(self, waiting: dict[int, str], places: Sequence[int], reason: str) -> None:
        for place in places:
            del waiting[place]
            self.fate[place] = reason


def enqueued(line: Mapping[str, Any]) -> str | None:
    """The prompt that a line puts into the queue."""
    return text(line.get("content")) if line.get("operation") == "enqueue" else None


def queued_command(line: Mapping[str, Any]) -> Any:
    """The prompt, or its blocks, that a line hands over in the midst of a turn."""
    attached = table(line.get("attachment"))
    return attached.get("prompt") if attached.get("type") == "queued_command" else None


def delivered(line: Mapping[str, Any]) -> str:
    """What a line says in the person's name."""
    content = queued_command(line)
    if line.get("type") == "user" and not line.get("isSidechain"):
        content = table(line.get("message")).get("content")
    blocks = content if isinstance(content, list) else [content]
    said = (block if isinstance(block, str) else text(table(block).get("text")) for block in blocks)
    return "\n".join(one for one in said if one).strip()


def _those_in(said: str, waiting: Mapping[int, str]) -> list[int]:
    """The first waiting prompt that is what was said, or the first ones that make it up together."""
    alone = next((place for place, prompt in waiting.items() if prompt.strip() == said), None)
    if alone is not None:
        return [alone]
    places = list(waiting)
    for count in range(2, len(places) + 1):
        if "\n".join(waiting[place].strip() for place in places[:count]) == said:
            return places[:count]
    return []
