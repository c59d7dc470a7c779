"""Reads what an id refers to, as much as fits."""

import asyncio
import base64
from dataclasses import dataclass

from graphmem.errors import InvalidCursor
from graphmem.model.answers import ExpandedSummary, Expansion
from graphmem.model.conversation import PayloadRef
from graphmem.model.inputs import Expand, ExpandId, ExpandSummary
from graphmem.model.knowledge import Attribute, Memory
from graphmem.model.reading import Description, ExpandedMessage, ExpandedPayload
from graphmem.rules.keeping.paging import encode_cursor, places
from graphmem.rules.language.budget import fit
from graphmem.rules.language.text import TOKEN_COUNTER
from graphmem.rules.summaries.excerpts import most_chars
from graphmem.services.conversation.describing import Describing
from graphmem.services.conversation.payloads import Payloads
from graphmem.services.conversation.reading import Reading
from graphmem.services.knowledge.entities import Entities
from graphmem.services.recall.entity_expansion import EntityExpansion

PAGED = frozenset({"message", "summary", "payload"})
"""Kinds of things that are read page by page."""
Expanded = Expansion | ExpandedSummary | ExpandedMessage | ExpandedPayload | Memory | Attribute | Description


@dataclass(frozen=True)
class Expanding:
    describing: Describing
    reading: Reading
    knowing: Entities
    payloads: Payloads
    entities: EntityExpansion

    async def expand(self, agent_id: str, id_: str, asked: ExpandId) -> Expanded:
        """What an id refers to, as the route of its kind returns it; without a text of its own, as `describe` returns
        it.

        Errors: NotFound; InvalidCursor; PayloadDamaged.
        """
        kind, own = await self.describing.find(agent_id, id_)
        if asked.cursor and kind not in PAGED:
            raise InvalidCursor(f"{kind} {id_!r} is answered at once: there is no page behind it.")
        if kind == "message":
            return await self.reading.expand_message(agent_id, own, asked.max_tokens, asked.cursor)
        if kind == "summary":
            given = ExpandSummary.model_construct(max_tokens=asked.max_tokens, cursor=asked.cursor)
            return await self.reading.expand_summary(agent_id, own, given)
        if kind == "payload":
            return await self._payload(agent_id, own, asked)
        if kind == "entity":
            return await self.entities.expand(agent_id, Expand.model_construct(entity=own, max_tokens=asked.max_tokens))
        if kind in ("memory", "attribute"):
            return await self.knowing.memory(agent_id, own)
        return await self.describing.describe(agent_id, own, kind)

    async def _payload(self, agent_id: str, sha256: str, asked: ExpandId) -> ExpandedPayload:
        part = await self.payloads.read(agent_id, sha256, 0, None)
        (offset,) = places(asked.cursor, 1)
        stretch = await asyncio.to_thread(_stretch, part.data, offset, asked.max_tokens)
        return ExpandedPayload(
            payload=PayloadRef(sha256=sha256, bytes=part.total, media_type=part.media_type),
            encoding="text" if stretch.is_text else "base64",
            text=stretch.text,
            used_tokens=stretch.used_tokens,
            truncated=stretch.following is not None,
            next_cursor=None if stretch.following is None else encode_cursor(str(stretch.following)),
            token_counter=TOKEN_COUNTER,
        )


@dataclass(frozen=True)
class _Stretch:
    """`following` is where to continue: a character of a text, else a byte."""

    text: str
    is_text: bool
    used_tokens: int
    following: int | None


def _stretch(data: bytes, offset: int, max_tokens: int) -> _Stretch:
    try:
        whole = data.decode()
    except UnicodeDecodeError:
        return _of_bytes(data, offset, max_tokens)
    fitted = fit([whole[offset : offset + most_chars(max_tokens)]], max_tokens)
    end = offset + len(fitted.texts[0])
    return _Stretch(fitted.texts[0], True, fitted.used_tokens, end if end < len(whole) else None)


def _of_bytes(data: bytes, offset: int, max_tokens: int) -> _Stretch:
    """In whole groups of four characters, so that the rest is valid base64 too."""
    encoded = base64.b64encode(data[offset : offset + most_chars(max_tokens)]).decode()
    fitted = fit([encoded], max_tokens)
    shown = fitted.texts[0]
    if len(shown) < len(encoded):
        shown = shown[: len(shown) // 4 * 4]
    end = offset + len(base64.b64decode(shown))
    return _Stretch(shown, False, fitted.used_tokens, end if end < len(data) else None)
