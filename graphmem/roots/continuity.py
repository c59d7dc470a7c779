"""Continuity: turns, summaries, recaps and contexts, so that a conversation can go on."""

from dataclasses import dataclass
from typing import Self

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.graph.continuity.compaction import CompactionStore
from graphmem.graph.continuity.condensing import CondensingStore
from graphmem.graph.continuity.context import ContextStore
from graphmem.graph.continuity.recap import RecapStore
from graphmem.graph.continuity.turns import TurnStore
from graphmem.graph.operation.jobs import JobStore
from graphmem.roots.conversation import Conversation
from graphmem.roots.recall import Recall
from graphmem.roots.world import World
from graphmem.services.continuity.analysing import Analysing
from graphmem.services.continuity.assembling import Assembling
from graphmem.services.continuity.compacting import Compacting
from graphmem.services.continuity.condensing import Condensing, CondensingSettings
from graphmem.services.continuity.recapping import Recapping
from graphmem.services.continuity.summarising import Summarising
from graphmem.services.continuity.surveying import Surveying


@dataclass(frozen=True)
class Continuity:
    analysing: Analysing
    compacting: Compacting
    condensing: Condensing
    recapping: Recapping
    assembling: Assembling
    surveying: Surveying

    @classmethod
    def join(cls, world: World, conversation: Conversation, recall: Recall) -> Self:
        settings, database = world.settings, world.database
        recapping = Recapping(
            recaps=RecapStore(database),
            sessions=conversation.sessions,
            guards=conversation.guards,
            clock=utc_now,
            new_id=new_uuid7,
        )
        return cls(
            analysing=Analysing(
                turns=TurnStore(database),
                sessions=conversation.sessions,
                embedder=world.embedder,
                settings=settings.turns,
                clock=utc_now,
            ),
            compacting=Compacting(
                data=CompactionStore(database),
                summarising=Summarising(settings.compaction_bounds, world.model),
                recapping=recapping,
                guards=conversation.guards,
                bounds=settings.compaction_bounds,
                turns=settings.turns,
                patience_s=settings.compaction_patience_s,
                recap_tokens=settings.recap_max_tokens,
                clock=utc_now,
                new_id=new_uuid7,
            ),
            condensing=Condensing(
                data=CondensingStore(database),
                jobs=JobStore(database),
                settings=CondensingSettings(settings.arc_sessions, settings.epoch_arcs),
                clock=utc_now,
                new_id=new_uuid7,
                model=world.model,
            ),
            recapping=recapping,
            assembling=Assembling(
                contexts=ContextStore(database),
                recalling=recall.recalling,
                embedder=world.embedder,
                injection=settings.injection(),
                clock=utc_now,
                new_id=new_uuid7,
            ),
            surveying=Surveying(
                answering=recall.answering,
                recaps=RecapStore(database),
                sessions=conversation.sessions,
                clock=utc_now,
            ),
        )
