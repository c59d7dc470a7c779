"""The service that benchmarks measure: how it is started, and with which settings."""

import ast
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from api import own_service
from benchmarks import service
from graphmem.settings import PREFIX, Settings, load_settings

STARTERS = [
    own_service.__name__,
    *sorted(f"benchmarks.{path.stem}" for path in Path(service.__file__).parent.glob("*.py")),
]
"""Modules that start a service, or may have one started."""


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


def _settings_named(module: str) -> set[str]:
    """The names of settings that stand as keys anywhere in a module."""
    tree = ast.parse(Path(str(importlib.import_module(module).__file__)).read_text())
    keys = [key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys]
    return {
        key.value
        for key in keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.startswith(PREFIX)
    }


@pytest.mark.parametrize("module", STARTERS)
def test_every_setting_that_a_benchmark_gives_is_one(module: str) -> None:
    given = getattr(importlib.import_module(module), "SETTINGS", {})
    load_settings(given)
    assert _settings_named(module) <= {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}


def test_the_settings_of_benchmarks_are_found() -> None:
    found = {module.rpartition(".")[2] for module in STARTERS if _settings_named(module)}
    assert found >= {"own_service", "continuity", "impact", "store"}


@pytest.mark.parametrize(("said", "folder"), [([], None), (["--data", "kept"], Path("kept").absolute())])
def test_a_module_runs_with_the_address_of_a_service_on_fresh_or_kept_data(
    monkeypatch: pytest.MonkeyPatch, said: list[str], folder: Path | None
) -> None:
    commands: list[list[str]] = []

    @contextmanager
    def running(data_dir: Path | None) -> Iterator[own_service.Service]:
        assert data_dir == folder
        yield own_service.Service("http://here", 1, Path())

    def called(command: list[str], **_: Any) -> int:
        commands.append(command)
        return 3

    monkeypatch.setattr(service, "running_service", running)
    monkeypatch.setattr(service.subprocess, "call", called)
    assert service.main([*said, "benchmarks.recall_long", "beam", "--unended"]) == 3
    assert commands == [
        [sys.executable, "-m", "benchmarks.recall_long", "beam", "--unended", "--url", "http://here"],
    ]
