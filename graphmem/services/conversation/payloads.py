"""Payloads, returned as they were received."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.errors import NotFound, OutOfRange
from graphmem.model.change import PayloadRow
from graphmem.rules.language.keys import agent_key
from graphmem.rules.privacy.payloads import Payload
from graphmem.services.ports import PayloadBytes, PayloadRecords


@dataclass(frozen=True)
class PayloadPart:
    """`data` are the bytes from `offset` on, of `total`."""

    data: bytes
    offset: int
    total: int
    media_type: str


@dataclass(frozen=True)
class Payloads:
    records: PayloadRecords
    files: PayloadBytes

    async def read(self, agent_id: str, sha256: str, offset: int, limit: int | None) -> PayloadPart:
        """Bytes of a payload, all of them without a limit; the hash of the whole is checked each time.

        Errors: NotFound; OutOfRange beyond the end; PayloadDamaged.
        """
        found = await self.records.find(agent_id, sha256.lower())
        if found is None:
            raise NotFound(f"There is no payload {sha256!r}.")
        if offset >= found.bytes:
            raise OutOfRange(f"The payload has {found.bytes} bytes; there are none at offset {offset}.", found.bytes)
        data = await asyncio.to_thread(self.files.read, found.where, found.sha256)
        part = data[offset : None if limit is None else offset + limit]
        return PayloadPart(part, offset, len(data), found.media_type)


def put(files: PayloadBytes, agent_id: str, payloads: Iterable[Payload]) -> tuple[PayloadRow, ...]:
    """Write the bytes of payloads to disk and return their rows for the graph. Errors: OSError where they cannot be
    written."""
    key = agent_key(agent_id)
    return tuple(
        PayloadRow(
            sha256=payload.sha256,
            bytes=len(payload.data),
            media_type=payload.media_type,
            where=files.write(key, payload.sha256, payload.data),
        )
        for payload in payloads
    )
