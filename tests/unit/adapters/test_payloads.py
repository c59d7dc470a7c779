"""Payload files: written whole or not at all, once, and never handed out altered."""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graphmem.adapters.payloads import PayloadFiles
from graphmem.errors import DiskFull, PayloadDamaged

DATA = b"some bytes" * 100
SHA256 = hashlib.sha256(DATA).hexdigest()


def enough_room() -> None: ...


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    store = PayloadFiles(tmp_path / "payloads", enough_room)
    where = store.write("agent", SHA256, DATA)
    assert store.read(where, SHA256) == DATA
    assert where == f"agent/{SHA256[:2]}/{SHA256}"


def test_many_writers_of_the_same_bytes_leave_one_file(tmp_path: Path) -> None:
    store = PayloadFiles(tmp_path, enough_room)
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: store.write("agent", SHA256, DATA), range(40)))) == 1
    (path,) = files(tmp_path)
    assert path.read_bytes() == DATA


@pytest.mark.parametrize("step", ["fsync", "open"])
def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, step, full)
        with pytest.raises(OSError, match="No space"):
            PayloadFiles(tmp_path, enough_room).write("agent", SHA256, DATA)
    assert files(tmp_path) == []
    assert PayloadFiles(tmp_path, enough_room).write("agent", SHA256, DATA)


def test_altered_and_lost_bytes_are_refused_and_written_anew(tmp_path: Path) -> None:
    store = PayloadFiles(tmp_path, enough_room)
    where = store.write("agent", SHA256, DATA)
    for harm in (lambda: (tmp_path / where).write_bytes(b"x" + DATA[1:]), (tmp_path / where).unlink):
        harm()
        with pytest.raises(PayloadDamaged, match=SHA256):
            store.read(where, SHA256)
        assert store.write("agent", SHA256, DATA) == where
        assert store.read(where, SHA256) == DATA


def test_nothing_is_written_where_there_is_no_room(tmp_path: Path) -> None:
    def require() -> None:
        raise DiskFull("no room")

    with pytest.raises(DiskFull):
        PayloadFiles(tmp_path, require).write("agent", SHA256, DATA)
    assert files(tmp_path) == []
