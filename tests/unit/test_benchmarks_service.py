"""The service that benchmarks measure: how it is started."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks import service
from graphmem.settings import load_settings


class Started(Exception):
    """The service would run now."""


@pytest.mark.parametrize("said", [None, "auto"])
def test_nothing_is_trained_while_something_is_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: str | None
) -> None:
    def started(command: list[str], *, env: dict[str, str], **_: Any) -> None:
        assert "serve" in command
        raise Started(load_settings(env).aot_cache)

    if said:
        monkeypatch.setenv("GRAPHMEM_AOT_CACHE", said)
    monkeypatch.setattr(service.subprocess, "Popen", started)
    with pytest.raises(Started, match=r"^use$"), service.running_service(tmp_path / "data"):
        pass
