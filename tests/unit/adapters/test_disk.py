"""When writes stop for lack of room."""

from collections import namedtuple
from pathlib import Path

import pytest

from graphmem.adapters import disk
from graphmem.adapters.disk import LEAST_MB, DiskRoom
from graphmem.errors import DiskFull

Usage = namedtuple("Usage", "total used free")


def left(monkeypatch: pytest.MonkeyPatch, free_mb: int) -> None:
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: Usage(0, 0, free_mb << 20))


def test_writes_stop_before_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = DiskRoom(tmp_path / "not made yet")
    left(monkeypatch, LEAST_MB)
    room.require()
    left(monkeypatch, LEAST_MB - 1)
    with pytest.raises(DiskFull, match="511 MiB left, and writes stop below 512 MiB") as told:
        room.require()
    assert told.value.retry_after_s == 30


def test_a_large_store_needs_more_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = tmp_path / "neo4j" / "data" / "databases" / "neo4j" / "index"
    index.parent.mkdir(parents=True)
    with index.open("wb") as file:
        file.truncate(3 * 600 << 20)
    left(monkeypatch, 599)
    with pytest.raises(DiskFull, match="below 600 MiB"):
        DiskRoom(tmp_path).require()


@pytest.mark.parametrize(("least", "free", "refused"), [(0, 0, False), (100, 99, True), (100, 100, False)])
def test_the_setting_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, least: int, free: int, refused: bool
) -> None:
    left(monkeypatch, free)
    if refused:
        with pytest.raises(DiskFull):
            DiskRoom(tmp_path, least).require()
    else:
        DiskRoom(tmp_path, least).require()
