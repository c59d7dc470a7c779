"""What a route gets of its request: the services, the agent, and the way to make a write happen once."""

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel

from api import problems
from api.auth import Access, identify
from api.parameters import Parameters, meant, without_body
from api.scopes import needed
from graphmem.app import Graphmem
from graphmem.model.caller import Caller, Once, Replayed
from graphmem.model.value import Value

Answer = TypeVar("Answer", bound=Value)


PAGES = ("/docs", "/redoc")
"""Pages for browsers, which may append to an address what they like."""
_NO_JSON = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]|NaN|Infinity|\d[eE]\+?\d{3}")
"""What a body may contain that Python reads although it is not valid JSON."""


async def strict_json(request: Request) -> None:
    """Refuses NaN, infinite numbers and lone surrogates: they can be neither stored nor returned."""
    if not _NO_JSON.search(await request.body()):
        return
    try:
        json.dumps(await request.json(), ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        raise problems.no_json() from None


async def services(request: Request) -> Graphmem:  # not a plain function: the framework runs those in a thread
    opened: Graphmem = request.app.state.graphmem
    return opened


class Guarded(APIRoute):
    """A route that checks the caller's access first, then that it knows all that was sent; the body of a refused
    request is not read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()
        parameters = Parameters(self.dependant)
        body: type[BaseModel] | None = self.body_field.field_info.annotation if self.body_field else None  # type: ignore[assignment]
        reads_none = (self.methods or set()) <= {"GET", "DELETE"}

        async def guarded(request: Request) -> Response:
            scope = needed(request.method, self.path)
            if scope:
                access = await identify(await services(request), request.headers)
                access.require(scope)
                request.app.state.limit.take(access.key_id or access.agent_id)
                request.state.access = access
            if not self.path.startswith(PAGES):
                request.scope["query_string"] = parameters.read(request.scope["query_string"])
            if reads_none:
                await without_body(request)
            try:
                return await answer(request)
            except RequestValidationError as error:
                raise meant(error, body) from None

        return guarded


async def agent_id(
    request: Request,
    x_agent_id: Annotated[str | None, Header(description="The agent asked for; else the service's default")] = None,  # noqa: ARG001 - read by `identify`, named here for the API's description
) -> str:
    """The agent of a request, as `Guarded` found it."""
    access: Access = request.state.access
    return access.agent_id


async def one_agent(request: Request, agent: Annotated[str, Depends(agent_id)]) -> str | None:
    """The agent of a request, or None where it names none and may see all."""
    access: Access = request.state.access
    return agent if access.named else None


Services = Annotated[Graphmem, Depends(services)]
Agent = Annotated[str, Depends(agent_id)]
OneOrAll = Annotated[str | None, Depends(one_agent)]


class Write:
    """One writing request. Called with the work to do, it answers; a repeat of its idempotency key gets the first
    answer."""

    def __init__(self, graphmem: Graphmem, agent: str, key: str | None, route: str, body: bytes) -> None:
        self._graphmem = graphmem
        self._agent = agent
        self._key = key
        self._route = route
        self._body = body

    async def __call__(
        self, work: Callable[[Caller], Awaitable[Answer]], status: Callable[[Answer], int] = lambda _: 200
    ) -> Response:
        def encode(result: Value) -> tuple[int, str]:
            return status(result), dump(result)  # type: ignore[arg-type]

        once = Once(self._key, self._route, hashlib.sha256(self._body).hexdigest(), encode) if self._key else None
        try:
            result = await self._graphmem.operation.once.carry_out(self._agent, once, work)
        except Replayed as first:
            return Response(first.body, first.status, {"Idempotency-Replayed": "true"}, "application/json")
        code, body = encode(result)
        return Response(body, code, media_type="application/json")

    async def renew(self, answer: Value) -> Response:
        """A later answer to the same request: a repeat gets it too."""
        if self._key:
            await self._graphmem.operation.upkeep.keep_answer(self._agent, self._key, 200, dump(answer))
        return reply(answer)


async def write_call(
    request: Request,
    agent: Agent,
    graphmem: Services,
    idempotency_key: Annotated[
        str | None, Header(description="A repeat with the same key is answered with the first answer", max_length=256)
    ] = None,
) -> Write:
    route = f"{request.method} {request.url.path}?{request.url.query}"
    return Write(graphmem, agent, idempotency_key, route, await request.body())


Writing = Annotated[Write, Depends(write_call)]


def dump(answer: Value) -> str:
    """The JSON of an answer: camelCase, every field present."""
    return answer.model_dump_json(by_alias=True)


def reply(answer: Value, status: int = 200) -> Response:
    """An answer as a response, without validating it a second time."""
    return Response(dump(answer), status, media_type="application/json")
