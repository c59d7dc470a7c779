"""Writes docs/settings.md and docs/settings-expert.md, made from `graphmem.settings`; with --check it compares and
exits with 1 when a page is stale.

    python scripts/settings_page.py
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
from graphmem.settings import CONSTANTS, DEFAULTS_FILE, LOOPBACK_HOSTS, OUTSIDE, PREFIX, Settings
from graphmem.settings_expert import ExpertSettings

DOCS = Path(__file__).resolve().parent.parent / "docs"

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

`graphmem settings` prints these settings with their values and where the values come from, and others that are set;
`graphmem settings --expert` prints all. Secrets are never printed. What tunes the memory for an experiment has a
page of its own: [settings for experts](settings-expert.md).

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

A name that was a setting once and is a constant now is refused with the place of the constant.

Rules between settings:

- `neo4j_password`, `neo4j_password_file` and `neo4j_token` belong to a Neo4j of your own: they need `neo4j_uri`, and
  only one of them may be set. The file holds one line: the password, or the user, `/` and the password, as Neo4j's own
  container image wants it. The newline at its end does not count.
- `embedding_url` needs `embedding_model`; `model_url` and `model_name` need each other.
- `host` beyond loopback ({", ".join(f"`{host}`" for host in sorted(LOOPBACK_HOSTS))}) needs `require_key`, and a key
  that is valid: `graphmem serve` refuses to start without. See [keys](keys.md).
- `allowed_hosts` may be `*` only with `require_key`. See [keys](keys.md#web-pages).
- A relative folder is read from the working directory; `~` is the user's home.

## Presets

`graphmem preset suggest --context-window 200000` names the one to choose, and what it would change.

{_presets()}

Where a default is that of a document graphmem follows, its meaning below ends in *Source*:
[the documents](settings-expert.md#where-defaults-come-from).

## All settings

"""

HEAD = """| environment | file | type and bounds | default | meaning |
|---|---|---|---|---|
"""

EXPERT_INTRO = f"""# Settings for experts

<!-- Made by scripts/settings_page.py from graphmem/settings_expert.py. Change it there. -->

What tunes how memories are read, weighed and summarised. The defaults were measured, or are those of the documents
graphmem follows: change one for an experiment, and measure ([quality](quality.md), [benchmarks](benchmarks.md)). They
are read as all [settings](settings.md) are. In the file they stand in a table:

```toml
[expert]
compaction_fan_in = 6
arc_sessions = 12
```

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

## Constants

These were settings, and are constants of the code now. A file or an environment that still names one is refused.

| name | constant |
|---|---|
{"".join(f"| `{name}` | {where} |{chr(10)}" for name, where in CONSTANTS.items())}
## All settings for experts

"""


def pages() -> dict[str, str]:
    """Both pages as Markdown, by the names of their files."""
    fields = Settings.model_fields
    expert = ExpertSettings.model_fields
    main = "".join(_row(name, field) for name, field in fields.items() if name not in expert)
    rest = "".join(_row(name, field) for name, field in fields.items() if name in expert)
    return {"settings.md": f"{INTRO}{HEAD}{main}", "settings-expert.md": f"{EXPERT_INTRO}{HEAD}{rest}"}


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
    stale = [
        name
        for name, page in pages().items()
        if not (DOCS / name).is_file() or (DOCS / name).read_text(encoding="utf-8") != page
    ]
    if "--check" not in sys.argv[1:]:
        for name in stale:
            (DOCS / name).write_text(pages()[name], encoding="utf-8")
        return 0
    if stale:
        print(f"stale: {', '.join(stale)}; python scripts/settings_page.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
