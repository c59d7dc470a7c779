"""Prints docs/settings.md, made from `graphmem.settings.Settings`; with --check it compares and exits with 1 when
the page is stale.

    python scripts/settings_page.py > docs/settings.md
    python scripts/settings_page.py --check
"""

import json
import sys
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from graphmem.rules.keeping.presets import PRESETS
from graphmem.settings import DEFAULTS_FILE, LOOPBACK_HOSTS, OUTSIDE, PREFIX, Settings

PAGE = Path(__file__).resolve().parent.parent / "docs" / "settings.md"

PLACES = {"data_dir": "the user's data folder", "cache_dir": "the user's cache folder"}
"""Defaults that are another path on each machine."""

NAMES: dict[type, str] = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    str: "text",
    Path: "folder",
    SecretStr: "secret",
    tuple: "list of texts",
}


def _presets() -> str:
    settings = list(next(iter(PRESETS.values())).values)
    head = ["`preset`", "context windows from, tokens", *(f"`{name}`" for name in settings)]
    rows = [
        [f"`{p.name}`", f"{p.from_tokens:,}", *(str(p.values[name]) for name in settings)] for p in PRESETS.values()
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


INTRO = f"""# Settings

<!-- Made by scripts/settings_page.py from graphmem/settings.py. Change it there. -->

A setting has one name. In the environment it is written in capitals behind `{PREFIX}`, in the file in lower case.

1. The environment wins: `{PREFIX}PORT=8010`.
2. Then the file: the one that `{PREFIX}CONFIG` names, else `{DEFAULTS_FILE}` in the working directory. A file that
   `{PREFIX}CONFIG` names must exist; without that variable the file is optional.
3. Then the preset that `preset` names, if it does: settings that go together for a context window.
4. Then the default.

`graphmem settings` prints every setting with its value and where the value comes from. Secrets are never printed.

The file is TOML. Names may be written in snake_case or camelCase, and tables may group them: only the last part of a
dotted name counts. These two files mean the same:

```toml
shadow_mode = true
supersession_min_confidence = 0.8
```

```toml
[memory.pipeline]
shadowMode = true
supersessionMinConfidence = 0.8
```

Every value is checked at the start. A value out of bounds, or a name that does not exist, ends the command with exit
code 2 and a message that names the setting, where it was set, and what would be right. A name with our prefix in the
environment counts as a setting too, so a typo is found there as well. Not settings, but known:
{", ".join(f"`{name}`" for name in sorted(OUTSIDE))}.

Rules between settings:

- `neo4j_password`, `neo4j_password_file` and `neo4j_token` belong to a Neo4j of your own: they need `neo4j_uri`, and
  only one of them may be set. The file holds one line: the password, or the user, `/` and the password, as Neo4j's own
  container image wants it. The newline at its end does not count.
- `embedding_url` needs `embedding_model`; `model_url` and `model_name` need each other.
- `host` beyond loopback ({", ".join(f"`{host}`" for host in sorted(LOOPBACK_HOSTS))}) needs `require_key`, and a key
  that is valid: `graphmem serve` refuses to start without. See [keys](keys.md).
- A relative folder is read from the working directory; `~` is the user's home.

## Presets

`graphmem preset suggest --context-window 200000` names the one to choose, and what it would change.

{_presets()}

## Where defaults come from

Where a default is that of a document graphmem follows, its meaning below ends in *Source*: the document, and the name
or the place in it.

| source | document | file |
|---|---|---|
| Signet | Lossless Context Patterns; thresholds stand with the pattern that has them | `000_9fd97157a2eae7a1.txt` |
| hermes-lcm | its README; names with `LCM_` stand under "Configuration" | `001_7abc99376609eb98.txt` |
| SIGMA | SIGMA Context Architecture; names stand under "Tunable Parameters" | `002_5968d6a5ecd18232.txt` |
| Signet's supersession | Retroactive Memory Supersession; names stand in its section 5 | `004_cc03d2429c68e2a9.txt` |
| hermes-lcm's code, Signet's code, lossless-claw | what their programs have where the documents are silent | |

## All settings

| environment | file | type and bounds | default | meaning |
|---|---|---|---|---|
"""


def page() -> str:
    """The whole page as Markdown."""
    return INTRO + "".join(_row(name, field) for name, field in Settings.model_fields.items())


def _row(name: str, field: FieldInfo) -> str:
    cells = (f"`{PREFIX}{name.upper()}`", f"`{name}`", _type(field), _default(name, field), field.description or "")
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _type(field: FieldInfo) -> str:
    kind = _without_none(field.annotation)
    if get_origin(kind) is tuple:
        return NAMES[tuple]
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(f"`{value}`" for value in get_args(kind))
    limits = {
        key: getattr(part, key) for part in field.metadata for key in ("ge", "le", "gt", "lt") if hasattr(part, key)
    }
    if "ge" in limits and "le" in limits:
        return f"{NAMES[kind]}, {limits['ge']} to {limits['le']}"
    return NAMES[kind]


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        return next(part for part in get_args(annotation) if part is not NoneType)
    return annotation


def _default(name: str, field: FieldInfo) -> str:
    if name in PLACES:
        return PLACES[name]
    if field.default is None or field.default is PydanticUndefined:
        return "unset"
    return f"`{field.default if isinstance(field.default, str) else json.dumps(field.default)}`"


def main() -> int:
    if "--check" not in sys.argv[1:]:
        sys.stdout.write(page())
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    print("docs/settings.md is stale: python scripts/settings_page.py > docs/settings.md", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
