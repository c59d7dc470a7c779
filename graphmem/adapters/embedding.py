"""Embedders turn texts into vectors: the local model, or a server with the OpenAI API.

Both have an `id` that is stored beside the vectors, so that those of two models are never compared, and a
`state`.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import httpx
import numpy as np
from pydantic import BaseModel, ValidationError

from graphmem.adapters import minilm
from graphmem.adapters.model_assets import MODEL_NAME, Floats, ensure_minilm, read_bert
from graphmem.errors import GraphmemError, ModelUnavailable, SettingsInvalid

EmbedderState: TypeAlias = Literal["loading", "ready", "off"]

QUESTION_TEXTS = 2
MAX_BATCH_TEXTS = 32
MAX_BATCH_TOKENS = 4096
"""Most tokens, padding included, in one run of the network: a concurrent question must not wait long."""

RECENT_TEXTS, RECENT_CHARS = 2048, 1000
"""How many texts are cached with their vectors, 1.5 KB each, and up to which length: a question is repeated with other
filters, many messages state the same fact, and each agent says "thanks"."""

MAX_ENDPOINT_CHARS = 6000
"""Longest text sent to a server: many refuse a request in which one text is too long for their model."""

_TRIES = 4
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 20.0

_log = logging.getLogger(__name__)


class LocalEmbedder:
    """all-MiniLM-L6-v2 on this machine, or the model in a folder.

    *Shape* a folder holds `tokenizer.json` and `model.onnx` or `model.safetensors` (BERT), if need be
    `config.json` and `1_Pooling/config.json`. `id` is the same for the network and its numpy stand-in:
    their vectors are alike (cosine > .99). `dimensions` is 0 until `load()` for a folder with `model.onnx`.
    *Errors* `SettingsInvalid` for a folder that lacks a file. A folder is hashed here, a second for each GB.
    """

    def __init__(self, cache_dir: Path, *, threads: int = 2, model_dir: Path | None = None) -> None:
        self.id = MODEL_NAME
        self.dimensions = 384
        self._cache_dir, self._threads, self._model_dir = cache_dir, threads, model_dir
        if model_dir is not None:
            weights = _weights_in(model_dir)
            self.id = f"{model_dir.resolve().name}-{_short_hash(weights)}"
            self.dimensions = read_bert(model_dir).width if weights.suffix == ".safetensors" else 0
        self._encoder: minilm.TextEncoder | None = None
        self._state: EmbedderState = "loading"
        self._failure: GraphmemError | None = None
        self._loading = asyncio.Lock()
        self._one_batch = asyncio.Lock()
        self._recent: dict[str, Floats] = {}

    @property
    def state(self) -> EmbedderState:
        return self._state

    async def load(self) -> None:
        """Makes the model ready; the first time on a machine this fetches and builds it, for seconds.

        May be called again, also at the same time, and again after a failure.
        *Errors* `DownloadFailed`, `SetupFailed`, `SettingsInvalid`: the state is off, and `embed` refuses.
        """
        async with self._loading:
            if self._encoder is not None:
                return
            self._state, self._failure = "loading", None
            started = time.monotonic()
            try:
                self._encoder = await asyncio.to_thread(self._open)
            except GraphmemError as error:
                self._state, self._failure = "off", error
                raise
            self.dimensions = len(self._encoder.check())
            self._state = "ready"
            _log.info("embedder=%s ready elapsed_ms=%d", self.id, (time.monotonic() - started) * 1000)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length 1 for each text, in order; an empty list for no texts.

        A text beyond 256 tokens is cut, an empty one has a vector too. Waits for `load()`. Many texts run in
        short batches, one at a time; one or two, which are mostly a question, run beside them. A recently embedded text
        comes from the cache.
        *Errors* `ModelUnavailable` after a failed `load()` or after `close()`.
        """
        if not texts:
            return []
        encoder = await self._ready()
        vectors = {text: self._recent[text] for text in texts if text in self._recent}
        new = [text for text in dict.fromkeys(texts) if text not in vectors]
        vectors |= zip(new, await self._encoded(encoder, new), strict=True)
        for text in vectors:
            if len(text) <= RECENT_CHARS:
                self._recent.pop(text, None)
                self._recent[text] = vectors[text]
        while len(self._recent) > RECENT_TEXTS:
            del self._recent[next(iter(self._recent))]
        return [vectors[text].tolist() for text in texts]

    async def _encoded(self, encoder: minilm.TextEncoder, texts: Sequence[str]) -> list[Floats]:
        if len(texts) <= QUESTION_TEXTS:
            # Each in its own run, concurrently: nothing is padded, and both finish sooner.
            return list(await asyncio.gather(*(asyncio.to_thread(_alone, encoder, text) for text in texts)))
        tokens = await asyncio.to_thread(encoder.tokenise, texts)
        vectors: dict[int, Floats] = {}
        for batch in _batches([len(ids) for ids in tokens]):
            chosen = [tokens[place] for place in batch]
            async with self._one_batch:
                encoded = await asyncio.to_thread(encoder.encode, chosen)
            vectors |= zip(batch, map(np.copy, encoded), strict=True)  # a view would keep its whole batch alive
        return [vectors[place] for place in range(len(texts))]

    async def close(self) -> None:
        """Releases the model. Running batches finish."""
        self._encoder, self._state = None, "off"
        self._recent.clear()
        self._failure = ModelUnavailable(f"The embedder {self.id} was closed. Call load() to use it again.")

    async def _ready(self) -> minilm.TextEncoder:
        if self._encoder is None and self._failure is None:
            await self.load()
        if self._encoder is None:
            raise ModelUnavailable(f"The embedder {self.id} is off: {self._failure}") from self._failure
        return self._encoder

    def _open(self) -> minilm.TextEncoder:
        name = f"network-b{minilm.BUILD}.onnx"
        if self._model_dir is None:
            folder = ensure_minilm(self._cache_dir)
            return minilm.open_bert(folder, folder / name, self._threads)
        if _weights_in(self._model_dir).suffix == ".onnx":
            return minilm.open_onnx(self._model_dir, self._threads)
        return minilm.open_bert(self._model_dir, self._cache_dir / "models" / self.id / name, self._threads)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes of texts of similar length, so that little is padded, within both limits."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == MAX_BATCH_TEXTS or (len(batch) + 1) * lengths[place] > MAX_BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _alone(encoder: minilm.TextEncoder, text: str) -> Floats:
    return np.asarray(encoder.encode(encoder.tokenise([text]))[0])


def _weights_in(folder: Path) -> Path:
    if (folder / "tokenizer.json").is_file():
        for name in ("model.onnx", "model.safetensors"):
            if (folder / name).is_file():
                return folder / name
    raise SettingsInvalid(
        f"GRAPHMEM_EMBEDDING_MODEL: {folder} must hold tokenizer.json with model.onnx or model.safetensors. "
        "Name the folder of an exported model, or leave it unset for all-MiniLM-L6-v2."
    )


def _short_hash(weights: Path) -> str:
    """Eight hex digits for everything that determines the vectors of a model folder."""
    whole = hashlib.sha256()
    folder = weights.parent
    for name in (weights.name, "tokenizer.json", "config.json", "1_Pooling/config.json"):
        path = folder / name
        if path.is_file():
            with path.open("rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()[:8]


class _Row(BaseModel):
    index: int | None = None
    embedding: list[float]


class _Answer(BaseModel):
    data: list[_Row]


class EndpointEmbedder:
    """Embeddings from a server with the OpenAI route `/embeddings`; `url` is what comes before it, as .../v1.

    `dimensions`, if given, is what the server must return; else it is 0 until `load()`.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        timeout_s: float = 30,
        dimensions: int | None = None,
    ) -> None:
        self.id = f"{model}@endpoint"
        self.dimensions = dimensions or 0
        try:
            address = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise SettingsInvalid(f"GRAPHMEM_EMBEDDING_URL is not an address: {error}") from error
        if address.scheme not in ("http", "https") or not address.host:
            raise SettingsInvalid("GRAPHMEM_EMBEDDING_URL must start with http:// or https:// and name a server.")
        path = address.path.rstrip("/")
        self._url = address.copy_with(path=path if path.endswith("/embeddings") else f"{path}/embeddings")
        self._shown = str(self._url.copy_with(username=None, password=None, query=None))
        self._model, self._key, self._timeout_s = model, key, timeout_s
        self._client: httpx.AsyncClient | None = None
        self._state: EmbedderState = "loading"
        self._loading = asyncio.Lock()

    @property
    def state(self) -> EmbedderState:
        return self._state

    async def load(self) -> None:
        """Asks the server for one vector and learns its dimensions.

        *Errors* `ModelUnavailable`: the state is then off until a later `load()` succeeds.
        """
        async with self._loading:
            if self._state == "ready":
                return
            if self._client is None:
                headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
                self._client = httpx.AsyncClient(timeout=self._timeout_s, headers=headers)
            self._state = "loading"
            try:
                vectors = await self._ask(self._client, ["dimensions"])
            except ModelUnavailable:
                self._state = "off"
                raise
            self.dimensions = vectors.shape[1]
            self._state = "ready"

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length 1 for each text, in order; an empty list for no texts.

        *Errors* `ModelUnavailable` where the server does not answer in four tries, refuses, or returns anything but one
        vector of the right size for each text; also after `close()`.
        """
        if not texts:
            return []
        if self._state == "loading" or self._client is not None:
            await self.load()
        client = self._client
        if client is None:
            raise self._unavailable("is not used any more (closed)", "Call load() to use it again.")
        vectors: list[list[float]] = []
        for first in range(0, len(texts), MAX_BATCH_TEXTS):
            vectors += (await self._ask(client, texts[first : first + MAX_BATCH_TEXTS])).tolist()
        return vectors

    async def close(self) -> None:
        client, self._client, self._state = self._client, None, "off"
        if client is not None:
            await client.aclose()

    async def _ask(self, client: httpx.AsyncClient, texts: Sequence[str]) -> Floats:
        # Servers refuse an empty text; a space is the nearest they accept.
        given = [minilm.encodable(text[:MAX_ENDPOINT_CHARS]) if text.strip() else " " for text in texts]
        body = {"model": self._model, "input": given}
        pause_s = _FIRST_PAUSE_S
        for tries_left in reversed(range(_TRIES)):
            try:
                response = await client.post(self._url, json=body)
            except httpx.RequestError as error:
                if not tries_left:
                    late = isinstance(error, httpx.TimeoutException)
                    what = f"did not answer in {self._timeout_s:g} s" if late else "cannot be reached"
                    reason = f"{what} ({type(error).__name__}, {_TRIES} tries)"
                    raise self._unavailable(reason, "Check that it runs.") from error
            else:
                if response.is_success:
                    return self._read(response.content, len(texts))
                if not tries_left or not (response.status_code in (408, 429) or response.is_server_error):
                    raise self._refused(response.status_code)
                pause_s = max(pause_s, _retry_after_s(response))
            await asyncio.sleep(min(pause_s, _LONGEST_PAUSE_S))
            pause_s *= 2
        raise AssertionError("the last try returns or raises")

    def _read(self, content: bytes, count: int) -> Floats:
        """The vectors in an answer, in the order of the texts."""
        advice = f"Check that it serves {self._model} with the OpenAI API."
        try:
            rows = _Answer.model_validate_json(content).data
        except ValidationError as error:
            problem = error.errors(include_input=False, include_url=False)[0]
            where = ".".join(map(str, problem["loc"])) or "the body"
            raise self._unavailable(f"gave no embeddings ({where}: {problem['msg']})", advice) from error
        if len(rows) != count:
            raise self._unavailable(f"gave {len(rows)} vectors for {count} texts", advice)
        if all(row.index is not None for row in rows):
            rows = sorted(rows, key=lambda row: row.index or 0)
            if [row.index for row in rows] != list(range(count)):
                raise self._unavailable(f"did not give each of {count} texts one vector", advice)
        sizes = {len(row.embedding) for row in rows}
        expected = self.dimensions or len(rows[0].embedding)
        if sizes != {expected} or expected == 0:
            raise self._unavailable(
                f"gave vectors of {sorted(sizes)} dimensions, not {expected}",
                "Name the model that made the stored vectors in GRAPHMEM_EMBEDDING_MODEL.",
            )
        vectors = np.array([row.embedding for row in rows], dtype=np.float32)
        if not np.isfinite(vectors).all() or not np.abs(vectors).max(axis=1).all():
            raise self._unavailable("gave a vector without a direction (not a number, or all zeros)", advice)
        return minilm.unit(vectors)

    def _refused(self, status: int) -> ModelUnavailable:
        if status in (401, 403):
            return self._unavailable(f"refused the key ({status})", "Set GRAPHMEM_EMBEDDING_KEY to a key it takes.")
        if status == 404:
            return self._unavailable(
                "has no such route or model (404)",
                f"The address mostly ends in /v1; the model is {self._model}.",
            )
        if status == 429 or status >= 500:
            return self._unavailable(f"answered {status} ({_TRIES} tries)", "Try again when it is less busy.")
        return self._unavailable(f"answered {status}", f"Check that {self._model} is an embedding model there.")

    def _unavailable(self, what: str, advice: str) -> ModelUnavailable:
        return ModelUnavailable(f"The embedding server at {self._shown} {what}. {advice}")


def _retry_after_s(response: httpx.Response) -> float:
    """The seconds in Retry-After; 0 where it is missing or names a date."""
    try:
        return float(response.headers.get("Retry-After", 0))
    except ValueError:
        return 0.0
