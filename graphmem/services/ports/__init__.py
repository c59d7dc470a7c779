"""What the services need of the world, by subject. Stores and adapters fit these by shape, as mypy proves in app.py."""

from graphmem.services.ports.answering import AnswerReads
from graphmem.services.ports.asking import ExportReads, Retrieval
from graphmem.services.ports.code import CodeData, CodeReader, CodeReads, Leases
from graphmem.services.ports.compaction import CompactionData
from graphmem.services.ports.condensing import SessionDag, SkippedSessions
from graphmem.services.ports.context import ContextReads
from graphmem.services.ports.conversations import (
    Descriptions,
    GrepTexts,
    PayloadBytes,
    PayloadRecords,
    SessionCareData,
    SessionReads,
    Sessions,
)
from graphmem.services.ports.expanding import ExpansionReads
from graphmem.services.ports.exploring import Neighbours
from graphmem.services.ports.fading import FadingStandings
from graphmem.services.ports.feedback import FeedbackRecords
from graphmem.services.ports.impact import ImpactReads
from graphmem.services.ports.importing import GraphImports
from graphmem.services.ports.knowledge import (
    ColdTier,
    Corrections,
    EntityWrites,
    History,
    Knowledge,
    KnownThings,
    Merges,
    Rereadings,
    Rollbacks,
    Supersessions,
)
from graphmem.services.ports.lattice import LatticeReads
from graphmem.services.ports.living import LivingEdges, Marks
from graphmem.services.ports.operation import BackupData, DoctorReads, Jobs, KeyRing, RepairWrites, Upkeep
from graphmem.services.ports.provenance import ProvenanceReads
from graphmem.services.ports.recap import Recaps
from graphmem.services.ports.reindexing import ReindexData
from graphmem.services.ports.turns import Turns
from graphmem.services.ports.world import (
    Clock,
    Compute,
    Embedder,
    LanguageModel,
    NewId,
    Parser,
    Reranker,
    Result,
    Tell,
    silent,
)

__all__ = [
    "AnswerReads",
    "BackupData",
    "Clock",
    "CodeData",
    "CodeReader",
    "CodeReads",
    "ColdTier",
    "CompactionData",
    "Compute",
    "ContextReads",
    "Corrections",
    "Descriptions",
    "DoctorReads",
    "Embedder",
    "EntityWrites",
    "ExpansionReads",
    "ExportReads",
    "FadingStandings",
    "FeedbackRecords",
    "GraphImports",
    "GrepTexts",
    "History",
    "ImpactReads",
    "Jobs",
    "KeyRing",
    "Knowledge",
    "KnownThings",
    "LanguageModel",
    "LatticeReads",
    "Leases",
    "LivingEdges",
    "Marks",
    "Merges",
    "Neighbours",
    "NewId",
    "Parser",
    "PayloadBytes",
    "PayloadRecords",
    "ProvenanceReads",
    "Recaps",
    "ReindexData",
    "RepairWrites",
    "Reranker",
    "Rereadings",
    "Result",
    "Retrieval",
    "Rollbacks",
    "SessionCareData",
    "SessionDag",
    "SessionReads",
    "Sessions",
    "SkippedSessions",
    "Supersessions",
    "Tell",
    "Turns",
    "Upkeep",
    "silent",
]
