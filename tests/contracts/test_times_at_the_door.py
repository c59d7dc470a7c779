"""Every offset of RFC 3339 is taken and converted, and what is no time is refused, in each field that takes one."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import httpx
import hypothesis
import pytest
from hypothesis import strategies as st
from pydantic import TypeAdapter

from api.app import create_app
from graphmem.model.inputs import LARGEST_OFFSET, Instant, SaidAt
from graphmem.settings import load_settings

Json = dict[str, Any]
NO_TIMES = {
    "a leap second": "2016-12-31T23:59:60Z",
    "the year 0": "0000-01-01T00:00:00Z",
    "the year 10000": "10000-01-01T00:00:00Z",
    "before the year 1 in UTC": "0001-01-01T00:00:00+00:01",
    "after the year 9999 in UTC": "9999-12-31T23:59:59-00:01",
    "an offset of a day": "2026-01-01T00:00:00+24:00",
    "without a zone": "2026-01-01T00:00:00",
    "a day that is none": "2026-02-30",
    "a number": "1767225600",
    "a number with a point": "-0.5",
    "an expanded year": "+12026-01-01T00:00:00Z",
}
DOCUMENT = create_app(load_settings({})).openapi()


def time_fields(schema: Json, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Paths to all fields of a schema that are times; 0 stands for the item of a list."""
    if "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if schema.get("format") == "date-time":
        yield path
    for way in schema.get("anyOf", []):
        yield from time_fields(way, path)
    if isinstance(schema.get("items"), dict):
        yield from time_fields(schema["items"], (*path, "0"))
    for name, below in schema.get("properties", {}).items():
        yield from time_fields(below, (*path, name))


def fields() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """(method, path, where, field) of every time that the API takes."""
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            for parameter in operation.get("parameters", []):
                for _ in time_fields(parameter["schema"]):
                    yield method.upper(), path, "query", (parameter["name"],)
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            for field in time_fields(body):
                yield method.upper(), path, "body", field


FIELDS = list(dict.fromkeys(fields()))


def filled(field: tuple[str, ...], time: str) -> Any:
    value: Any = time
    for name in reversed(field):
        value = [value] if name == "0" else {name: value}
    return value


async def send(http: httpx.AsyncClient, at: tuple[str, str, str, tuple[str, ...]], time: str) -> httpx.Response:
    method, path, where, field = at
    path = re.sub(r"\{[^}]+\}", "x", path)
    if where == "query":
        return await http.request(method, path, params={field[0]: time})
    return await http.request(method, path, json=filled(field, time))


def refused_fields(response: httpx.Response) -> set[str]:
    return {str(one["loc"][-1]) for one in response.json().get("errors", ())} if response.status_code == 422 else set()


def test_the_fields_are_found() -> None:
    assert {field[-1] for *_, field in FIELDS} >= {
        "createdAt",
        "occurredAt",
        "validFrom",
        "since",
        "asOf",
        "from",
        "to",
    }
    assert len(FIELDS) > 25


@pytest.mark.parametrize("at", FIELDS, ids=lambda at: f"{at[0]} {at[1]} {'.'.join(at[3])}")
async def test_each_field_takes_all_offsets_and_refuses_what_is_no_time(
    http: httpx.AsyncClient, at: tuple[str, str, str, tuple[str, ...]]
) -> None:
    for what, time in NO_TIMES.items():
        answered = await send(http, at, time)
        assert at[3][-1] in refused_fields(answered), (what, answered.text)
    for offset in ("+18:01", "-18:01", "+23:59", "-23:59", "+00:00", "Z"):
        answered = await send(http, at, f"2026-03-01T12:00:00{offset}")
        assert answered.status_code < 500, answered.text
        assert at[3][-1] not in refused_fields(answered), answered.text


@pytest.mark.parametrize("number", [0, -0.0, 1767225600, 1e300, True, [], {}])
def test_a_number_is_no_time(number: Any) -> None:
    with pytest.raises(ValueError, match="must be a time of RFC 3339"):
        TypeAdapter(Instant).validate_python(number)


OFFSETS = st.timedeltas(-timedelta(hours=23, minutes=59), timedelta(hours=23, minutes=59)).map(
    lambda offset: timezone(timedelta(minutes=offset // timedelta(minutes=1)))
)


@hypothesis.given(st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=OFFSETS))  # noqa: DTZ001 - zones come with them
def test_a_time_stays_the_same_instant(time: datetime) -> None:
    read = TypeAdapter(Instant).validate_python(time.isoformat())
    assert (read, read.tzinfo) == (time, UTC)
    said = TypeAdapter(SaidAt).validate_python(time.isoformat())
    offset = time.utcoffset() or timedelta()
    assert said == time
    assert said.utcoffset() == (offset if abs(offset) <= LARGEST_OFFSET else timedelta())


async def test_times_are_stored_and_told_as_the_same_instant(http: httpx.AsyncClient) -> None:
    given, told = "2026-03-01T12:00:00+23:59", "2026-02-28T12:01:00Z"
    for where in ({"validFrom": given}, {"occurredAt": given}):
        said = {"content": f"The kiln was lit, {next(iter(where))}.", "entity": "kiln"} | where
        kept = await http.post("/api/memory/remember", json=said)
        assert kept.json()["memory"]["validFrom"] == told
    message = {"messageId": "m", "role": "user", "content": "The kiln was lit yesterday.", "createdAt": given}
    await http.post("/api/sessions/s/messages", json={"messages": [message]})
    assert (await http.get("/api/messages/m")).json()["createdAt"] == told
    opened = await http.post("/api/sessions", json={"sessionId": "t", "startedAt": given})
    assert opened.json()["startedAt"] == told
    edge = {"source": "kiln", "target": "gas", "validFrom": given}
    drawn = await http.put("/api/graph/dependencies", json={"dependencies": [edge]})
    assert drawn.json()["items"][0]["validFrom"] == told


@pytest.mark.parametrize("time", ["0001-01-02T00:00:00+14:00", "9999-12-31T00:00:00-14:00", "9999-12-31T23:59:59Z"])
async def test_what_is_said_at_the_ends_of_time_is_kept(http: httpx.AsyncClient, time: str) -> None:
    for content in (
        "Ada moved to Bergen yesterday.",
        "We will move the kiln in two weeks.",
        "It has run for two years.",
    ):
        kept = await http.post("/api/memory/remember", json={"content": content, "occurredAt": time})
        assert kept.status_code == 201, kept.text
