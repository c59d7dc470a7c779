"""A reranker behind any server with the route `/rerank`, as Jina, Cohere, vLLM, llama.cpp and Text Embeddings Inference
have it."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from pydantic import AliasChoices, BaseModel, Field, TypeAdapter, ValidationError

from graphmem.errors import ModelUnavailable, SettingsInvalid
from graphmem.rules.model.guards import FAILURES, REST_S, Breaker

MAX_ANSWER_BYTES = 1_000_000
"""Size at which an answer is abandoned: scores with the texts repeated, as some servers return, are a fifth of it."""


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """`url` is what comes before `/rerank`. Without a `model` none is sent: some servers have only one. After
    `failures` in a row the server rests for `rest_s`."""

    url: str
    model: str | None
    key: str | None
    timeout_s: float
    failures: int = FAILURES
    rest_s: float = REST_S


class _Row(BaseModel):
    index: int
    score: float = Field(validation_alias=AliasChoices("relevance_score", "score"), allow_inf_nan=False)


class _Results(BaseModel):
    results: list[_Row]


_ANSWER: TypeAdapter[_Results | list[_Row]] = TypeAdapter(_Results | list[_Row])


class _Failed(Exception):
    """The reason for a missing answer."""


class EndpointReranker:
    """Scores of texts from one server. There is no retry after a failure: a caller waits. Redirects are not followed,
    so that texts go only where the operator configured. The circuit breaker is local to this process.

    Errors: SettingsInvalid for an invalid address.
    """

    def __init__(self, settings: RerankSettings, clock: Callable[[], float] = time.monotonic) -> None:
        try:
            address = httpx.URL(settings.url)
        except httpx.InvalidURL as error:
            raise SettingsInvalid(f"GRAPHMEM_RERANK_URL is not an address: {error}") from error
        path = address.path.rstrip("/")
        self._url = address.copy_with(path=path if path.endswith("/rerank") else f"{path}/rerank")
        self._shown = str(self._url.copy_with(username=None, password=None, query=None))
        self._settings = settings
        self._clock = clock
        self._breaker = Breaker(most=settings.failures, rest_s=settings.rest_s)
        self._shape: Callable[[str, str | None, Sequence[str]], dict[str, Any]] = _documents
        self._client: httpx.AsyncClient | None = None

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the query, in the order of the texts: higher is better, on the scale of the
        server.

        *Errors* `ModelUnavailable` where the server rests, is late or unreachable, refuses, or returns anything but one
        number for each text; it contains nothing that was sent or answered.
        """
        if self._breaker.is_open(self._clock()):
            raise self._unavailable(f"rests for up to {self._settings.rest_s:g} s after failures")
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                found = await self._ask(query, texts)
        except TimeoutError:
            why = f"did not answer in {self._settings.timeout_s:g} s"
        except (httpx.HTTPError, httpx.StreamError) as error:
            why = f"cannot be reached ({type(error).__name__})"
        except _Failed as failure:
            why = str(failure)
        else:
            self._breaker.succeeded()
            return found
        self._breaker.failed(self._clock())
        raise self._unavailable(why)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _ask(self, query: str, texts: Sequence[str]) -> list[float]:
        """The scores; requested again in the other format where the server does not support this one."""
        status, answer = await self._send(self._shape(query, self._settings.model, texts))
        if status in (400, 422):
            other = _texts if self._shape is _documents else _documents
            status, answer = await self._send(other(query, self._settings.model, texts))
            if status == 200:
                self._shape = other
        if status != 200:
            raise _Failed(_refused(status))
        return _read(answer, len(texts))

    async def _send(self, body: dict[str, Any]) -> tuple[int, bytes]:
        if self._client is None:
            key = self._settings.key
            self._client = httpx.AsyncClient(
                headers={b"Authorization": f"Bearer {key}".encode()} if key else None,
                timeout=None,  # noqa: S113 - `score` bounds all of it, also a slow stream
                follow_redirects=False,
            )
        received = bytearray()
        async with self._client.stream("POST", self._url, json=body) as response:
            async for chunk in response.aiter_bytes():
                received += chunk
                if len(received) > MAX_ANSWER_BYTES:
                    raise _Failed("answered without end")
            return response.status_code, bytes(received)

    def _unavailable(self, why: str) -> ModelUnavailable:
        return ModelUnavailable(f"The reranker at {self._shown} {why}.")


def _documents(query: str, model: str | None, texts: Sequence[str]) -> dict[str, Any]:
    """The format of Jina, Cohere, vLLM and llama.cpp."""
    return ({"model": model} if model else {}) | {"query": _sendable(query), "documents": [*map(_sendable, texts)]}


def _texts(query: str, _model: str | None, texts: Sequence[str]) -> dict[str, Any]:
    """The format of Text Embeddings Inference, which refuses long texts unless it may cut them."""
    return {"query": _sendable(query), "texts": [*map(_sendable, texts)], "truncate": True}


def _sendable(text: str) -> str:
    """The text without lone surrogates, which JSON does not allow; servers refuse an empty text."""
    return text.encode("utf-8", "replace").decode("utf-8").strip() or " "


def _read(answer: bytes, count: int) -> list[float]:
    try:
        found = _ANSWER.validate_json(answer)
    except ValidationError:
        raise _Failed("gave no scores: `results`, or a list, of `index` and `relevance_score` or `score`") from None
    rows = sorted(found.results if isinstance(found, _Results) else found, key=lambda row: row.index)
    if [row.index for row in rows] != list(range(count)):
        raise _Failed(f"did not give each of {count} texts one score")
    return [row.score for row in rows]


def _refused(status: int) -> str:
    if status in (401, 403):
        return f"refused the key ({status})"
    if status == 404:
        return "has no such route or model (404)"
    if 300 <= status < 400:
        return f"leads elsewhere ({status}), where nothing is sent"
    return f"answered {status}"
