"""What every door returns."""

from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field, JsonValue

from graphmem.model.compaction import CompactionDue
from graphmem.model.conversation import Session, StoredMessage, Summary
from graphmem.model.inputs import Direction, HitKind, Verdict
from graphmem.model.knowledge import (
    Attribute,
    ColdReason,
    Dependency,
    Entity,
    EntityType,
    Memory,
    NamedRef,
    OutdatedPart,
    Signal,
    Supersession,
    SupersessionMethod,
    SupersessionStatus,
)
from graphmem.model.value import Value

Item = TypeVar("Item")
JobStatus = Literal["queued", "running", "done", "failed"]
RollbackStatus = Literal["preview", "unchanged", "applied", "undone"]


class Page(Value, Generic[Item]):
    """A stretch of a list; `next_cursor` goes on behind it, null at the end."""

    items: tuple[Item, ...]
    next_cursor: str | None


class OpenedSession(Session):
    created: bool


class MessageReceipt(Value):
    """What became of a message; one that is ignored has no ordinal, and no id but the one it was brought with. One that
    is changed is stored with other content, which stays."""

    id: str | None
    message_id: str | None
    ordinal: int | None
    status: Literal["stored", "duplicate", "ignored", "changed"]


class IngestReceipt(Value):
    session_id: str
    received: int
    stored: int
    duplicates: int
    ignored: int
    changed: int
    redactions: int
    externalized: int
    messages: tuple[MessageReceipt, ...]
    created: bool
    """Whether this request created the session."""
    compaction: CompactionDue | None = None
    """Null where no context window is known."""


class Gate(Value):
    """Whether a session is worth reading. `reasons` are the checks it passed: turns, entities, novelty, forced; of
    sessions that ended before there was a gate: ungated."""

    significant: bool
    reasons: tuple[str, ...]
    turn_count: int | None
    entity_overlap: int | None
    novelty: float | None
    thresholds: dict[str, float]


Pipeline = Literal["queued", "done", "skipped", "failed"]


class EndReceipt(Value):
    """`pipeline` is skipped where the gate said no: then there is no job. `timed_out`: the request waited, and its time
    was over before everything in the session could be recalled; the job goes on."""

    session_id: str
    gate: Gate
    pipeline: Pipeline
    job_id: str | None
    timed_out: bool = False


class Backfill(Value):
    """Skipped sessions that a job reads after all, or with `dryRun` would; no job where there are none.
    `limit_reached`, here as in other repairs: there may be more."""

    job_id: str | None
    affected: int
    limit_reached: bool = False
    items: tuple["BackfillItem", ...]


class BackfillItem(Value):
    session_id: str
    gate: Gate


class Condensation(Value):
    """What is missing or stale in the session DAG and a job will build, or with `dryRun` would; no job where all is as
    it should be."""

    job_id: str | None
    affected: int
    limit_reached: bool = False
    items: tuple["CondensationItem", ...]


class CondensationItem(Value):
    """One arc or epoch. `number` counts those of its kind in a project; `session_ids` are the sessions it stands over,
    in order; `id` is null for one that is not there yet."""

    action: Literal["build", "rebuild", "dissolve"]
    kind: Literal["arc", "epoch"]
    project: str | None
    number: int
    id: str | None
    session_ids: tuple[str, ...]


class Job(Value):
    job_id: str
    kind: str
    status: JobStatus
    progress: float
    error: str | None
    result: JsonValue


class MadeEntity(Entity):
    created: bool
    """Whether this request created it."""


class SaidAlready(Value):
    """An active fact that says the same as what was given: it has one more source, and nothing else was stored."""

    id: str
    content: str


class RelatedFact(Value):
    """An active fact near what was given that was left alone, and `why`."""

    id: str
    content: str
    why: str


class Settled(Value):
    """What became of a verdict. `supersession` is the record of it, which the routes for supersessions undo; null for
    a fact that is wrong: that one is deleted, and `restore` brings it back."""

    id: str
    with_: Annotated[str | None, Field(alias="with")]
    verdict: Verdict
    supersession: Supersession | None


class Resolved(Value):
    settled: tuple[Settled, ...]


class RememberReceipt(Value):
    """What was kept, and what it touched. Of `related` and `proposals` the caller may know better than the rules: one
    call of `resolve` settles them."""

    memory: Memory
    entities: tuple[Entity, ...]
    attributes: tuple[Attribute, ...]
    dependencies: tuple[Dependency, ...]
    superseded: tuple[Supersession, ...]
    proposals: tuple[Supersession, ...]
    confirmed: tuple[SaidAlready, ...]
    related: tuple[RelatedFact, ...]
    duplicate_of: str | None
    extraction_level: int


WORDS_REMAIN = (
    "Nothing was erased: the words stay stored, here and in the messages that say them. POST /api/memory/erase removes "
    "them for good."
)


class ArchiveReceipt(Value):
    """What was sent away and what went with it: a memory or an entity to the cold tier, or a fact or a dependency,
    which is then deleted.

    `attribute_ids` and `dependency_ids` are what nothing else supported; a restore brings them back. `source_id` is
    what took a memory's place, or the memory with which a fact is away. `words_remain` says that the words are not
    gone, and how to erase them.
    """

    id: str
    kind: Literal["memory", "attribute", "entity", "dependency"]
    status: Literal["cold", "deleted"]
    reason: ColdReason
    note: str | None
    at: datetime
    source_id: str | None
    attribute_ids: tuple[str, ...]
    dependency_ids: tuple[str, ...]
    words_remain: str = WORDS_REMAIN


class HistoryItem(Value):
    """Something that happened to `subject_id`: a memory, a fact drawn from it, or an entity. `before` and `after` are
    what changed."""

    id: str
    at: datetime
    kind: str
    subject_id: str
    actor: str
    reason: str | None
    before: JsonValue
    after: JsonValue


class TelemetryEvent(Value):
    """Something that happened to the memory of an agent, without words: those are in the history of `subject_id`.

    `extraction_level` is how strictly was read, where reading is what is told of (1 in full, 2 lasting facts only, 3
    cut at the limits); `counts` are the whole numbers that the event tells, those of a part by its name and a dot
    (`cut.entities`).
    """

    id: str
    name: str
    at: datetime
    subject_id: str
    actor: str
    reason: str | None
    extraction_level: int | None
    counts: dict[str, int]


class ColdStats(Value):
    """What is in the cold tier: memories and entities; `total_bytes` counts their texts and names."""

    count: int
    memories: int
    entities: int
    oldest: datetime | None
    newest: datetime | None
    total_bytes: int
    by_reason: dict[str, int]


class RetentionReport(Value):
    """What retention took, or with `dryRun` would take. It is done at once, so there is no job."""

    job_id: str | None
    affected: int
    limit_reached: bool = False
    items: tuple[Memory, ...]


class PlannedSupersession(Value):
    """What the sweep would do: retire the older fact (`applied`), or ask a person about it (`proposed`)."""

    old_id: str
    new_id: str
    signals: tuple[Signal, ...]
    confidence: float
    method: SupersessionMethod
    status: SupersessionStatus
    reason: str


class SweepReport(Value):
    """The sweep that was started, or with `dryRun` what it would do, and nothing is written."""

    job_id: str | None
    affected: int
    limit_reached: bool = False
    items: tuple[PlannedSupersession, ...]


class LeftAsItIs(Value):
    """What a roll-back does not bring back, though it was otherwise then, and why."""

    id: str
    reason: str


class Rollback(Value):
    """An entity taken back to what was believed of it at `to`. `id` is None where nothing is recorded: `preview` says
    what would be done, `unchanged` that it was so already.

    `retired`: facts that were not known then, or had given way. `revived`: facts that gave way or were sent away since.
    `protected_ids`: those of the retired that are pinned or constraints. `supersessions_…`: ids.
    """

    id: str | None
    entity: NamedRef
    to: datetime
    status: RollbackStatus
    reason: str | None
    created_at: datetime
    undone_at: datetime | None
    retired: tuple[Attribute, ...]
    revived: tuple[Attribute, ...]
    protected_ids: tuple[str, ...]
    dependencies_retired: tuple[Dependency, ...]
    dependencies_revived: tuple[Dependency, ...]
    supersessions_undone: tuple[str, ...]
    supersessions_renewed: tuple[str, ...]
    left: tuple[LeftAsItIs, ...]


class PassageSpan(Value):
    """A part [start, end) of a text, in characters."""

    start: int
    end: int


class Hit(Value):
    """Something recalled. `why` says what each signal added to `score` (0 to 1); the parts sum to it. `about` is the
    name of the entity of a fact. `passage` is where in a long message `text` stands, null where it is all of it: the
    whole message is read by its id. `outdated` are the places in `text` that no longer hold, though the rest may;
    `older_than` is a newer hit that fits the question as well. `ahead`: what it says begins on a day still to come, and
    something else holds until then."""

    id: str
    kind: HitKind
    text: str
    score: float
    why: dict[str, float]
    session_id: str | None
    message_ids: tuple[str, ...]
    entity_ids: tuple[str, ...]
    about: str | None = None
    status: Literal["active", "superseded", "deleted", "cold"]
    superseded_by: str | None = None
    passage: PassageSpan | None = None
    outdated: tuple[OutdatedPart, ...] = ()
    older_than: str | None = None
    ahead: bool = False
    valid_from: datetime | None
    valid_to: datetime | None
    created_at: datetime


class UnreadSession(Value):
    """A session whose reading failed and waits for a person: no facts are known from `unread` of its `messages`."""

    session_id: str
    unread: int
    messages: int
    reason: str


FilterName = Literal["sessionId", "project", "source"]


class Unmatched(Value):
    """A filter that may be mistyped: no session of the agent has this id, project or source."""

    field: FilterName
    value: str


class Recalled(Value):
    """What was recalled, best first. `reranked` is null where no reranker is set; false: it gave no scores, and the
    order is our own. `unread`: what facts may be missing from. `kinds_omitted`: kinds that were asked for and not
    searched, for only messages have a role, a source and a time. `unmatched` says, where nothing was found, which
    filters match no session."""

    hits: tuple[Hit, ...]
    used_tokens: int
    truncated: bool
    token_counter: str
    reranked: bool | None = None
    unread: tuple[UnreadSession, ...] = ()
    kinds_omitted: tuple[HitKind, ...] = ()
    unmatched: tuple[Unmatched, ...] = ()


class GrepItem(Value):
    """A message or a summary that a pattern was found in: `terms` are those of the pattern it holds (none of a regular
    expression), `snippet` shows some of them. A summary is as old as the newest message it covers."""

    id: str
    message_id: str | None
    summary_id: str | None
    session_id: str | None
    role: str | None
    ordinal: int | None
    snippet: str
    score: float
    terms: tuple[str, ...]
    created_at: datetime


class Grepped(Value):
    """What a pattern was found in. `sort` is the order of the items: of very many matches it is recency.

    `relaxed`: no text holds all terms, and these hold most. `truncated`: the time ran out; `next_cursor` goes on.
    """

    items: tuple[GrepItem, ...]
    next_cursor: str | None
    sort: Literal["relevance", "recency"]
    relaxed: bool
    truncated: bool
    summary_results_omitted: bool
    """Whether a filter that only messages have left summaries out."""


class AspectFacts(Value):
    id: str
    name: str
    weight: float
    attributes: tuple[Attribute, ...]


class SummaryLine(Value):
    """A summary as an expansion lists it; what it tells was so at `latest_at`, and may have changed since."""

    id: str
    kind: str
    text: str
    latest_at: datetime | None


ExpansionPart = Literal["meaning", "dependencies", "summaries"]


class Expansion(Value):
    """`partial`: the time was over before what `missing` names was there; facts are never missing. Without the meaning
    of the question its words alone put facts in order. `known_aspects` is null unless the aspect asked for has no
    facts: the aspects that have some."""

    entity: Entity
    constraints: tuple[Attribute, ...]
    aspects: tuple[AspectFacts, ...]
    dependencies: tuple[Dependency, ...]
    summaries: tuple[SummaryLine, ...]
    text: str
    used_tokens: int
    truncated: bool
    partial: bool
    missing: tuple[ExpansionPart, ...]
    known_aspects: tuple[str, ...] | None = None
    token_counter: str


class DependencyEnds(Value):
    incoming: tuple[Dependency, ...]
    outgoing: tuple[Dependency, ...]


class EntityPage(Value):
    entity: Entity
    aspects: tuple[AspectFacts, ...]
    dependencies: DependencyEnds


class ExpandedSummary(Value):
    summary: Summary
    children: tuple[StoredMessage | Summary, ...]
    memories: tuple[Memory, ...]
    used_tokens: int
    truncated: bool
    next_cursor: str | None
    token_counter: str


class DependenciesReceipt(Value):
    created: int
    updated: int
    items: tuple[Dependency, ...]


class AffectedEntity(Value):
    """An entity the change reaches. `path` is the most confident one within the depth asked for, from the start
    outwards, with its edges as stored; `confidence` is the product along it; `depth` is that of the shortest path."""

    id: str
    name: str
    type: EntityType
    depth: int
    confidence: float
    weakest_edge: Dependency
    path: tuple[Dependency, ...]


class ImpactGroup(Value):
    depth: int
    label: Literal["WILL BREAK", "LIKELY AFFECTED", "MAY NEED TESTING"]
    entities: tuple[AffectedEntity, ...]


class ImpactReport(Value):
    entity: Entity
    direction: Direction
    groups: tuple[ImpactGroup, ...]
    total: int
    total_is_lower_bound: bool
    truncated: bool


class DatabaseInfo(Value):
    mode: Literal["managed", "own"]
    address: str
    version: str


class EmbedderInfo(Value):
    id: str
    dimensions: int
    state: Literal["loading", "ready", "off"]


class Backlog(Value):
    """Work accepted and not yet done; all 0: everything accepted so far is searchable."""

    embedding: int
    extraction: int
    analysis: int
    condensation: int


class FailedJob(Value):
    job_id: str
    kind: str
    reason: str | None


class JobCounts(Value):
    queued: int
    running: int
    failed: int
    items: tuple[FailedJob, ...]


class UpkeepRun(Value):
    name: str
    interval_s: float
    last_run: datetime | None
    next_run: datetime | None
    error: str | None


class Counts(Value):
    sessions: int
    messages: int
    memories: int
    entities: int
    attributes: int
    dependencies: int
    summaries: int
    cold: int
    quarantined: int


class SourceLineage(Value):
    """Messages by the source of their sessions. `unknown` came without one, `attributed` are all others; of very many
    `sources` those with most messages stand in `by_source`."""

    messages: int
    attributed: int
    unknown: int
    sources: int
    by_source: dict[str, int]


class PresetAdvice(Value):
    """The preset that is chosen, and the one for the context window that the newest session names."""

    chosen: str | None
    suggested: str | None
    context_window: int | None


class SupersessionCounts(Value):
    """`precision` is accepted / (accepted + rejected + undone); null while nobody has judged any. `model_asked` and
    `model_failed` count what this process asked a model about facts of all agents, and how often none answered."""

    proposed: int
    applied: int
    accepted: int
    rejected: int
    undone: int
    precision: float | None
    model_asked: int
    model_failed: int


class ExtractionChunks(Value):
    """How many chunks of messages were read at each level."""

    level1: int
    level2: int
    level3: int


class ExtractionFallback(Value):
    """The last time that rules did what a model should have done, and why."""

    at: datetime
    reason: str


class ExtractionCounts(Value):
    """`level1` to `level3` count facts. `dropped`: items that the limits cut, or of a model's answers that the messages
    do not bear out. `other_languages`: messages of which words in other languages than English were left unread, which
    only a model reads. `fallbacks`: chunks that rules read in place of a model."""

    level1: int
    level2: int
    level3: int
    dropped: int
    other_languages: int
    chunks: ExtractionChunks
    fallbacks: int
    last_fallback: ExtractionFallback | None


class Status(Value):
    """How an agent's memory is doing. `tokens` are those of all its messages; `last_backup` is the whole database's."""

    version: str
    agent_id: str
    database: DatabaseInfo
    embedder: EmbedderInfo
    token_counter: str
    backlog: Backlog
    jobs: JobCounts
    upkeep: tuple[UpkeepRun, ...]
    counts: Counts
    supersession: SupersessionCounts
    extraction: ExtractionCounts
    source_lineage: SourceLineage
    tokens: int
    last_rotate: datetime | None
    last_backup: datetime | None
    preset: PresetAdvice
    filters: dict[str, JsonValue]
    settings: dict[str, Any]


class Finding(Value):
    """Something the doctor noticed. `detail` holds counts and ids, never anybody's words."""

    code: str
    severity: Literal["error", "warning"]
    detail: str
    fix: str


class Examination(Value):
    """`healthy`: nothing was found. A memory with nothing in it is not healthy: something should have come in."""

    healthy: bool
    findings: tuple[Finding, ...]


class AgentFinding(Finding):
    """A finding, and whose memory it is about."""

    agent_id: str


class VerifiedAgent(Value):
    """An agent whose memory was checked. History does not seal `unsealed` of its `messages` yet: were such a message
    altered together with its hash, nothing here would tell."""

    agent_id: str
    healthy: bool
    messages: int
    unsealed: int


class Verification(Value):
    """Which agents were checked, and everything found about them. `healthy`: nothing was found."""

    healthy: bool
    agents: tuple[VerifiedAgent, ...]
    findings: tuple[AgentFinding, ...]
