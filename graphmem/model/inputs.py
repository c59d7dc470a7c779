"""The inputs of the doors: the same objects over HTTP, from the command line and from Python.

Bounds are those of the contract; a value outside them is answered with the path of the field and the valid values.
"""

import re
import unicodedata
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from graphmem.model.claims import Polarity
from graphmem.model.conversation import Part, Role
from graphmem.model.knowledge import AttributeKind, Claim, Confidence, DependencyType, EntityType, MemoryType
from graphmem.model.value import Value

MAX_NAME_CHARS = 300
MAX_QUESTION_CHARS = 8_000
"""A text that is searched for; nobody asks more at once, and a search takes time with its length."""
MIN_TOKENS, MAX_TOKENS = 64, 32_000
MAX_COUNT = 2**53
"""Largest whole number a client may send: every JSON reader and the database keep it exactly."""
LARGEST_OFFSET = timedelta(hours=18)
"""What the database keeps of a zone; RFC 3339 allows offsets up to 23:59, and no place has one."""
_FORBIDDEN_IN_ID = re.compile(r"[\x00-\x1f\x7f-\x9f/?#]")
_BARE_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def _opaque_id(text: str) -> str:
    if not 1 <= len(text) <= 256 or _FORBIDDEN_IN_ID.search(text) or text in {".", "..", "summaries"}:
        raise ValueError(
            "must be 1 to 256 characters without control characters, '/', '?' or '#', and not '.', '..' or 'summaries'"
        )
    return text


def _as_written(value: object) -> object:
    if isinstance(value, datetime):
        return value
    # The validator behind this one takes a number, also in a text, for seconds or milliseconds since 1970.
    if not isinstance(value, str) or not _BARE_DATE.match(value):
        raise ValueError("must be a time of RFC 3339 such as 2026-03-01T10:00:00Z, or a date")
    if _BARE_DATE.fullmatch(value):
        return datetime.combine(date.fromisoformat(value), time(), UTC)
    return value


def _in_utc(value: datetime) -> datetime:
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("must be a time of the years 1 to 9999 in UTC too") from None


def _in_its_zone(value: datetime) -> datetime:
    in_utc, offset = _in_utc(value), value.utcoffset()
    # On the first and the last day, midnight of a zone may be a time that UTC does not have.
    kept = offset is not None and abs(offset) <= LARGEST_OFFSET and MINYEAR < in_utc.year < MAXYEAR
    return value if kept else in_utc


def _short(name: str) -> str:
    # Some single characters fold to a dozen, and the folded name is looked up.
    if len(unicodedata.normalize("NFKC", name)) > MAX_NAME_CHARS:
        raise ValueError(f"must have at most {MAX_NAME_CHARS} characters, compatibility forms spelt out")
    return name


def _in_order(start: datetime | None, end: datetime | None) -> None:
    if start and end and start > end:
        raise ValueError("from is later than to: give the earlier time as from, or leave one of them out")


def _example(body: dict[str, Any]) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [body]})


def _says_something(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


OpaqueId = Annotated[str, AfterValidator(_opaque_id)]
"""A session or message id that the caller chooses."""
Instant = Annotated[AwareDatetime, BeforeValidator(_as_written), AfterValidator(_in_utc)]
"""A time of RFC 3339, in UTC; a bare date is that day's 00:00 UTC."""
SaidAt = Annotated[AwareDatetime, BeforeValidator(_as_written), AfterValidator(_in_its_zone)]
"""As Instant, in the zone of the speaker: "yesterday" is a day there."""
Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_NAME_CHARS),
    AfterValidator(_says_something),
    AfterValidator(_short),
]
Text = Annotated[str, AfterValidator(_says_something)]
Question = Annotated[str, StringConstraints(max_length=MAX_QUESTION_CHARS), AfterValidator(_says_something)]
"""What is searched for, or asked."""
TokenBudget = Annotated[int, Field(ge=MIN_TOKENS, le=MAX_TOKENS)]
Limit = Annotated[int, Field(ge=1, le=1000)]
HitKind = Literal["message", "memory", "attribute", "summary"]


class NewSession(Value):
    model_config = _example(
        {"sessionId": "atlas-2026-03-02", "project": "atlas-shop", "startedAt": "2026-03-02T10:00:00+01:00"}
    )

    session_id: OpaqueId | None = None
    project: Name | None = None
    source: Name | None = None
    started_at: Instant | None = None
    context_window: Annotated[int, Field(ge=1, le=MAX_COUNT)] | None = None
    continues: OpaqueId | None = None
    reason: Literal["compression", "expiration", "restart", "new"] | None = None
    retain_depth: Annotated[int, Field(ge=-1, le=100)] | None = None
    metadata: dict[str, JsonValue] | None = None


class NewMessage(Value):
    """One message as a client sends it; `content` is a text, or parts such as {"type": "text", "text": "…"}, or null or
    absent where `toolCalls` are all that is said.

    OpenAI's client sends fields that it does not use as well: a `refusal` becomes a part of its own behind the content;
    `audio`, `functionCall` and `annotations` may be there as long as nothing is in them, and are dropped.
    """

    message_id: OpaqueId | None = None
    role: Role
    name: Name | None = None
    tool_calls: tuple[JsonValue, ...] | None = None
    content: Annotated[str | tuple[Part, ...] | None, Field(validate_default=True)] = None
    tool_call_id: Annotated[str, StringConstraints(max_length=256)] | None = None
    created_at: SaidAt | None = None
    metadata: dict[str, JsonValue] | None = None
    refusal: Annotated[str | None, Field(description="Kept as a part of the content")] = None
    audio: Annotated[None, Field(description="Only null")] = None
    function_call: Annotated[None, Field(description="Only null: send `toolCalls`")] = None
    annotations: Annotated[tuple[JsonValue, ...], Field(max_length=0, description="Only null or []")] | None = None

    @model_validator(mode="before")
    @classmethod
    def _refusal_is_a_part(cls, given: Any) -> Any:
        refusal = given.get("refusal") if isinstance(given, dict) else None
        content = given.get("content") if refusal else None
        if not isinstance(refusal, str) or not refusal or not isinstance(content, str | list | tuple | None):
            return given
        parts = [{"type": "text", "text": content}] if isinstance(content, str) and content else content or []
        return given | {"content": [*parts, {"type": "refusal", "refusal": refusal}], "refusal": None}

    @field_validator("content")
    @classmethod
    def _says_or_calls(cls, content: str | tuple[Part, ...] | None, info: ValidationInfo) -> object:
        if content is None and "tool_calls" in info.data and not info.data["tool_calls"]:
            raise ValueError("is missing: only a message with toolCalls may come without")
        return content


class NewMessages(Value):
    model_config = _example(
        {
            "messages": [
                {
                    "messageId": "m005",
                    "role": "user",
                    "name": "Maya",
                    "content": "billing-service is owned by Jonas.",
                    "createdAt": "2026-03-02T10:04:26+01:00",
                }
            ]
        }
    )

    messages: Annotated[tuple[NewMessage, ...], Field(min_length=1, max_length=1000)]
    session_tokens: Annotated[int, Field(ge=0, le=MAX_COUNT)] | None = None
    on_changed: Annotated[
        Literal["refuse", "skip"],
        Field(description="A messageId that is stored with other content: refuse the batch, or store the rest of it"),
    ] = "refuse"

    @model_validator(mode="after")
    def _ids_once(self) -> "NewMessages":
        brought = [message.message_id for message in self.messages if message.message_id is not None]
        twice = (
            {message_id for message_id in brought if brought.count(message_id) > 1}
            if len(set(brought)) < len(brought)
            else set()
        )
        if twice:
            raise ValueError(f"messageId {min(twice)!r} is in the batch twice; send each message once")
        return self


class EndSession(Value):
    model_config = _example({"wait": True})

    wait: bool = False
    force: bool = False
    wait_timeout_s: Annotated[float, Field(ge=0, le=600)] = 60


Slot = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_says_something)]
"""What an entity has one value of at a time, such as `port` or `lives in`."""


class SlotClaim(Value):
    """What a statement says, given by the caller: the `slot` of its entity, its `value` there, and the `scope` it is
    narrowed to. `since` and `until` are when it begins and ends. Without a value the words as a whole are the value; if
    it is negative as well, the slot has no value."""

    slot: Slot | None = None
    value: Annotated[Text, StringConstraints(max_length=1_000)] | None = None
    scope: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    polarity: Polarity = "positive"
    since: Instant | None = None
    until: Instant | None = None

    @model_validator(mode="after")
    def _fits_together(self) -> "SlotClaim":
        if self.slot is None and (self.value is not None or self.scope or self.polarity == "negative"):
            raise ValueError("value, scope and polarity are of a slot: give slot too, such as owner or port")
        if self.slot is None and self.since is None and self.until is None:
            raise ValueError("says nothing: give slot and value, or since or until, or leave claim out")
        if self.since and self.until and self.until <= self.since:
            raise ValueError("until must be later than since")
        return self


class Remember(Value):
    model_config = _example(
        {
            "content": "Maya owns billing-service",
            "entity": "billing-service",
            "claim": {"slot": "owner", "value": "Maya"},
            "project": "atlas-shop",
        }
    )

    content: Annotated[Text, StringConstraints(max_length=10_000_000)]
    type: MemoryType | None = None
    entity: Name | None = None
    aspect: Name | None = None
    kind: AttributeKind = "attribute"
    claim_key: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    claim: SlotClaim | None = None
    project: Name | None = None
    importance: Confidence | None = None
    pinned: bool = False
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    occurred_at: SaidAt | None = None
    source: Name | None = None
    session_id: OpaqueId | None = None
    """The conversation it was said in: nothing is stored for one that is ignored or stateless."""

    @model_validator(mode="after")
    def _ordered(self) -> "Remember":
        claim = self.claim or SlotClaim.model_construct()
        if (self.valid_from and claim.since) or (self.valid_to and claim.until):
            raise ValueError("claim.since is validFrom and claim.until is validTo: give one of each")
        if self.claim_key and claim.slot and self.claim_key != claim.slot:
            raise ValueError("claimKey and claim.slot name one slot: give one of them")
        if self.begins and self.ends and self.ends <= self.begins:
            raise ValueError("validTo must be later than validFrom")
        if self.kind == "constraint" and not (self.entity or self.project):
            raise ValueError("a constraint needs the entity it binds: give entity, or project")
        if (self.aspect or self.slot) and not (self.entity or self.project):
            raise ValueError("aspect, claimKey and claim.slot belong to an entity: give entity too")
        return self

    @property
    def slot(self) -> str | None:
        """The single-valued slot that it fills."""
        return self.claim_key or (self.claim.slot if self.claim else None)

    @property
    def begins(self) -> datetime | None:
        """When it becomes true, where that is given."""
        return self.valid_from or (self.claim.since if self.claim else None)

    @property
    def ends(self) -> datetime | None:
        return self.valid_to or (self.claim.until if self.claim else None)


class Correction(Value):
    """What a person changes of a memory or a fact, and why. New words make a new statement, which supersedes the
    old."""

    model_config = _example({"content": "billing-service uses PostgreSQL 17", "reason": "the version was missing"})

    content: Annotated[Text, StringConstraints(max_length=10_000_000)] | None = None
    importance: Confidence | None = None
    pinned: bool | None = None
    reason: Annotated[Text, StringConstraints(max_length=10_000)]

    @model_validator(mode="after")
    def _changes_something(self) -> "Correction":
        if self.content is None and self.importance is None and self.pinned is None:
            raise ValueError("nothing is to change: give content, importance or pinned")
        return self


Verdict = Literal["same", "supersedes", "both", "wrong"]


class Settlement(Value):
    """How two facts stand to each other: `id` says the `same` as `with`, it `supersedes` that, `both` hold side by
    side, or `id` is `wrong`, which needs no other."""

    id: Name
    with_: Annotated[Name | None, Field(alias="with", validation_alias="with")] = None
    verdict: Verdict

    @model_validator(mode="after")
    def _of_two(self) -> "Settlement":
        if self.with_ is None and self.verdict != "wrong":
            raise ValueError(f"{self.verdict!r} is about two facts: give with too")
        if self.with_ == self.id:
            raise ValueError("with is the same id: give the other fact")
        return self


class Resolve(Value):
    """Verdicts on facts, which take effect together or not at all; ids of attributes, or of memories with one."""

    model_config = _example(
        {
            "items": [
                {
                    "id": "0199aaaa-0000-7000-8000-000000000001",
                    "with": "0199aaaa-0000-7000-8000-000000000000",
                    "verdict": "supersedes",
                }
            ],
            "reason": "the team moved",
        }
    )

    items: Annotated[tuple[Settlement, ...], Field(min_length=1, max_length=100)]
    reason: Annotated[str, StringConstraints(max_length=10_000)] | None = None


class WithReason(Value):
    """What is asked of a thing that its path names, and why."""

    model_config = _example({"reason": "it is needed after all"})

    reason: Annotated[str, StringConstraints(max_length=10_000)] | None = None


class Recall(Value):
    model_config = _example({"query": "Who owns billing-service?", "limit": 5})

    query: Question
    limit: Limit = 10
    max_tokens: TokenBudget | None = None
    kinds: Annotated[tuple[HitKind, ...], Field(min_length=1)] = ("message", "memory", "attribute", "summary")
    project: Name | None = None
    session_id: OpaqueId | None = None
    source: Name | None = None
    role: Role | None = None
    from_: Annotated[Instant | None, Field(alias="from", validation_alias="from")] = None
    to: Instant | None = None
    include_superseded: bool = False
    include_cold: bool = False
    as_of: Instant | None = None
    known_at: Instant | None = None

    @model_validator(mode="after")
    def _ordered(self) -> "Recall":
        _in_order(self.from_, self.to)
        return self


class Grep(Value):
    model_config = _example({"pattern": '"release branch" billing-service', "sort": "recency", "limit": 20})

    pattern: Annotated[Text, StringConstraints(max_length=100_000)]
    mode: Literal["text", "regex"] = "text"
    scope: Literal["session", "all"] | None = None
    session_id: OpaqueId | None = None
    role: Role | None = None
    source: Name | None = None
    from_: Annotated[Instant | None, Field(alias="from", validation_alias="from")] = None
    to: Instant | None = None
    sort: Literal["relevance", "recency"] = "relevance"
    limit: Limit = 50
    cursor: str | None = None

    @model_validator(mode="after")
    def _scoped(self) -> "Grep":
        if self.scope == "session" and self.session_id is None:
            raise ValueError("scope 'session' needs the session: give sessionId, or scope 'all'")
        if self.scope == "all" and self.session_id is not None:
            raise ValueError("scope 'all' and sessionId contradict each other: leave one of them out")
        _in_order(self.from_, self.to)
        return self


class Expand(Value):
    model_config = _example({"entity": "billing-service", "question": "Which database does it use?", "maxTokens": 600})

    entity: Name
    aspect: Name | None = None
    question: Question | None = None
    max_tokens: TokenBudget = 2000
    include_superseded: bool = False
    as_of: Instant | None = None
    known_at: Instant | None = None


class ExpandSummary(Value):
    model_config = _example({"maxTokens": 2000})

    max_tokens: TokenBudget = 2000
    cursor: str | None = None


class ExpandId(Value):
    """How much of what an id refers to is wanted, and from where on."""

    max_tokens: TokenBudget = 2000
    cursor: str | None = None


class LoadSession(Value):
    """A page of a session: of the one named, of the newest (`latest`), or of the one so many steps `back` from there;
    walking keeps to `project`, or to that of the session it starts from."""

    model_config = _example({"project": "atlas-shop", "latest": True, "maxTokens": 2000})

    session_id: OpaqueId | None = None
    latest: bool = False
    back: Annotated[int, Field(ge=0, le=1000)] = 0
    project: Name | None = None
    after: Annotated[int, Field(ge=-1, le=MAX_COUNT)] = -1
    limit: Limit = 50
    max_content_chars: Annotated[int, Field(ge=1, le=1_000_000)] = 4000
    max_tokens: TokenBudget = 4000

    @model_validator(mode="after")
    def _starts_somewhere(self) -> "LoadSession":
        if not (self.session_id or self.latest or self.back):
            raise ValueError("give sessionId, or latest, or back to count from the newest")
        if self.session_id and self.latest:
            raise ValueError("latest is the newest session: leave sessionId out")
        return self


class GivenClaim(Claim):
    created_at: SaidAt | None = None


class ContradictionQuestion(Value):
    model_config = _example(
        {
            "old": {"content": "checkout-api runs on port 8080", "createdAt": "2026-03-02"},
            "new": {"content": "checkout-api runs on port 9090", "createdAt": "2026-04-07"},
        }
    )

    old: GivenClaim
    new: GivenClaim


class NewDependency(Value):
    """`source` needs `target`; both are ids or names of entities. What is not given keeps its value on an update."""

    source: Name
    target: Name
    type: DependencyType = DependencyType.DEPENDS_ON
    confidence: Confidence | None = None
    strength: Confidence | None = None
    reason: Annotated[str, StringConstraints(max_length=10_000_000)] | None = None
    valid_from: Instant | None = None


class NewDependencies(Value):
    model_config = _example(
        {"dependencies": [{"source": "checkout-api", "target": "billing-service", "confidence": 0.9}]}
    )

    dependencies: Annotated[tuple[NewDependency, ...], Field(min_length=1, max_length=1000)]


Aliases = Annotated[tuple[Name, ...], Field(max_length=100)]


class NewEntity(Value):
    model_config = _example({"name": "billing-service", "type": "system", "aliases": ["billing"], "pinned": True})

    name: Name
    type: EntityType | None = None
    aliases: Aliases = ()
    pinned: bool = False


class EntityChange(Value):
    """What a person changes of an entity. `aliases` are all it is to have besides its own name."""

    model_config = _example({"aliases": ["billing", "invoicing"], "pinned": True})

    pinned: bool | None = None
    type: EntityType | None = None
    aliases: Aliases | None = None

    @model_validator(mode="after")
    def _changes_something(self) -> "EntityChange":
        if self.pinned is None and self.type is None and self.aliases is None:
            raise ValueError("nothing is to change: give pinned, type or aliases")
        return self


class MergeInto(Value):
    model_config = _example({"intoId": "0199aaaa-0000-7000-8000-000000000000", "reason": "it is the same service"})

    into_id: Name
    reason: Annotated[str, StringConstraints(max_length=10_000)] | None = None


Direction = Literal["upstream", "downstream", "both"]


class ImpactQuestion(Value):
    model_config = _example({"entityId": "PostgreSQL", "direction": "upstream", "minConfidence": 0.7, "maxDepth": 3})

    entity_id: Name
    direction: Direction = "upstream"
    min_confidence: Confidence = 0.7
    max_depth: Annotated[int, Field(ge=1, le=10)] = 3
    min_path_confidence: Confidence | None = None
    types: Annotated[tuple[DependencyType, ...], Field(min_length=1)] | None = None
    limit: Limit = 1000
    as_of: Instant | None = None
    known_at: Instant | None = None


class StartUpkeep(Value):
    model_config = _example({"name": "seal_events"})

    name: str = Field(min_length=1, max_length=100)


class Supersede(Value):
    """Ids of attributes, or of memories that have one attribute each."""

    model_config = _example(
        {
            "oldId": "0199aaaa-0000-7000-8000-000000000000",
            "newId": "0199aaaa-0000-7000-8000-000000000001",
            "reason": "the team moved",
        }
    )

    old_id: Name
    new_id: Name
    reason: Annotated[Text, StringConstraints(max_length=10_000)]


class UndoSupersession(WithReason):
    """`retire_new`: the newer fact was wrong, so that the older one takes its place."""

    model_config = _example({"reason": "it was a misunderstanding", "retireNew": True})

    retire_new: bool = False


class RollBack(Value):
    """`entity_id`: an id or a name. Nothing is done unless `dry_run` is said to be false."""

    model_config = _example(
        {"entityId": "billing-service", "to": "2026-03-01", "dryRun": False, "reason": "the import was wrong"}
    )

    entity_id: Name
    to: Instant
    dry_run: bool = True
    reason: Annotated[str, StringConstraints(max_length=10_000)] | None = None


class StartSweep(Value):
    """`limit`: of how many facts at most the sweep decides."""

    model_config = _example({"dryRun": True, "limit": 20})

    dry_run: bool = False
    limit: Limit | None = None


class StartReindex(Value):
    """`limit`: how many texts at most are embedded anew, the oldest first; left out: all."""

    model_config = _example({"dryRun": True})

    dry_run: bool = False
    limit: Annotated[int, Field(ge=1, le=MAX_COUNT)] | None = None


class StartRepair(Value):
    """`limit`: how many things at most are put right."""

    model_config = _example({"dryRun": True, "limit": 20})

    dry_run: bool = False
    limit: Limit = 1000


class StartRetention(Value):
    model_config = _example({"dryRun": True, "limit": 20})

    dry_run: bool = False
    limit: Limit = 50
