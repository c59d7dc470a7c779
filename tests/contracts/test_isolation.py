"""A stranger's key at every route and tool, with what is another agent's: `make isolation` asks thousands of times."""

from collections import Counter
from collections.abc import AsyncIterator
from uuid import uuid4

import httpx
import pytest

from api.app import create_app
from benchmarks.hostile import JSON, Description, filled, names_of
from benchmarks.isolation import KEY, OWNERS, SECRET, Attempt, Owned, as_bytes, attempts, chosen, learned
from graphmem.app import Graphmem
from graphmem.services.operation.work import Worker
from graphmem.settings import Settings

REQUESTS, SEED = 200, 5


@pytest.fixture(scope="module")
async def locked(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(settings.model_copy(update={"require_key": True}))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", timeout=60) as client,
    ):
        yield client


async def test_a_stranger_learns_no_word_and_no_id_and_changes_nothing(
    locked: httpx.AsyncClient, graphmem: Graphmem, worker: Worker
) -> None:
    agents = {name: f"test-{uuid4().hex}" for name in ("owner", "stranger")}
    made = graphmem.operation.keys.create
    owner = {"Authorization": f"Bearer {(await made(agents['owner'], 'admin'))[1]}"}
    keys = {scope: (await made(agents["stranger"], scope))[1] for scope in ("read", "write")}
    owned = Owned()
    for number, step in enumerate(OWNERS):
        method, path, body = filled(step, owned.known)
        headers = owner | JSON | {"Idempotency-Key": f"{KEY}-{number}"}
        answered = await locked.request(method, path, headers=headers, content=as_bytes(body))
        assert answered.is_success, answered.text
        owned.learn(step, answered.content)
    assert names_of(OWNERS) <= owned.known.keys()
    whole = {"params": {"includeSuperseded": "true"}, "headers": owner}
    before = (await locked.get("/api/graph/export", **whole)).content

    watched, written, statuses = owned.watched(), set[str](), Counter[int]()
    about = Description((await locked.get("/openapi.json")).json())
    for number, one in enumerate(chosen(list(attempts(about, owned.values()[:60])), REQUESTS, SEED)):
        headers = dict(one.headers) | {"Authorization": f"Bearer {keys['write' if one.writes else 'read']}"}
        headers |= {"X-Agent-Id": agents["owner"]} if number % 2 else {}
        answered = await locked.request(one.method, one.target, headers=headers, content=as_bytes(one.body))
        statuses[answered.status_code] += 1
        assert answered.status_code < 500, (one, answered.text)
        assert not learned(one, answered.text, watched) - written, (one, answered.text)
        written |= set(watched.findall(one.text())) if one.writes else set()
    assert (await locked.get("/api/graph/export", **whole)).content == before
    assert statuses[404] > 30
    assert statuses[200] > 20


def test_what_an_answer_tells_beyond_its_request_is_noticed() -> None:
    owned = Owned()
    owned.ids = {"0199bbbb-0000-7000-8000-000000000000"}
    secret = min(SECRET)
    asked = Attempt("GET", "GET", f"/api/graph/entities/{secret[:-1]}", None, {}, writes=False)
    assert learned(asked, f'{{"near": ["{secret.title()}"]}}', owned.watched()) == {secret}
    assert learned(asked, " ".join(owned.ids), owned.watched()) == owned.ids
    assert not learned(asked._replace(target=f"/api/graph/entities/{secret}"), secret, owned.watched())
