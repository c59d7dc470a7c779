"""The reranker against a scripted server: what it does where that is away, late, or answers nonsense or elsewhere."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from graphmem.adapters.reranking import EndpointReranker, RerankSettings
from graphmem.errors import ModelUnavailable, SettingsInvalid
from tests.scripted_model import Reply, ScriptedModel, refusal, reranked, scripted_model

TEXTS = ["one secret", "two secrets", "three secrets"]


class Time:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with scripted_model() as running:
        running.otherwise = reranked(0.1, 0.9, 0.4)
        yield running


@pytest.fixture
def clock() -> Time:
    return Time()


Make = Callable[..., EndpointReranker]


@pytest.fixture
async def make(server: ScriptedModel, clock: Time) -> AsyncIterator[Make]:
    made: list[EndpointReranker] = []

    def build(**changed: Any) -> EndpointReranker:
        given: dict[str, Any] = {"url": server.url, "model": "bge", "key": "s3cret", "timeout_s": 60}
        made.append(EndpointReranker(RerankSettings(**(given | changed)), clock))
        return made[-1]

    yield build
    for reranker in made:
        await reranker.close()


def body(answer: object) -> Reply:
    return Reply(body=json.dumps(answer).encode())


async def test_scores_come_in_the_order_of_the_texts(make: Make, server: ScriptedModel) -> None:
    assert await make().score("which?", TEXTS) == [0.1, 0.9, 0.4]
    assert server.asked == [{"model": "bge", "query": "which?", "documents": TEXTS}]
    assert server.paths == ["/v1/rerank"]
    assert server.keys == ["Bearer s3cret"]


async def test_without_a_model_or_key_none_is_sent_and_the_route_is_not_doubled(
    make: Make, server: ScriptedModel
) -> None:
    await make(model=None, key=None, url=f"{server.url}/rerank/").score("which?", TEXTS)
    assert server.asked == [{"query": "which?", "documents": TEXTS}]
    assert server.paths == ["/v1/rerank"]
    assert server.keys == [None]


@pytest.mark.parametrize(
    "answer",
    [
        {"results": [{"index": 1, "relevance_score": 2}, {"index": 0, "relevance_score": -7.5}], "usage": {}},
        {"results": [{"index": 1, "relevance_score": 2.0, "document": {"text": "b"}}, {"index": 0, "score": -7.5}]},
        [{"index": 1, "score": 2.0, "text": "b"}, {"index": 0, "score": -7.5}],
    ],
)
async def test_each_common_form_of_an_answer_is_read(make: Make, server: ScriptedModel, answer: object) -> None:
    server.script = [body(answer)]
    assert await make().score("which?", ["a", "b"]) == [-7.5, 2.0]


async def test_a_server_that_wants_texts_gets_them_from_then_on(make: Make, server: ScriptedModel) -> None:
    def wants_texts(asked: dict[str, Any]) -> Reply:
        return body([{"index": 0, "score": 0.5}]) if "texts" in asked else refusal(422, "missing field `texts`")

    server.otherwise = wants_texts
    reranker = make()
    for _ in range(2):
        assert await reranker.score("which?", ["a"]) == [0.5]
    assert [set(asked) for asked in server.asked] == [
        {"model", "query", "documents"},
        {"query", "texts", "truncate"},
        {"query", "texts", "truncate"},
    ]


async def test_nothing_is_sent_that_servers_refuse(make: Make, server: ScriptedModel) -> None:
    await make().score("half \ud83d of a pair", ["", "\ud83d", " a "])
    assert server.asked[0] == {"model": "bge", "query": "half ? of a pair", "documents": [" ", "?", "a"]}


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (body({"results": [{"index": 0, "relevance_score": 1.0}]}), "each of 3 texts"),
        (body({"results": []}), "each of 3 texts"),
        (body([{"index": n, "score": 1.0} for n in (0, 1, 1)]), "each of 3 texts"),
        (body([{"index": n, "score": 1.0} for n in (1, 2, 3)]), "each of 3 texts"),
        (body([{"index": n, "score": 1.0} for n in range(4)]), "each of 3 texts"),
        (Reply(body=b'[{"index":0,"score":NaN},{"index":1,"score":1},{"index":2,"score":1}]'), "no scores"),
        (Reply(body=b'[{"index":0,"score":1e999},{"index":1,"score":1},{"index":2,"score":1}]'), "no scores"),
        (body({"results": [{"index": 0, "relevance_score": "high"}]}), "no scores"),
        (body({"message": "secret"}), "no scores"),
        (Reply(body=b"<html>"), "no scores"),
        (Reply(body=b""), "no scores"),
        (Reply(body=b"\xff" * 10), "no scores"),
        (Reply(body=b" " * 10_000, endless=True), "without end"),
        (Reply(body=b'{"results"', missing=100), "cannot be reached"),
        (refusal(401, "secret"), "refused the key"),
        (refusal(404), "no such route"),
        (refusal(429), "429"),
        (refusal(400), "400"),
        (refusal(503), "503"),
    ],
)
async def test_a_bad_answer_is_none_and_asked_for_once(
    make: Make, server: ScriptedModel, reply: Reply, why: str
) -> None:
    server.otherwise = reply
    with pytest.raises(ModelUnavailable, match=why) as raised:
        await make().score("which?", TEXTS)
    assert "secret" not in str(raised.value)
    assert len(server.asked) == (2 if reply.status == 400 else 1)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_texts_go_nowhere_else(make: Make, server: ScriptedModel, status: int) -> None:
    with scripted_model() as other:
        server.otherwise = Reply(status, headers={"Location": f"{other.url}/rerank"})
        with pytest.raises(ModelUnavailable, match="leads elsewhere"):
            await make().score("which?", TEXTS)
        assert other.asked == []


@pytest.mark.parametrize("reply", [Reply(after_s=600), Reply(body=b" ", endless=True)])
async def test_who_is_late_or_trickles_is_given_up_in_time(make: Make, server: ScriptedModel, reply: Reply) -> None:
    server.otherwise = reply
    reranker = make(timeout_s=0.3)
    with pytest.raises(ModelUnavailable, match=r"did not answer in 0\.3 s"):
        await reranker.score("which?", TEXTS)


async def test_a_server_that_is_not_there_is_told_without_its_password(make: Make) -> None:
    with pytest.raises(ModelUnavailable, match="cannot be reached") as raised:
        await make(url="http://me:hidden@127.0.0.1:1/v1?key=hidden").score("which?", TEXTS)
    assert "hidden" not in str(raised.value)


async def test_after_failures_in_a_row_it_rests_and_is_asked_again_then(
    make: Make, server: ScriptedModel, clock: Time
) -> None:
    reranker = make(failures=2, rest_s=300)
    server.script = [refusal(503), reranked(0.1, 0.2, 0.3), refusal(503), refusal(503)]
    with pytest.raises(ModelUnavailable):
        await reranker.score("which?", TEXTS)
    assert await reranker.score("which?", TEXTS) == [0.1, 0.2, 0.3], "one failure is none in a row"
    for _ in range(2):
        with pytest.raises(ModelUnavailable, match="503"):
            await reranker.score("which?", TEXTS)
    clock.now += 299
    with pytest.raises(ModelUnavailable, match="rests"):
        await reranker.score("which?", TEXTS)
    assert len(server.asked) == 4
    clock.now += 2
    assert await reranker.score("which?", TEXTS) == [0.1, 0.9, 0.4]


async def test_an_address_that_is_none_is_refused_at_the_start(make: Make) -> None:
    with pytest.raises(SettingsInvalid, match="GRAPHMEM_RERANK_URL"):
        make(url="http://[::1")
