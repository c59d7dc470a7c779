"""A small BERT sentence model without torch: through onnxruntime, or in plain numpy, both with float32 products.

8-bit products are faster only on processors that have an instruction for them. On one without (AVX2 only) they take
twice as long as these, see `docs/decisions/0004-embed-offline-with-minilm.md`.
"""

import json
import logging
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray
from tokenizers import Tokenizer

from graphmem.adapters.model_assets import (
    ELSEWHERE,
    MAX_TOKENS,
    BertModel,
    Floats,
    Pooling,
    read_bert,
    read_pooling,
)
from graphmem.errors import SettingsInvalid, SetupFailed

if TYPE_CHECKING:
    import onnx

Ints: TypeAlias = NDArray[np.int64]

BUILD = 2
"""Version of the network that `onnx_network` writes, part of its file name: a new builder makes a new file."""

CHECK_SENTENCE = "This is an example sentence"
CHECK_COSINE = 0.99
_CHECK_KEY = "graphmem.check"
_BUILD_TIMEOUT_S = 300

_log = logging.getLogger(__name__)


class Network(Protocol):
    def run(self, ids: Ints, mask: Ints) -> Floats:
        """Token states (texts, tokens, width), or finished text vectors (texts, width)."""


# Plain numpy


class NumpyNetwork:
    """The network without onnxruntime: the reference for the one in ONNX, and its fallback."""

    def __init__(self, model: BertModel) -> None:
        self._model = model
        self._positions = model.positions()
        self._attention = [model.attention_input(layer) for layer in range(model.layers)]

    def run(self, ids: Ints, mask: Ints) -> Floats:
        words = self._model.weights["embeddings.word_embeddings.weight"]
        states = self._normalise(words[ids] + self._positions[: ids.shape[1]], "embeddings.LayerNorm")
        hidden = np.where(mask[:, None, None, :] == 0, np.float32(-1e9), np.float32(0))
        for layer in range(self._model.layers):
            name = f"encoder.layer.{layer}"
            seen = _dense(self._attend(states, hidden, layer), self._model.linear(f"{name}.attention.output.dense"))
            states = self._normalise(states + seen, f"{name}.attention.output.LayerNorm")
            inner = _gelu(_dense(states, self._model.linear(f"{name}.intermediate.dense")))
            states = self._normalise(
                states + _dense(inner, self._model.linear(f"{name}.output.dense")), f"{name}.output.LayerNorm"
            )
        return states

    def _attend(self, states: Floats, hidden: Floats, layer: int) -> Floats:
        texts, tokens, width = states.shape
        heads, size = self._model.heads, width // self._model.heads
        joined = _dense(states, self._attention[layer]).reshape(texts, tokens, 3, heads, size)
        query, key, value = joined.transpose(2, 0, 3, 1, 4)
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(math.sqrt(size)) + hidden
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(texts, tokens, width)
        return np.asarray(mixed, dtype=np.float32)

    def _normalise(self, states: Floats, name: str) -> Floats:
        scale, shift = self._model.linear(name)
        centred = states - states.mean(-1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(-1, keepdims=True) + np.float32(self._model.epsilon))
        return np.asarray(centred / spread * scale + shift, dtype=np.float32)


def _dense(states: Floats, layer: tuple[Floats, Floats]) -> Floats:
    weight, bias = layer
    flat = states.reshape(-1, states.shape[-1]) @ weight.T + bias
    return np.asarray(flat, dtype=np.float32).reshape(*states.shape[:-1], weight.shape[0])


def _gelu(x: Floats) -> Floats:
    """x·Φ(x). numpy has no erf: Abramowitz and Stegun 7.1.26, off by at most 1.5e-7."""
    z = np.abs(x) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = (series + np.float32(factor)) * t
    return np.asarray(0.5 * x * (1 + np.copysign(1 - series * np.exp(-z * z), x)), dtype=np.float32)


# The network in ONNX


class _Graph:
    """Nodes and constants of an ONNX graph under construction; each method returns the name of its result."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.constants.setdefault(name, numpy_helper.from_array(np.array(values, order="C"), name))
        return name

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        from onnx import helper

        result = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [result], name=result, domain=domain, **attributes))
        return result

    def dense(self, states: str, name: str, layer: tuple[Floats, Floats]) -> str:
        weight, bias = layer
        product = self.node("MatMul", states, self.constant(f"{name}.weight", weight.T))
        return self.node("Add", product, self.constant(f"{name}.bias", bias))

    def normalise(self, states: str, name: str, model: BertModel) -> str:
        scale, shift = (self.constant(f"{name}.{i}", values) for i, values in enumerate(model.linear(name)))
        return self.node("LayerNormalization", states, scale, shift, axis=-1, epsilon=model.epsilon)


def _to_int8(values: Floats) -> tuple[NDArray[np.int8], Floats]:
    """The values in -127..127 with a scale for each last axis; their product approximates the input."""
    scales = np.maximum(np.abs(values).max(-1, keepdims=True), np.float32(1e-12)) / np.float32(127)
    return np.round(values / scales).astype(np.int8), scales.astype(np.float32)


def _embed_words(graph: _Graph, model: BertModel) -> str:
    from onnx import TensorProto

    words, scales = _to_int8(model.weights["embeddings.word_embeddings.weight"])
    rows = graph.node("Gather", graph.constant("words.int8", words), "input_ids")
    rows = graph.node("Cast", rows, to=TensorProto.FLOAT)
    rows = graph.node("Mul", rows, graph.node("Gather", graph.constant("words.scale", scales), "input_ids"))
    length = graph.node("Shape", "input_ids", start=1, end=2)
    zero = graph.constant("zero", np.array([0]))
    places = graph.node("Slice", graph.constant("positions", model.positions()), zero, length, zero)
    return graph.normalise(graph.node("Add", rows, places), "embeddings.LayerNorm", model)


def _attend(graph: _Graph, states: str, mask: str, layer: int, model: BertModel) -> str:
    joined = graph.dense(states, f"attention.{layer}", model.attention_input(layer))
    sizes = graph.constant("thirds", np.array([model.width] * 3))
    parts = [f"{part}_{layer}" for part in ("query", "key", "value")]
    graph.node("Split", joined, sizes, axis=-1)
    graph.nodes[-1].output[:] = parts
    return graph.node(
        "MultiHeadAttention",
        *parts,
        "",
        mask,
        domain="com.microsoft",
        num_heads=model.heads,
        unidirectional=0,
    )


def onnx_network(model: BertModel) -> "onnx.ModelProto":
    """The model as an ONNX network from `input_ids` and `attention_mask` (texts, tokens) to `states`.

    The word table is stored in 8 bit: it is half of all weights, and is only looked up.
    """
    from onnx import TensorProto, helper

    graph = _Graph()
    mask = graph.node("Cast", "attention_mask", to=TensorProto.INT32)
    states = _embed_words(graph, model)
    for layer in range(model.layers):
        name = f"encoder.layer.{layer}"
        step = f"{name}.attention.output"
        seen = _attend(graph, states, mask, layer, model)
        seen = graph.dense(seen, step, model.linear(f"{step}.dense"))
        states = graph.normalise(graph.node("Add", seen, states), f"{step}.LayerNorm", model)
        inner = graph.dense(states, f"{name}.inner", model.linear(f"{name}.intermediate.dense"))
        inner = graph.node("Gelu", inner)
        outer = graph.dense(inner, f"{name}.outer", model.linear(f"{name}.output.dense"))
        states = graph.normalise(graph.node("Add", outer, states), f"{name}.output.LayerNorm", model)
    graph.node("Identity", states)
    graph.nodes[-1].output[:] = ["states"]
    given = ("input_ids", "attention_mask")
    sides = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in given]
    result = helper.make_tensor_value_info("states", TensorProto.FLOAT, ["texts", "tokens", model.width])
    body = helper.make_graph(graph.nodes, "sentence encoder", sides, [result], list(graph.constants.values()))
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(body, opset_imports=opsets, ir_version=9)


# Encoding


class OnnxNetwork:
    """A network in a file, run by onnxruntime. Safe for several threads at once."""

    def __init__(self, path: Path, threads: int) -> None:
        ort = load_onnxruntime()
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # The database uses the same cores: waiting threads must sleep, not spin.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._typed = any(side.name == "token_type_ids" for side in self._session.get_inputs())
        results = [side.name for side in self._session.get_outputs()]
        self._result = "sentence_embedding" if "sentence_embedding" in results else results[0]

    def run(self, ids: Ints, mask: Ints) -> Floats:
        given = {"input_ids": ids, "attention_mask": mask}
        if self._typed:
            given["token_type_ids"] = np.zeros_like(ids)
        return np.asarray(self._session.run([self._result], given)[0], dtype=np.float32)

    def check_vector(self) -> Floats:
        """The expected vector of the check sentence, stored in the file by its builder."""
        stored = self._session.get_modelmeta().custom_metadata_map.get(_CHECK_KEY, "[]")
        return np.array(json.loads(stored), dtype=np.float32)


@dataclass(frozen=True)
class TextEncoder:
    """Texts to unit vectors: tokenizer, network, pooling."""

    tokenizer: Tokenizer
    network: Network
    pooling: Pooling = "mean"

    def tokenise(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text with the marks at its ends, at most `MAX_TOKENS`."""
        return [found.ids for found in self.tokenizer.encode_batch_fast([encodable(text) for text in texts])]

    def encode(self, texts: Sequence[Sequence[int]]) -> Floats:
        """The unit vectors of tokenised texts, in order, from one run of the network."""
        longest = max(map(len, texts))
        ids = np.zeros((len(texts), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(texts):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        states = self.network.run(ids, mask)
        if states.ndim == 3 and self.pooling == "cls":
            states = states[:, 0]
        elif states.ndim == 3:
            states = np.einsum("tkw,tk->tw", states, mask.astype(np.float32))
        return unit(states)

    def check(self) -> Floats:
        """The vector of the check sentence."""
        return np.asarray(self.encode(self.tokenise([CHECK_SENTENCE]))[0])


def encodable(text: str) -> str:
    """The text with `?` for lone surrogates, which neither the tokenizer nor JSON accepts."""
    return text.encode("utf-8", "replace").decode("utf-8")


def unit(vectors: Floats) -> Floats:
    """The vectors (rows) at length 1; a vector of zeros stays one."""
    lengths = np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32(1e-12))
    return np.asarray(vectors / lengths, dtype=np.float32)


def read_tokenizer(folder: Path) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # the library raises nothing narrower
        raise SettingsInvalid(f"{folder / 'tokenizer.json'} is not a tokenizer ({error}). Replace it.") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def open_onnx(folder: Path, threads: int) -> TextEncoder:
    """An encoder for a folder that has `model.onnx`. *Errors* `SettingsInvalid` where it returns no vectors."""
    tokenizer, path = read_tokenizer(folder), folder / "model.onnx"
    try:
        encoder = TextEncoder(tokenizer, OnnxNetwork(path, threads), read_pooling(folder))
        longest = encoder.tokenise([CHECK_SENTENCE * MAX_TOKENS])  # a network may accept fewer tokens than we send
        usable = bool(np.isfinite(encoder.encode(longest)).all())
    except ImportError as error:
        raise SetupFailed(f"{path} needs onnxruntime, which this platform lacks. {ELSEWHERE}") from error
    except _runtime_errors() as error:
        raise SettingsInvalid(f"GRAPHMEM_EMBEDDING_MODEL: onnxruntime refuses {path}: {error}") from error
    if not usable:
        raise SettingsInvalid(f"GRAPHMEM_EMBEDDING_MODEL: {path} gives vectors that are not numbers.")
    return encoder


def open_bert(folder: Path, built: Path, threads: int) -> TextEncoder:
    """An encoder for a folder that has `model.safetensors`.

    It is the ONNX network at `built`, built if need be, or numpy where there is no onnxruntime.
    *Errors* `SettingsInvalid` for another architecture; `SetupFailed` where the network cannot be written.
    """
    tokenizer, model = read_tokenizer(folder), read_bert(folder)
    tokenizer.enable_truncation(len(model.positions()))
    try:
        load_onnxruntime()
    except ImportError:
        _log.warning("onnxruntime is not there: embedding with numpy, some four times slower")
        return TextEncoder(tokenizer, NumpyNetwork(model), model.pooling)
    encoder = _open_sound(built, tokenizer, model, threads)
    if encoder is not None:
        return encoder
    try:
        built.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(built.with_suffix(".lock"), timeout=_BUILD_TIMEOUT_S):
            return _open_sound(built, tokenizer, model, threads) or _build(built, tokenizer, model, threads)
    except OSError as error:
        raise SetupFailed(f"{built} cannot be written: {error}. Make room, or set GRAPHMEM_CACHE_DIR.") from error


def _open_sound(path: Path, tokenizer: Tokenizer, model: BertModel, threads: int) -> TextEncoder | None:
    """The encoder in a file, or None where it does not return its builder's check vector on this processor."""
    if not path.is_file():
        return None
    try:
        network = OnnxNetwork(path, threads)
        encoder, expected = TextEncoder(tokenizer, network, model.pooling), network.check_vector()
        return encoder if expected.size == model.width and encoder.check() @ expected > CHECK_COSINE else None
    except _runtime_errors():
        return None


def _build(path: Path, tokenizer: Tokenizer, model: BertModel, threads: int) -> TextEncoder:
    expected = TextEncoder(tokenizer, NumpyNetwork(model), model.pooling).check()
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        network = onnx_network(model)
        network.metadata_props.add(key=_CHECK_KEY, value=json.dumps(expected.tolist()))
        part.write_bytes(network.SerializeToString())
        encoder = _open_sound(part, tokenizer, model, threads)
        if encoder is not None:
            part.replace(path)
            return encoder
    finally:
        part.unlink(missing_ok=True)
    raise SetupFailed(f"The network from {len(model.weights)} tensors gives other vectors here. {ELSEWHERE}")


def load_onnxruntime() -> Any:
    """The library, configured before it is loaded to send no telemetry and to write no device id: by default its wheels
    do both since 1.29. *Errors* ImportError."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    return onnxruntime


def _runtime_errors() -> tuple[type[Exception], ...]:
    state = load_onnxruntime().capi.onnxruntime_pybind11_state
    names = "EPFail Fail InvalidArgument InvalidGraph InvalidProtobuf NoModel NotImplemented RuntimeException"
    return tuple(getattr(state, name) for name in names.split())
