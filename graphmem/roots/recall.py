"""Recall: the texts, answers and turns that a question finds, and the feedback on them."""

from dataclasses import dataclass
from typing import Self

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.graph.knowledge.confidence import LivingStore
from graphmem.graph.recall.answering import AnsweringStore
from graphmem.graph.recall.expanding import ExpansionStore
from graphmem.graph.recall.exploring import ExploringStore
from graphmem.graph.recall.fading import FadingStore
from graphmem.graph.recall.feedback import FeedbackStore
from graphmem.graph.recall.grep import GrepStore
from graphmem.graph.recall.lattice import LatticeStore
from graphmem.graph.recall.retrieval import RetrievalStore
from graphmem.roots.conversation import Conversation
from graphmem.roots.knowledge import Knowledge
from graphmem.roots.world import World
from graphmem.services.recall.answering import Answering, AnsweringSettings
from graphmem.services.recall.entity_expansion import EntityExpansion
from graphmem.services.recall.expanding import Expanding
from graphmem.services.recall.exploring import Exploring
from graphmem.services.recall.fading import Fading
from graphmem.services.recall.feedback import FeedingBack
from graphmem.services.recall.grep import Grepping
from graphmem.services.recall.lattice import Lattice
from graphmem.services.recall.recall import Recalling
from graphmem.services.recall.reranking import Reranking


@dataclass(frozen=True)
class Recall:
    """`reranking` is None where the settings name no reranker."""

    reranking: Reranking | None
    recalling: Recalling
    grepping: Grepping
    answering: Answering
    expanding: Expanding
    exploring: Exploring
    lattice: Lattice
    feeding_back: FeedingBack
    fading: Fading

    @classmethod
    def join(cls, world: World, conversation: Conversation, knowledge: Knowledge) -> Self:
        settings, database = world.settings, world.database
        reranking = Reranking(world.reranker, settings.rerank_weight) if world.reranker else None
        recalling = Recalling(
            retrieval=RetrievalStore(database), embedder=world.embedder, clock=utc_now, reranking=reranking
        )
        return cls(
            reranking=reranking,
            recalling=recalling,
            grepping=Grepping(GrepStore(database)),
            answering=Answering(
                recalling=recalling,
                reads=AnsweringStore(database),
                knowledge=knowledge.store,
                embedder=world.embedder,
                model=world.answering_model,
                settings=AnsweringSettings(settings.expansion_context_tokens, settings.expansion_timeout_s),
                clock=utc_now,
            ),
            expanding=Expanding(
                describing=conversation.describing,
                reading=conversation.reading,
                knowing=knowledge.entities,
                payloads=conversation.payloads,
                entities=EntityExpansion(
                    knowledge=knowledge.store,
                    reads=ExpansionStore(database),
                    embedder=world.embedder,
                    timeout_s=settings.expand_timeout_ms / 1000,
                    clock=utc_now,
                ),
            ),
            exploring=Exploring(knowledge=knowledge.store, beside=ExploringStore(database), clock=utc_now),
            lattice=Lattice(LatticeStore(database), settings.overlay_threshold),
            feeding_back=FeedingBack(
                records=FeedbackStore(database), guards=conversation.guards, clock=utc_now, new_id=new_uuid7
            ),
            fading=Fading(
                standings=FadingStore(database),
                marks=LivingStore(database),
                half_life=settings.feedback_half_life_sessions,
                clock=utc_now,
                new_id=new_uuid7,
            ),
        )
