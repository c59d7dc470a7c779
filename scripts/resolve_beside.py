"""Resolves graphmem beside packages that agents are built with, and writes the table into docs/dependencies.md.

    python scripts/resolve_beside.py

Nothing is installed: `uv pip compile` asks the package index which versions go together, for the newest release of each
package first, and for any release where that does not fit.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "dependencies.md"
UV = Path(sys.executable).with_name("uv")
PYTHON = "3.12"
BESIDE = ("crewai", "cognee", "langchain-mcp-adapters", "langgraph", "openai-agents", "llama-index-core")
SHOWN = ("mcp", "openai", "rich", "onnxruntime")
BEGIN, END = "<!-- scripts/resolve_beside.py -->", "<!-- end -->"


@dataclass(frozen=True)
class Beside:
    """`version` goes beside graphmem, None: none does. `newest` is the last release; `why`: what keeps it away."""

    package: str
    newest: str
    version: str | None
    shared: str
    why: str

    def row(self) -> str:
        fits = "no" if self.version is None else "yes" if self.version == self.newest else f"yes, {self.version}"
        return f"| `{self.package}` {self.newest} | {fits} | {self.shared or '-'} | {self.why or '-'} |"


def compiled(*requirements: str) -> tuple[dict[str, str], str]:
    """The versions that go together, by package; or none, and uv's complaint."""
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder, "asked.in")
        asked.write_text("\n".join(requirements) + "\n", encoding="utf-8")
        command = [UV, "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--python-version", PYTHON, asked]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return dict(re.findall(r"^([\w.-]+)==(\S+)", done.stdout, re.MULTILINE)), done.stderr


def beside(package: str, own: list[str]) -> Beside:
    newest = compiled(package)[0][package]
    versions, complaint = compiled(*own, f"{package}=={newest}")
    why = ""
    if not versions:
        why = reason(complaint)
        versions, _ = compiled(*own, package)
    shared = ", ".join(f"{name} {versions[name]}" for name in SHOWN if name in versions)
    return Beside(package, newest, versions.get(package), shared, why)


def reason(complaint: str) -> str:
    """Which requirements of uv's complaint exclude each other."""
    said = " ".join(complaint.split())
    wants = re.findall(r"(\S+?)(?:[<>=!]=?\S+)? depends on (\S+)", said)
    return "; ".join(dict.fromkeys(f"{name} wants `{wanted.rstrip(',.')}`" for name, wanted in wants)) or said


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = project["dependencies"] + project["optional-dependencies"]["llm"]
    rows = [beside(package, own) for package in BESIDE]
    table = "\n".join(
        [
            f"Resolved {datetime.now(UTC):%Y-%m-%d} for Python {PYTHON}, with the extra `llm`.",
            "",
            "| newest release | goes beside graphmem | with | what keeps the newest away |",
            "|---|---|---|---|",
            *(row.row() for row in rows),
        ]
    )
    page = PAGE.read_text(encoding="utf-8")
    before, after = page.partition(BEGIN)[0], page.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")
    print(table)
    sys.exit(any(row.version is None for row in rows))


if __name__ == "__main__":
    main()
