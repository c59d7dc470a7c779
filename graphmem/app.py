"""The composition root: the only place that joins ports to adapters."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from graphmem.adapters.identity import new_uuid7, rules_id, utc_now
from graphmem.adapters.language_model import EndpointModel, ModelSettings
from graphmem.adapters.neo4j_server import RunningServer
from graphmem.adapters.parsing import SpacyParser
from graphmem.adapters.payloads import PayloadFiles
from graphmem.adapters.processes import Processes
from graphmem.adapters.reranking import EndpointReranker, RerankSettings
from graphmem.errors import GraphmemError
from graphmem.graph.answering import AnsweringStore
from graphmem.graph.backup import BackupStore
from graphmem.graph.care import SessionCareStore
from graphmem.graph.code import CodeStore
from graphmem.graph.cold import ColdStore
from graphmem.graph.compaction import JOB as COMPACT
from graphmem.graph.compaction import CompactionStore
from graphmem.graph.condensing import CondensingStore
from graphmem.graph.connection import Database
from graphmem.graph.context import ContextStore
from graphmem.graph.corrections import CorrectionStore
from graphmem.graph.descriptions import DescriptionStore
from graphmem.graph.doctor import DoctorStore
from graphmem.graph.entities import EntityStore
from graphmem.graph.expanding import ExpansionStore
from graphmem.graph.exploring import ExploringStore
from graphmem.graph.exporting import ExportStore
from graphmem.graph.fading import FadingStore
from graphmem.graph.feedback import FeedbackStore
from graphmem.graph.grep import GrepStore
from graphmem.graph.history import HistoryStore
from graphmem.graph.impact import ImpactStore
from graphmem.graph.importing import ImportStore
from graphmem.graph.jobs import JobStore
from graphmem.graph.knowledge import KnowledgeStore
from graphmem.graph.lattice import LatticeStore
from graphmem.graph.living import LivingStore
from graphmem.graph.merging import MergeStore
from graphmem.graph.payloads import PayloadStore
from graphmem.graph.provenance import ProvenanceStore
from graphmem.graph.reading import ReadingStore
from graphmem.graph.recap import RecapStore
from graphmem.graph.reindexing import ReindexStore, adopt
from graphmem.graph.repair import RepairStore
from graphmem.graph.rereading import JOB as REEXTRACT
from graphmem.graph.rereading import RereadingStore
from graphmem.graph.retrieval import RetrievalStore
from graphmem.graph.rollback import RollbackStore
from graphmem.graph.schema import number_of, require_embedder, schema_statements
from graphmem.graph.sessions import SessionStore
from graphmem.graph.significance import JOB as BACKFILL
from graphmem.graph.significance import SkippedStore
from graphmem.graph.superseding import SupersedingStore
from graphmem.graph.totals import TotalsStore
from graphmem.graph.turns import TurnStore
from graphmem.graph.upkeep import UpkeepStore
from graphmem.model.answers import DatabaseInfo
from graphmem.model.condensing import CONDENSE, CONDENSE_ALL
from graphmem.opening import Notice, connect_migrated, make_embedder, make_keys, open_database, process_name
from graphmem.rules.extraction import EXTRACTOR
from graphmem.rules.relations import compile_templates
from graphmem.rules.semantic import PROMPTS
from graphmem.rules.significance import CALIBRATIONS, Calibration
from graphmem.services.analysing import Analysing
from graphmem.services.answering import Answering, AnsweringSettings
from graphmem.services.assembling import Assembling
from graphmem.services.backfilling import Backfilling
from graphmem.services.backup import Backups, watch_for_backups
from graphmem.services.care import Care
from graphmem.services.changes import Changes
from graphmem.services.chores import Chore, Chores
from graphmem.services.compacting import Compacting
from graphmem.services.condensing import Condensing, CondensingSettings
from graphmem.services.conversations import Conversations, GateSettings
from graphmem.services.curating import Curating
from graphmem.services.describing import Describing
from graphmem.services.doctor import Doctor
from graphmem.services.entity_expansion import EntityExpansion
from graphmem.services.expanding import Expanding
from graphmem.services.exploring import Exploring
from graphmem.services.exporting import Exporting
from graphmem.services.fading import Fading
from graphmem.services.feedback import FeedingBack
from graphmem.services.grep import Grepping
from graphmem.services.guards import Guards
from graphmem.services.impacting import Impacting
from graphmem.services.importing import Importing
from graphmem.services.judging import Judging
from graphmem.services.keys import Keys
from graphmem.services.knowledge import Knowing
from graphmem.services.lattice import Lattice
from graphmem.services.learning import Learning, LearningSettings
from graphmem.services.living import Living
from graphmem.services.payloads import Payloads
from graphmem.services.ports import Embedder, LanguageModel, Reranker
from graphmem.services.reading import Reading
from graphmem.services.recall import Recalling
from graphmem.services.recapping import Recapping
from graphmem.services.reindexing import Reindexing
from graphmem.services.repair import Repairs
from graphmem.services.reranking import Reranking
from graphmem.services.rereading import Rereading
from graphmem.services.rolling_back import RollingBack
from graphmem.services.session_care import SessionCare
from graphmem.services.status import Reporting
from graphmem.services.summarising import Summarising
from graphmem.services.superseding import Superseding
from graphmem.services.sweeping import Sweeping, SweepSettings
from graphmem.services.telemetry import Telemetry
from graphmem.services.tending import RetentionSettings, Tending
from graphmem.services.tracing import Tracing
from graphmem.services.work import Worker, WorkSettings
from graphmem.settings import Settings

log = logging.getLogger(__name__)
CLOSE_WITHIN_S = 1.0
"""How long a last look at the database may take."""


def make_model(settings: Settings) -> LanguageModel | None:
    """The language model the settings ask for; None where they ask for none."""
    if not settings.model_url:
        return None
    return EndpointModel(
        ModelSettings(
            url=settings.model_url,
            names=settings.model_name,
            key=settings.model_key.get_secret_value() if settings.model_key else None,
            timeout_s=settings.model_timeout_s,
            retries=settings.model_retries,
            tokens_per_hour=settings.model_tokens_per_hour,
            tokens_per_day=settings.model_tokens_per_day,
            failures=settings.model_failures,
            rest_s=settings.model_rest_s,
        )
    )


def make_expansion_model(settings: Settings) -> LanguageModel | None:
    """The model that answers questions, where the settings set one apart; None where the one for all else does."""
    if not settings.expansion_model_name:
        return None
    main = settings.model_url if settings.expansion_model_url is None else settings.expansion_model_url
    assert main is not None  # noqa: S101 - the settings refuse a name without an address
    key = settings.expansion_model_key or (settings.model_key if settings.expansion_model_url is None else None)
    return EndpointModel(
        ModelSettings(
            url=main,
            names=settings.expansion_model_name,
            key=key.get_secret_value() if key else None,
            timeout_s=settings.expansion_timeout_s,
            retries=settings.model_retries,
            tokens_per_hour=settings.model_tokens_per_hour,
            tokens_per_day=settings.model_tokens_per_day,
            failures=settings.model_failures,
            rest_s=settings.model_rest_s,
        )
    )


def make_reranker(settings: Settings) -> Reranker | None:
    """The reranker the settings ask for; None where they ask for none."""
    if not settings.rerank_url:
        return None
    return EndpointReranker(
        RerankSettings(
            url=settings.rerank_url,
            model=settings.rerank_model,
            key=settings.rerank_key.get_secret_value() if settings.rerank_key else None,
            timeout_s=settings.rerank_timeout_s,
            failures=settings.model_failures,
            rest_s=settings.model_rest_s,
        )
    )


def learning_settings(settings: Settings) -> LearningSettings:
    """The extractor is named by its rules, and by the models that read before them."""
    models = settings.model_name if settings.model_url else ()
    return LearningSettings(
        limits=settings.extraction_limits,
        supersede=settings.supersession_enabled,
        min_confidence=settings.supersession_min_confidence,
        proposals_only=settings.proposals_only,
        chunk_messages=settings.extraction_chunk_messages,
        chunk_tokens=settings.extraction_chunk_tokens,
        extractor=" ".join((EXTRACTOR, *models)),
        rules=rules_id(),
    )


def make_changes(graphmem: "Graphmem") -> Changes:
    return Changes(CodeStore(graphmem.database, new_uuid7), graphmem.impacting)


@asynccontextmanager
async def open_backups(settings: Settings, server: RunningServer | None) -> AsyncIterator[Backups]:
    """Backup and restore alone. Errors: as `connect_migrated`."""
    async with open_database(settings, server) as database:
        yield make_backups(settings, database)


def make_backups(settings: Settings, database: Database) -> Backups:
    schema = number_of(schema_statements()[-1])
    return Backups(BackupStore(database), payload_folder(settings), schema, settings.public(), utc_now)


@asynccontextmanager
async def open_care(settings: Settings, server: RunningServer | None) -> "AsyncIterator[Graphmem]":
    """All services, for a command that looks after the store: no model is loaded. Errors: as `Graphmem.open`."""
    opened = await Graphmem.open(settings, server, load_models=False)
    try:
        yield opened
    finally:
        await opened.close()


@asynccontextmanager
async def open_adopted(
    settings: Settings, server: RunningServer | None, tell: Callable[[int], None]
) -> "AsyncIterator[tuple[Graphmem, bool]]":
    """All services over a store that belongs to the embedder of the settings from now on, and whether it did not
    before. Errors: as `Graphmem.open`, but for EmbedderMismatch."""
    embedder = make_embedder(settings, threads=1)
    try:
        database, _ = await connect_migrated(settings, server, embedder)
        try:
            changed = await adopt(database, embedder.id, embedder.dimensions, utc_now(), tell)
        finally:
            await database.close()
    finally:
        await embedder.close()
    async with open_care(settings, server) as opened:
        yield opened, changed


def payload_folder(settings: Settings) -> Path:
    return settings.data_dir / "payloads"


@dataclass
class Graphmem:
    """All services over one database. Made by `open`, ended by `close`."""

    settings: Settings
    database: Database
    embedder: Embedder
    model: LanguageModel | None
    judging: Judging | None
    parser: SpacyParser
    conversations: Conversations
    reading: Reading
    describing: Describing
    expanding: Expanding
    answering: Answering
    answering_model: LanguageModel | None
    reranker: Reranker | None
    reranking: Reranking | None
    compacting: Compacting
    learning: Learning
    rereading: Rereading
    recalling: Recalling
    tracing: Tracing
    assembling: Assembling
    grepping: Grepping
    lattice: Lattice
    recapping: Recapping
    knowing: Knowing
    impacting: Impacting
    importing: Importing
    telemetry: Telemetry
    tending: Tending
    curating: Curating
    feeding_back: FeedingBack
    exploring: Exploring
    superseding: Superseding
    rolling_back: RollingBack
    exporting: Exporting
    sweeping: Sweeping
    analysing: Analysing
    reindexing: Reindexing
    backfilling: Backfilling
    condensing: Condensing
    reporting: Reporting
    chores: Chores
    doctor: Doctor
    repairs: Repairs
    session_care: SessionCare
    backups: Backups
    keys: Keys
    guards: Guards
    payloads: Payloads
    jobs: JobStore
    upkeep: UpkeepStore
    totals: TotalsStore
    _loading: asyncio.Task[None] | None = None
    _watching: asyncio.Task[None] | None = None
    _closing: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def open(
        cls,
        settings: Settings,
        server: RunningServer | None,
        *,
        notice: Notice | None = None,
        embedding_threads: int = 2,
        load_models: bool = True,
    ) -> Self:
        """Connected, with the schema up to date; models go on loading in the background, unless told not to.

        Errors: DatabaseUnavailable, DatabaseRefused, SchemaMismatch, EmbedderMismatch; ModelUnavailable when an
        embedding endpoint never said how long its vectors are.
        """
        embedder = make_embedder(settings, embedding_threads)
        database, version = await connect_migrated(settings, server, embedder, notice)
        try:
            await require_embedder(database, embedder.id, embedder.dimensions, utc_now())
            info = DatabaseInfo(mode="managed" if server else "own", address=database.address, version=version)
            opened = cls._join(settings, database, embedder, info)
        except BaseException:
            await database.close()
            raise
        if load_models:
            opened._loading = asyncio.create_task(opened._load_models())
        opened._watching = asyncio.create_task(watch_for_backups(BackupStore(database), opened._closing))
        return opened

    @classmethod
    def _join(cls, settings: Settings, database: Database, embedder: Embedder, info: DatabaseInfo) -> Self:
        sessions = SessionStore(database, threshold=settings.compaction_threshold, arc_sessions=settings.arc_sessions)
        knowledge = KnowledgeStore(database)
        retrieval, jobs, upkeep = RetrievalStore(database), JobStore(database), UpkeepStore(database)
        parser, model = SpacyParser(), make_model(settings)
        payload_files = PayloadFiles(payload_folder(settings))
        guards = Guards(settings.guards(), sessions, payload_files)
        learns = learning_settings(settings)
        judge = " ".join((PROMPTS, *settings.model_name))
        judging = Judging(model, judge) if model and settings.asks_about_facts else None
        learning = Learning(sessions, knowledge, parser, learns, utc_now, new_uuid7, guards, model, judging)
        rereading = Rereading(
            sessions, knowledge, RereadingStore(database), learning, parser, learns, guards, utc_now, new_uuid7, model
        )
        gate = GateSettings(settings.gate(), CALIBRATIONS.get(embedder.id, Calibration()))
        conversations = Conversations(sessions, guards, utc_now, new_uuid7, settings.retain_depth, gate)
        recapping = Recapping(RecapStore(database), sessions, guards, utc_now, new_uuid7)
        compacting = Compacting(
            CompactionStore(database),
            Summarising(settings.compaction_bounds, model),
            recapping,
            guards,
            settings.compaction_bounds,
            settings.turns,
            settings.compaction_patience_s,
            settings.recap_max_tokens,
            utc_now,
            new_uuid7,
        )
        reranker = make_reranker(settings)
        reranking = Reranking(reranker, settings.rerank_weight) if reranker else None
        recalling = Recalling(retrieval, embedder, utc_now, reranking)
        answering_model = make_expansion_model(settings) or model
        knowing = Knowing(knowledge, guards, utc_now, new_uuid7)
        reading = Reading(ReadingStore(database), sessions, knowledge)
        payload_records = PayloadStore(database)
        payloads = Payloads(payload_records, payload_files)
        describing = Describing(DescriptionStore(database), sessions, guards, payload_records, payload_files)
        histories = HistoryStore(database)
        tending = Tending(
            ColdStore(database),
            CorrectionStore(database),
            histories,
            knowledge,
            learning,
            guards,
            RetentionSettings(settings.retain_days, settings.retain_importance),
            utc_now,
            new_uuid7,
        )
        curating = Curating(EntityStore(database), MergeStore(database), guards, utc_now, new_uuid7)
        supersessions = SupersedingStore(database)
        superseding = Superseding(supersessions, knowledge, guards, utc_now, new_uuid7)
        rolling_back = RollingBack(RollbackStore(database), knowledge, guards, utc_now, new_uuid7)
        sweeping = Sweeping(
            supersessions,
            knowledge,
            ColdStore(database),
            jobs,
            SweepSettings(
                enabled=settings.supersession_enabled,
                by_itself=settings.supersession_sweep_enabled,
                min_confidence=settings.supersession_min_confidence,
                proposals_only=settings.proposals_only,
                rules=rules_id(),
            ),
            utc_now,
            new_uuid7,
            Processes().run,
            judging,
        )
        analysing = Analysing(TurnStore(database), sessions, embedder, settings.turns, utc_now)
        condensing = Condensing(
            CondensingStore(database),
            jobs,
            CondensingSettings(settings.arc_sessions, settings.epoch_arcs),
            utc_now,
            new_uuid7,
            model,
        )
        living_store = LivingStore(database)
        living = Living(living_store, living_store, ColdStore(database), settings.vitality, utc_now, new_uuid7)
        fading = Fading(FadingStore(database), living_store, settings.feedback_half_life_sessions, utc_now, new_uuid7)
        grep_texts = GrepStore(database)
        care = Care(upkeep, conversations, grep_texts, settings.idle_end_minutes * 60, utc_now)
        chores = Chores(
            upkeep,
            [
                Chore("seal_events", settings.event_seal_interval_s, care.seal_events),
                Chore("end_idle_sessions", settings.end_idle_sessions_interval_s, care.end_idle_sessions),
                Chore("forget_requests", settings.forget_requests_interval_s, care.forget_requests),
                Chore("compact_sessions", settings.compaction_interval_s, compacting.queue),
                Chore("fill_grams", settings.fill_grams_interval_s, care.fill_grams),
                Chore("condense_stale", settings.condense_stale_interval_s, condensing.queue_stale),
                Chore("find_unanalysed", settings.find_unanalysed_interval_s, analysing.find_older),
                Chore("retention", settings.retention_interval_s, tending.retain),
                Chore("supersession_sweep", settings.supersession_sweep_interval_s, sweeping.start_all),
                Chore("living_confidence", settings.living_confidence_interval_s, living.step),
                Chore("fade_feedback", settings.fade_feedback_interval_s, fading.step),
            ],
            utc_now,
            settings.job_lease_s,
        )
        provenance = ProvenanceStore(database)
        doctor = Doctor(
            DoctorStore(database),
            provenance,
            jobs,
            upkeep,
            chores,
            embedder,
            payload_files,
            settings.redact,
            utc_now,
            settings.doubts(),
        )
        session_care = SessionCare(
            SessionCareStore(database, settings.arc_sessions),
            payload_files,
            settings.guards(),
            settings.fresh_tail,
            utc_now,
            new_uuid7,
        )
        return cls(
            settings=settings,
            database=database,
            embedder=embedder,
            model=model,
            answering_model=answering_model,
            judging=judging,
            parser=parser,
            conversations=conversations,
            reading=reading,
            describing=describing,
            expanding=Expanding(
                describing,
                reading,
                knowing,
                payloads,
                EntityExpansion(
                    knowledge, ExpansionStore(database), embedder, settings.expand_timeout_ms / 1000, utc_now
                ),
            ),
            answering=Answering(
                recalling,
                AnsweringStore(database),
                knowledge,
                embedder,
                answering_model,
                AnsweringSettings(settings.expansion_context_tokens, settings.expansion_timeout_s),
                utc_now,
            ),
            reranker=reranker,
            reranking=reranking,
            compacting=compacting,
            learning=learning,
            rereading=rereading,
            tracing=Tracing(provenance, describing, embedder),
            recalling=recalling,
            assembling=Assembling(ContextStore(database), recalling, embedder, settings.injection(), utc_now),
            grepping=Grepping(grep_texts),
            lattice=Lattice(LatticeStore(database), settings.overlay_threshold),
            recapping=recapping,
            knowing=knowing,
            importing=Importing(ImportStore(database), guards, utc_now, new_uuid7),
            impacting=Impacting(knowing, ImpactStore(database), utc_now),
            telemetry=Telemetry(histories),
            tending=tending,
            curating=curating,
            feeding_back=FeedingBack(FeedbackStore(database), guards, utc_now, new_uuid7),
            exploring=Exploring(knowledge, ExploringStore(database), utc_now),
            superseding=superseding,
            rolling_back=rolling_back,
            exporting=Exporting(ExportStore(database), utc_now),
            sweeping=sweeping,
            analysing=analysing,
            reindexing=Reindexing(ReindexStore(database), upkeep, embedder, jobs, utc_now, new_uuid7),
            backfilling=Backfilling(SkippedStore(database), learning, utc_now, new_uuid7),
            condensing=condensing,
            reporting=Reporting(jobs, upkeep, embedder, chores, info, settings.public(), guards, analysing, judging),
            chores=chores,
            doctor=doctor,
            repairs=Repairs(doctor, RepairStore(database), session_care, chores, new_uuid7, process_name()),
            session_care=session_care,
            backups=make_backups(settings, database),
            keys=make_keys(database),
            guards=guards,
            payloads=payloads,
            jobs=jobs,
            upkeep=upkeep,
            totals=TotalsStore(database),
        )

    def worker(self) -> Worker:
        """A worker over the same database, with a name of its own."""
        settings = WorkSettings(
            lease_s=self.settings.job_lease_s,
            poll_s=self.settings.job_poll_ms / 1000,
            embedding_batch=self.settings.embedding_batch,
        )
        return Worker(
            self.jobs,
            self.upkeep,
            self.learning,
            self.sweeping,
            self.embedder,
            self.chores,
            settings,
            utc_now,
            process_name(),
            {
                REEXTRACT: self.rereading.carry_out,
                COMPACT: self.compacting.carry_out,
                BACKFILL: self.backfilling.carry_out,
                CONDENSE: self.condensing.carry_out,
            },
            {CONDENSE_ALL: self.condensing.carry_out_all},
            self.analysing,
            self.reindexing,
        )

    async def _load_models(self) -> None:
        try:
            await self.embedder.load()
            await asyncio.to_thread(self.parser.load)
            await asyncio.to_thread(compile_templates)
        except GraphmemError as error:
            log.error(
                "a model cannot be loaded; texts are found by words", extra={"error": error.code, "why": str(error)}
            )

    async def models_loaded(self) -> None:
        """Returns when loading has ended, well or not."""
        if self._loading:
            await asyncio.wait([self._loading])

    async def close(self) -> None:
        self._closing.set()
        if self._watching:  # cancelled while it connects, the driver would leave a socket open
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._watching, CLOSE_WITHIN_S)
        if self._loading:
            self._loading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._loading
        if self.model:
            await self.model.close()
        if self.answering_model and self.answering_model is not self.model:
            await self.answering_model.close()
        if self.reranker:
            await self.reranker.close()
        await self.embedder.close()
        await self.database.close()
