"""Transcripts in our JSONL: one message a line, with the session it belongs to. The format is described in
examples/README.md."""

import json
from collections.abc import Iterable

from pydantic import ValidationError

from api.transcripts.shape import TranscriptSession
from graphmem.errors import InvalidInput
from graphmem.model.inputs import NewMessage, NewSession

_OF_SESSION = ("sessionId", "project", "source")


def read_transcript(lines: Iterable[str]) -> list[TranscriptSession]:
    """The sessions of a transcript in the order they begin.

    Errors: InvalidInput names the line and what is wrong with it; a transcript with a wrong line is refused as a whole.
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
        line.encode()
    except UnicodeEncodeError:
        raise InvalidInput.at("line", number, msg="is not UTF-8; convert the file") from None
    try:
        row = json.loads(line)
        # Neither NaN nor a lone surrogate could be sent.
        json.dumps(row, ensure_ascii=False, allow_nan=False).encode()
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
