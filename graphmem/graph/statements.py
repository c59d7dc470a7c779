"""The Cypher statements in cypher/, by name, with the contents of their headers.

A file is one statement, or a few that differ in some lines. Its first lines are comments of the form `// key: value`:

    // purpose: one line
    // params: agent_id STRING, limit INTEGER       ('none' where there are none; a variant has those that it names)
    // returns: id STRING, ...
    // mode: read | write | schema
    // scope: agent (default) | system              (system statements serve all agents and are listed in a test)
    // literal: depth 0..9                          (the one value that must be written into the text, and its range)
    // variants: active | cold                      (the statements that this file holds, the first one as it stands)
    // fragments: edge_held                         (what the text shares with other files, see below)
    // why: any planner-driven choice

A line that ends with `// [cold]` stands in that variant only, in the header as in the text; one without stands in all.
In the text the lines of other variants than the first are commented out, so that a file is valid Cypher as it stands:

    MATCH (e:Entity) // [active]
    // MATCH (e:ColdEntity) // [cold]

The name of a variant is that of its file with its own behind it: `knowledge/entity_page[cold]`.

A fragment is a piece of text with the names of variables as its parameters. The files in cypher/fragments/ define them,
each by `// fragment: edge_held(edge)`, and a text that declares one has it in place of `edge_held(d)`. `python -m
graphmem.graph.statements knowledge/entity_page[cold]` prints a statement as it is sent.

Nothing that a client sends becomes part of a text: variants and fragments are all in the files, and are expanded when a
statement is loaded.

Source: procrastinate's queries.sql (one statement, one purpose, one caller); the bijection with the functions in
graph/ is held by tests/contracts/test_statements.py.
"""

import hashlib
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, cast

from graphmem.errors import SetupFailed

Mode = Literal["read", "write", "schema"]
_KEYS = {"purpose", "params", "returns", "mode", "scope", "literal", "variants", "fragments", "why"}
_HEADER = re.compile(r"^// (?P<key>[a-z]+): (?P<value>\S.*)$")
_LITERAL = re.compile(r"^(?P<name>[a-z_]+) (?P<low>\d+)\.\.(?P<high>\d+)$")
_NAME = re.compile(r"^(?P<file>[a-z_0-9]+/[a-z_0-9]+)(?:\[(?P<variant>[a-z_]+)\])?$")
_MARK = re.compile(r"^(?P<line>.*?) +// \[(?P<variants>[^]]*)\]$")
_FRAGMENT = re.compile(r"^// fragment: (?P<name>[a-z_]+)\((?P<params>[a-z_, ]*)\)$")


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
    returns: tuple[str, ...]
    mode: Mode
    scope: Literal["agent", "system"]
    literal: TextLiteral | None
    checksum: str

    def with_literal(self, value: int) -> str:
        """The text with its literal inserted. Errors: ValueError outside the range of the header."""
        if self.literal is None or not self.literal.low <= value <= self.literal.high:
            raise ValueError(f"{self.name}: {value} is not allowed by its header")
        return self.text.replace(f"/*{self.literal.name}*/0", str(value))


@dataclass(frozen=True)
class Fragment:
    """A piece of text that statements share."""

    name: str
    params: tuple[str, ...]
    text: str

    def with_arguments(self, arguments: tuple[str, ...]) -> str:
        """The text for these variables. Errors: ValueError where their number differs from that of the parameters."""
        given = dict(zip(self.params, arguments, strict=True))
        if not given:
            return self.text
        return re.sub(rf"(?<![\w.$'])(?:{'|'.join(given)})(?![\w'])", lambda found: given[found[0]], self.text)


def cypher_folder() -> Path:
    """The folder of the statements: inside the installed package, else beside it in a source tree."""
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
    """The statement of cypher/<name>.cypher, or with `file[variant]` one of its variants.

    Errors: SetupFailed when the file is missing or invalid, with the line where there is one.
    """
    root = cypher_folder()
    path = root / f"{name.partition('[')[0]}.cypher"
    try:
        return parse_statement(name, path.read_text(encoding="utf-8"), fragments(root / "fragments"))
    except FileNotFoundError:
        raise SetupFailed(f"{path} is missing. Reinstall graphmem.") from None


def all_statement_names() -> list[str]:
    """Every statement, each variant separately, sorted by name; without fragments, and without those under browser/,
    which are for analysts."""
    root = cypher_folder()
    found: list[str] = []
    for path in root.rglob("*.cypher"):
        name = path.relative_to(root).with_suffix("").as_posix()
        if not name.startswith(("browser/", "fragments/")):
            variants = _variants(path.read_text(encoding="utf-8").splitlines())
            found += [f"{name}[{variant}]" for variant in variants] or [name]
    return sorted(found)


@cache
def fragments(folder: Path) -> Mapping[str, Fragment]:
    """The fragments in the files of a folder, by name. Errors: SetupFailed for two of one name."""
    found: dict[str, Fragment] = {}
    for path in sorted(folder.glob("*.cypher")):
        for one in parse_fragments(f"fragments/{path.stem}", path.read_text(encoding="utf-8"), found):
            found[one.name] = one
    return found


def parse_fragments(name: str, source: str, known: Mapping[str, Fragment]) -> Iterator[Fragment]:
    """The fragments of a file, in order; each may use those before it. Errors: SetupFailed for text outside of one, for
    one without text, and for a duplicate name."""
    defined = dict(known)
    begun: list[tuple[int, re.Match[str], list[str]]] = []
    for number, line in enumerate(source.splitlines(), 1):
        if match := _FRAGMENT.match(line):
            begun.append((number, match, []))
        elif line.strip() and not line.startswith("//"):
            if not begun:
                raise _wrong(name, number, "stands in no fragment")
            begun[-1][2].append(line)
    for number, match, lines in begun:
        if match["name"] in defined or not lines:
            raise _wrong(name, number, f"the fragment {match['name']} is there already, or has no text")
        params = tuple(part for part in match["params"].split(", ") if part)
        text = "\n".join(_expanded(name, number, line, defined, set(defined)) for line in lines)
        defined[match["name"]] = Fragment(match["name"], params, text)
        yield defined[match["name"]]


def parse_statement(name: str, source: str, known: Mapping[str, Fragment] | None = None) -> Statement:
    """The statement of a name in the text of its file. Errors: SetupFailed names what the header lacks, or the line
    that names an unknown variant or fragment."""
    lines = source.splitlines()
    variants = _variants(lines)
    parts = _NAME.match(name)
    if parts is None or (parts["variant"] or "") not in (variants or ("",)):
        raise SetupFailed(
            f"cypher/{name}.cypher: there is no such statement; variants: {', '.join(variants) or 'none'}."
        )
    header, text = _of_variant(parts["file"], lines, variants, parts["variant"] or "")
    missing = {"purpose", "params", "returns", "mode"} - header.keys()
    if missing or header["mode"] not in ("read", "write", "schema"):
        raise SetupFailed(f"cypher/{name}.cypher: its header lacks {', '.join(sorted(missing)) or 'a known mode'}.")
    named = _names(header["params"], "none")
    _refuse_unused(parts["file"], lines, header, named, known or {})
    declared = set(_names(header.get("fragments", "none"), "none"))
    text = [(number, _expanded(parts["file"], number, line, known or {}, declared)) for number, line in text]
    literal = _LITERAL.match(header["literal"]) if "literal" in header else None
    whole = "\n".join(line for _, line in text).strip()
    return Statement(
        name=name,
        text=whole,
        purpose=header["purpose"],
        params=tuple(one for one in named if not variants or re.search(rf"\${one}\b", whole)),
        returns=_names(header["returns"], "nothing"),
        mode=cast(Mode, header["mode"]),
        scope="system" if header.get("scope") == "system" else "agent",
        literal=TextLiteral(literal["name"], int(literal["low"]), int(literal["high"])) if literal else None,
        checksum=hashlib.sha256(whole.encode()).hexdigest(),
    )


def _names(promised: str, nothing: str) -> tuple[str, ...]:
    return () if promised == nothing else tuple(part.split()[0] for part in promised.split(", "))


def _variants(lines: list[str]) -> tuple[str, ...]:
    """The variants that a header declares."""
    for line in lines:
        if not line.startswith("//"):
            break
        if line.startswith("// variants: "):
            return tuple(part.strip() for part in line.removeprefix("// variants: ").split("|"))
    return ()


def _of_variant(
    name: str, lines: list[str], variants: tuple[str, ...], wanted: str
) -> tuple[dict[str, str], list[tuple[int, str]]]:
    """The header of a variant, and the lines of its text with their numbers."""
    header: dict[str, str] = {}
    text: list[tuple[int, str]] = []
    marked: set[str] = set()
    in_header = True
    for number, whole in enumerate(lines, 1):
        mark = _MARK.match(whole)
        line = mark["line"] if mark else whole
        among = set(mark["variants"].split(", ")) if mark else set(variants or ("",))
        marked |= among if mark else set()
        if among - set(variants or ("",)):
            raise _wrong(name, number, f"no such variant: {', '.join(sorted(among - set(variants)))}")
        entry = _HEADER.match(line)
        in_header = in_header and entry is not None
        if in_header and entry:
            if entry["key"] not in _KEYS:
                raise _wrong(name, number, f"no header has the key {entry['key']}")
            if wanted in among:
                header[entry["key"]] = entry["value"].strip()
            continue
        if mark:
            if line.startswith("//") == (variants[0] in among):
                raise _wrong(name, number, f"as it stands the text must be that of the variant {variants[0]}")
            line = line.removeprefix("//").removeprefix(" ") if line.startswith("//") else line
        elif line.startswith("//") and not variants:
            continue
        if "//" in line:
            raise _wrong(name, number, "a mark is the last of its line, behind a blank: // [variant, variant]")
        if wanted in among:
            text.append((number, line))
    if unused := set(variants[1:]) - marked:
        raise _wrong(name, _line_of(lines, "variants"), f"no line has the mark of {', '.join(sorted(unused))}")
    return header, text


def _refuse_unused(
    name: str, lines: list[str], header: Mapping[str, str], params: tuple[str, ...], known: Mapping[str, Fragment]
) -> None:
    """Check that everything a header declares for the variants of a file is used in the text of one."""
    declared = _names(header.get("fragments", "none"), "none")
    if unknown := set(declared) - known.keys():
        raise _wrong(name, _line_of(lines, "fragments"), f"no such fragment: {', '.join(sorted(unknown))}")
    whole = "\n".join(line for line in lines if not _HEADER.match(line))
    used = [one for one in declared if re.search(rf"\b{one}\(", whole)]
    whole = "\n".join([whole, *(known[one].text for one in used)])
    idle = {
        "fragments": {*declared} - {*used},
        "params": {one for one in params if not re.search(rf"\${one}\b", whole)},
    }
    for key, unused in idle.items():
        if unused:
            raise _wrong(name, _line_of(lines, key), f"no text uses {', '.join(sorted(unused))}")


def _expanded(name: str, number: int, line: str, known: Mapping[str, Fragment], declared: set[str]) -> str:
    """A line with its fragments in place of the calls."""
    if not known:
        return line

    def text(call: re.Match[str]) -> str:
        if call["name"] not in declared:
            raise _wrong(name, number, f"the header does not name the fragment {call['name']}")
        try:
            arguments = tuple(part.strip() for part in call["arguments"].split(",") if part.strip())
            return known[call["name"]].with_arguments(arguments)
        except ValueError:
            raise _wrong(name, number, f"{call['name']} has other parameters") from None

    calls = rf"\b(?P<name>{'|'.join(known)})\("
    expanded = re.sub(rf"{calls}(?P<arguments>[\w.$', \[\]]*)\)", text, line)
    if left := re.search(calls, expanded):
        raise _wrong(name, number, f"the arguments of {left['name']} must be names")
    return expanded


def _line_of(lines: list[str], key: str) -> int:
    return next(number for number, line in enumerate(lines, 1) if line.startswith(f"// {key}: "))


def _wrong(name: str, number: int, what: str) -> SetupFailed:
    return SetupFailed(f"cypher/{name}.cypher, line {number}: {what}.")


if __name__ == "__main__":
    sys.stdout.write(f"{statement(sys.argv[1]).text}\n")
