"""Where the service may listen: on loopback as it likes, beyond it only with keys."""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from api import serving
from graphmem.errors import SettingsInvalid
from graphmem.model.keys import Key
from graphmem.services.keys import Keys
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
