"""`graphmem settings`: the settings of this process, and where they come from."""

import difflib
import json
from typing import Annotated, Any

import typer
from pydantic_core import PydanticUndefined
from rich.console import Console

from graphmem.errors import InvalidInput
from graphmem.settings import CONSTANTS, PREFIX, Settings, read_settings
from graphmem.settings_expert import ExpertSettings

SECRET, UNSET = "(secret)", "(unset)"
SECRETS = {name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)}
out = Console(soft_wrap=True, highlight=False)


def show_settings(
    names: Annotated[list[str] | None, typer.Argument(help="Only these, with what they mean.")] = None,
    expert: Annotated[bool, typer.Option("--expert", help="Those for experts too, which are shown where set.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print them as a JSON list.")] = False,
) -> None:
    """The settings with their values, where these come from, and the defaults; secrets are not shown."""
    settings, sources = read_settings()
    shown = [
        name for name in sources if expert or name not in ExpertSettings.model_fields or sources[name] != "default"
    ]
    values, defaults = _shown(settings), _shown(_of_defaults())
    rows = [
        {
            "name": f"{PREFIX}{name.upper()}",
            "value": values[name],
            "source": sources[name],
            "default": defaults[name],
            "description": Settings.model_fields[name].description,
        }
        for name in ([_known(name) for name in names] if names else shown)
    ]
    if as_json:
        out.print(json.dumps(rows, ensure_ascii=False, indent=2), markup=False)
        return
    for row in rows:
        origin = row["source"] if row["source"] == "default" else f"{row['source']}; default {_written(row['default'])}"
        out.print(f"{row['name']} = {_written(row['value'])}  [{origin}]", markup=False)
        if names:
            out.print(f"  {row['description']}", markup=False)


def _known(given: str) -> str:
    """The name of a setting, in any spelling. Errors: InvalidInput."""
    name = given.lower().removeprefix(PREFIX.lower())
    if name in CONSTANTS:
        raise InvalidInput(f"{given} is no setting any more: it became a constant, {CONSTANTS[name]}")
    if name not in Settings.model_fields:
        near = difflib.get_close_matches(name, Settings.model_fields, n=1)
        hint = f"did you mean {PREFIX}{near[0].upper()}?" if near else "`graphmem settings --expert` lists them"
        raise InvalidInput(f"{given} is no setting; {hint}")
    return name


def _of_defaults() -> Settings:
    """The defaults. Not checked: defaults that depend on other settings are still defaults."""
    fields = Settings.model_fields.items()
    found = {name: field.get_default(call_default_factory=True) for name, field in fields}
    return Settings.model_construct(**{name: value for name, value in found.items() if value is not PydanticUndefined})


def _shown(settings: Settings) -> dict[str, Any]:
    """Every setting as JSON can carry it, `(secret)` and `(unset)` for secrets."""
    public = settings.public()
    return {
        name: public[name] if name not in SECRETS else SECRET if getattr(settings, name) else UNSET
        for name in Settings.model_fields
    }


def _written(value: object) -> str:
    return str(value) if value in (SECRET, UNSET) else json.dumps(value, ensure_ascii=False)
