"""The MCP tools: the input of each, its description for a model, and the one service it calls."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

from fastapi.exceptions import RequestValidationError
from mcp.types import Tool, ToolAnnotations
from pydantic import Field, StringConstraints, ValidationError, field_validator
from pydantic.alias_generators import to_camel

from api import mcp_answers, problems
from api.parameters import meant
from graphmem.errors import InvalidInput
from graphmem.model.answering import ExpandQuery
from graphmem.model.caller import Caller, Once, Replayed
from graphmem.model.feedback import GiveFeedback
from graphmem.model.inputs import (
    Expand,
    ExpandId,
    Grep,
    ImpactQuestion,
    Instant,
    Limit,
    LoadSession,
    Name,
    Question,
    Recall,
    Remember,
    Resolve,
    TokenBudget,
)
from graphmem.model.keys import KeyScope
from graphmem.model.value import Value

if TYPE_CHECKING:  # takes seconds: over stdio the protocol is answered meanwhile
    from graphmem.app import Graphmem

Asked = TypeVar("Asked", bound=Value)
Json = dict[str, Any]

INSTRUCTIONS = (
    "Long-term memory. recall before answering anything that may rest on earlier conversations, decisions or "
    "preferences; expand when one thing is the subject: its constraints bind. remember each lasting fact, decision, "
    "preference or rule when it is stated, as one plain sentence that names its subject. impact before changing what "
    "others may depend on. What has the status superseded no longer holds."
)


RECALL_TOKENS = 2_000


class OnlyOnce(Value):
    """A write; the key is a header over HTTP."""

    idempotency_key: Annotated[str, StringConstraints(min_length=1, max_length=256)] | None = None


class RememberOnce(Remember, OnlyOnce):
    """What `remember` takes."""


class ResolveOnce(Resolve, OnlyOnce):
    """What `resolve` takes."""


class FeedbackOnce(GiveFeedback, OnlyOnce):
    """What `feedback` takes."""


class RecallInBudget(Recall):
    """What `recall` takes: a model's context always has a bound. Without a `limit` it is filled."""

    limit: Annotated[Limit, Field(json_schema_extra={"default": None})] = 10
    max_tokens: TokenBudget | None = RECALL_TOKENS

    @field_validator("max_tokens", mode="before")
    @classmethod
    def _null_is_none_given(cls, given: object) -> object:
        return RECALL_TOKENS if given is None else given


class ExpandAny(Value):
    """What `expand` takes: an entity as the route does, or any id; `preview` describes it instead."""

    entity: Name | None = None
    id: Annotated[str, StringConstraints(min_length=1, max_length=300)] | None = None
    preview: bool = False
    aspect: Name | None = None
    question: Question | None = None
    max_tokens: TokenBudget = 2000
    cursor: str | None = None
    include_superseded: bool = False
    as_of: Instant | None = None
    known_at: Instant | None = None


class AskStatus(Value):
    """What `status` takes: `doctor` asks what is wrong instead, and what to do."""

    doctor: bool = False


@dataclass(frozen=True)
class Offer(Generic[Asked]):
    """A tool. `hints` explains the fields whose name does not; `unlisted` fields are accepted but not listed.
    `idempotent`: a repeated call changes nothing more."""

    name: str
    description: str
    takes: type[Asked]
    needs: KeyScope
    call: "Callable[[Graphmem, str, Asked], Awaitable[str]]"
    hints: Mapping[str, str]
    unlisted: Set[str] = frozenset()
    idempotent: bool = True

    def tool(self) -> Tool:
        reads = self.needs == "read"
        return Tool(
            name=self.name,
            description=self.description,
            input_schema=_brief(self.takes.model_json_schema(), self.hints, self.unlisted),
            annotations=ToolAnnotations(
                read_only_hint=reads,
                destructive_hint=None if reads else False,
                idempotent_hint=self.idempotent,
                open_world_hint=False,
            ),
        )

    def read(self, arguments: Json) -> Asked:
        """The arguments as the service expects them. Errors: RequestValidationError, as for a body over HTTP."""
        try:
            json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
        except ValueError:
            raise problems.no_json() from None
        try:
            return self.takes.model_validate(arguments)
        except ValidationError as error:
            found = [{**one, "loc": ("body", *one["loc"])} for one in error.errors(include_url=False)]
            raise meant(RequestValidationError(found), self.takes) from None

    async def answer(self, graphmem: "Graphmem", agent_id: str, asked: Asked) -> str:
        """What a model gets, within the `maxTokens` asked for. Errors: those of the service; InvalidInput where no
        answer fits."""

        async def ask(given: Asked) -> Json:
            answered: Json = json.loads(await self.call(graphmem, agent_id, given))
            return answered

        budget: int | None = getattr(asked, "max_tokens", None)
        if budget is None:
            return mcp_answers.written(mcp_answers.shown(self.name, await ask(asked)))
        return await mcp_answers.within(
            self.name, budget, lambda most: ask(asked.model_copy(update={"max_tokens": most}))
        )


async def _remember(graphmem: "Graphmem", agent_id: str, given: RememberOnce) -> str:
    return await _once(
        graphmem, "remember", agent_id, given, lambda caller: graphmem.knowledge.learning.remember(caller, given)
    )


async def _resolve(graphmem: "Graphmem", agent_id: str, given: ResolveOnce) -> str:
    return await _once(
        graphmem, "resolve", agent_id, given, lambda caller: graphmem.knowledge.superseding.resolve(caller, given)
    )


async def _once(
    graphmem: "Graphmem",
    tool: str,
    agent_id: str,
    given: OnlyOnce,
    write: Callable[[Caller], Awaitable[Value]],
) -> str:
    """The answer of a write; a repeat of its idempotency key gets the first one."""
    once = None
    if given.idempotency_key:
        said = given.model_dump_json(exclude={"idempotency_key"})
        body_hash = hashlib.sha256(said.encode()).hexdigest()
        once = Once(given.idempotency_key, f"MCP {tool}", body_hash, lambda receipt: (200, _dump(receipt)))
    try:
        return _dump(await graphmem.operation.once.carry_out(agent_id, once, write))
    except Replayed as first:
        return first.body


async def _recall(graphmem: "Graphmem", agent_id: str, asked: Recall) -> str:
    return _dump(await graphmem.recall.recalling.recall(agent_id, asked))


async def _grep(graphmem: "Graphmem", agent_id: str, asked: Grep) -> str:
    return _dump(await graphmem.recall.grepping.grep(agent_id, asked))


async def _load_session(graphmem: "Graphmem", agent_id: str, asked: LoadSession) -> str:
    return _dump(await graphmem.conversation.reading.load(agent_id, asked))


async def _expand(graphmem: "Graphmem", agent_id: str, asked: ExpandAny) -> str:
    wanted = asked.id or asked.entity
    if wanted is None or (asked.id and asked.entity):
        raise InvalidInput.at("entity", msg="give the id or name of an entity, or id for anything else")
    _fits_together(asked)
    if asked.preview:
        return _dump(
            await graphmem.conversation.describing.describe(agent_id, wanted, "entity" if asked.entity else None)
        )
    if asked.id:
        given = ExpandId.model_construct(max_tokens=asked.max_tokens, cursor=asked.cursor)
        return _dump(await graphmem.recall.expanding.expand(agent_id, asked.id, given))
    known = asked.model_dump(include=set(Expand.model_fields), exclude_unset=True)
    return _dump(await graphmem.recall.expanding.entities.expand(agent_id, Expand.model_construct(**known)))


OF_ENTITIES = ("aspect", "question", "include_superseded", "as_of", "known_at")
"""What `expand` takes for the name of an entity only."""


def _fits_together(asked: ExpandAny) -> None:
    """Errors: InvalidInput for an argument that would have no effect."""
    for name in (*OF_ENTITIES, "cursor"):
        if not getattr(asked, name):
            continue
        if asked.preview:
            raise InvalidInput.at(to_camel(name), msg="has no meaning with preview: leave one of them out")
        if asked.id and name != "cursor":
            raise InvalidInput.at(to_camel(name), msg="goes with entity: give its id or name there, instead of id")
        if asked.entity and name == "cursor":
            raise InvalidInput.at(
                "cursor", msg="an entity has no pages: give a larger maxTokens, an aspect or question"
            )


async def _expand_query(graphmem: "Graphmem", agent_id: str, asked: ExpandQuery) -> str:
    return _dump(await graphmem.continuity.surveying.answer(agent_id, asked))


async def _impact(graphmem: "Graphmem", agent_id: str, asked: ImpactQuestion) -> str:
    return _dump(await graphmem.impact.impacting.impact(agent_id, asked))


async def _feedback(graphmem: "Graphmem", agent_id: str, given: FeedbackOnce) -> str:
    return await _once(
        graphmem, "feedback", agent_id, given, lambda caller: graphmem.recall.feeding_back.give(caller, given)
    )


async def _status(graphmem: "Graphmem", agent_id: str, given: AskStatus) -> str:
    if given.doctor:
        return _dump(await graphmem.operation.doctor.examine(agent_id))
    return _dump(await graphmem.operation.reporting.status(agent_id))


def _dump(answer: Value) -> str:
    return answer.model_dump_json(by_alias=True)


TIME = {"asOf", "knownAt"}
"""Fields for people who look into the past: they would only distract a model."""

OFFERS: Mapping[str, Offer[Any]] = {
    offer.name: offer
    for offer in (
        Offer(
            name="remember",
            description="Keep one statement for good. Facts are drawn from it; older ones it contradicts are "
            "superseded. Look at related and proposals in the answer and call resolve.",
            takes=RememberOnce,
            needs="write",
            call=_remember,
            hints={
                "content": "one plain sentence that names its subject",
                "entity": "what it is about, if not plain from content",
                "claim": "slot of entity, e.g. port, whose newer value replaces the older",
                "kind": "constraint: a rule that binds entity or project",
            },
            unlisted={"source", "sessionId", "aspect", "pinned", "importance", "claimKey", "validFrom", "validTo"},
        ),
        Offer(
            name="resolve",
            description="Settle pairs of facts, undoably: id says the same as with, supersedes it, both hold, or id is "
            "wrong.",
            takes=ResolveOnce,
            needs="write",
            call=_resolve,
            hints={},
            unlisted={"idempotencyKey"},
        ),
        Offer(
            name="recall",
            description="The messages, memories, facts and summaries that answer a question best, with their sources.",
            takes=RecallInBudget,
            needs="read",
            call=_recall,
            hints={},
            unlisted=TIME | {"source", "includeCold"},
        ),
        Offer(
            name="grep",
            description="The messages and summaries that hold exact words: names, identifiers, quotes.",
            takes=Grep,
            needs="read",
            call=_grep,
            hints={
                "pattern": 'words that must all occur anywhere, "a phrase"',
                "scope": "default: the session given, else all",
                "cursor": "nextCursor",
            },
            unlisted={"source"},
        ),
        Offer(
            name="load_session",
            description="The messages of a session in order, a page at a time.",
            takes=LoadSession,
            needs="read",
            call=_load_session,
            hints={
                "latest": "the newest session, of project if given",
                "back": "so many sessions before that or before sessionId",
                "after": "nextCursor",
            },
        ),
        Offer(
            name="expand",
            description="What is known of one entity: constraints, facts by aspect, dependencies, summaries. Or what "
            "any id stands for: a message, a summary's parts, a payload.",
            takes=ExpandAny,
            needs="read",
            call=_expand,
            hints={
                "entity": "id or name",
                "id": "instead of entity; sha256 of a payload",
                "preview": "its beginning and counts only",
                "question": "what fits it comes first",
                "cursor": "nextCursor, with id",
            },
            unlisted=TIME,
        ),
        Offer(
            name="expand_query",
            description="An answer to one question, with quotes of the texts it comes from; found false: nothing "
            "remembered says it.",
            takes=ExpandQuery,
            needs="read",
            call=_expand_query,
            hints={"sessionId": "only what was said there"},
            unlisted=TIME | {"contextMaxTokens"},
        ),
        Offer(
            name="impact",
            description="What a change of an entity reaches, nearest first: by default all that depends on it.",
            takes=ImpactQuestion,
            needs="read",
            call=_impact,
            hints={"entityId": "id or name"},
            unlisted=TIME | {"limit", "minPathConfidence"},
        ),
        Offer(
            name="feedback",
            description="Say how good hits or facts were, -1 to 1: they rank higher or lower from then on.",
            takes=FeedbackOnce,
            needs="write",
            call=_feedback,
            hints={},
            unlisted={"sessionId", "idempotencyKey"},
            idempotent=False,
        ),
        Offer(
            name="status",
            description="Counts and health of the memory. All backlogs 0: everything said can be recalled.",
            takes=AskStatus,
            needs="read",
            call=_status,
            hints={"doctor": "what is wrong, and what to do, instead"},
        ),
    )
}


def _brief(schema: Json, hints: Mapping[str, str], unlisted: Set[str]) -> Json:
    """The schema in few words: every listed tool takes up context in every conversation."""
    definitions = schema.get("$defs", {})
    fields = {
        name: _plain(field, definitions) | ({"description": hints[name]} if name in hints else {})
        for name, field in schema.get("properties", {}).items()
        if name not in unlisted
    }
    required = {"required": schema["required"]} if "required" in schema else {}
    return {"type": "object", "properties": fields, **required}


def _plain(field: Json, definitions: Json) -> Json:
    if "$ref" in field:
        field = definitions[field["$ref"].rsplit("/", 1)[-1]] | field
    if "anyOf" in field:  # a field that may be left out may also be null: the first of the two says enough
        field = _plain(field["anyOf"][0], definitions) | {"default": field.get("default")}
    kept: Json = {key: field[key] for key in ("type", "enum", "minimum", "maximum", "format") if key in field}
    if "items" in field:
        kept["items"] = _plain(field["items"], definitions)
    if "properties" in field:
        kept["properties"] = {name: _named(one, definitions) for name, one in field["properties"].items()}
        kept |= {key: field[key] for key in ("required",) if key in field}
    if not isinstance(field.get("default", False), list | bool | None):
        kept["default"] = field["default"]
    return kept


def _named(field: Json, definitions: Json) -> Json:
    """A field of an object in a field: its bounds and default are left to the error that a wrong one gets."""
    plain = _plain(field, definitions)
    return {key: plain[key] for key in ("type", "enum", "format", "items") if key in plain}
