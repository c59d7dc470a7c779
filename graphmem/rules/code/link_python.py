"""The edges of Python files: what they import, which classes inherit from which, and what calls what.

Confidence: an import that resolves to a file 1.0, inheritance 0.95, a call whose target is known 0.8, a call by the
method's name alone 0.4, and then only where one method of the repository has that name.
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graphmem.model.code import CodeCall, Outline
from graphmem.model.knowledge import DependencyType
from graphmem.rules.code.affected import affected
from graphmem.rules.code.python_names import Meant, PythonFile, PythonNames, is_standard
from graphmem.rules.language.stems import word_set

IMPORTED, INHERITED, CALLED, CALLED_BY_NAME = 1.0, 0.95, 0.8, 0.4
_KINDS = (str, bytes, list, dict, set, tuple, int, float, BaseException, memoryview, io.TextIOWrapper, io.BytesIO)
_BUILT_IN = frozenset(name for kind in _KINDS for name in dir(kind)) | word_set(
    """
    read write close open flush seek start stop run send recv connect commit execute get set put post delete info
    debug warning error exception group match search sub findall submit result cancel acquire release wait next
    main load loads dump dumps
    """
)
"""Methods of Python's own types and library: such a name identifies nothing."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """An edge between files and symbols; for a package outside of the repository only the name is known."""

    source: Meant
    target: Meant | None
    package: str | None
    type: DependencyType
    confidence: float
    line: int
    how: str


@dataclass(frozen=True, slots=True)
class LinkedPython:
    """`edges`: for each Python file those that start in it, in the order of its lines."""

    names: PythonNames
    edges: Mapping[str, tuple[Drawn, ...]]


def link_python(outlines: Mapping[str, Outline], like: LinkedPython | None = None) -> LinkedPython:
    """All edges of Python files. `like`: the edges of mostly the same files; those of unaffected files are reused."""
    names = PythonNames(outlines, like.names if like else None)
    methods = _methods(names)
    may_differ = affected(like.names, names) if like else outlines.keys()
    return LinkedPython(
        names,
        {
            path: (*_imports(names, file), *_bases(names, file), *_calls(names, file, methods))
            if like is None or path in may_differ
            else like.edges[path]
            for path, file in sorted(names.files.items())
        },
    )


def _imports(names: PythonNames, file: PythonFile) -> Iterator[Drawn]:
    for one in file.outline.imports:
        found = False
        for meant, handed_on in names.sought(file, one):
            found = True
            if meant.file == file.path:
                continue
            how = f"imports {meant.symbol or meant.file} through another module" if handed_on else "imports"
            target = Meant(meant.file)
            yield Drawn(Meant(file.path), target, None, DependencyType.IMPORTS, IMPORTED, one.line, how)
        top = one.module.partition(".")[0]
        if not found and not one.level and not is_standard(top) and not names.is_own(top):
            yield Drawn(Meant(file.path), None, top, DependencyType.IMPORTS, IMPORTED, one.line, "imports")


def _bases(names: PythonNames, file: PythonFile) -> Iterator[Drawn]:
    for symbol in file.outline.symbols:
        own = Meant(file.path, symbol.name)
        for base in symbol.bases:
            found = names.named(file, "", base)
            if found and found.symbol and found != own:
                yield Drawn(own, found, None, DependencyType.INHERITS, INHERITED, symbol.line, "inherits")


def _calls(names: PythonNames, file: PythonFile, methods: Mapping[str, Meant | None]) -> Iterator[Drawn]:
    for call in file.outline.calls:
        source = Meant(file.path, call.scope or None)
        target, confidence, how = _called(names, file, call, methods)
        if target and target.symbol and target != source:
            yield Drawn(source, target, None, DependencyType.CALLS, confidence, call.line, how)


def _called(
    names: PythonNames, file: PythonFile, call: CodeCall, methods: Mapping[str, Meant | None]
) -> tuple[Meant | None, float, str]:
    if not call.name.startswith("."):
        found = names.named(file, call.scope, call.name)
        if found:
            return found, CALLED, "calls"
        root = call.name.partition(".")[0]
        if "." not in call.name or (root in file.bindings and names.member(file.path, root) is None):
            return None, 0.0, ""  # a function of Python, or of a package outside
    method = call.name.rpartition(".")[2]
    return methods.get(method), CALLED_BY_NAME, "calls by name alone"


def _methods(names: PythonNames) -> dict[str, Meant | None]:
    """The method of each name; None where several have it, or where Python's own types do."""
    found: dict[str, Meant | None] = {}
    for path in sorted(names.files):
        for symbol in names.files[path].outline.symbols:
            owner, _, name = symbol.name.rpartition(".")
            if owner and symbol.kind == "function" and name not in _BUILT_IN:
                found[name] = None if name in found else Meant(path, symbol.name)
    return found
