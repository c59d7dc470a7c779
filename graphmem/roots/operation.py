"""Operation: jobs, chores, the doctor, backups, keys, import and export."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Self

from graphmem.adapters.caches import forget_texts
from graphmem.adapters.erasures import ErasureFiles
from graphmem.adapters.identity import new_salt, new_uuid7, utc_now
from graphmem.adapters.neo4j_server import RunningServer
from graphmem.graph.connection import Database
from graphmem.graph.continuity.compaction import JOB as COMPACT
from graphmem.graph.continuity.compaction import CompactionStore
from graphmem.graph.conversation.significance import JOB as BACKFILL
from graphmem.graph.knowledge.history import HistoryStore
from graphmem.graph.knowledge.rereading import JOB as REEXTRACT
from graphmem.graph.operation.backup import BackupStore
from graphmem.graph.operation.doctor import DoctorStore
from graphmem.graph.operation.erasing import ErasingStore
from graphmem.graph.operation.exporting import ExportStore
from graphmem.graph.operation.importing import ImportStore
from graphmem.graph.operation.jobs import JobStore
from graphmem.graph.operation.reindexing import ReindexStore
from graphmem.graph.operation.repair import RepairStore
from graphmem.graph.operation.sealing import SealStore
from graphmem.graph.operation.totals import TotalsStore
from graphmem.graph.operation.upkeep import UpkeepStore
from graphmem.graph.recall.grep import GrepStore
from graphmem.graph.requests import RequestStore
from graphmem.graph.schema import number_of, schema_statements
from graphmem.model.condensing import CONDENSE, CONDENSE_ALL
from graphmem.opening import make_keys, open_database, process_name
from graphmem.roots.continuity import Continuity
from graphmem.roots.conversation import Conversation
from graphmem.roots.impact import Impact
from graphmem.roots.knowledge import Knowledge
from graphmem.roots.recall import Recall
from graphmem.roots.world import World, payload_folder
from graphmem.services.knowledge.sweeping import KIND as SWEEP
from graphmem.services.operation.backup import Backups
from graphmem.services.operation.chores import Chore, Chores
from graphmem.services.operation.doctor import Doctor
from graphmem.services.operation.erasing import Erasing
from graphmem.services.operation.exporting import Exporting
from graphmem.services.operation.housekeeping import Housekeeping
from graphmem.services.operation.importing import Importing
from graphmem.services.operation.integrity import Integrity
from graphmem.services.operation.keys import Keys
from graphmem.services.operation.once import OnceOnly
from graphmem.services.operation.reindexing import REINDEX, Reindexing
from graphmem.services.operation.repair import Repairs
from graphmem.services.operation.status import Reporting
from graphmem.services.operation.telemetry import Telemetry
from graphmem.services.operation.work import END_SESSION, LEASE_S, Worker, WorkSettings
from graphmem.settings import Settings

# Seconds between two runs of the chores that nobody has a reason to time.
END_IDLE_SESSIONS_S = 60
FORGET_REQUESTS_S = 3600
COMPACT_SESSIONS_S = 5
FILL_GRAMS_S = 300
CONDENSE_STALE_S = 600
LIVING_CONFIDENCE_S = 86_400
FADE_FEEDBACK_S = 3600
FINISH_ERASURES_S = 60


@dataclass(frozen=True)
class Operation:
    jobs: JobStore
    upkeep: UpkeepStore
    totals: TotalsStore
    chores: Chores
    reindexing: Reindexing
    reporting: Reporting
    doctor: Doctor
    repairs: Repairs
    backups: Backups
    keys: Keys
    importing: Importing
    exporting: Exporting
    telemetry: Telemetry
    erasing: Erasing
    once: OnceOnly

    @classmethod
    def join(
        cls,
        world: World,
        conversation: Conversation,
        knowledge: Knowledge,
        recall: Recall,
        continuity: Continuity,
        impact: Impact,
    ) -> Self:
        settings, database, embedder = world.settings, world.database, world.embedder
        jobs, upkeep = JobStore(database), UpkeepStore(database)

        def forget() -> None:
            forget_texts()
            continuity.analysing.forget()

        erasing = Erasing(
            data=ErasingStore(database),
            records=ErasureFiles(settings.data_dir),
            jobs=jobs,
            upkeep=upkeep,
            sessions=conversation.sessions,
            compactions=CompactionStore(database),
            learning=knowledge.learning,
            recapping=continuity.recapping,
            payload_files=world.payload_files,
            forget=forget,
            hold=settings.legal_hold,
            managed=world.info.mode == "managed",
            recap_tokens=settings.recap_max_tokens,
            clock=utc_now,
            new_id=new_uuid7,
        )
        integrity = Integrity(SealStore(database), impact.provenance, world.payload_files, utc_now, new_uuid7, new_salt)
        chores = _chores(settings, database, upkeep, conversation, knowledge, recall, continuity, erasing, integrity)
        doctor = Doctor(
            reads=DoctorStore(database),
            derivations=impact.provenance,
            integrity=integrity,
            jobs=jobs,
            upkeep=upkeep,
            chores=chores,
            embedder=embedder,
            payload_files=world.payload_files,
            redact=settings.redact,
            clock=utc_now,
            doubts=settings.doubts(),
        )
        return cls(
            jobs=jobs,
            upkeep=upkeep,
            totals=TotalsStore(database),
            chores=chores,
            reindexing=Reindexing(
                data=ReindexStore(database),
                upkeep=upkeep,
                embedder=embedder,
                jobs=jobs,
                clock=utc_now,
                new_id=new_uuid7,
            ),
            reporting=Reporting(
                jobs=jobs,
                upkeep=upkeep,
                embedder=embedder,
                chores=chores,
                database=world.info,
                settings=settings.public(),
                guards=conversation.guards,
                analysing=continuity.analysing,
                judging=knowledge.judging,
            ),
            doctor=doctor,
            repairs=Repairs(
                doctor=doctor,
                writes=RepairStore(database),
                sessions=conversation.care,
                chores=chores,
                new_id=new_uuid7,
                holder=process_name(),
            ),
            backups=make_backups(settings, database),
            keys=make_keys(database),
            importing=Importing(
                imports=ImportStore(database), guards=conversation.guards, clock=utc_now, new_id=new_uuid7
            ),
            exporting=Exporting(reads=ExportStore(database), clock=utc_now),
            telemetry=Telemetry(HistoryStore(database)),
            erasing=erasing,
            once=OnceOnly(RequestStore(database), utc_now),
        )

    def worker(self, world: World, knowledge: Knowledge, continuity: Continuity) -> Worker:
        """A worker over the same database, with a name of its own."""
        settings = world.settings
        return Worker(
            jobs=self.jobs,
            upkeep=self.upkeep,
            embedder=world.embedder,
            chores=self.chores,
            settings=WorkSettings(poll_s=settings.job_poll_ms / 1000),
            clock=utc_now,
            holder=process_name(),
            jobs_of={
                END_SESSION: knowledge.learning.carry_on,
                SWEEP: knowledge.sweeping.carry_on,
                REEXTRACT: knowledge.rereading.carry_on,
                COMPACT: continuity.compacting.carry_on,
                BACKFILL: knowledge.backfilling.carry_on,
                CONDENSE: continuity.condensing.carry_on,
                CONDENSE_ALL: continuity.condensing.carry_on_all,
                REINDEX: self.reindexing.carry_on,
            },
            analysing=continuity.analysing,
        )


def _chores(
    settings: Settings,
    database: Database,
    upkeep: UpkeepStore,
    conversation: Conversation,
    knowledge: Knowledge,
    recall: Recall,
    continuity: Continuity,
    erasing: Erasing,
    integrity: Integrity,
) -> Chores:
    keeping = Housekeeping(
        upkeep=upkeep,
        conversations=conversation.intake,
        texts=GrepStore(database),
        session_idle_s=settings.idle_end_minutes * 60,
        clock=utc_now,
    )
    return Chores(
        upkeep,
        [
            Chore("seal_events", settings.event_seal_interval_s, keeping.seal_events),
            Chore("seal_content", settings.content_seal_interval_s, integrity.seal),
            Chore("end_idle_sessions", END_IDLE_SESSIONS_S, keeping.end_idle_sessions),
            Chore("forget_requests", FORGET_REQUESTS_S, keeping.forget_requests),
            Chore("compact_sessions", COMPACT_SESSIONS_S, continuity.compacting.queue),
            Chore("fill_grams", FILL_GRAMS_S, keeping.fill_grams),
            Chore("condense_stale", CONDENSE_STALE_S, continuity.condensing.queue_stale),
            Chore("find_unanalysed", settings.find_unanalysed_interval_s, continuity.analysing.find_older),
            Chore("retention", settings.retention_interval_s, knowledge.memories.retain),
            Chore("supersession_sweep", settings.supersession_sweep_interval_s, knowledge.sweeping.start_all),
            Chore("living_confidence", LIVING_CONFIDENCE_S, knowledge.confidence.step),
            Chore("fade_feedback", FADE_FEEDBACK_S, recall.fading.step),
            Chore("finish_erasures", FINISH_ERASURES_S, erasing.finish_interrupted),
        ],
        utc_now,
        LEASE_S,
    )


def make_backups(settings: Settings, database: Database) -> Backups:
    schema = number_of(schema_statements()[-1])
    return Backups(
        data=BackupStore(database),
        payloads=payload_folder(settings),
        schema=schema,
        settings=settings.public(),
        clock=utc_now,
    )


@asynccontextmanager
async def open_backups(settings: Settings, server: RunningServer | None) -> AsyncIterator[Backups]:
    """Backup and restore alone. Errors: as `connect_migrated`."""
    async with open_database(settings, server) as database:
        yield make_backups(settings, database)
