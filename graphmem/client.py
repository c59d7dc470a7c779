"""The HTTP API from Python: the same names as the routes, the same objects as answers.

>>> with GraphmemClient("http://127.0.0.1:8000") as memory:                                     # doctest: +SKIP
...     memory.remember(content="billing-service uses PostgreSQL")
...     memory.recall(query="which database does billing use?").hits[0].text
"""

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
from pydantic import JsonValue, ValidationError

from graphmem import errors
from graphmem.model.answers import (
    DependenciesReceipt,
    EndReceipt,
    EntityPage,
    Examination,
    Expansion,
    ImpactReport,
    IngestReceipt,
    OpenedSession,
    Page,
    Recalled,
    RememberReceipt,
    Status,
)
from graphmem.model.conversation import StoredMessage
from graphmem.model.inputs import (
    EndSession,
    Expand,
    ImpactQuestion,
    NewDependencies,
    NewMessages,
    NewSession,
    Recall,
    Remember,
)
from graphmem.model.knowledge import EntityCounts, Supersession
from graphmem.model.value import Value

Answer = TypeVar("Answer", bound=Value)
Input = TypeVar("Input", bound=Value)


def _tree(cls: type[errors.GraphmemError]) -> dict[str, type[errors.GraphmemError]]:
    return {cls.code: cls} | {code: kin for child in cls.__subclasses__() for code, kin in _tree(child).items()}


_BY_CODE = _tree(errors.GraphmemError)
"""Every error of ours by the code it has on the wire."""


class GraphmemClient:
    """A connection to a running service, for one agent: the one of `key` where the service requires one.

    Errors: InvalidInput, NotFound, Conflict, Unauthenticated and their kin as the service answers them;
    DatabaseUnavailable when the service or its database is away.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        agent_id: str | None = None,
        key: str | None = None,
        timeout_s: float = 90,
    ) -> None:
        headers = {"X-Agent-Id": agent_id} if agent_id else {}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout_s)

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

    def add_messages(self, session_id: str, messages: Iterable[Mapping[str, JsonValue]]) -> IngestReceipt:
        batch = _given(NewMessages, {"messages": list(messages)})
        return self._post(f"/api/sessions/{_segment(session_id)}/messages", batch, IngestReceipt)

    def messages(self, session_id: str, **how: Any) -> Page[StoredMessage]:
        """The messages of a session in order; `next_cursor` is the `after` to go on with."""
        path = f"/api/sessions/{_segment(session_id)}/messages"
        return Page[StoredMessage].model_validate_json(self._call("GET", path, params=how).content)

    def end_session(self, session_id: str, **how: Any) -> EndReceipt:
        return self._post(f"/api/sessions/{_segment(session_id)}/end", _given(EndSession, how), EndReceipt)

    def remember(self, **statement: Any) -> RememberReceipt:
        return self._post("/api/memory/remember", _given(Remember, statement), RememberReceipt)

    def recall(self, **question: Any) -> Recalled:
        return self._post("/api/memory/recall", _given(Recall, question), Recalled)

    def expand(self, **question: Any) -> Expansion:
        return self._post("/api/memory/expand", _given(Expand, question), Expansion)

    def impact(self, **question: Any) -> ImpactReport:
        return self._post("/api/graph/impact", _given(ImpactQuestion, question), ImpactReport)

    def put_dependencies(self, dependencies: Iterable[Mapping[str, Any]]) -> DependenciesReceipt:
        body = _given(NewDependencies, {"dependencies": list(dependencies)})
        return DependenciesReceipt.model_validate_json(self._call("PUT", "/api/graph/dependencies", body).content)

    def entities(self, **how: Any) -> Page[EntityCounts]:
        return Page[EntityCounts].model_validate_json(self._call("GET", "/api/graph/entities", params=how).content)

    def entity(self, name: str) -> EntityPage:
        return EntityPage.model_validate_json(self._call("GET", "/api/graph/entities", params={"name": name}).content)

    def supersessions(self, **how: Any) -> Page[Supersession]:
        return Page[Supersession].model_validate_json(
            self._call("GET", "/api/memory/supersessions", params=how).content
        )

    def fact(self, id_: str) -> dict[str, Any]:
        """A memory or an attribute as JSON."""
        found: dict[str, Any] = self._call("GET", f"/api/memory/{_segment(id_)}").json()
        return found

    def payload(self, sha256: str, **part: int) -> bytes:
        """The bytes of a payload, or those from `offset` on, `limit` at most."""
        return self._call("GET", f"/api/payloads/{_segment(sha256)}", params=part).content

    def status(self) -> Status:
        return Status.model_validate_json(self._call("GET", "/api/status").content)

    def doctor(self) -> Examination:
        """What is wrong with the memory, and what to do."""
        return Examination.model_validate_json(self._call("GET", "/api/doctor").content)

    def _post(self, path: str, body: Value, answer: type[Answer]) -> Answer:
        return answer.model_validate_json(self._call("POST", path, body).content)

    def _call(
        self, method: str, path: str, body: Value | None = None, params: Mapping[str, Any] | None = None
    ) -> httpx.Response:
        content = body.model_dump_json(by_alias=True, exclude_unset=True) if body is not None else None
        try:
            response = self._http.request(
                method, path, content=content, params=params, headers={"Content-Type": "application/json"}
            )
        except httpx.HTTPError as error:
            raise errors.DatabaseUnavailable(
                f"No graphmem answers at {self._http.base_url}. Start one with `graphmem serve`."
            ) from error
        if response.status_code >= 400:
            raise _error(response)
        return response


def _segment(id_: str) -> str:
    """An id as one segment of a path, whatever is in it."""
    return quote(id_, safe="").replace(".", "%2E") if id_ in (".", "..") else quote(id_, safe="")


def _given(kind: type[Input], fields: Mapping[str, Any]) -> Input:
    """The body of a request. Errors: InvalidInput, as the service would answer it."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        problems = [errors.Problem(one["loc"], str(one["msg"]).removeprefix("Value error, ")) for one in error.errors()]
        said = "; ".join(f"{'.'.join(map(str, one.loc)) or 'body'}: {one.msg}" for one in problems)
        raise errors.InvalidInput(said, problems) from None


def _error(response: httpx.Response) -> errors.GraphmemError:
    try:
        problem = response.json()
        code, detail = str(problem["code"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return errors.GraphmemError(f"The service answered {response.status_code}: {response.text[:200]}")
    kind = _BY_CODE.get(code, errors.GraphmemError)
    if response.status_code == 422:
        return errors.InvalidInput(
            detail, [errors.Problem(tuple(one["loc"]), one["msg"]) for one in problem.get("errors", [])]
        )
    if issubclass(kind, errors.DatabaseUnavailable):
        return kind(detail, int(response.headers.get("Retry-After", "5")))
    if issubclass(kind, errors.EntityNotFound):
        near = [errors.NearName(one["id"], one["name"]) for one in problem.get("near", [])]
        return kind(str(problem.get("wanted", "")), near)
    return kind(detail)
