"""One table from our errors to what each door answers, and the one body every error has."""

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from graphmem import errors

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"

HTTP_STATUS: Mapping[type[errors.GraphmemError], int] = {
    errors.InvalidInput: 422,
    errors.InvalidCursor: 400,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.PlanOutdated: 503,
    errors.NotBuiltYet: 501,
    errors.DatabaseUnavailable: 503,
    errors.DatabaseRefused: 503,
    errors.SchemaMismatch: 503,
    errors.EmbedderMismatch: 503,
    errors.ModelUnavailable: 503,
    errors.SettingsInvalid: 500,
    errors.SetupFailed: 500,
    errors.ServerFailed: 503,
}
"""HTTP status of an error: that of the nearest class above it in the tree."""

EXIT_CODE: Mapping[type[errors.GraphmemError], int] = {
    errors.InvalidInput: 2,
    errors.SettingsInvalid: 2,
    errors.NotFound: 4,
    errors.Conflict: 5,
    errors.DatabaseUnavailable: 6,
    errors.DatabaseRefused: 6,
    errors.ServerFailed: 6,
    errors.SetupFailed: 7,
}
"""Exit code of the command line: 1 where nothing is said."""

# Statuses that Starlette and FastAPI raise themselves.
_PLAIN = {
    400: ("bad_request", "The request cannot be read"),
    404: ("not_found", "There is no such route"),
    405: ("method_not_allowed", "This route does not take this method"),
    413: ("body_too_big", "The body is too big"),
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
    """The problem an error of ours is."""
    more: dict[str, Any] = {}
    headers: dict[str, str] = {}
    if isinstance(error, errors.InvalidInput):
        more["errors"] = [{"loc": list(one.loc), "msg": one.msg} for one in error.problems]
    if isinstance(error, errors.EntityNotFound):
        more["near"] = [{"id": near.id, "name": near.name} for near in error.near]
    status = status_of(error)
    if status == 503:
        headers["Retry-After"] = str(getattr(error, "retry_after_s", 5))
    return problem(status, error.code, error.title, str(error), headers, **more)


def install(app: FastAPI) -> None:
    """Every error that leaves a route becomes a problem."""

    async def ours(_: Request, error: Exception) -> Response:
        assert isinstance(error, errors.GraphmemError)  # noqa: S101 - the table below says so
        if status_of(error) >= 500 and not isinstance(error, errors.NotBuiltYet):
            log.warning("request failed", extra={"error": error.code})
        return answer(error)

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        found = error.errors()
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

    async def plain(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101
        code, title = _PLAIN.get(error.status_code, ("http_error", "The request cannot be served"))
        return problem(error.status_code, code, title, str(error.detail), error.headers)

    async def unforeseen(_: Request, error: Exception) -> Response:
        log.error("a bug in graphmem", exc_info=error)
        kind = type(error).__name__
        return problem(
            500, "internal", errors.GraphmemError.title, f"{kind}. The log has the details under the request id."
        )

    app.add_exception_handler(errors.GraphmemError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)
    app.add_exception_handler(Exception, unforeseen)


def _path(loc: Sequence[str | int]) -> list[str | int]:
    """The place of a wrong field from the root of the input: 'body' is that root and is left out."""
    return list(loc[1:]) if loc and loc[0] == "body" and len(loc) > 1 else list(loc)


def _say(one: Mapping[str, Any]) -> str:
    if one["type"] == "extra_forbidden":
        return "is no field of this request"
    return str(one["msg"]).removeprefix("Value error, ")
