"""Hosts and origins, in front of every route: no page in a browser reaches a memory, under whatever name."""

import re
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi.routing import iter_route_contexts
from hypothesis import example, given
from hypothesis import strategies as st

from api.app import create_app
from api.hosts import READING, Authority
from graphmem.errors import SettingsInvalid
from graphmem.settings import Settings, load_settings

EVIL = "http://evil.example"


@pytest.fixture(scope="module")
def routes(transport: httpx.ASGITransport) -> list[tuple[str, str]]:
    """Every route as (method, a path of it), and one that is none."""
    found = [
        (method, re.sub(r"\{[^}]+\}", "x", str(route.path)))
        for route in iter_route_contexts(transport.app.routes)  # type: ignore[attr-defined]
        for method in sorted(route.methods or ())
    ]
    assert len(found) > 70
    return [*found, ("POST", "/nowhere")]


async def door(settings: Settings, **changes: object) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(settings.model_copy(update=changes))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client,
    ):
        yield client


@pytest.fixture(scope="module")
async def named(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    async for client in door(settings, allowed_hosts=("memory.example.org", "app.example.org:8443")):
        yield client


async def test_a_foreign_host_is_421_at_every_route(http: httpx.AsyncClient, routes: list[tuple[str, str]]) -> None:
    for method, path in routes:
        refused = await http.request(method, path, headers={"Host": "evil.example:8000"})
        assert refused.status_code == 421, (method, path)
        assert refused.headers["content-type"] == "application/problem+json"
        assert refused.headers["x-request-id"]
        assert method == "HEAD" or refused.json()["code"] == "host_not_allowed"


@pytest.mark.parametrize(
    "sent",
    [{"Origin": EVIL}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:4000"}, {"Sec-Fetch-Site": "cross-site"}],
)
async def test_a_page_of_another_origin_is_403_at_every_route_that_may_change_something(
    http: httpx.AsyncClient, routes: list[tuple[str, str]], sent: dict[str, str]
) -> None:
    writing = [(method, path) for method, path in routes if method not in READING]
    assert len(writing) > 40
    for method, path in writing:
        refused = await http.request(method, path, headers=sent)
        assert (refused.status_code, refused.json()["code"]) == (403, "origin_not_allowed"), (method, path)
    assert (await http.get("/api/sessions", headers=sent)).json()["items"] == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:9", "localhost:8000", "LOCALHOST.", "[::1]:8000", "127.8.8.8"]
)
async def test_loopback_is_served_under_all_its_names(http: httpx.AsyncClient, host: str) -> None:
    for origin in ({}, {"Origin": f"http://{host}"}):
        made = await http.post("/api/sessions", headers={"Host": host} | origin, json={"sessionId": "s"})
        assert made.status_code in (200, 201), made.text


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.7", "a b", "", "x@127.0.0.1"]
)
async def test_whatever_is_not_loopback_is_foreign(http: httpx.AsyncClient, host: str) -> None:
    assert (await http.get("/api/sessions", headers={"Host": host})).status_code == 421


async def test_a_second_host_is_looked_at_too(http: httpx.AsyncClient) -> None:
    sent = [("Host", "127.0.0.1"), ("Host", "evil.example")]
    assert (await http.get("/api/sessions", headers=sent)).status_code == 421


async def test_the_setting_widens_the_list(named: httpx.AsyncClient) -> None:
    for host, origin, status in (
        ("memory.example.org", "https://memory.example.org", 201),
        ("memory.example.org:8443", None, 200),
        ("127.0.0.1:8000", "https://memory.example.org", 200),  # a proxy that passes its own name on
        ("127.0.0.1:8000", "https://app.example.org:8443", 200),
        ("127.0.0.1:8000", "https://app.example.org", 403),
        ("app.example.org", None, 421),
        ("evil.example", EVIL, 421),
        ("memory.example.org", EVIL, 403),
    ):
        sent = {"Host": host, "X-Agent-Id": "hosts"} | ({"Origin": origin} if origin else {})
        answered = await named.post("/api/sessions", headers=sent, json={"sessionId": "s"})
        assert answered.status_code == status, (host, origin, answered.text)


async def test_beyond_loopback_addresses_are_served_and_names_only_when_listed(settings: Settings) -> None:
    async for client in door(settings, host="0.0.0.0", require_key=True):  # noqa: S104 - nothing listens
        for host, status in (("10.0.0.7:8000", 401), ("[2001:db8::1]", 401), ("evil.example", 421), ("[::]", 401)):
            assert (await client.get("/api/sessions", headers={"Host": host})).status_code == status
    async for client in door(settings, allowed_hosts=("*",), require_key=True):
        sent = {"Host": "evil.example", "Origin": EVIL}
        assert (await client.post("/api/sessions", headers=sent)).status_code == 401


def test_all_hosts_are_refused_without_keys() -> None:
    with pytest.raises(SettingsInvalid, match="allowed_hosts must not be \\* without require_key"):
        load_settings({"GRAPHMEM_ALLOWED_HOSTS": "*"})
    assert load_settings({"GRAPHMEM_ALLOWED_HOSTS": "*", "GRAPHMEM_REQUIRE_KEY": "true"}).allowed_hosts == ("*",)
    with pytest.raises(SettingsInvalid, match="is no host"):
        load_settings({"GRAPHMEM_ALLOWED_HOSTS": "*.example.org"})


async def test_a_graph_is_taken_over_as_json_lines_only(http: httpx.AsyncClient) -> None:
    line = b'{"source": "a", "target": "b"}\n'
    for sent in ("text/plain", "application/json", "application/x-www-form-urlencoded", "", "application/x-ndjsonx"):
        headers = {"Content-Type": sent} if sent else {}
        refused = await http.post("/api/graph/import", content=line, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (415, "unsupported_media_type")
        assert "application/x-ndjson" in refused.json()["detail"]
    assert (await http.get("/api/graph/entities")).json()["items"] == []
    taken = {"Content-Type": "Application/X-NDJSON; charset=utf-8"}
    assert (await http.post("/api/graph/import", content=line, headers=taken)).status_code == 200


async def test_the_pages_of_the_service_work_from_their_own_origin(http: httpx.AsyncClient) -> None:
    own = {"Host": "localhost:8000", "Sec-Fetch-Site": "none"}
    assert (await http.get("/docs", headers=own)).status_code == 200
    tried = own | {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "same-origin"}
    assert (await http.post("/api/memory/recall", json={"query": "a"}, headers=tried)).status_code == 200


def test_what_names_no_host_is_read_as_none() -> None:
    assert Authority.read("[::1]:8000") == Authority("::1", 8000)
    assert Authority.read("Memory.Example.org.") == Authority("memory.example.org", None)
    for text in ("", "a:b", "a/b", "a:1:2", "u@a", "a:", ":80", "[::1"):
        assert Authority.read(text) is None, text
    assert Authority.of_origin("null") is Authority.of_origin("file://") is None


@given(st.text(max_size=40) | st.text("[]:.aA1-/@? \t", max_size=20))
@example("a:99999999999999999999")
@example("[::1")
def test_whatever_a_host_says_it_is_read_or_refused(text: str) -> None:
    read = Authority.read(text)
    assert read is None or (read.host == read.host.lower() and not set(read.host) & set("/?#@ []"))
    assert Authority.of_origin(text) is None or "://" in text
