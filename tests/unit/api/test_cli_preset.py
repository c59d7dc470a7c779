"""`graphmem preset`: what there is, what fits a window, what it would change; never anything written."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli import app
from graphmem.errors import InvalidInput, SettingsInvalid
from graphmem.rules.keeping.presets import PRESETS

Run = Callable[..., Any]
PAYLOADS = "GRAPHMEM_PAYLOAD_THRESHOLD_CHARS"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, **environ: CliRunner().invoke(app, ["preset", *arguments], env=environ)


def test_all_presets_are_shown_with_their_windows_and_values(run: Run) -> None:
    shown = run("show").output
    for name, preset in PRESETS.items():
        assert f"{name}, for context windows of {preset.from_tokens:,} " in shown
        for setting, value in preset.values.items():
            assert f"GRAPHMEM_{setting.upper()} = {value}\n" in shown
    assert run("show", "context_200k").output in shown
    assert [one["name"] for one in json.loads(run("show", "--json").output)] == list(PRESETS)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        (("--context-window", "200000"), "context_200k"),
        (("--context-window", "8192"), "context_32k"),
        (("--model", "anthropic/claude-sonnet-4-5"), "context_200k"),
        (("--model", "gpt-4.1"), "context_1m"),
    ],
)
def test_a_window_or_a_model_is_answered_with_one_preset_and_what_it_changes(
    run: Run, asked: tuple[str, str], name: str
) -> None:
    said = run("suggest", *asked).output
    assert said.startswith(f"{name} is for context windows")
    assert f"{PAYLOADS} = 0  [default] would be {PRESETS[name].values['payload_threshold_chars']}\n" in said
    told = json.loads(run("suggest", *asked, "--json").output)
    assert told["preset"] == name
    assert told["changes"][0]["action"] == "set"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((), "--context-window or --model"),
        (("--context-window", "5", "--model", "gpt-5"), "one of the two"),
        (("--model", "frobnicator-9"), "say it with --context-window"),
    ],
)
def test_a_suggestion_needs_a_window_that_is_known(run: Run, asked: tuple[str, ...], said: str) -> None:
    refused = run("suggest", *asked).exception
    assert isinstance(refused, InvalidInput)
    assert said in str(refused)


def test_a_dry_run_tells_value_and_source_and_keeps_what_is_explicit(run: Run, tmp_path: Path) -> None:
    (tmp_path / "graphmem.toml").write_text("payload_threshold_chars = 5000\n")
    before = sorted(tmp_path.rglob("*"))
    said = run("apply", "context_400k", "--dry-run").output
    assert f"{PAYLOADS} = 5000  [file] stays, it is set explicitly; the preset says 24000\n" in said
    assert "GRAPHMEM_PRESET=context_400k" in said
    said = run("apply", "context_400k", "--dry-run", **{PAYLOADS: "6000"}).output
    assert f"{PAYLOADS} = 6000  [environment] stays" in said
    assert sorted(tmp_path.rglob("*")) == before


def test_the_preset_in_force_changes_nothing_and_another_one_does(run: Run) -> None:
    in_force = {"GRAPHMEM_PRESET": "context_400k"}
    told = json.loads(run("apply", "context_400k", "--dry-run", "--json", **in_force).output)["changes"]
    assert {(step["action"], step["source"]) for step in told} == {("same", "preset")}
    told = json.loads(run("apply", "context_1m", "--dry-run", "--json", **in_force).output)["changes"]
    assert {(step["action"], step["source"]) for step in told} == {("set", "preset")}


def test_without_dry_run_it_says_how_to_choose_a_preset(run: Run, tmp_path: Path) -> None:
    refused = run("apply", "context_32k").exception
    assert isinstance(refused, InvalidInput)
    assert 'preset = "context_32k" into graphmem.toml' in str(refused)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "asked", [("show", "huge"), ("apply", "huge", "--dry-run"), ("suggest", "--context-window", "0")]
)
def test_what_there_is_not_ends_with_2(run: Run, asked: tuple[str, ...]) -> None:
    assert run(*asked).exit_code == 2


def test_a_wrong_setting_is_told_and_not_taken_for_a_value(run: Run) -> None:
    refused = run("apply", "context_32k", "--dry-run", **{PAYLOADS: "many"}).exception
    assert isinstance(refused, SettingsInvalid)
    assert str(refused).startswith(PAYLOADS)
