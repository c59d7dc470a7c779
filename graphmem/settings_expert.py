"""Settings for experiments: they tune how memories are read, weighed and summarised. Their defaults were measured or
come from the documents graphmem follows; operators need none of them."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from graphmem.model.context import Injection
from graphmem.model.extraction import Limits
from graphmem.model.knowledge import EntityType
from graphmem.model.turns import TurnSettings


class ExpertSettings(BaseModel):
    """Read as all settings are; in the file they stand in a table of their own, `[expert]`."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    model_failures: int = Field(
        2,
        ge=1,
        le=1000,
        description="Failures in a row after which a model rests, and rules do what it would have. "
        "Source: hermes-lcm, LCM_SUMMARY_CIRCUIT_BREAKER_FAILURE_THRESHOLD.",
    )
    model_rest_s: int = Field(
        300,
        ge=1,
        le=86_400,
        description="Seconds for which such a model is not asked. "
        "Source: hermes-lcm, LCM_SUMMARY_CIRCUIT_BREAKER_COOLDOWN_SECONDS.",
    )
    rerank_weight: float = Field(
        0.5, ge=0, le=0.9, description="What the reranker counts in a score; our own signals count the rest of 1."
    )
    max_new_entities_per_chunk: int = Field(
        10,
        ge=1,
        le=100,
        description="New entities one chunk may yield before extraction turns stricter. "
        "Source: Signet, maxNewEntitiesPerChunk.",
    )
    max_new_attributes_per_entity: int = Field(
        20,
        ge=1,
        le=200,
        description="Facts about one entity a chunk may yield before extraction turns stricter. "
        "Source: Signet, maxNewAttributesPerEntity.",
    )
    max_new_attributes_per_project: int = Field(
        30, ge=1, le=200, description="As max_new_attributes_per_entity, for projects. Source: Signet, pattern 2."
    )
    max_new_attributes_per_person: int = Field(
        15, ge=1, le=200, description="As max_new_attributes_per_entity, for people. Source: Signet, pattern 2."
    )
    max_new_attributes_per_unknown: int = Field(
        5,
        ge=1,
        le=200,
        description="As max_new_attributes_per_entity, for what nobody told the type of. Source: Signet, pattern 2.",
    )
    extraction_chunk_messages: int = Field(8, ge=1, le=200, description="Most messages extraction takes in one go.")
    extraction_chunk_tokens: int = Field(
        2000,
        ge=100,
        le=100_000,
        description="Most tokens extraction takes in one go; a single longer message still goes.",
    )
    job_poll_ms: int = Field(
        200, ge=10, le=60_000, description="Milliseconds an idle worker waits before it looks again."
    )
    event_seal_interval_s: int = Field(
        5, ge=0, le=3600, description="Seconds between two runs that chain new events by their hashes; 0: off."
    )
    content_seal_interval_s: int = Field(
        300,
        ge=0,
        le=86_400,
        description="Seconds between two runs that seal new messages and facts in history; 0: off.",
    )
    find_unanalysed_interval_s: int = Field(
        300,
        ge=0,
        le=86_400,
        description="Seconds between two looks for sessions that nobody has analysed: those of older stores; 0: off.",
    )
    min_entity_overlap: int = Field(
        1,
        ge=0,
        le=1000,
        description="Important entities named in it with which a session is worth reading. "
        "Source: Signet, pipeline.minEntityOverlap: none is too few.",
    )
    novelty_threshold: float = Field(
        0.15,
        ge=0,
        le=1,
        description="Novelty with which a session is worth reading, next to those of its project that ended last. "
        "Source: Signet's code, pipeline.noveltyThreshold.",
    )
    arc_sessions: int = Field(
        8,
        ge=2,
        le=1000,
        description="Sessions of a project that make an arc ([sessions](sessions.md)). Source: Signet, pattern 4.",
    )
    epoch_arcs: int = Field(
        4, ge=2, le=1000, description="Arcs of a project that make an epoch. Source: Signet, pattern 4."
    )
    overlay_threshold: float = Field(
        5.0,
        ge=0,
        le=10,
        description="Score from which a turn is about an overlay; see [turns](turns.md). "
        "Source: SIGMA, overlay_threshold.",
    )
    paradigm_shift_threshold: float = Field(
        0.7,
        ge=0,
        le=1,
        description="Novelty by which a turn is a paradigm shift: [turns](turns.md) says how. "
        "Source: SIGMA, paradigm_shift_threshold.",
    )
    preserve_threshold: int = Field(
        7,
        ge=1,
        le=10,
        description="Importance from which a turn is preserved as it is. Source: SIGMA, preserve_threshold.",
    )
    routine_threshold: int = Field(
        3,
        ge=1,
        le=10,
        description="Importance below which a turn is routine: compressed, and passes nothing on. "
        "Source: SIGMA, routine_threshold.",
    )
    compression_target: int = Field(
        40_000,
        ge=0,
        le=10_000_000,
        description="Tokens that `graphmem try compression` brings turns down to where it is given no budget. "
        "Source: SIGMA, target_size.",
    )
    novelty_window: int = Field(
        10, ge=1, le=1000, description="Turns with which a turn's novelty compares it. Source: SIGMA, turn analysis."
    )
    semantic_edge_threshold: float = Field(
        0.7,
        ge=0,
        le=1,
        description="Similarity above which turns are linked as saying much the same. Source: SIGMA, future work.",
    )
    importance_formula: Literal["balanced", "additive"] = Field(
        "balanced",
        description="balanced: 5·novelty + half the highest overlay; additive: 10·novelty + the mean of the three "
        "highest, by which nearly every turn is important. Source: SIGMA, which has both.",
    )
    compaction_leaf_tokens: int = Field(
        20_000,
        ge=100,
        le=1_000_000,
        description="Tokens of messages that one summary of the lowest depth covers. "
        "Source: hermes-lcm, LCM_LEAF_CHUNK_TOKENS.",
    )
    compaction_dynamic: bool = Field(
        False,
        description="Let that size double while more than twice as much is waiting. "
        "Source: hermes-lcm, LCM_DYNAMIC_LEAF_CHUNK_ENABLED.",
    )
    compaction_leaf_max_tokens: int = Field(
        40_000,
        ge=100,
        le=1_000_000,
        description="Size up to which it doubles with `compaction_dynamic`. "
        "Source: hermes-lcm, LCM_DYNAMIC_LEAF_CHUNK_MAX.",
    )
    compaction_fan_in: int = Field(
        4,
        ge=2,
        le=1000,
        description="Summaries of one depth that are condensed into one of the next. "
        "Source: hermes-lcm's code, LCM_CONDENSATION_FANIN.",
    )
    compaction_bullet_ratio: float = Field(
        0.5,
        ge=0.01,
        le=1,
        description="Share of a detailed summary's length that bullets may take. Source: Signet, pattern 2, level 2.",
    )
    compaction_cut_tokens: int = Field(
        512,
        ge=16,
        le=32_000,
        description="Most tokens of a summary made without a model. Source: Signet, pattern 2, level 3.",
    )
    compaction_patience_s: int = Field(
        120,
        ge=0,
        le=3600,
        description="Seconds one compaction waits for models; then rules go on. Source: lossless-claw.",
    )
    retain_depth: int = Field(
        2,
        ge=-1,
        le=1000,
        description="Least depth of the summaries of another session that one which continues it begins with; -1: all, "
        "0: none. Source: hermes-lcm, LCM_NEW_SESSION_RETAIN_DEPTH.",
    )
    injection_window: int = Field(
        50,
        ge=0,
        le=1000,
        description="Turns before the last messages among which a context looks for what bears on the question, beside "
        "all paradigm shifts. Source: SIGMA, windowSize of the injector.",
    )
    injection_top: int = Field(
        5,
        ge=0,
        le=100,
        description="Turns and hits a context recalls at most. Source: SIGMA, maxContextTurns of the injector.",
    )
    injection_minimum: float = Field(
        0.35,
        ge=0,
        le=4,
        description="Relevance below which no turn is recalled: cosine · (1 + importance/10) · (1 + (O1+O4+O5)/30). "
        "Source: SIGMA, minRelevance of the injector.",
    )
    injection_nearness: float = Field(
        0.35,
        ge=-1,
        le=1,
        description="Cosine below which no turn is recalled, however important it is, unless the request gives a "
        "`minimum` ([context](context.md)).",
    )
    injection_floor: float = Field(
        0.26,
        ge=0,
        le=1,
        description="Score of recall below which a context is given no fact and nothing of other sessions; measured so "
        "that a question about something else is given nothing ([context](context.md)).",
    )
    injection_snippet_chars: int = Field(
        500,
        ge=50,
        le=20_000,
        description="Characters of a recalled turn that are shown at most. Source: SIGMA, maxSnippetLength of the "
        "injector.",
    )
    expand_timeout_ms: int = Field(
        10_000,
        ge=1,
        le=60_000,
        description="Milliseconds in which an entity is expanded; dependencies and summaries that are not read by "
        "then are missing ([expand](expand.md)).",
    )
    expansion_context_tokens: int = Field(
        32_000,
        ge=64,
        le=1_000_000,
        description="Tokens of texts that are gathered at most to answer a question. "
        "Source: hermes-lcm, LCM_EXPANSION_CONTEXT_TOKENS.",
    )
    expansion_timeout_s: int = Field(
        120,
        ge=1,
        le=3600,
        description="Seconds a model has to answer a question, all tries together; then rules do. "
        "Source: hermes-lcm, LCM_EXPANSION_TIMEOUT_MS.",
    )
    confidence_half_life_days: float = Field(
        730,
        ge=0,
        le=36_500,
        description="Days in which a dependency that nobody confirms or finds good loses half of its confidence, in "
        "four steps; 0: never.",
    )
    feedback_half_life_sessions: int = Field(
        20,
        ge=0,
        le=10_000,
        description="Sessions of an agent that end until what feedback moved is halved ([feedback](feedback.md)); 0: "
        "it never fades.",
    )

    def injection(self) -> Injection:
        """What a context recalls where a request says nothing else."""
        return Injection(
            self.injection_window,
            self.injection_top,
            self.injection_minimum,
            self.injection_snippet_chars,
            self.injection_nearness,
            self.injection_floor,
        )

    @property
    def extraction_limits(self) -> Limits:
        return Limits(
            max_new_entities=self.max_new_entities_per_chunk,
            max_new_attributes_per_entity=self.max_new_attributes_per_entity,
            by_type={
                EntityType.PROJECT: self.max_new_attributes_per_project,
                EntityType.PERSON: self.max_new_attributes_per_person,
                EntityType.UNKNOWN: self.max_new_attributes_per_unknown,
            },
        )

    @property
    def turns(self) -> TurnSettings:
        return TurnSettings(
            overlay_threshold=self.overlay_threshold,
            shift_novelty=self.paradigm_shift_threshold,
            preserve_threshold=self.preserve_threshold,
            routine_threshold=self.routine_threshold,
            novelty_window=self.novelty_window,
            semantic_edge=self.semantic_edge_threshold,
            formula=self.importance_formula,
        )
