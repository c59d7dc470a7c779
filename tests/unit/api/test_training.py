import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from api import training
from graphmem.adapters.neo4j_aot import AotState, Machine
from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.settings import Settings

BUSY = Machine(load=1.0, memory_mb=8000, disk_mb=50_000)
IDLE = Machine(load=0.0, memory_mb=8000, disk_mb=50_000)


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with a file, named by its process, for each training that began; each lasts until it is told to end."""
    began = tmp_path / "began"
    began.mkdir()
    script = f"import os, pathlib, time; pathlib.Path({str(began)!r}, str(os.getpid())).touch(); time.sleep(600)"
    monkeypatch.setattr(training, "COMMAND", (sys.executable, "-c", script))
    return began


def given(monkeypatch: pytest.MonkeyPatch, state: AotState, *machines: Machine) -> Iterator[Machine]:
    looks = iter(machines)
    monkeypatch.setattr(training, "machine_now", lambda _: next(looks))
    monkeypatch.setattr(ManagedServer, "aot_state", lambda _: state)
    return looks


async def test_training_waits_for_an_idle_machine_and_ends_with_the_service(
    trainings: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    looks = given(monkeypatch, "missing", BUSY, BUSY, IDLE)
    task = asyncio.create_task(training.train_when_idle(settings(tmp_path), served_s=0, look_every_s=0.01))
    process = await asyncio.to_thread(first_of, trainings)
    assert not list(looks), "it looked until the machine was idle"
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not process.is_running()


@pytest.mark.parametrize(
    ("state", "changes"),
    [
        ("ready", {}),
        ("missing", {"aot_cache": "use"}),
        ("missing", {"aot_cache": "off"}),
        ("missing", {"neo4j_uri": "bolt://elsewhere"}),
    ],
)
async def test_nothing_is_trained_where_nobody_needs_it(
    trainings: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, state: AotState, changes: dict[str, str]
) -> None:
    given(monkeypatch, state, IDLE)
    async with asyncio.timeout(60):
        await training.train_when_idle(settings(tmp_path, **changes), served_s=0, look_every_s=0.01)
    assert not begun_in(trainings)


async def test_a_service_that_just_began_trains_nothing(
    trainings: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given(monkeypatch, "missing", IDLE)
    slept: list[float] = []

    class Slept(Exception):
        pass

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        raise Slept

    monkeypatch.setattr(training.asyncio, "sleep", sleep)
    with pytest.raises(Slept):
        await training.train_when_idle(settings(tmp_path))
    assert slept == [training.SERVED_S]
    assert training.SERVED_S >= 300
    assert not begun_in(trainings)


def begun_in(trainings: Path) -> list[int]:
    return [int(file.name) for file in trainings.iterdir()]


def first_of(trainings: Path) -> psutil.Process:
    give_up = time.monotonic() + 120
    while not (begun := begun_in(trainings)):
        assert time.monotonic() < give_up
        time.sleep(0.02)
    return psutil.Process(begun[0])


def settings(folder: Path, **changes: str) -> Settings:
    return Settings.model_validate({"data_dir": folder / "data", "cache_dir": folder / "cache", **changes})
