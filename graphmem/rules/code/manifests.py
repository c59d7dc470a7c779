"""Which packages a manifest requires: pyproject.toml, package.json, go.mod, pom.xml, Cargo.toml."""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from xml.etree import ElementTree

from graphmem.model.code import Outline, Requirement
from graphmem.rules.code.python import Unreadable

_PYTHON_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_GO_LINE = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[\w.-]+/\S+)\s+v\S+")


def read_manifest(name: str, text: str) -> Outline:
    """The package of a manifest, by the name of its file, and its requirements, each once.

    Errors: Unreadable.
    """
    try:
        package, wanted = _READERS[name](text)
    except (ValueError, ElementTree.ParseError, RecursionError) as error:  # TOML's and JSON's errors are ValueErrors
        raise Unreadable(str(error)) from None
    lines = text.splitlines()
    names = dict.fromkeys(one for one in wanted if one and one != package)
    return Outline(
        language="manifest",
        package=package,
        requires=tuple(Requirement(name=one, line=_line_of(one, lines)) for one in names),
    )


def _pyproject(text: str) -> tuple[str | None, Iterable[str]]:
    told = tomllib.loads(text)
    project, poetry = _table(told, "project"), _table(told, "tool", "poetry")
    asked = list(_strings(project.get("dependencies")))
    for group in (*_table(project, "optional-dependencies").values(), *_table(told, "dependency-groups").values()):
        asked += _strings(group)
    asked += [name for name in _table(poetry, "dependencies") if name != "python"]
    for group in _table(poetry, "group").values():
        asked += _table(group, "dependencies")
    named = (found[1] for one in asked if (found := _PYTHON_NAME.match(one)))
    return _string(project.get("name")) or _string(poetry.get("name")), named


def _package_json(text: str) -> tuple[str | None, Iterable[str]]:
    told = json.loads(text)
    if not isinstance(told, dict):
        raise ValueError("it is no JSON object")
    kinds = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
    return _string(told.get("name")), [name for kind in kinds for name in _table(told, kind)]


def _go_mod(text: str) -> tuple[str | None, Iterable[str]]:
    module = re.search(r"^module\s+\"?([^\s\"]+)", text, re.MULTILINE)
    return module[1] if module else None, [found[1] for line in text.splitlines() if (found := _GO_LINE.match(line))]


def _cargo(text: str) -> tuple[str | None, Iterable[str]]:
    told = tomllib.loads(text)
    tables = [told, _table(told, "workspace"), *_table(told, "target").values()]
    wanted: list[str] = []
    for table in tables:
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name, how in _table(table, kind).items():
                wanted.append((_string(how.get("package")) if isinstance(how, dict) else None) or name)
    return _string(_table(told, "package").get("name")), wanted


def _pom(text: str) -> tuple[str | None, Iterable[str]]:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("a document type is not read")  # its entities could expand endlessly
    root = ElementTree.fromstring(text)  # noqa: S314
    for node in root.iter():
        node.tag = node.tag.rpartition("}")[2] if isinstance(node.tag, str) else node.tag
    group = root.findtext("groupId") or root.findtext("parent/groupId") or ""
    return _maven(group, root.findtext("artifactId")), [
        _maven(one.findtext("groupId"), one.findtext("artifactId")) or "" for one in root.iter("dependency")
    ]


def _maven(group: str | None, artifact: str | None) -> str | None:
    return f"{group}:{artifact}".strip(":") if artifact else None


_READERS: Mapping[str, Callable[[str], tuple[str | None, Iterable[str]]]] = {
    "pyproject.toml": _pyproject,
    "package.json": _package_json,
    "go.mod": _go_mod,
    "pom.xml": _pom,
    "Cargo.toml": _cargo,
}
MANIFESTS = frozenset(_READERS)


def _table(told: object, *keys: str) -> Mapping[str, object]:
    for key in keys:
        told = told.get(key) if isinstance(told, Mapping) else None
    return told if isinstance(told, Mapping) else {}


def _strings(told: object) -> Iterator[str]:
    return (one for one in told if isinstance(one, str)) if isinstance(told, list) else iter(())


def _string(told: object) -> str | None:
    return told if isinstance(told, str) and told else None


def _line_of(name: str, lines: list[str]) -> int:
    """The line of a requirement: where its name is a key or in quotes, else its first occurrence; for Maven the
    artifact. 1 where it is not found."""
    wanted = re.escape(name.rpartition(":")[2])
    quoted = rf"[\"']{wanted}(?:\s*[\[<>=!~;(@][^\"']*)?[\"']"
    asked = re.compile(rf"^\s*[\"']?{wanted}[\"']?\s*[:=]|{quoted}\s*(?:,|\]|$)|>{wanted}<")
    word = re.compile(rf"(?<![\w.-]){wanted}(?![\w-])")
    tried = ((number for number, line in enumerate(lines, 1) if shape.search(line)) for shape in (asked, word))
    return next((number for found in tried for number in found), 1)
