"""The Cypher statements in cypher/, by name, with what their headers promise.

A file is one statement. Its first lines are comments of the form `// key: value`:

    // purpose: one line
    // params: agent_id STRING, limit INTEGER       ('none' where there are none)
    // returns: id STRING, ...
    // mode: read | write | schema
    // scope: agent (default) | system              (system statements serve all agents and are listed in a test)
    // literal: depth 0..9                          (the one value that must be written into the text, and its range)
    // why: any planner-driven choice

Source: procrastinate's queries.sql (one statement, one purpose, one caller); the bijection with the functions in
graph/ is held by
tests/contracts/test_statements.py.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, cast

from graphmem.errors import SetupFailed

Mode = Literal["read", "write", "schema"]
_HEADER = re.compile(r"^// (?P<key>[a-z]+): (?P<value>.*)$")
_LITERAL = re.compile(r"^(?P<name>[a-z_]+) (?P<low>\d+)\.\.(?P<high>\d+)$")


@dataclass(frozen=True)
class TextLiteral:
    """A number that Cypher accepts only in the text, with the range it is checked against."""

    name: str
    low: int
    high: int


@dataclass(frozen=True)
class Statement:
    name: str
    text: str
    purpose: str
    params: tuple[str, ...]
    mode: Mode
    scope: Literal["agent", "system"]
    literal: TextLiteral | None
    checksum: str

    def with_literal(self, value: int) -> str:
        """The text with its literal put in. Errors: ValueError outside the range of the header."""
        if self.literal is None or not self.literal.low <= value <= self.literal.high:
            raise ValueError(f"{self.name}: {value} is not allowed by its header")
        return self.text.replace(f"/*{self.literal.name}*/0", str(value))


def cypher_folder() -> Path:
    """Where the statements lie: inside the installed package, else beside it in a source tree."""
    package = Path(str(files("graphmem")))
    places = (package / "_cypher", package.parent / "cypher")
    for place in places:
        if (place / "schema").is_dir():
            return place
    raise SetupFailed(
        f"The Cypher statements are missing: neither {places[0]} nor {places[1]} holds schema/. Reinstall graphmem."
    )


@cache
def statement(name: str) -> Statement:
    """The statement of cypher/<name>.cypher. Errors: SetupFailed when the file is missing or its header is not
    complete."""
    path = cypher_folder() / f"{name}.cypher"
    try:
        return parse_statement(name, path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SetupFailed(f"{path} is missing. Reinstall graphmem.") from None


def all_statement_names() -> list[str]:
    """Every statement, sorted by name; those for analysts under browser/ are not ours to run."""
    root = cypher_folder()
    names = (path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.cypher"))
    return sorted(name for name in names if not name.startswith("browser/"))


def parse_statement(name: str, source: str) -> Statement:
    """The statement in a file's text. Errors: SetupFailed names what the header lacks."""
    header: dict[str, str] = {}
    lines = source.splitlines()
    for line in lines:
        match = _HEADER.match(line)
        if match is None:
            break
        header[match["key"]] = match["value"].strip()
    missing = {"purpose", "params", "returns", "mode"} - header.keys()
    if missing or header["mode"] not in ("read", "write", "schema"):
        raise SetupFailed(f"cypher/{name}.cypher: its header lacks {', '.join(sorted(missing)) or 'a known mode'}.")
    text = "\n".join(line for line in lines if not line.startswith("//")).strip()
    params = () if header["params"] == "none" else tuple(part.split()[0] for part in header["params"].split(", "))
    literal = _LITERAL.match(header["literal"]) if "literal" in header else None
    return Statement(
        name=name,
        text=text,
        purpose=header["purpose"],
        params=params,
        mode=cast(Mode, header["mode"]),
        scope="system" if header.get("scope") == "system" else "agent",
        literal=TextLiteral(literal["name"], int(literal["low"]), int(literal["high"])) if literal else None,
        checksum=hashlib.sha256(text.encode()).hexdigest(),
    )
