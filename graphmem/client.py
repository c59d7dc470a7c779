"""The HTTP API from Python: the same names as the routes, the same objects as answers.

>>> with GraphmemClient("http://127.0.0.1:8000") as memory:                                     # doctest: +SKIP
...     memory.remember(content="billing-service uses PostgreSQL")
...     memory.recall(query="which database does billing use?").hits[0].text
"""

import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx
from pydantic import JsonValue, ValidationError
from pydantic_core import ErrorDetails

from graphmem import errors
from graphmem.model.answering import Answered, ExpandQuery
from graphmem.model.answers import (
    ArchiveReceipt,
    Backfill,
    ColdStats,
    Condensation,
    DependenciesReceipt,
    EndReceipt,
    EntityPage,
    Examination,
    ExpandedSummary,
    Expansion,
    Grepped,
    HistoryItem,
    ImpactReport,
    IngestReceipt,
    MadeEntity,
    OpenedSession,
    Page,
    Recalled,
    RememberReceipt,
    Resolved,
    RetentionReport,
    Rollback,
    Status,
    SweepReport,
    TelemetryEvent,
    Verification,
)
from graphmem.model.compaction import Compact, Compacted
from graphmem.model.context import AssembleContext, Context
from graphmem.model.conversation import StoredMessage, Summary
from graphmem.model.erasing import Erase, Erased
from graphmem.model.exploring import Explore, Explored
from graphmem.model.feedback import FeedbackReceipt, GiveFeedback
from graphmem.model.impact import CriticalQuestion, CriticalReport, WhatIf, WhatIfReport
from graphmem.model.importing import ImportReport
from graphmem.model.inputs import (
    Correction,
    EndSession,
    EntityChange,
    Expand,
    ExpandSummary,
    Grep,
    ImpactQuestion,
    LoadSession,
    MergeInto,
    NewDependencies,
    NewEntity,
    NewMessages,
    NewSession,
    Recall,
    Remember,
    Resolve,
    RollBack,
    StartReindex,
    StartRepair,
    StartRetention,
    StartSweep,
    Supersede,
    UndoSupersession,
    WithReason,
)
from graphmem.model.knowledge import Entity, EntityCounts, Merge, Supersession
from graphmem.model.lattice import LatticeAnswer, LatticeQuestion
from graphmem.model.provenance import Provenance
from graphmem.model.reading import Description, LoadedSession, SessionDetail
from graphmem.model.recap import KeepRecap, Recap
from graphmem.model.reindexing import ReindexReport
from graphmem.model.turns import Turn
from graphmem.model.unknown import did_you_mean, fields_at
from graphmem.model.value import Value
from graphmem.rules.keeping.exporting import ExportFormat

Answer = TypeVar("Answer", bound=Value)
Input = TypeVar("Input", bound=Value)


def _tree(cls: type[errors.GraphmemError]) -> dict[str, type[errors.GraphmemError]]:
    return {cls.code: cls} | {code: kin for child in cls.__subclasses__() for code, kin in _tree(child).items()}


_BY_CODE = _tree(errors.GraphmemError)
"""Every error of ours by the code it has on the wire."""


class GraphmemClient:
    """A connection to a running service, for one agent: the one of `key` where the service requires one.

    Errors: InvalidInput, NotFound, Conflict, Unauthenticated and their subclasses, as the service returns them;
    DatabaseUnavailable when the service or its database cannot be reached.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        agent_id: str | None = None,
        key: str | None = None,
        timeout_s: float = 90,
        patience_s: float = 0,
    ) -> None:
        """`patience_s`: how long a call is repeated while the service answers that its database is away; a write that
        is repeated happens once."""
        headers = {"X-Agent-Id": agent_id} if agent_id else {}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        self._timeout_s = timeout_s
        self._patience_s = patience_s
        self._http = httpx.Client(base_url=url, headers=headers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def is_ready(self) -> bool:
        """Whether the service and its database answer."""
        try:
            return self._http.get("/readyz", timeout=5).status_code == 200
        except httpx.HTTPError:
            return False

    def open_session(self, **session: Any) -> OpenedSession:
        return self._post("/api/sessions", _given(NewSession, session), OpenedSession)

    def add_messages(
        self,
        session_id: str,
        messages: Iterable[Mapping[str, JsonValue]],
        *,
        on_changed: Literal["refuse", "skip"] = "refuse",
    ) -> IngestReceipt:
        """Append messages; those the session holds are not stored again. Where one is stored with other content, the
        batch is refused, or with `skip` the rest is stored and the receipt calls it `changed`."""
        batch = _given(NewMessages, {"messages": list(messages), "onChanged": on_changed})
        return self._post(f"/api/sessions/{_segment(session_id)}/messages", batch, IngestReceipt)

    def messages(self, session_id: str, **how: Any) -> Page[StoredMessage]:
        """The messages of a session in order; pass `next_cursor` as `after` for the next page."""
        path = f"/api/sessions/{_segment(session_id)}/messages"
        return Page[StoredMessage].model_validate_json(self._call("GET", path, params=how).content)

    def message(self, id_: str, **how: Any) -> StoredMessage:
        """One message by its id, from `offset` on, `limit` characters of its content."""
        return StoredMessage.model_validate_json(
            self._call("GET", f"/api/messages/{_segment(id_)}", params=how).content
        )

    def turns(self, session_id: str, **how: Any) -> Page[Turn]:
        """What was found in the messages of a session; `limit`, `cursor` and `explain` as the route has them."""
        path = f"/api/sessions/{_segment(session_id)}/turns"
        return Page[Turn].model_validate_json(self._call("GET", path, params=how).content)

    def session(self, session_id: str) -> SessionDetail:
        """A session with everything known about it."""
        return SessionDetail.model_validate_json(self._call("GET", f"/api/sessions/{_segment(session_id)}").content)

    def load_session(self, session_id: str | None = None, **how: Any) -> LoadedSession:
        """A page of a session within a budget: of the one named, of the `latest`, or of one so many sessions `back`."""
        named = {"session_id": session_id} if session_id else {}
        return self._post("/api/sessions/load", _given(LoadSession, named | how), LoadedSession)

    def context(self, session_id: str, **wanted: Any) -> Context:
        """What a model is given of a session, within a budget: `context_window`, `max_tokens`, `query` …"""
        path = f"/api/sessions/{_segment(session_id)}/context"
        return self._post(path, _given(AssembleContext, wanted), Context)

    def summaries(self, **how: Any) -> Page[Summary]:
        return Page[Summary].model_validate_json(self._call("GET", "/api/sessions/summaries", params=how).content)

    def expand_summary(self, summary_id: str, **how: Any) -> ExpandedSummary:
        path = f"/api/sessions/summaries/{_segment(summary_id)}/expand"
        return self._post(path, _given(ExpandSummary, how), ExpandedSummary)

    def describe(self, id_: str, **how: Any) -> Description:
        """What an id refers to: its beginning, and counts of what is linked to it."""
        return Description.model_validate_json(self._call("GET", f"/api/describe/{_segment(id_)}", params=how).content)

    def expand_id(self, id_: str, **how: Any) -> dict[str, Any]:
        """What an id refers to, as much as fits `maxTokens`, as JSON; `cursor` continues."""
        found: dict[str, Any] = self._call("GET", f"/api/expand/{_segment(id_)}", params=how).json()
        return found

    def compact(self, session_id: str, **how: Any) -> Compacted:
        """Compact the old part of a session into summaries; `force` also below its threshold."""
        return self._post(f"/api/sessions/{_segment(session_id)}/compact", _given(Compact, how), Compacted)

    def recap(self, session_id: str, *, keep: bool = False, **how: Any) -> Recap:
        """The recap of a session, every line with its source, by `mode` within `maxTokens`; `keep` stores it."""
        path = f"/api/sessions/{_segment(session_id)}/recap"
        if keep:
            return self._post(path, _given(KeepRecap, how), Recap)
        return Recap.model_validate_json(self._call("GET", path, params=how).content)

    def end_session(self, session_id: str, **how: Any) -> EndReceipt:
        """End a session; with `wait` until everything in it can be recalled, or with `timed_out` after
        `wait_timeout_s`."""
        given = _given(EndSession, how)
        path = f"/api/sessions/{_segment(session_id)}/end"
        answer = self._call("POST", path, given, waits_s=given.wait_timeout_s if given.wait else 0)
        return EndReceipt.model_validate_json(answer.content)

    def remember(self, **statement: Any) -> RememberReceipt:
        return self._post("/api/memory/remember", _given(Remember, statement), RememberReceipt)

    def explore(self, entity: str, **how: Any) -> Explored:
        """A walk from an entity to rarely used ones, by `seed`, for `steps` steps; `include_cold` too."""
        return self._post("/api/graph/explore", _given(Explore, how | {"entity": entity}), Explored)

    def feedback(self, scores: Mapping[str, float], **how: Any) -> FeedbackReceipt:
        """Rate what was shown, from -1 to 1 by id, and in which session (`sessionId`)."""
        items = [{"id": id_, "score": score} for id_, score in scores.items()]
        return self._post("/api/memory/feedback", _given(GiveFeedback, how | {"items": items}), FeedbackReceipt)

    def recall(self, **question: Any) -> Recalled:
        return self._post("/api/memory/recall", _given(Recall, question), Recalled)

    def grep(self, pattern: str, **how: Any) -> Grepped:
        """The messages and summaries that contain a pattern; `cursor` continues."""
        return self._post("/api/memory/grep", _given(Grep, {"pattern": pattern} | how), Grepped)

    def query(self, query: str, **how: Any) -> LatticeAnswer:
        """Turns or pairs of turns by a lattice query; `session_id`, `limit` and `cursor` narrow and page."""
        return self._post("/api/memory/query", _given(LatticeQuestion, {"query": query} | how), LatticeAnswer)

    def expand(self, **question: Any) -> Expansion:
        return self._post("/api/memory/expand", _given(Expand, question), Expansion)

    def expand_query(self, question: str, **how: Any) -> Answered:
        """An answer with its quotes, or no answer; `session_id`, `max_tokens`, `context_max_tokens`."""
        return self._post("/api/memory/expand-query", _given(ExpandQuery, {"question": question} | how), Answered)

    def impact(self, **question: Any) -> ImpactReport:
        return self._post("/api/graph/impact", _given(ImpactQuestion, question), ImpactReport)

    def impact_as(self, format: Literal["markdown", "graphml"], **question: Any) -> str:
        """What a change affects, as a text for a pull request, or as a graph for other tools."""
        body = _given(ImpactQuestion, question)
        return self._call("POST", "/api/graph/impact", body, params={"format": format}).text

    def what_if(self, **question: Any) -> WhatIfReport:
        """What would lose its last support without a fact or a dependency; nothing is written."""
        return self._post("/api/graph/impact/what-if", _given(WhatIf, question), WhatIfReport)

    def critical(self, **question: Any) -> CriticalReport:
        """Single points of failure and critical paths within a radius."""
        return self._post("/api/graph/impact/critical", _given(CriticalQuestion, question), CriticalReport)

    def export(self, format: ExportFormat = "jsonl", **how: Any) -> str:
        """All entities, facts and dependencies as text; `asOf`, `knownAt`, `includeSuperseded`."""
        return self._call("GET", "/api/graph/export", params={"format": format} | how).text

    def import_graph(self, lines: str | bytes, first_line: int = 1) -> ImportReport:
        """Import a graph, as JSON lines: those of an export, or dependencies by name."""
        answer = self._call("POST", "/api/graph/import", lines, {"firstLine": first_line}, "application/x-ndjson")
        return ImportReport.model_validate_json(answer.content)

    def put_dependencies(self, dependencies: Iterable[Mapping[str, Any]]) -> DependenciesReceipt:
        body = _given(NewDependencies, {"dependencies": list(dependencies)})
        return DependenciesReceipt.model_validate_json(self._call("PUT", "/api/graph/dependencies", body).content)

    def entities(self, **how: Any) -> Page[EntityCounts]:
        return Page[EntityCounts].model_validate_json(self._call("GET", "/api/graph/entities", params=how).content)

    def entity(self, name: str) -> EntityPage:
        return EntityPage.model_validate_json(self._call("GET", "/api/graph/entities", params={"name": name}).content)

    def make_entity(self, name: str, **more: Any) -> MadeEntity:
        """An entity of this name (`type`, `aliases`, `pinned`), created, or completed where the name is known."""
        return self._post("/api/graph/entities", _given(NewEntity, {"name": name} | more), MadeEntity)

    def change_entity(self, id_: str, **change: Any) -> Entity:
        """Change `pinned`, `type`, or the whole list of `aliases`."""
        path = f"/api/graph/entities/{_segment(id_)}"
        return Entity.model_validate_json(self._call("PATCH", path, _given(EntityChange, change)).content)

    def merge_entity(self, id_: str, into_id: str, **why: Any) -> Merge:
        """Merge an entity into another, which keeps all that both had."""
        body = _given(MergeInto, {"into_id": into_id} | why)
        return self._post(f"/api/graph/entities/{_segment(id_)}/merge", body, Merge)

    def merges(self, **how: Any) -> Page[Merge]:
        """Merges and proposals, newest first."""
        return Page[Merge].model_validate_json(self._call("GET", "/api/graph/merges", params=how).content)

    def accept_merge(self, id_: str, **why: Any) -> Merge:
        return self._post(f"/api/graph/merges/{_segment(id_)}/accept", _given(WithReason, why), Merge)

    def reject_merge(self, id_: str, **why: Any) -> Merge:
        return self._post(f"/api/graph/merges/{_segment(id_)}/reject", _given(WithReason, why), Merge)

    def undo_merge(self, id_: str, **why: Any) -> Merge:
        return self._post(f"/api/graph/merges/{_segment(id_)}/undo", _given(WithReason, why), Merge)

    def delete_dependency(self, id_: str, reason: str | None = None) -> ArchiveReceipt:
        """Retire a dependency."""
        params = {"reason": reason} if reason else None
        answer = self._call("DELETE", f"/api/graph/dependencies/{_segment(id_)}", params=params)
        return ArchiveReceipt.model_validate_json(answer.content)

    def supersessions(self, **how: Any) -> Page[Supersession]:
        return Page[Supersession].model_validate_json(
            self._call("GET", "/api/memory/supersessions", params=how).content
        )

    def supersede(self, old_id: str, new_id: str, reason: str) -> Supersession:
        """Let one fact supersede another; ids of attributes, or of memories with one attribute."""
        body = _given(Supersede, {"old_id": old_id, "new_id": new_id, "reason": reason})
        return self._post("/api/memory/supersede", body, Supersession)

    def resolve(self, items: Iterable[Mapping[str, JsonValue]], reason: str | None = None) -> Resolved:
        """Settle how facts stand to each other, all items or none: each has `id`, `with` and `verdict` (same,
        supersedes, both or wrong)."""
        return self._post("/api/memory/resolve", _given(Resolve, {"items": list(items), "reason": reason}), Resolved)

    def accept_supersession(self, id_: str, **why: Any) -> Supersession:
        path = f"/api/memory/supersessions/{_segment(id_)}/accept"
        return self._post(path, _given(WithReason, why), Supersession)

    def reject_supersession(self, id_: str, **why: Any) -> Supersession:
        path = f"/api/memory/supersessions/{_segment(id_)}/reject"
        return self._post(path, _given(WithReason, why), Supersession)

    def undo_supersession(self, id_: str, **how: Any) -> Supersession:
        """Make the older fact active again; with `retire_new` it supersedes the newer one."""
        path = f"/api/memory/supersessions/{_segment(id_)}/undo"
        return self._post(path, _given(UndoSupersession, how), Supersession)

    def fact(self, id_: str) -> dict[str, Any]:
        """A memory or an attribute as JSON."""
        found: dict[str, Any] = self._call("GET", f"/api/memory/{_segment(id_)}").json()
        return found

    def correct(self, id_: str, **change: Any) -> dict[str, Any]:
        """Change a memory or an attribute (`content`, `importance`, `pinned`), with a `reason`; the new state."""
        path = f"/api/memory/{_segment(id_)}"
        found: dict[str, Any] = self._call("PATCH", path, _given(Correction, change)).json()
        return found

    def archive(self, id_: str, reason: str | None = None) -> ArchiveReceipt:
        """Send a memory to the cold tier, or delete an attribute."""
        params = {"reason": reason} if reason else None
        answer = self._call("DELETE", f"/api/memory/{_segment(id_)}", params=params)
        return ArchiveReceipt.model_validate_json(answer.content)

    def restore(self, id_: str, **why: Any) -> dict[str, Any]:
        """Restore what was archived or deleted; the memory or attribute as JSON."""
        path = f"/api/memory/{_segment(id_)}/restore"
        found: dict[str, Any] = self._call("POST", path, _given(WithReason, why)).json()
        return found

    def erase(self, *, confirm: bool = False, **subject: str) -> Erased:
        """Erase what one of `entity`, `person`, `session_id`, `message_id`, `payload` and `memory_id` names, for good;
        without `confirm` the answer tells how much would go."""
        return self._post("/api/memory/erase", _given(Erase, {"subject": subject, "confirm": confirm}), Erased)

    def history(self, id_: str, **how: Any) -> Page[HistoryItem]:
        """What happened to a memory and its facts, or to an attribute, oldest first."""
        answer = self._call("GET", f"/api/memory/{_segment(id_)}/history", params=how)
        return Page[HistoryItem].model_validate_json(answer.content)

    def events(self, *names: str, **how: Any) -> Page[TelemetryEvent]:
        """What happened to the memory of the agent, newest first; with names, only events of these names."""
        answer = self._call("GET", "/api/telemetry/events", params={"name": names, **how})
        return Page[TelemetryEvent].model_validate_json(answer.content)

    def cold_stats(self) -> ColdStats:
        return ColdStats.model_validate_json(self._call("GET", "/api/repair/cold-stats").content)

    def retention(self, **how: Any) -> RetentionReport:
        """Move old, unimportant memories to the cold tier; with `dry_run` only report which."""
        return self._post("/api/repair/retention", _given(StartRetention, how), RetentionReport)

    def reindex(self, **how: Any) -> ReindexReport:
        """Have texts embedded again, or report how many there are; `dry_run`, `limit`."""
        return self._post("/api/repair/reindex", _given(StartReindex, how), ReindexReport)

    def supersession_sweep(self, **how: Any) -> SweepReport:
        """Have a worker retire what newer facts contradict; with `dry_run` only report what it would do."""
        return self._post("/api/repair/supersession-sweep", _given(StartSweep, how), SweepReport)

    def backfill_skipped(self, **how: Any) -> Backfill:
        """Have a worker read sessions that the significance gate skipped; with `dry_run` only report which."""
        return self._post("/api/repair/backfill-skipped", _given(StartRepair, how), Backfill)

    def condense(self, **how: Any) -> Condensation:
        """Have a worker build arcs and epochs that are missing or stale; with `dry_run` only report which."""
        return self._post("/api/repair/condense", _given(StartRepair, how), Condensation)

    def roll_back(self, entity_id: str, to: datetime | str, **how: Any) -> Rollback:
        """What rolling an entity, by id or name, back to a time would change; with `dry_run=False` it is done."""
        body = _given(RollBack, {"entity_id": entity_id, "to": to} | how)
        return self._post("/api/repair/rollback", body, Rollback)

    def rollbacks(self, **how: Any) -> Page[Rollback]:
        """Roll-backs, of an `entity` or of all, newest first."""
        return Page[Rollback].model_validate_json(self._call("GET", "/api/repair/rollbacks", params=how).content)

    def undo_rollback(self, id_: str, **why: Any) -> Rollback:
        """Undo a roll-back: everything it changed is as before."""
        return self._post(f"/api/repair/rollbacks/{_segment(id_)}/undo", _given(WithReason, why), Rollback)

    def payload(self, sha256: str, **part: int) -> bytes:
        """The bytes of a payload, or those from `offset` on, `limit` at most."""
        return self._call("GET", f"/api/payloads/{_segment(sha256)}", params=part).content

    def status(self) -> Status:
        return Status.model_validate_json(self._call("GET", "/api/status").content)

    def doctor(self) -> Examination:
        """What is wrong with the memory, and what to do."""
        return Examination.model_validate_json(self._call("GET", "/api/doctor").content)

    def provenance(self, id_: str, **how: Any) -> Provenance:
        """What must be rebuilt when something changes, or, with `direction="inputs"`, what it was made from."""
        return Provenance.model_validate_json(self._call("GET", f"/api/provenance/{_segment(id_)}", params=how).content)

    def verify(self) -> Verification:
        """The check of all hashes of messages, facts, payloads and history, and what has lost its inputs: of the agent
        of this connection, or of all where it names none and the key is not bound to one."""
        return Verification.model_validate_json(self._call("GET", "/api/verify").content)

    def _post(self, path: str, body: Value, answer: type[Answer]) -> Answer:
        return answer.model_validate_json(self._call("POST", path, body).content)

    def _call(
        self,
        method: str,
        path: str,
        body: Value | str | bytes | None = None,
        params: Mapping[str, Any] | None = None,
        media_type: str = "application/json",
        waits_s: float = 0,
    ) -> httpx.Response:
        """`waits_s`: how long the service may wait before it begins to answer."""
        content = body.model_dump_json(by_alias=True, exclude_unset=True) if isinstance(body, Value) else body
        headers = {"Content-Type": media_type} if content is not None else {}
        if self._patience_s and method != "GET":
            headers["Idempotency-Key"] = uuid4().hex
        give_up = time.monotonic() + self._patience_s
        while True:
            try:
                response = self._http.request(
                    method, path, content=content, params=params, headers=headers, timeout=self._timeout_s + waits_s
                )
            except httpx.ReadTimeout as error:
                raise errors.DatabaseUnavailable(
                    f"{self._http.base_url} did not answer within {self._timeout_s + waits_s:g} s; a write may have "
                    "been done all the same. Give the client a larger `timeout_s`."
                ) from error
            except httpx.HTTPError as error:
                raise errors.DatabaseUnavailable(
                    f"No graphmem answers at {self._http.base_url}. Start one with `graphmem serve`."
                ) from error
            if response.status_code < 400:
                return response
            failure = _error(response)
            if not isinstance(failure, errors.DatabaseUnavailable) or time.monotonic() >= give_up:
                raise failure
            time.sleep(failure.retry_after_s)


def _segment(id_: str) -> str:
    """An id as one segment of a path, whatever is in it."""
    return quote(id_, safe="").replace(".", "%2E") if id_ in (".", "..") else quote(id_, safe="")


def _given(kind: type[Input], fields: Mapping[str, Any]) -> Input:
    """The body of a request. Errors: InvalidInput, as the service would return it."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        problems = [errors.Problem(one["loc"], _says(kind, one)) for one in error.errors()]
        said = "; ".join(f"{'.'.join(map(str, one.loc)) or 'body'}: {one.msg}" for one in problems)
        raise errors.InvalidInput(said, problems) from None


def _says(kind: type[Value], one: ErrorDetails) -> str:
    if one["type"] == "extra_forbidden":
        meant = did_you_mean(str(one["loc"][-1]), fields_at(kind, one["loc"]))
        return f"is no field of this request; {meant}".rstrip("; ")
    return one["msg"].removeprefix("Value error, ")


def _error(response: httpx.Response) -> errors.GraphmemError:
    try:
        problem = response.json()
        code, detail = str(problem["code"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return errors.GraphmemError(f"The service answered {response.status_code}: {response.text[:200]}")
    kind = _BY_CODE.get(code, errors.GraphmemError)
    if kind is errors.QueryInvalid:
        return errors.QueryInvalid(problem["errors"][0]["msg"], problem["kind"], problem["position"])
    if response.status_code == 422:
        return errors.InvalidInput(
            detail, [errors.Problem(tuple(one["loc"]), one["msg"]) for one in problem.get("errors", [])]
        )
    if issubclass(kind, errors.DatabaseUnavailable | errors.RateLimited):
        return kind(detail, int(response.headers.get("Retry-After", "5")))
    if issubclass(kind, errors.EntityNotFound):
        near = [errors.NearName(one["id"], one["name"]) for one in problem.get("near", [])]
        return kind(str(problem.get("wanted", "")), near)
    return kind(detail)
