"""Transcripts in our JSONL: one message a line, with the session it belongs to. The format is told in
examples/README.md."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError
from rich.console import Console
from rich.progress import Progress

from graphmem.client import GraphmemClient
from graphmem.errors import InvalidInput
from graphmem.model.inputs import NewMessage, NewSession

BATCH = 100
"""Messages sent in one request."""
_OF_SESSION = ("sessionId", "project", "source")


@dataclass
class TranscriptSession:
    """One session of a transcript, its messages in the order of the file."""

    opening: NewSession
    messages: list[NewMessage] = field(default_factory=list)


def read_transcript(lines: Iterable[str]) -> list[TranscriptSession]:
    """The sessions of a transcript in the order they begin.

    Errors: InvalidInput names the line and what is wrong with it; nothing is taken from a transcript with a wrong line.
    """
    sessions: dict[str, TranscriptSession] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        opening, message = _read_line(number, line)
        session_id = opening.session_id or ""
        session = sessions.setdefault(
            session_id, TranscriptSession(opening.model_copy(update={"started_at": message.created_at}))
        )
        session.messages.append(message)
    if not sessions:
        raise InvalidInput("The transcript is empty: it needs one JSON object a line, as examples/README.md shows.")
    return list(sessions.values())


def _read_line(number: int, line: str) -> tuple[NewSession, NewMessage]:
    try:
        row = json.loads(line)
        json.dumps(row, ensure_ascii=False).encode()  # half of a surrogate pair is no text and could not be sent
    except (ValueError, RecursionError) as error:
        raise InvalidInput.at("line", number, msg=f"no JSON: {error}") from None
    if not isinstance(row, dict) or not isinstance(row.get("sessionId"), str):
        raise InvalidInput.at("line", number, msg="needs a sessionId, and the message's role and content")
    try:
        opening = NewSession.model_validate({key: row[key] for key in _OF_SESSION if key in row})
        message = NewMessage.model_validate({key: value for key, value in row.items() if key not in _OF_SESSION})
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidInput.at("line", number, *first["loc"], msg=str(first["msg"])) from None
    return opening, message


@dataclass(frozen=True)
class Loaded:
    """What loading a transcript did, in messages and sessions."""

    sessions: int
    stored: int
    duplicates: int


def load(client: GraphmemClient, sessions: Sequence[TranscriptSession], *, wait: bool) -> Loaded:
    """Send sessions and end those that brought something new; with `wait`, until everything can be recalled."""
    stored = duplicates = 0
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("Conversations", total=sum(len(session.messages) for session in sessions))
        for session in sessions:
            opened = client.open_session(**session.opening.model_dump(exclude_unset=True))
            for start in range(0, len(session.messages), BATCH):
                batch = session.messages[start : start + BATCH]
                receipt = client.add_messages(
                    opened.session_id,
                    [message.model_dump(mode="json", by_alias=True, exclude_unset=True) for message in batch],
                )
                stored += receipt.stored
                duplicates += receipt.duplicates
                progress.advance(bar, len(batch))
            client.end_session(opened.session_id, wait=wait)  # answers at once when nothing is left to read
    return Loaded(len(sessions), stored, duplicates)
