"""What names mean in the Python files of a repository: which file a module is, and where a symbol is defined."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from posixpath import commonpath, dirname, splitext

from graphmem.model.code import CodeImport, CodeSymbol, Outline

MOST_HOPS = 8
"""Most files through which a name may be re-exported."""
Asked = tuple[str, str]
"""A file, and a name to find in it."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The target of a name: a file, or a symbol in it."""

    file: str
    symbol: str | None = None


@dataclass(frozen=True)
class PythonFile:
    """A module with the bindings of its names. `bindings`: a dotted module, or a module and a member of it."""

    path: str
    dotted: str
    outline: Outline

    def saying(self, outline: Outline) -> "PythonFile":
        """The module with another outline."""
        return self if outline is self.outline else PythonFile(self.path, self.dotted, outline)

    @cached_property
    def symbols(self) -> Mapping[str, CodeSymbol]:
        return {symbol.name: symbol for symbol in self.outline.symbols}

    @cached_property
    def bindings(self) -> Mapping[str, tuple[CodeImport, str | None]]:
        """Each imported name with its import, and its member, None for a module itself."""
        bound: dict[str, tuple[CodeImport, str | None]] = {}
        for one in self.outline.imports:
            for name, own in one.names:
                if name != "*":
                    bound[own] = (one, name if one.how == "from" else None)
        return bound

    @cached_property
    def stars(self) -> tuple[CodeImport, ...]:
        return tuple(one for one in self.outline.imports if any(name == "*" for name, _ in one.names))

    @cached_property
    def is_init(self) -> bool:
        return self.path.rpartition("/")[2] == "__init__.py"

    @cached_property
    def package(self) -> str:
        """The package where relative imports start."""
        return self.dotted if self.is_init else self.dotted.rpartition(".")[0]


class PythonNames:
    """The modules of a repository by their dotted names. Folders with an `__init__.py` are packages; a module outside
    of one is named from the root, from a `src` folder, and, for scripts, from its own folder. `like`: names of mostly
    the same modules."""

    def __init__(self, outlines: Mapping[str, Outline], like: "PythonNames | None" = None) -> None:
        self._known: dict[Asked, Meant | None] = {}
        self._by_dotted: dict[str, list[str]] = {}
        self.files: dict[str, PythonFile]
        if like and like.files.keys() == outlines.keys():
            self.files = {path: like.files[path].saying(outline) for path, outline in outlines.items()}
            self._by_dotted = like._by_dotted
            return
        paths = frozenset(outlines)
        self.files = {path: PythonFile(path, _dotted(path, paths), outline) for path, outline in outlines.items()}
        for path, file in sorted(self.files.items()):
            for dotted in dict.fromkeys((file.dotted, *_other_names(path, paths))):
                self._by_dotted.setdefault(dotted, []).append(path)

    def file_of(self, dotted: str, near: str) -> str | None:
        """The file of a module; of several with the name the one that shares most folders with `near`."""
        found = self._by_dotted.get(dotted)
        if not found:
            return None
        return found[0] if len(found) == 1 else max(found, key=lambda path: (_shared(path, near), -len(path)))

    def is_own(self, top: str) -> bool:
        """Whether a module or package of the repository has this first name."""
        return top in self._tops

    @cached_property
    def _tops(self) -> frozenset[str]:
        return frozenset(dotted.partition(".")[0] for dotted in self._by_dotted)

    def absolute(self, file: PythonFile, one: CodeImport) -> str | None:
        """The dotted name of an import; None where it leaves its package."""
        if not one.level:
            return one.module
        parts = file.package.split(".") if file.package else []
        if one.level - 1 > len(parts):
            return None
        kept = parts[: len(parts) - (one.level - 1)]
        return ".".join([*kept, one.module] if one.module else kept)

    def sought(self, file: PythonFile, one: CodeImport) -> Iterator[tuple[Meant, bool]]:
        """The target of an import in the repository, and whether it goes through another file that re-exports the
        name."""
        dotted = self.absolute(file, one)
        if dotted is None:
            return
        if one.how == "import":
            if found := self.file_of(dotted, file.path):
                yield Meant(found), False
            return
        module = self.file_of(dotted, file.path) if dotted else None
        for name, _ in one.names:
            submodule = self.file_of(f"{dotted}.{name}" if dotted else name, file.path)
            defined = self.member(module, name) if module and name != "*" else None
            if submodule and (module is None or defined is None or defined.file == submodule):
                yield Meant(submodule), False
                continue
            if module:
                yield Meant(module), False
            if defined and defined.file != module:
                yield defined, True

    def member(self, path: str, name: str) -> Meant | None:
        """Where a module's `name` is defined, through the modules that re-export it."""
        key = (path, name)
        if key not in self._known:
            self._known[key] = self._member(path, name, MOST_HOPS, set())
        return self._known[key]

    def _member(self, path: str, name: str, hops: int, seen: set[Asked]) -> Meant | None:
        """`seen`: places already visited. Results in a cycle of imports are not cached: they depend on the entry."""
        file = self.files[path]
        if name in file.symbols:
            return Meant(path, name)
        if not hops or (path, name) in seen:
            return None
        seen.add((path, name))
        if name in file.bindings:
            one, member = file.bindings[name]
            return self._bound(file, one, member, hops, seen)
        for star in file.stars:
            dotted = self.absolute(file, star)
            module = self.file_of(dotted, file.path) if dotted else None
            if module and module != file.path and (found := self._member(module, name, hops - 1, seen)):
                return found
        if file.is_init and (submodule := self.file_of(f"{file.dotted}.{name}", file.path)):
            return Meant(submodule)
        return None

    def _bound(
        self, file: PythonFile, one: CodeImport, member: str | None, hops: int, seen: set[Asked]
    ) -> Meant | None:
        dotted = self.absolute(file, one)
        if not dotted and not member:
            return None
        if member is None:
            found = self.file_of(dotted or "", file.path)
            return Meant(found) if found else None
        module = self.file_of(dotted, file.path) if dotted else None
        if module and module != file.path and (found_member := self._member(module, member, hops - 1, seen)):
            return found_member
        submodule = self.file_of(f"{dotted}.{member}" if dotted else member, file.path)
        return Meant(submodule) if submodule else None

    def named(self, file: PythonFile, scope: str, name: str) -> Meant | None:
        """The symbol of a dotted name in a file, as far as it can be determined without running it."""
        root, _, rest = name.partition(".")
        if root in ("self", "cls", "super"):
            owner = _class_around(file, scope)
            if owner is None or not rest or "." in rest:
                return None
            return self.method(Meant(file.path, owner), rest, inherited=root == "super")
        whole = name
        while whole and "." in whole:  # import a.b: a.b.c means c of the file of a.b
            bound = file.bindings.get(root)
            if bound is None or bound[1] is not None:
                break
            if (module := self.file_of(whole.rpartition(".")[0], file.path)) and bound[0].names[0][1] == root:
                attribute = name[len(whole.rpartition(".")[0]) + 1 :]
                if found := self._follow(Meant(module), attribute):
                    return found
            whole = whole.rpartition(".")[0]
        meant = self.member(file.path, root)
        return self._follow(meant, rest) if meant else None

    def _follow(self, meant: Meant, rest: str) -> Meant | None:
        """The target of attributes of a module or a class."""
        for attribute in rest.split(".") if rest else ():
            found = self.method(meant, attribute) if meant.symbol else self.member(meant.file, attribute)
            if found is None:
                return None
            meant = found
        return meant

    def method(self, owner: Meant, name: str, *, inherited: bool = False, hops: int = MOST_HOPS) -> Meant | None:
        """The method of a class, else of the first base that has it; `inherited` searches the bases only."""
        file = self.files[owner.file]
        if not inherited and f"{owner.symbol}.{name}" in file.symbols:
            return Meant(owner.file, f"{owner.symbol}.{name}")
        symbol = file.symbols.get(owner.symbol or "")
        if symbol is None or not hops:
            return None
        for base in symbol.bases:
            known = self.named(file, "", base)
            if known and known.symbol and known != owner and (found := self.method(known, name, hops=hops - 1)):
                return found
        return None


def _class_around(file: PythonFile, scope: str) -> str | None:
    owner = scope.rpartition(".")[0]
    symbol = file.symbols.get(owner)
    return owner if symbol and symbol.kind == "class" else None


def _dotted(path: str, paths: frozenset[str]) -> str:
    """The name of a module from the outermost folder that is a package, else from the root."""
    folder, top = dirname(path), dirname(path)
    while folder and f"{folder}/__init__.py" in paths:
        top = folder = dirname(folder)
    inside = path[len(top) + 1 :] if top else path
    if folder == dirname(path) and top:  # in no package
        inside = path.removeprefix("src/")
    return splitext(inside)[0].replace("/", ".").removesuffix(".__init__")


def _other_names(path: str, paths: frozenset[str]) -> Iterator[str]:
    """Other import names of a module: from the root, from `src`, and, for scripts, from its own folder."""
    stem = splitext(path)[0].removesuffix("/__init__")
    yield stem.replace("/", ".")
    _, source, behind = f"/{stem}".rpartition("/src/")
    if source:
        yield behind.replace("/", ".")
    folder = dirname(path)
    if folder and f"{folder}/__init__.py" not in paths:
        yield stem.rpartition("/")[2]


def _shared(one: str, other: str) -> int:
    return len(commonpath(["/" + dirname(one), "/" + dirname(other)]))


def is_standard(top: str) -> bool:
    """Whether Python has a module of this name, or a type checker does: `_typeshed` is not a package."""
    return top.startswith("_") or top in sys.stdlib_module_names
