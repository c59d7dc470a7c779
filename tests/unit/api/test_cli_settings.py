"""`graphmem settings`: values, sources and defaults, as lines and as JSON, and never a secret."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli import app
from api.cli_settings import SECRETS
from graphmem.errors import InvalidInput
from graphmem.settings import Settings
from graphmem.settings_expert import ExpertSettings

SECRET_VALUES = {
    "GRAPHMEM_NEO4J_URI": "bolt://127.0.0.1:1",
    "GRAPHMEM_NEO4J_PASSWORD": "hush-1",
    "GRAPHMEM_EMBEDDING_KEY": "hush-2",
    "GRAPHMEM_MAVEN_URL": "https://ada:hush-3@mirror.example/maven",
}
Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRAPHMEM_CACHE_DIR", raising=False)
    return lambda *arguments, **environ: CliRunner().invoke(app, ["settings", *arguments], env=environ)


def test_a_line_has_the_value_its_source_and_the_default_where_it_is_another(run: Run, tmp_path: Path) -> None:
    (tmp_path / "graphmem.toml").write_text("shadow_mode = true")
    lines = run(GRAPHMEM_PORT="9001").output.splitlines()
    assert len(lines) == len(Settings.model_fields.keys() - ExpertSettings.model_fields)
    assert "GRAPHMEM_PORT = 9001  [environment; default 8000]" in lines
    assert "GRAPHMEM_SHADOW_MODE = true  [file; default false]" in lines
    assert 'GRAPHMEM_HOST = "127.0.0.1"  [default]' in lines


def test_json_has_the_same_and_the_meaning(run: Run) -> None:
    rows = {row["name"]: row for row in json.loads(run("--expert", "--json", GRAPHMEM_PORT="9001").output)}
    assert rows.keys() == {f"GRAPHMEM_{name.upper()}" for name in Settings.model_fields}
    port = rows["GRAPHMEM_PORT"]
    assert (port["value"], port["source"], port["default"]) == (9001, "environment", 8000)
    assert port["description"] == Settings.model_fields["port"].description


def test_settings_for_experts_are_listed_where_set_and_all_when_asked(run: Run, tmp_path: Path) -> None:
    assert "GRAPHMEM_ARC_SESSIONS" not in run().output
    assert len(run("--expert").output.splitlines()) == len(Settings.model_fields)
    (tmp_path / "graphmem.toml").write_text("[expert]\narc_sessions = 5")
    lines = run(GRAPHMEM_NOVELTY_WINDOW="7").output.splitlines()
    assert "GRAPHMEM_ARC_SESSIONS = 5  [file; default 8]" in lines
    assert "GRAPHMEM_NOVELTY_WINDOW = 7  [environment; default 10]" in lines


def test_what_became_a_constant_is_refused_with_its_place(run: Run) -> None:
    refused = run("JOB_LEASE_S").exception
    assert isinstance(refused, InvalidInput)
    assert "it became a constant, LEASE_S in graphmem/services/operation/work.py" in str(refused)


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_secrets_are_told_to_be_there_and_never_shown(run: Run, more: tuple[str, ...]) -> None:
    assert {"neo4j_password", "neo4j_token", "embedding_key"} <= SECRETS
    shown = run(*more, **SECRET_VALUES).output
    assert "hush" not in shown
    assert shown.count("(secret)") == 3
    assert "(unset)" in shown
    assert "mirror.example" in shown


@pytest.mark.parametrize("spelling", ["port", "PORT", "GRAPHMEM_PORT"])
def test_one_setting_is_explained(run: Run, spelling: str) -> None:
    assert run(spelling).output.splitlines() == ["GRAPHMEM_PORT = 8000  [default]", "  Port of the HTTP service."]


def test_a_name_that_is_none_is_refused_with_the_nearest(run: Run) -> None:
    refused = run("prot").exception
    assert isinstance(refused, InvalidInput)
    assert "did you mean GRAPHMEM_PORT?" in str(refused)
