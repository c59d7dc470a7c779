"""One table from our errors to the answers of each door, and the one body of every error."""

import json
import logging
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphmem import errors

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
REQUEST_ID = "graphmem.request_id"
"""The key of the request id in the scope of a request."""

HTTP_STATUS: Mapping[type[errors.GraphmemError], int] = {
    errors.InvalidInput: 422,
    errors.InvalidCursor: 400,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.OutOfRange: 416,
    errors.PayloadDamaged: 500,
    errors.Unauthenticated: 401,
    errors.ScopeMissing: 403,
    errors.RateLimited: 429,
    errors.PlanOutdated: 503,
    errors.NotRepairable: 409,
    errors.NotBuiltYet: 501,
    errors.DatabaseUnavailable: 503,
    errors.DiskFull: 507,
    errors.DatabaseRefused: 503,
    errors.SchemaMismatch: 503,
    errors.EmbedderMismatch: 503,
    errors.ModelUnavailable: 503,
    errors.SettingsInvalid: 500,
    errors.SetupFailed: 500,
    errors.ServerFailed: 503,
}
"""HTTP status of an error: that of the nearest class in the tree, from its own upwards."""

EXIT_CODE: Mapping[type[errors.GraphmemError], int] = {
    errors.InvalidInput: 2,
    errors.SettingsInvalid: 2,
    errors.NotRepairable: 2,
    errors.NotFound: 4,
    errors.ChangeUnknown: 8,
    errors.Conflict: 5,
    errors.Unauthenticated: 3,
    errors.ScopeMissing: 3,
    errors.DatabaseUnavailable: 6,
    errors.DatabaseRefused: 6,
    errors.ServerFailed: 6,
    errors.SetupFailed: 7,
}
"""Exit code of the command line: 1 by default."""

# Statuses that Starlette and FastAPI raise themselves.
_PLAIN = {
    400: ("bad_request", "The request cannot be read"),
    404: ("not_found", "There is no such route"),
    405: ("method_not_allowed", "This route does not take this method"),
    413: ("body_too_big", "The body is too big"),
    415: ("unsupported_media_type", "The body is of another media type"),
}


def status_of(error: errors.GraphmemError) -> int:
    return _nearest(type(error), HTTP_STATUS, 500)


def exit_code_of(error: errors.GraphmemError) -> int:
    return _nearest(type(error), EXIT_CODE, 1)


def _nearest(kind: type, table: Mapping[type[errors.GraphmemError], int], otherwise: int) -> int:
    return next((table[cls] for cls in kind.__mro__ if cls in table), otherwise)


def problem(
    status: int, code: str, title: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """The one error body: type, title, status, detail, code, and what else the error knows."""
    body = {
        "type": f"urn:graphmem:problem:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        **more,
    }
    return Response(json.dumps(body, ensure_ascii=False), status, dict(headers or {}), MEDIA_TYPE)


def answer(error: errors.GraphmemError) -> Response:
    """The problem for one of our errors."""
    more: dict[str, Any] = {}
    headers: dict[str, str] = {}
    if isinstance(error, errors.InvalidInput):
        more["errors"] = [{"loc": list(one.loc), "msg": one.msg} for one in error.problems]
    if isinstance(error, errors.QueryInvalid):
        more |= {"kind": error.kind, "position": error.position}
    if isinstance(error, errors.EntityNotFound):
        more["wanted"] = error.wanted
        more["near"] = [{"id": near.id, "name": near.name} for near in error.near]
    status = status_of(error)
    if isinstance(error, errors.OutOfRange):
        headers["Content-Range"] = f"bytes */{error.total}"
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="graphmem"'
    if status in (429, 503, 507):
        headers["Retry-After"] = str(getattr(error, "retry_after_s", 5))
    return problem(status, error.code, error.title, str(error), headers, **more)


def no_json() -> RequestValidationError:
    """For what Python reads as JSON although it is not."""
    why = "it holds NaN, an infinite number, or half of a surrogate pair"
    return RequestValidationError([{"type": "json_invalid", "loc": ("body",), "ctx": {"error": why}}])


def told(error: Exception, request_id: str | None) -> Response:
    """The problem for an exception, for a door without its own exception handlers."""
    if isinstance(error, errors.GraphmemError):
        return _failed(error)
    if isinstance(error, RequestValidationError):
        return _refused(error)
    return _bug(error, request_id)


def _failed(error: errors.GraphmemError) -> Response:
    if status_of(error) >= 500 and not isinstance(error, errors.NotBuiltYet):
        log.warning("request failed", extra={"error": error.code})
    return answer(error)


def _refused(error: RequestValidationError) -> Response:
    found = _without_echoes(error.errors())
    unreadable = next((one for one in found if one["type"] == "json_invalid"), None)
    if unreadable:
        why = unreadable.get("ctx", {}).get("error", "unreadable")
        return problem(400, "invalid_json", "The body is no JSON", f"The body cannot be read as JSON: {why}.")
    return problem(
        422,
        errors.InvalidInput.code,
        errors.InvalidInput.title,
        "; ".join(f"{'.'.join(map(str, _path(one['loc'])))}: {_say(one)}" for one in found),
        errors=[{"loc": _path(one["loc"]), "msg": _say(one)} for one in found],
    )


def _bug(error: Exception, request_id: str | None) -> Response:
    kind = type(error).__name__
    log.error("a bug in graphmem", extra={"request_id": request_id, "error": kind, "traceback": _where(error)})
    detail = f"{kind}. The log has the details under the request id."
    return problem(500, "internal", errors.GraphmemError.title, detail)


def install(app: FastAPI) -> None:
    """Every error that leaves a route becomes a problem."""

    async def ours(_: Request, error: Exception) -> Response:
        assert isinstance(error, errors.GraphmemError)  # noqa: S101 - the table below says so
        return _failed(error)

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        return _refused(error)

    async def plain(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101
        if error.status_code == 404 and b"%2f" in request.scope.get("raw_path", b"").lower():
            return answer(errors.InvalidInput.at("path", msg="an id in a path cannot hold '/'"))
        code, title = _PLAIN.get(error.status_code, ("http_error", "The request cannot be served"))
        return problem(error.status_code, code, title, str(error.detail), error.headers)

    app.add_exception_handler(errors.GraphmemError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)
    app.add_middleware(Unforeseen)


class Unforeseen:
    """Turns an unexpected error into a problem.

    A middleware, because the framework answers such errors outside of all middlewares, without a request id, and passes
    them to the server, which logs their messages. Our log has the places and kinds of the errors, never their messages:
    they may quote what was sent.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except ClientDisconnect:
            return  # nobody is left to answer
        except Exception as error:
            if scope["type"] != "http" or begun:
                raise
            await _bug(error, scope.get(REQUEST_ID))(scope, receive, send)


def _where(error: BaseException) -> str:
    """The traceback of an error and its causes, with their kinds and without their messages."""
    cause = error.__cause__ or error.__context__
    before = f"{_where(cause)}then\n" if cause else ""
    return f"{before}{''.join(traceback.format_tb(error.__traceback__))}{type(error).__name__}\n"


def _without_echoes(found: Sequence[Any]) -> list[Any]:
    """The errors without consequential ones: a list is not too short because its items are wrong."""
    places = [tuple(one["loc"]) for one in found]
    return [
        one
        for one, at in zip(found, places, strict=True)
        if one["type"] != "too_short" or not any(len(other) > len(at) and other[: len(at)] == at for other in places)
    ]


def _path(loc: Sequence[str | int]) -> list[str | int]:
    """The place of a wrong field from the root of the input: 'body' is that root and is left out."""
    return list(loc[1:]) if loc and loc[0] == "body" and len(loc) > 1 else list(loc)


def _say(one: Mapping[str, Any]) -> str:
    if one["type"] == "extra_forbidden":
        return f"is no field of this request; {one.get('ctx', {}).get('meant', '')}".rstrip("; ")
    return str(one["msg"]).removeprefix("Value error, ")
