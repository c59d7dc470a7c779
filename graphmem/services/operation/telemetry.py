"""Telemetry: what happened to the memory of an agent, event by event."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from graphmem.model.answers import Page, TelemetryEvent
from graphmem.rules.keeping.paging import FAR_FUTURE, LAST_ID, encode_cursor, moment
from graphmem.rules.privacy.redaction import without_secrets
from graphmem.services.ports import History

BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Telemetry:
    histories: History

    async def events(
        self,
        agent_id: str,
        names: Sequence[str],
        since: datetime | None,
        until: datetime | None,
        limit: int,
        cursor: str | None,
    ) -> Page[TelemetryEvent]:
        """The events of an agent with one of these names (all where none is given), newest first; from `since` on and
        before `until`.

        Errors: InvalidCursor.
        """
        before = moment(cursor) or ((until, "") if until else (FAR_FUTURE, LAST_ID))
        found = await self.histories.events(agent_id, sorted(set(names)), since or BEGINNING, before, limit + 1)
        found = [one.model_copy(update={"reason": one.reason and without_secrets(one.reason)}) for one in found]
        last = found[limit - 1] if len(found) > limit else None
        return Page[TelemetryEvent](
            items=tuple(found[:limit]), next_cursor=encode_cursor(last.at.isoformat(), last.id) if last else None
        )
