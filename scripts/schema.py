"""Makes cypher/schema/0001_baseline.cypher from cypher/schema/declarations.toml; with --check it compares and exits
with 1 when the file is stale.

    python scripts/schema.py
    python scripts/schema.py --check
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).resolve().parent.parent / "cypher" / "schema"
DECLARATIONS, BASELINE = SCHEMA / "declarations.toml", SCHEMA / "0001_baseline.cypher"
HEADER = """\
// purpose: all that is unique and all that is indexed
// params: dimensions INTEGER
// returns: nothing
// mode: schema
// scope: system
// why: made from declarations.toml by scripts/schema.py, and carried out in one transaction
"""


def baseline(declared: dict[str, Any]) -> str:
    """The text of the baseline: a statement for each declaration, uniqueness first."""
    return HEADER + ";\n\n".join(_statements(declared)) + "\n"


def _statements(declared: dict[str, Any]) -> Iterator[str]:
    for label, properties, _ in declared["unique"]:
        name = f"{_name(label, properties)}_unique"
        yield f"CREATE CONSTRAINT {name} IF NOT EXISTS\nFOR {_pattern(label)} REQUIRE ({_of_n(properties)}) IS UNIQUE"
    for label, properties, _ in declared["range"]:
        yield f"CREATE INDEX {_name(label, properties)} IF NOT EXISTS\nFOR {_pattern(label)} ON ({_of_n(properties)})"
    for label, properties, analyser, _ in declared["text"]:
        kind = "grams" if properties.startswith("grams") else "text"
        yield (
            f"CREATE FULLTEXT INDEX {label.lower()}_{kind} IF NOT EXISTS\n"
            f"FOR {_pattern(label)} ON EACH [{_of_n(properties)}]\n"
            f"OPTIONS {{indexConfig: {{`fulltext.analyzer`: '{analyser}', `fulltext.eventually_consistent`: true}}}}"
        )
    for label, embedding in declared["vector"]:
        yield (
            f"CYPHER 25\nCREATE VECTOR INDEX {label.lower()}_vector IF NOT EXISTS\n"
            f"FOR {_pattern(label)} ON {_of_n(embedding)} WITH [{_of_n(declared['filters'])}]\n"
            "OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', "
            "`vector.quantization.enabled`: false}}"
        )


def _name(label: str, properties: str) -> str:
    return "_".join([label, *properties.split()]).lower()


def _pattern(label: str) -> str:
    return f"()-[n:{label}]-()" if label.isupper() else f"(n:{label})"


def _of_n(properties: str) -> str:
    return ", ".join(f"n.{name}" for name in properties.split())


def main() -> int:
    made = baseline(tomllib.loads(DECLARATIONS.read_text(encoding="utf-8")))
    if sys.argv[1:] != ["--check"]:
        BASELINE.write_text(made, encoding="utf-8")
    elif BASELINE.read_text(encoding="utf-8") != made:
        print(
            f"{BASELINE.name} is not what {DECLARATIONS.name} declares: run `python scripts/schema.py`.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
