"""Where the service may listen: on loopback as it likes, beyond it only with keys; and what is done about kills."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from api import serving
from graphmem.adapters.disk import DiskRoom
from graphmem.adapters.neo4j_server import RunningServer
from graphmem.errors import ServerFailed, SettingsInvalid
from graphmem.model.keys import Key
from graphmem.services.operation.keys import Keys
from graphmem.settings import Settings

NOW = datetime(2026, 3, 1, tzinfo=UTC)
VALID = Key(
    id="k",
    agent_id="ada",
    all_agents=False,
    scope="read",
    name=None,
    created_at=NOW,
    expires_at=None,
    last_used_at=None,
    revoked_at=None,
)


class ListedKeys:
    """A ring that only lists."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self._keys = keys

    async def all(self, agent_id: str | None) -> list[Key]:
        return list(self._keys)


def serve_with(keys: Sequence[Key], host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was served, on a database with these keys; the server itself is not run."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = Settings(
        host=host, port=port, require_key=True, neo4j_uri="bolt://127.0.0.1:1", data_dir=tmp_path, cache_dir=tmp_path
    )
    served: list[Any] = []

    @asynccontextmanager
    async def opened(*_: object) -> AsyncIterator[Keys]:
        yield Keys(ListedKeys(keys), lambda: NOW, str, str)  # type: ignore[arg-type]

    monkeypatch.setattr(serving, "open_keys", opened)
    monkeypatch.setattr(serving, "set_up_logging", lambda _: None)
    monkeypatch.setattr(serving.uvicorn.Server, "run", lambda server: served.append(server))
    serving.serve(settings)
    return served


@pytest.mark.parametrize(
    "keys",
    [
        [],
        [VALID.model_copy(update={"revoked_at": NOW})],
        [VALID.model_copy(update={"expires_at": NOW})],
    ],
    ids=["none", "revoked", "expired"],
)
async def test_beyond_loopback_it_does_not_start_without_a_valid_key(
    keys: list[Key], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SettingsInvalid, match="graphmem keys create"):
        await asyncio.to_thread(serve_with, keys, "0.0.0.0", tmp_path, monkeypatch)  # noqa: S104


@pytest.mark.parametrize(
    ("host", "keys"),
    [
        ("0.0.0.0", [VALID.model_copy(update={"expires_at": NOW}), VALID]),  # noqa: S104
        ("0.0.0.0", [VALID.model_copy(update={"expires_at": NOW + timedelta(days=1)})]),  # noqa: S104
        ("127.0.0.1", []),
    ],
)
async def test_it_starts_with_one_and_on_loopback_without(
    host: str, keys: list[Key], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await asyncio.to_thread(serve_with, keys, host, tmp_path, monkeypatch)


def test_a_host_that_is_no_address_of_this_machine_is_told_by_its_setting(tmp_path: Path) -> None:
    settings = Settings(host="no such host", data_dir=tmp_path, cache_dir=tmp_path)
    with pytest.raises(SettingsInvalid, match="GRAPHMEM_HOST is no such host"):
        serving.require_free_port(settings)


class Answering:
    """A database without trouble."""

    async def ping(self) -> None: ...


class KilledNeo4j:
    """Is killed as often as told; the first start of each two fails."""

    def __init__(self, kills: int) -> None:
        self.kills = kills
        self.starts = 0
        self.quiet = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def was_killed(self) -> bool:
        if not self.kills:
            self._loop.call_soon_threadsafe(self.quiet.set)
        return self.kills > 0

    def revive(self) -> RunningServer:
        self.starts += 1
        if self.starts % 2:
            raise ServerFailed("no memory")
        self.kills -= 1
        return RunningServer("bolt://127.0.0.1:1", "neo4j", "hush", None, 1, started_here=True)


async def test_a_neo4j_that_was_killed_is_started_until_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "LOOK_AT_NEO4J_S", 0)
    monkeypatch.setattr(serving, "NEO4J_PAUSE_S", 0)
    managed = KilledNeo4j(kills=2)
    tending = asyncio.create_task(serving.tend_neo4j(managed, Answering(), DiskRoom(tmp_path)))  # type: ignore[arg-type]
    await asyncio.wait_for(managed.quiet.wait(), 60)
    tending.cancel()
    assert managed.starts == 4
    with pytest.raises(asyncio.CancelledError):
        await tending


async def test_a_worker_is_told_when_the_process_it_works_beside_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, looked, stop = 0, asyncio.Event(), asyncio.Event()
    sleep = asyncio.sleep

    async def look_again(_: float) -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            looked.set()
        await sleep(0.01)

    monkeypatch.setattr(serving.asyncio, "sleep", look_again)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "import time; time.sleep(600)")
    watching = asyncio.create_task(serving.stop_after(process.pid, stop))
    await asyncio.wait_for(looked.wait(), 60)
    assert not stop.is_set()
    process.kill()
    await asyncio.wait_for(stop.wait(), 60)
    await watching
    await process.wait()
    gone = asyncio.Event()
    await serving.stop_after(process.pid, gone)
    assert gone.is_set(), "also when it was gone before"


@pytest.mark.parametrize("alone", [True, False])
def test_a_worker_gives_way_with_its_whole_session_if_that_is_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    group, niceness = tmp_path / "autogroup", list[int]()
    group.touch()
    monkeypatch.setattr(serving.os, "nice", niceness.append)
    monkeypatch.setattr(serving.os, "getsid", lambda _: os.getpid() if alone else os.getppid())
    serving.give_way(group)
    assert niceness == [serving.WORKER_NICENESS]
    assert group.read_text() == (str(serving.WORKER_NICENESS) if alone else "")


def test_where_there_is_neither_niceness_nor_a_session_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(serving.os, "nice")
    serving.give_way(tmp_path / "autogroup")
    assert not list(tmp_path.iterdir())
