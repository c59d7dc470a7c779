"""The error tree: every class has its code, its place in the drawing, and an answer at each door."""

import inspect
import re
from collections.abc import Iterator

import pytest

from api import problems
from graphmem import errors
from graphmem.errors import GraphmemError


def tree(kind: type[GraphmemError] = GraphmemError) -> Iterator[type[GraphmemError]]:
    yield kind
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from tree(child)


KINDS = list(tree())


def made(kind: type[GraphmemError]) -> GraphmemError:
    """An error of this kind, with something to say."""
    return kind("what happened, and what to do")


def drawn() -> list[tuple[str, str | None]]:
    """The drawing in the docstring as (class, class above it)."""
    found: list[tuple[str, str | None]] = []
    above: dict[int, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"^(?P<lead>[│├└─ ]*)(?P<name>[A-Z]\w+)", line)
        if match is None or (not match["lead"] and line != "GraphmemError"):
            continue
        depth = len(match["lead"]) // 4
        above[depth] = match["name"]
        found.append((match["name"], above.get(depth - 1)))
    return found


def test_every_error_is_drawn_where_it_stands_in_the_tree() -> None:
    real = [(kind.__name__, None if kind is GraphmemError else kind.__base__.__name__) for kind in KINDS]  # type: ignore[union-attr]
    assert sorted(drawn(), key=str) == sorted(real, key=str)


def test_every_error_of_the_module_belongs_to_the_tree() -> None:
    raised = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, BaseException)]
    assert set(raised) == set(KINDS)


def test_codes_are_unique_and_in_snake_case() -> None:
    codes = [kind.__dict__.get("code") for kind in KINDS]
    assert None not in codes, "a class without a code of its own takes its parent's"
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", str(code)) for code in codes)


def test_codes_never_change() -> None:
    # Clients are written against them: a new class adds a line, no line may change.
    assert {kind.__name__: kind.code for kind in KINDS} == {
        "GraphmemError": "internal",
        "InvalidInput": "invalid_input",
        "QueryInvalid": "invalid_query",
        "InvalidCursor": "invalid_cursor",
        "NotFound": "not_found",
        "EntityNotFound": "entity_not_found",
        "ChangeUnknown": "change_unknown",
        "Conflict": "conflict",
        "MessageChanged": "message_changed",
        "NameTaken": "name_taken",
        "LegalHold": "legal_hold",
        "SessionStateless": "session_stateless",
        "IdempotencyKeyReused": "idempotency_key_reused",
        "OutOfRange": "out_of_range",
        "PayloadDamaged": "payload_damaged",
        "Unauthenticated": "unauthenticated",
        "ScopeMissing": "scope_missing",
        "RateLimited": "rate_limited",
        "PlanOutdated": "plan_outdated",
        "NotRepairable": "not_repairable",
        "NotBuiltYet": "not_built_yet",
        "DatabaseUnavailable": "database_unavailable",
        "DatabaseBusy": "database_busy",
        "DatabaseFailed": "database_failed",
        "DatabaseReadOnly": "database_read_only",
        "DiskFull": "disk_full",
        "DatabaseRefused": "database_refused",
        "SchemaMismatch": "schema_mismatch",
        "EmbedderMismatch": "embedder_mismatch",
        "ModelUnavailable": "model_unavailable",
        "SettingsInvalid": "settings_invalid",
        "SetupFailed": "setup_failed",
        "DownloadFailed": "download_failed",
        "UnsupportedPlatform": "unsupported_platform",
        "ServerFailed": "server_failed",
    }


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_has_a_title_and_a_docstring_free_of_surprises(kind: type[GraphmemError]) -> None:
    assert kind.__dict__.get("title")
    assert not kind.title.endswith(".")


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_a_problem_with_a_status(kind: type[GraphmemError]) -> None:
    error = made(kind)
    status = problems.status_of(error)
    response = problems.answer(error)
    assert response.status_code == status
    assert response.media_type == "application/problem+json"
    assert 400 <= status < 600
    if kind is not GraphmemError:
        assert any(cls in problems.HTTP_STATUS for cls in kind.__mro__), "no entry: it would answer 500 by accident"
    assert ("retry-after" in response.headers) == (status in (429, 503, 507))
    assert ("www-authenticate" in response.headers) == (status == 401)


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_ends_the_command_line_with_a_code_of_its_own(kind: type[GraphmemError]) -> None:
    code = problems.exit_code_of(made(kind))
    assert code in (1, 2, 3, 4, 5, 6, 7, 8)


@pytest.mark.parametrize(
    ("kind", "status", "exit_code"),
    [
        (errors.InvalidInput, 422, 2),
        (errors.InvalidCursor, 400, 1),
        (errors.NotFound, 404, 4),
        (errors.EntityNotFound, 404, 4),
        (errors.ChangeUnknown, 404, 8),
        (errors.Conflict, 409, 5),
        (errors.MessageChanged, 409, 5),
        (errors.NameTaken, 409, 5),
        (errors.IdempotencyKeyReused, 409, 5),
        (errors.Unauthenticated, 401, 3),
        (errors.ScopeMissing, 403, 3),
        (errors.NotBuiltYet, 501, 1),
        (errors.DatabaseUnavailable, 503, 6),
        (errors.DatabaseBusy, 503, 6),
        (errors.DatabaseFailed, 503, 6),
        (errors.DatabaseReadOnly, 503, 6),
        (errors.DiskFull, 507, 6),
        (errors.DatabaseRefused, 503, 6),
        (errors.SettingsInvalid, 500, 2),
        (errors.ServerFailed, 503, 6),
        (errors.DownloadFailed, 500, 7),
        (errors.UnsupportedPlatform, 500, 7),
        (errors.GraphmemError, 500, 1),
    ],
)
def test_statuses_and_exit_codes_are_those_of_the_contract(
    kind: type[GraphmemError], status: int, exit_code: int
) -> None:
    assert (problems.status_of(made(kind)), problems.exit_code_of(made(kind))) == (status, exit_code)


def test_what_an_error_knows_is_in_its_problem() -> None:
    wrong = problems.answer(errors.InvalidInput.at("messages", 0, "role", msg="must be user"))
    assert b'"errors": [{"loc": ["messages", 0, "role"], "msg": "must be user"}]' in wrong.body
    unknown = problems.answer(errors.EntityNotFound("Redix", [errors.NearName("e1", "Redis")]))
    assert b'"near": [{"id": "e1", "name": "Redis"}]' in unknown.body
    assert problems.answer(errors.DatabaseBusy("later", retry_after_s=7)).headers["retry-after"] == "7"
    assert problems.answer(errors.DiskFull("full", retry_after_s=30)).headers["retry-after"] == "30"
