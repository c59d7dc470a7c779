"""Sends sessions to a running service, in batches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from api.progress import progress_bar
from api.transcripts.shape import TranscriptSession
from graphmem.client import GraphmemClient
from graphmem.errors import MessageChanged
from graphmem.model.inputs import NewMessage

BATCH = 100
"""Most messages sent in one request."""
BATCH_BYTES = 8 * 1024 * 1024
"""Most bytes of messages sent in one request, except for a single longer one."""
MOST_BYTES = 63 * 1024 * 1024
"""Longest message that fits a request: the service accepts bodies of 64 MiB."""


@dataclass(frozen=True)
class Loaded:
    """The result of loading a transcript, in messages and sessions."""

    sessions: int
    stored: int
    duplicates: int


@dataclass
class Sent:
    """The result of what was sent so far, in messages. `changed` are the ids of those that are stored with other
    content."""

    stored: int = 0
    duplicates: int = 0
    ignored: int = 0
    too_big: int = 0
    changed: list[str] = field(default_factory=list)


def wait_until_read(client: GraphmemClient, session_ids: Sequence[str]) -> int:
    """Waits until everything of ended sessions can be recalled, or their time is up; returns how many are still unread.
    The worker reads all sessions at once, so they wait together."""
    if not session_ids:
        return 0
    unread, all_of_them = 0, len(session_ids)
    with progress_bar() as bar:
        task = bar.add_task(f"0 of {all_of_them} sessions read", total=all_of_them)
        for number, session_id in enumerate(session_ids, start=1):
            unread += client.end_session(session_id, wait=True).pipeline == "queued"
            bar.update(task, completed=number, description=f"{number - unread} of {all_of_them} sessions read")
    return unread


def load(client: GraphmemClient, sessions: Sequence[TranscriptSession], *, wait: bool) -> Loaded:
    """Send sessions and end those that brought something new; with `wait`, until everything can be recalled.

    Errors: MessageChanged once the rest is stored.
    """
    total = Sent()
    with progress_bar() as progress:
        bar = progress.add_task("Conversations", total=sum(len(session.messages) for session in sessions))
        for session in sessions:
            if send(client, session, total, lambda count: progress.advance(bar, count)):
                client.end_session(session.opening.session_id or "", wait=wait)
    if total.changed:
        raise MessageChanged(f"Messages {total.changed} are stored with other content; the rest is stored.")
    return Loaded(len(sessions), total.stored, total.duplicates)


def send(client: GraphmemClient, session: TranscriptSession, sent: Sent, advance: Callable[[int], None]) -> bool:
    """Store a session's messages, but for those that are stored with other content, and count them in `sent` batch by
    batch, so that the counts are right when this fails.

    False where the service ignored all of them: then there may be no session to end.
    """
    before = sent.ignored
    opened = client.open_session(**session.opening.model_dump(exclude_unset=True))
    for batch, count in batches(session.messages):
        if batch:
            receipt = client.add_messages(opened.session_id, batch, on_changed="skip")
            sent.stored += receipt.stored
            sent.duplicates += receipt.duplicates
            sent.ignored += receipt.ignored
            sent.changed += [message.message_id or "" for message in receipt.messages if message.status == "changed"]
        sent.too_big += count - len(batch)
        advance(count)
    return not 0 < len(session.messages) == sent.ignored - before


def batches(messages: Sequence[NewMessage]) -> Iterator[tuple[list[dict[str, JsonValue]], int]]:
    """The batches to send, each with how many messages of the session it covers: those that are too big for a request
    are not in it."""
    batch: list[dict[str, JsonValue]] = []
    count = size = 0
    for message in messages:
        length = len(message.model_dump_json(by_alias=True, exclude_unset=True))
        if batch and (len(batch) == BATCH or size + length > BATCH_BYTES):
            yield batch, count
            batch, count, size = [], 0, 0
        count += 1
        if length <= MOST_BYTES:
            batch.append(message.model_dump(mode="json", by_alias=True, exclude_unset=True))
            size += length
    yield batch, count
