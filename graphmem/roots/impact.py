"""Impact: what a change reaches, where things come from, and what a change of files touches."""

from dataclasses import dataclass
from typing import Self

from graphmem.adapters.code_reader import is_code
from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.graph.impact.code import CodeStore
from graphmem.graph.impact.impact import ImpactStore
from graphmem.graph.impact.provenance import ProvenanceStore
from graphmem.roots.conversation import Conversation
from graphmem.roots.knowledge import Knowledge
from graphmem.roots.world import World
from graphmem.services.impact.changes import Changes
from graphmem.services.impact.impacting import Impacting
from graphmem.services.impact.tracing import Tracing


@dataclass(frozen=True)
class Impact:
    provenance: ProvenanceStore
    impacting: Impacting
    changes: Changes
    tracing: Tracing

    @classmethod
    def join(cls, world: World, conversation: Conversation, knowledge: Knowledge) -> Self:
        provenance = ProvenanceStore(world.database)
        impacting = Impacting(knowing=knowledge.entities, reads=ImpactStore(world.database), clock=utc_now)
        return cls(
            provenance=provenance,
            impacting=impacting,
            changes=Changes(code=CodeStore(world.database, new_uuid7), impacting=impacting, is_read=is_code),
            tracing=Tracing(reads=provenance, describing=conversation.describing, embedder=world.embedder),
        )
