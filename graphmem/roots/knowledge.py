"""Knowledge: what is learned from conversations, corrected by people, and superseded by what is newer."""

from dataclasses import dataclass
from typing import Self

from graphmem.adapters.identity import new_uuid7, rules_id, utc_now
from graphmem.adapters.processes import Processes
from graphmem.graph.conversation.significance import SkippedStore
from graphmem.graph.knowledge.cold import ColdStore
from graphmem.graph.knowledge.confidence import LivingStore
from graphmem.graph.knowledge.corrections import CorrectionStore
from graphmem.graph.knowledge.entities import EntityStore
from graphmem.graph.knowledge.history import HistoryStore
from graphmem.graph.knowledge.knowledge import KnowledgeStore
from graphmem.graph.knowledge.merging import MergeStore
from graphmem.graph.knowledge.rereading import RereadingStore
from graphmem.graph.knowledge.resolving import ResolvingStore
from graphmem.graph.knowledge.rollback import RollbackStore
from graphmem.graph.knowledge.superseding import SupersedingStore
from graphmem.graph.operation.jobs import JobStore
from graphmem.roots.conversation import Conversation
from graphmem.roots.world import World
from graphmem.rules.extraction import EXTRACTOR
from graphmem.rules.supersession import PROMPTS, TRAINED_WITH
from graphmem.services.knowledge.backfilling import Backfilling
from graphmem.services.knowledge.confidence import LivingConfidence
from graphmem.services.knowledge.editing import Editing
from graphmem.services.knowledge.entities import Entities
from graphmem.services.knowledge.judging import Judging
from graphmem.services.knowledge.learning import Learning, LearningSettings
from graphmem.services.knowledge.memories import Memories, RetentionSettings
from graphmem.services.knowledge.rereading import Rereading
from graphmem.services.knowledge.rolling_back import RollingBack
from graphmem.services.knowledge.superseding import Superseding
from graphmem.services.knowledge.sweeping import Sweeping, SweepSettings
from graphmem.settings import Settings


@dataclass(frozen=True)
class Knowledge:
    """`judging` is None where no language model judges facts on which the rules are silent."""

    store: KnowledgeStore
    judging: Judging | None
    learning: Learning
    rereading: Rereading
    backfilling: Backfilling
    entities: Entities
    editing: Editing
    memories: Memories
    superseding: Superseding
    sweeping: Sweeping
    rolling_back: RollingBack
    confidence: LivingConfidence

    @classmethod
    def join(cls, world: World, conversation: Conversation) -> Self:
        settings, database, guards = world.settings, world.database, conversation.guards
        store, cold, living = KnowledgeStore(database), ColdStore(database), LivingStore(database)
        supersessions = SupersedingStore(database)
        judge = " ".join((PROMPTS, *settings.model_name))
        judging = Judging(world.model, judge) if world.model and settings.asks_about_facts else None
        learns = learning_settings(settings)
        learning = Learning(
            sessions=conversation.sessions,
            knowledge=store,
            parser=world.parser,
            settings=learns,
            clock=utc_now,
            new_id=new_uuid7,
            guards=guards,
            model=world.model,
            judging=judging,
            embedder=world.embedder if world.embedder.id == TRAINED_WITH else None,
        )
        return cls(
            store=store,
            judging=judging,
            learning=learning,
            rereading=Rereading(
                sessions=conversation.sessions,
                knowledge=store,
                data=RereadingStore(database),
                learning=learning,
                parser=world.parser,
                settings=learns,
                guards=guards,
                clock=utc_now,
                new_id=new_uuid7,
                model=world.model,
            ),
            backfilling=Backfilling(data=SkippedStore(database), learning=learning, clock=utc_now, new_id=new_uuid7),
            entities=Entities(knowledge=store, guards=guards, clock=utc_now, new_id=new_uuid7),
            editing=Editing(
                entities=EntityStore(database),
                merges=MergeStore(database),
                guards=guards,
                clock=utc_now,
                new_id=new_uuid7,
            ),
            memories=Memories(
                cold=cold,
                corrections=CorrectionStore(database),
                histories=HistoryStore(database),
                knowledge=store,
                learning=learning,
                guards=guards,
                settings=RetentionSettings(settings.retain_days, settings.retain_importance),
                clock=utc_now,
                new_id=new_uuid7,
            ),
            superseding=Superseding(
                resolutions=ResolvingStore(database),
                supersessions=supersessions,
                knowledge=store,
                guards=guards,
                clock=utc_now,
                new_id=new_uuid7,
            ),
            sweeping=Sweeping(
                supersessions=supersessions,
                knowledge=store,
                cold=cold,
                jobs=JobStore(database),
                settings=SweepSettings(
                    enabled=settings.supersession_enabled,
                    by_itself=settings.supersession_sweep_enabled,
                    min_confidence=settings.supersession_min_confidence,
                    proposals_only=settings.proposals_only,
                    rules=rules_id(),
                ),
                clock=utc_now,
                new_id=new_uuid7,
                compute=Processes().run,
                judging=judging,
            ),
            rolling_back=RollingBack(
                rollbacks=RollbackStore(database), knowledge=store, guards=guards, clock=utc_now, new_id=new_uuid7
            ),
            confidence=LivingConfidence(
                edges=living,
                marks=living,
                agents=cold,
                vitality=settings.vitality,
                clock=utc_now,
                new_id=new_uuid7,
            ),
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
