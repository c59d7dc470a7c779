"""Which Python files may have different edges after some of them changed."""

from collections.abc import Iterable, Iterator, Set

from graphmem.model.code import Outline
from graphmem.rules.code.python_names import PythonFile, PythonNames


def affected(old: PythonNames, new: PythonNames) -> Set[str]:
    """The changed files, and all that use a name with a new or changed meaning. Names are compared without their
    modules: rather too many files than too few."""
    if old.files.keys() != new.files.keys():  # any import may resolve to another file
        return new.files.keys()
    changed = {path for path, file in new.files.items() if file.outline != old.files[path].outline}
    if any(old.files[path].stars != new.files[path].stars for path in changed):
        return new.files.keys()
    names = {name for path in changed for name in _differing(old.files[path], new.files[path])}
    if not names:
        return changed
    names = _spread(names, new.files.values())
    return changed | {path for path, file in new.files.items() if not names.isdisjoint(_spoken_of(file.outline))}


def _differing(old: PythonFile, new: PythonFile) -> Iterator[str]:
    """Names that are bound or defined differently; positions in the file do not matter."""
    for said, other in ((_said(old), _said(new)), (_said(new), _said(old))):
        yield from (name for name, what in said.items() if other.get(name) != what)


def _said(file: PythonFile) -> dict[str, list[object]]:
    """The definitions of each name in a file; methods by their last name."""
    found: dict[str, list[object]] = {}
    for symbol in file.outline.symbols:
        found.setdefault(_last(symbol.name), []).append((symbol.name, symbol.kind, symbol.bases))
    for name, (one, member) in file.bindings.items():
        found.setdefault(name, []).append((one.module, one.level, one.how, one.names, member))
    return found


def _spread(names: set[str], files: Iterable[PythonFile]) -> set[str]:
    """With the names under which these are imported, and those of the classes that inherit from them."""
    leads = [
        (name, own) for file in files for one in file.outline.imports for name, own in one.names if name != own
    ] + [
        (part, _last(symbol.name))
        for file in files
        for symbol in file.outline.symbols
        for base in symbol.bases
        for part in base.split(".")
    ]
    known = 0
    while known != len(names):
        known = len(names)
        names |= {own for name, own in leads if name in names}
    return names


def _spoken_of(outline: Outline) -> Iterator[str]:
    for one in outline.imports:
        for pair in one.names:
            yield from pair
    for symbol in outline.symbols:
        yield _last(symbol.name)
        for base in symbol.bases:
            yield from base.split(".")
    for call in outline.calls:
        yield from call.name.split(".")


def _last(name: str) -> str:
    return name.rpartition(".")[2]
