"""Both embedders as the services use them: one with the real model, one against a scripted server."""

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import numpy as np
import pytest
from platformdirs import user_cache_dir

from graphmem.adapters import embedding, minilm
from graphmem.adapters.embedding import EndpointEmbedder, LocalEmbedder
from graphmem.adapters.model_assets import Floats, ensure_minilm
from graphmem.errors import DownloadFailed, ModelUnavailable, SettingsInvalid
from graphmem.rules.turns import novelty, overlays, significance
from graphmem.rules.turns.overlay_probe import probe_for

CACHE = Path(os.environ.get("GRAPHMEM_CACHE_DIR") or user_cache_dir("graphmem"))


@pytest.fixture
async def local() -> AsyncIterator[LocalEmbedder]:
    embedder = LocalEmbedder(CACHE)
    await embedder.load()
    yield embedder
    await embedder.close()


async def test_local_embedder_names_its_space_and_becomes_ready() -> None:
    embedder = LocalEmbedder(CACHE)
    assert (embedder.id, embedder.dimensions, embedder.state) == ("all-MiniLM-L6-v2", 384, "loading")
    await asyncio.gather(embedder.load(), embedder.load())
    await embedder.load()
    assert embedder.state == "ready"
    await embedder.close()
    assert embedder.state == "off"
    with pytest.raises(ModelUnavailable, match=r"was closed.*load\(\)"):
        await embedder.embed(["text"])
    await embedder.load()
    assert len(await embedder.embed(["text"])) == 1


async def test_concurrent_loads_open_the_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    open_bert = minilm.open_bert

    def count(folder: Path, built: Path, threads: int) -> minilm.TextEncoder:
        opened.append(threads)
        return open_bert(folder, built, threads)

    monkeypatch.setattr(minilm, "open_bert", count)
    embedder = LocalEmbedder(CACHE, threads=1)
    await asyncio.gather(embedder.load(), embedder.load(), embedder.embed(["loads too"]))
    assert opened == [1]


async def test_vectors_are_unit_floats_in_the_order_of_the_texts(local: LocalEmbedder) -> None:
    texts = [f"{'long ' * (place * 7 % 60)}text number {place}" for place in range(100)]
    vectors = await local.embed(texts)
    assert {len(vector) for vector in vectors} == {384}
    assert type(vectors[0][0]) is float
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    for place in (0, 1, 50, 99):
        alone = (await local.embed([texts[place]]))[0]
        assert np.dot(alone, vectors[place]) > 0.9999


async def test_no_texts_give_no_vectors_and_empty_ones_do(local: LocalEmbedder) -> None:
    assert await local.embed([]) == []
    empty, blank = await local.embed(["", "  \n"])
    assert np.dot(empty, blank) > 0.9999


async def test_a_text_of_lately_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    encode = minilm.TextEncoder.encode

    def count(encoder: minilm.TextEncoder, texts: Sequence[Sequence[int]]) -> Floats:
        runs.append(len(texts))
        return encode(encoder, texts)

    embedder = LocalEmbedder(CACHE)
    await embedder.load()
    monkeypatch.setattr(minilm.TextEncoder, "encode", count)
    monkeypatch.setattr(embedding, "RECENT_TEXTS", 4)
    first = await embedder.embed(["one", "two", "three", "one"])
    assert (runs, first[0]) == ([3], first[3])
    first[1].clear()
    again = await embedder.embed(["three", "four", "one"])
    assert (runs, again[0], again[2]) == ([3, 1], first[2], first[0])
    await embedder.embed(["five", "long " * 400])
    assert len((await embedder.embed(["one", "long " * 400]))[0]) == 384, "one was asked for since, two was not"
    assert len((await embedder.embed(["two"]))[0]) == 384
    assert runs == [3, 1, 1, 1, 1, 1], "what is long is not kept, and two went for five"
    await embedder.close()


async def test_question_does_not_wait_for_a_batch_that_runs(
    local: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    encode = minilm.TextEncoder.encode
    begun, may_end = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def held(encoder: minilm.TextEncoder, texts: Sequence[Sequence[int]]) -> Floats:
        if len(texts) > 1:
            loop.call_soon_threadsafe(begun.set)
            assert may_end.wait(60)
        return encode(encoder, texts)

    monkeypatch.setattr(minilm.TextEncoder, "encode", held)
    background = asyncio.create_task(local.embed([f"one of {n} texts" for n in range(20)]))
    await asyncio.wait_for(begun.wait(), 60)
    (question,) = await asyncio.wait_for(local.embed(["what did Alice say?"]), 60)
    assert len(question) == 384
    assert not background.done(), "its batch is held until now"
    may_end.set()
    assert len(await background) == 20


def test_batches_stay_short_and_hold_every_text_once() -> None:
    lengths = [place * 37 % 255 + 2 for place in range(500)]
    batches = list(embedding._batches(lengths))
    assert sorted(place for batch in batches for place in batch) == list(range(500))
    assert max(map(len, batches)) <= 32
    assert max(len(batch) * max(lengths[place] for place in batch) for batch in batches) <= 4096


async def test_failed_load_turns_it_off_until_it_is_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(cache_dir: Path) -> Path:
        raise DownloadFailed("no network")

    embedder = LocalEmbedder(CACHE)
    monkeypatch.setattr(embedding, "ensure_minilm", fail)
    with pytest.raises(DownloadFailed):
        await embedder.embed(["text"])
    assert embedder.state == "off"
    with pytest.raises(ModelUnavailable, match="no network"):
        await embedder.embed(["text"])
    monkeypatch.setattr(embedding, "ensure_minilm", ensure_minilm)
    await embedder.load()
    assert embedder.state == "ready"
    await embedder.close()


@pytest.fixture
def model_dir(tmp_path: Path) -> Path:
    """The real model as a folder of one's own."""
    folder = tmp_path / "my-model"
    folder.mkdir()
    for name in ("model.safetensors", "tokenizer.json"):
        (folder / name).symlink_to(ensure_minilm(CACHE) / name)
    return folder


async def test_model_folder_has_an_id_of_its_own(model_dir: Path, tmp_path: Path) -> None:
    embedder = LocalEmbedder(tmp_path / "cache", model_dir=model_dir)
    assert embedder.id.startswith("my-model-")
    assert embedder.dimensions == 384
    vector = (await embedder.embed([minilm.CHECK_SENTENCE]))[0]
    assert vector[:2] == pytest.approx([0.0677, 0.0635], abs=0.01)
    assert list((tmp_path / "cache" / "models" / embedder.id).glob("*.onnx"))
    await embedder.close()

    (model_dir / "config.json").write_text('{"num_attention_heads": 12}')
    assert LocalEmbedder(tmp_path / "cache", model_dir=model_dir).id != embedder.id


async def test_model_folder_with_a_network_learns_its_dimensions(model_dir: Path, tmp_path: Path) -> None:
    built = tmp_path / "network.onnx"
    minilm.open_bert(model_dir, built, threads=2)
    built.replace(model_dir / "model.onnx")
    embedder = LocalEmbedder(tmp_path / "cache", model_dir=model_dir)
    assert embedder.dimensions == 0
    await embedder.load()
    assert embedder.dimensions == 384
    await embedder.close()


def test_folder_without_a_model_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"GRAPHMEM_EMBEDDING_MODEL.*tokenizer\.json"):
        LocalEmbedder(tmp_path, model_dir=tmp_path)


# The endpoint

Reply = tuple[int, object]
Script = list[Reply | Callable[[list[str]], Reply]]


def good(texts: list[str]) -> Reply:
    """An answer of 3 dimensions, last text first; the vector tells the text's length."""
    rows = [{"index": place, "embedding": [len(text), 1.0, 0.0]} for place, text in enumerate(texts)]
    return 200, {"data": rows[::-1]}


class ScriptedServer(ThreadingHTTPServer):
    """Answers by its script, then well; keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.script: Script = []
        self.asked: list[dict[str, object]] = []
        self.seen: list[tuple[str, str | None]] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"


class Answering(BaseHTTPRequestHandler):
    server: ScriptedServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        self.server.seen.append((self.path, self.headers["Authorization"]))
        step = self.server.script.pop(0) if self.server.script else good
        status, content = step(body["input"]) if callable(step) else step
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        if status == 429:
            self.send_header("Retry-After", "0.01")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
async def endpoint(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[EndpointEmbedder]:
    monkeypatch.setattr(embedding, "_FIRST_PAUSE_S", 0.01)
    embedder = EndpointEmbedder(server.url, "bge", key="s3cret", timeout_s=60)
    yield embedder
    await embedder.close()


async def test_endpoint_learns_its_dimensions_from_one_question(
    endpoint: EndpointEmbedder, server: ScriptedServer
) -> None:
    assert (endpoint.id, endpoint.dimensions, endpoint.state) == ("bge@endpoint", 0, "loading")
    await asyncio.gather(endpoint.load(), endpoint.load())
    assert (endpoint.dimensions, endpoint.state) == (3, "ready")
    assert server.seen == [("/v1/embeddings", "Bearer s3cret")]
    assert server.asked[0]["model"] == "bge"


async def test_endpoint_answers_are_put_in_order_and_normalised(
    endpoint: EndpointEmbedder, server: ScriptedServer
) -> None:
    texts = ["x" * place for place in range(1, 71)]
    vectors = await endpoint.embed(texts)
    assert [round(first / second) for first, second, _ in vectors] == list(range(1, 71))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)
    assert [len(asked["input"]) for asked in server.asked] == [1, 32, 32, 6]  # type: ignore[arg-type]
    assert await endpoint.embed([]) == []


async def test_endpoint_never_gets_an_empty_or_endless_text(endpoint: EndpointEmbedder, server: ScriptedServer) -> None:
    await endpoint.embed(["", "y" * 100_000, "half \ud83d pair"])
    assert server.asked[-1]["input"] == [" ", "y" * 6000, "half ? pair"]


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_endpoint_is_asked_again_when_busy(
    endpoint: EndpointEmbedder, server: ScriptedServer, status: int
) -> None:
    server.script = [(status, {}), (status, {}), good]
    await endpoint.load()
    assert endpoint.state == "ready"
    assert len(server.asked) == 3


async def test_endpoint_is_asked_again_when_late(endpoint: EndpointEmbedder, server: ScriptedServer) -> None:
    await endpoint.load()
    client = endpoint._client
    assert client is not None

    def late(texts: list[str]) -> Reply:
        client.timeout = httpx.Timeout(60)
        given_up.wait(60)
        return good(texts)

    given_up = threading.Event()
    server.script = [late]
    client.timeout = httpx.Timeout(0.3)
    assert len(await endpoint.embed(["text"])) == 1
    given_up.set()
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("reply", "message", "tries"),
    [
        ((429, {}), r"answered 429 \(4 tries\)", 4),
        ((500, b"<html>"), r"answered 500 \(4 tries\)", 4),
        ((401, {}), "refused the key.*GRAPHMEM_EMBEDDING_KEY", 1),
        ((404, {}), "no such route or model.*/v1", 1),
        ((400, {}), "answered 400", 1),
        ((200, b"<html>"), "gave no embeddings", 1),
        ((200, {"data": [{"embedding": None}]}), r"gave no embeddings \(data\.0\.embedding", 1),
        ((200, {"data": []}), "gave 0 vectors for 1 texts", 1),
        ((200, {"data": [{"embedding": [1.0]}] * 2}), "gave 2 vectors for 1 texts", 1),
        ((200, {"data": [{"index": 4, "embedding": [1.0]}]}), "each of 1 texts one vector", 1),
        ((200, {"data": [{"embedding": []}]}), "dimensions", 1),
        ((200, b'{"data": [{"embedding": [1.0, NaN]}]}'), "without a direction", 1),
        ((200, {"data": [{"embedding": [0.0, 0.0]}]}), "without a direction", 1),
    ],
)
async def test_endpoint_that_answers_badly_is_unavailable(
    endpoint: EndpointEmbedder, server: ScriptedServer, reply: Reply, message: str, tries: int
) -> None:
    server.script = [reply] * 4
    with pytest.raises(ModelUnavailable, match=message) as caught:
        await endpoint.load()
    assert endpoint.state == "off"
    assert len(server.asked) == tries
    assert "s3cret" not in str(caught.value)
    server.script = []
    await endpoint.load()
    assert endpoint.state == "ready"


async def test_endpoint_may_not_change_its_dimensions(endpoint: EndpointEmbedder, server: ScriptedServer) -> None:
    await endpoint.load()
    server.script = [(200, {"data": [{"embedding": [1.0, 2.0]}]})]
    with pytest.raises(ModelUnavailable, match=r"vectors of \[2\] dimensions, not 3"):
        await endpoint.embed(["text"])


async def test_endpoint_must_have_the_dimensions_asked_for(server: ScriptedServer) -> None:
    embedder = EndpointEmbedder(f"{server.url}/embeddings/", "bge", dimensions=768)
    with pytest.raises(ModelUnavailable, match=r"vectors of \[3\] dimensions, not 768"):
        await embedder.load()
    assert server.seen == [("/v1/embeddings", None)]
    await embedder.close()


async def test_absent_endpoint_is_unavailable_and_a_closed_one_refuses(
    monkeypatch: pytest.MonkeyPatch, server: ScriptedServer
) -> None:
    monkeypatch.setattr(embedding, "_FIRST_PAUSE_S", 0.01)
    embedder = EndpointEmbedder("http://me:s3cret@127.0.0.1:1/v1?key=s3cret", "bge")
    with pytest.raises(ModelUnavailable, match=r"http://127\.0\.0\.1:1/v1/embeddings cannot be reached") as caught:
        await embedder.embed(["text"])
    assert "s3cret" not in str(caught.value)
    await embedder.close()
    with pytest.raises(ModelUnavailable, match="closed"):
        await embedder.embed(["text"])


@pytest.mark.parametrize("url", ["localhost:8080/v1", "ftp://server.test", "http://", "http://[::1"])
def test_endpoint_url_must_be_an_address(url: str) -> None:
    with pytest.raises(SettingsInvalid, match="GRAPHMEM_EMBEDDING_URL"):
        EndpointEmbedder(url, "bge")


def test_what_was_measured_for_one_embedder_was_measured_for_ours() -> None:
    """Under another name the probe would be left aside and distances taken raw, and nothing would say so."""
    ours = LocalEmbedder(CACHE).id
    assert probe_for(ours) is not None
    assert all(ours in one for one in (novelty.CALIBRATIONS, significance.CALIBRATIONS, overlays.NEARNESS))
