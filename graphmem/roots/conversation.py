"""Conversations: taken in word for word, read back, and cared for."""

from dataclasses import dataclass
from typing import Self

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.graph.conversation.descriptions import DescriptionStore
from graphmem.graph.conversation.payloads import PayloadStore
from graphmem.graph.conversation.reading import ReadingStore
from graphmem.graph.conversation.session_care import SessionCareStore
from graphmem.graph.conversation.sessions import SessionStore
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.roots.world import World
from graphmem.rules.turns.significance import CALIBRATIONS, Calibration
from graphmem.services.conversation.describing import Describing
from graphmem.services.conversation.guards import Guards
from graphmem.services.conversation.intake import GateSettings, Intake
from graphmem.services.conversation.payloads import Payloads
from graphmem.services.conversation.reading import Reading
from graphmem.services.conversation.session_care import SessionCare


@dataclass(frozen=True)
class Conversation:
    sessions: SessionStore
    guards: Guards
    intake: Intake
    reading: Reading
    describing: Describing
    payloads: Payloads
    care: SessionCare

    @classmethod
    def join(cls, world: World) -> Self:
        settings, database = world.settings, world.database
        sessions = SessionStore(database, threshold=settings.compaction_threshold, arc_sessions=settings.arc_sessions)
        guards = Guards(settings.guards(), sessions, world.payload_files)
        payload_records = PayloadStore(database)
        return cls(
            sessions=sessions,
            guards=guards,
            intake=Intake(
                sessions=sessions,
                guards=guards,
                clock=utc_now,
                new_id=new_uuid7,
                retain_depth=settings.retain_depth,
                gate=GateSettings(settings.gate(), CALIBRATIONS.get(world.embedder.id, Calibration())),
            ),
            reading=Reading(ReadingStore(database), sessions, KnowledgeStore(database), utc_now),
            describing=Describing(
                descriptions=DescriptionStore(database),
                sessions=sessions,
                guards=guards,
                payloads=payload_records,
                files=world.payload_files,
            ),
            payloads=Payloads(records=payload_records, files=world.payload_files),
            care=SessionCare(
                data=SessionCareStore(database, settings.arc_sessions),
                payload_files=world.payload_files,
                guards=settings.guards(),
                fresh_tail=settings.fresh_tail,
                clock=utc_now,
                new_id=new_uuid7,
            ),
        )
