"""`graphmem preset`: groups of settings for a context window; shown here, chosen by a setting."""

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console

from graphmem.errors import InvalidInput
from graphmem.rules.keeping.presets import PRESETS, WINDOWS, Preset, PresetName, Step, steps, suggested, window_of
from graphmem.settings import DEFAULTS_FILE, PREFIX, Source, read_settings

preset_app = typer.Typer(
    help="Settings that go together for the size of a context window: show, suggest, apply.", no_args_is_help=True
)
out = Console(soft_wrap=True, highlight=False)
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]
SAID: dict[str, str] = {"set": "would be", "keep": "stays, it is set explicitly; the preset says", "same": "is"}


@preset_app.command()
def show(
    name: Annotated[PresetName | None, typer.Argument(help="Only this one.")] = None, as_json: AsJson = False
) -> None:
    """The presets with the context windows they are for, and their values."""
    shown = [PRESETS[name]] if name else list(PRESETS.values())
    if as_json:
        _json([asdict(preset) for preset in shown])
        return
    for preset in shown:
        _line(f"{preset.name}, for context windows {_windows(preset)}")
        for setting, value in preset.values.items():
            _line(f"  {_variable(setting)} = {value}")


@preset_app.command()
def suggest(
    context_window: Annotated[
        int | None,
        typer.Option(
            "--context-window", help="Tokens a request may have; what your client caps it to, if it does.", min=1
        ),
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="A model's name, instead of its window.")] = None,
    as_json: AsJson = False,
) -> None:
    """The preset for a context window or a model, and what it would change. Writes nothing."""
    if (context_window is None) == (model is None):
        raise InvalidInput("say --context-window or --model, one of the two")
    window = context_window or window_of(model or "")
    if window is None:
        families = ", ".join(WINDOWS)
        raise InvalidInput(
            f"the context window of {model} is not known here (only of {families}): say it with --context-window"
        )
    preset = suggested(window)
    found, sources = _steps(preset)
    if as_json:
        _json(
            {"contextWindow": window, "preset": preset.name, "fromTokens": preset.from_tokens} | _told(found, sources)
        )
        return
    _line(f"{preset.name} is for context windows {_windows(preset)}; this one has {window:,}.")
    _tell(preset, found, sources)


@preset_app.command()
def apply(
    name: Annotated[PresetName, typer.Argument(help="The preset.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change; needed.")] = False,
    as_json: AsJson = False,
) -> None:
    """What a preset would change of the settings in force. Settings are chosen by you: nothing is ever written."""
    if not dry_run:
        raise InvalidInput(f"graphmem writes no settings. {_how(name)} --dry-run shows what that changes.")
    found, sources = _steps(PRESETS[name])
    if as_json:
        _json({"preset": name} | _told(found, sources))
        return
    _tell(PRESETS[name], found, sources)


def _steps(preset: Preset) -> tuple[list[Step], dict[str, Source]]:
    """What would change, and where the current values come from. Errors: SettingsInvalid for any that is wrong."""
    settings, sources = read_settings()
    explicit = frozenset(name for name, source in sources.items() if source in ("environment", "file"))
    return steps(preset, settings.public(), explicit), sources


def _told(found: list[Step], sources: dict[str, Source]) -> dict[str, Any]:
    return {
        "changes": [
            {
                "name": _variable(step.name),
                "action": step.action,
                "value": step.now,
                "source": sources[step.name],
                "presetValue": step.then,
            }
            for step in found
        ]
    }


def _tell(preset: Preset, found: list[Step], sources: dict[str, Source]) -> None:
    for step in found:
        _line(f"  {_variable(step.name)} = {step.now}  [{sources[step.name]}] {SAID[step.action]} {step.then}")
    _line(f"Nothing was written. {_how(preset.name)}")


def _how(name: str) -> str:
    return f'To use it, set {PREFIX}PRESET={name}, or write preset = "{name}" into {DEFAULTS_FILE}.'


def _windows(preset: Preset) -> str:
    above = [other.from_tokens for other in PRESETS.values() if other.from_tokens > preset.from_tokens]
    if not above:
        return f"of {preset.from_tokens:,} tokens and more"
    return f"of {preset.from_tokens:,} to {min(above) - 1:,} tokens"


def _variable(setting: str) -> str:
    return f"{PREFIX}{setting.upper()}"


def _json(value: object) -> None:
    _line(json.dumps(value, ensure_ascii=False, indent=2))


def _line(text: str) -> None:
    out.print(text, markup=False)
