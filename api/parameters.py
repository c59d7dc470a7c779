"""What a route takes besides its path: no parameter is ignored, in whichever place it is sent."""

from collections.abc import Iterator, Sequence
from typing import Any, get_args, get_origin
from urllib.parse import parse_qsl, urlencode

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from graphmem.errors import InvalidInput, Problem
from graphmem.model.unknown import did_you_mean, fields_at


class Parameters:
    """The query parameters of a route, by name; `many`: those that may be given several times."""

    def __init__(self, dependant: Dependant) -> None:
        fields = list(_fields(dependant))
        self.names = frozenset(field.alias for field in fields)
        self.many = frozenset(field.alias for field in fields if _is_list(field.field_info.annotation))

    def read(self, query: bytes) -> bytes:
        """The query as the route knows it: a name in snake_case is that in camelCase.

        Errors: InvalidInput for names the route does not have, with the nearest, and for a value given twice.
        """
        if not query:
            return query
        given = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
        named = [(self._name(name), value) for name, value in given]
        problems = [_unknown(name, self.names) for name in dict(named) if name not in self.names]
        problems += [
            Problem(("query", name), f"is given {count} times: give it once")
            for name in self.names - self.many
            if (count := sum(name == one for one, _ in named)) > 1
        ]
        if problems:
            raise InvalidInput("; ".join(f"{'.'.join(map(str, one.loc))}: {one.msg}" for one in problems), problems)
        return query if named == given else urlencode(named).encode()

    def _name(self, given: str) -> str:
        return given if given in self.names or (camel := to_camel(given)) not in self.names else camel


async def without_body(request: Request) -> None:
    """Errors: InvalidInput where a route that reads no body is sent one."""
    sent = request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers
    if sent and await request.body():
        raise InvalidInput.at("body", msg="this route reads no body: send what it takes as query parameters")


def meant(error: RequestValidationError, model: type[BaseModel] | None) -> RequestValidationError:
    """The same errors, in which a field that a body does not have comes with the one that was probably meant."""
    found = [_with_meant(one, model) for one in error.errors()]
    return RequestValidationError(found, body=error.body)


def _with_meant(one: dict[str, Any], model: type[BaseModel] | None) -> dict[str, Any]:
    loc: Sequence[str | int] = one["loc"][1:]
    if one["type"] != "extra_forbidden" or model is None or not loc:
        return one
    return one | {"ctx": {"meant": did_you_mean(str(loc[-1]), fields_at(model, loc))}}


def _unknown(name: str, known: frozenset[str]) -> Problem:
    return Problem(("query", name), f"is no parameter of this route; {did_you_mean(name, known)}".rstrip("; "))


def _fields(dependant: Dependant) -> Iterator[Any]:
    yield from dependant.query_params
    for other in dependant.dependencies:
        yield from _fields(other)


def _is_list(annotation: Any) -> bool:
    return any(get_origin(one) is list for one in (annotation, *get_args(annotation)))
