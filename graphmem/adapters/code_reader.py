"""The reader for a file of a repository, chosen by its name, and what it finds."""

import json
from collections.abc import Mapping
from posixpath import basename, splitext

import yaml

from graphmem.adapters.syntax import read_imports
from graphmem.model.code import Language, Outline
from graphmem.rules.code import (
    MANIFESTS,
    OWNER_FILES,
    Unreadable,
    read_documents,
    read_manifest,
    read_markdown,
    read_owners,
    read_python,
)

_SCRIPTS: Mapping[str, Language] = {
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".java": "java",
    ".rs": "rust",
}
_PYTHON = frozenset({".py", ".pyw"})
_MARKDOWN = frozenset({".md", ".markdown"})
_YAML = frozenset({".yml", ".yaml"})
_MOST_YAML = 256 * 1024
"""Characters of a YAML file: its reader is written in Python, and data of that size is no manifest."""


def is_code(path: str) -> bool:
    """Whether there is a reader for a file of this name."""
    name, ending = basename(path), splitext(path)[1].lower()
    known = ending in _SCRIPTS or ending in _PYTHON | _MARKDOWN | _YAML
    return known or name in MANIFESTS or path in OWNER_FILES or _may_be_openapi(name)


def read_code(path: str, text: str) -> Outline | None:
    """The outline of a file; None where it has nothing that is read. Nothing of it is run.

    Errors: Unreadable.
    """
    name, ending = basename(path), splitext(path)[1].lower()
    if name in MANIFESTS:
        return read_manifest(name, text)
    if path in OWNER_FILES:
        return read_owners(text)
    if ending in _PYTHON:
        return read_python(text)
    if ending in _MARKDOWN:
        return read_markdown(path, text)
    if ending in _SCRIPTS:
        return read_imports(_SCRIPTS[ending], text)
    if ending in _YAML:
        return _read_yaml(name, text)
    return read_documents(name, [_json(text)], text)


def _may_be_openapi(name: str) -> bool:
    return name.endswith(".json") and any(word in name.lower() for word in ("openapi", "swagger"))


def _read_yaml(name: str, text: str) -> Outline | None:
    if len(text) > _MOST_YAML or not any(word in text for word in ("services:", "kind:", "openapi", "swagger")):
        return None
    try:
        return read_documents(name, list(yaml.safe_load_all(text)), text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if "{{" in text:  # a template, such as Helm's, is not YAML yet
            return None
        raise Unreadable(" ".join(str(error).split())) from None


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from None
