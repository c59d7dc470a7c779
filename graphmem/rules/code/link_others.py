"""The edges of JavaScript, TypeScript, Go, Java and Rust files: what they import, by each language's own rules.

An import that resolves to a file of the repository, or to a package that is named in it, has confidence 1.0; the
classes behind a wildcard of Java 0.4, because it is unknown which of them are used.
"""

from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath

from graphmem.model.code import CodeImport, Language, Outline
from graphmem.model.knowledge import DependencyType
from graphmem.rules.code.link_python import CALLED_BY_NAME, IMPORTED, Drawn
from graphmem.rules.code.python_names import Meant
from graphmem.rules.language.stems import word_set

SCRIPTS: frozenset[Language] = frozenset({"javascript", "typescript", "tsx"})
_ENDINGS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_WRITTEN_AS = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_NODE = word_set(
    """
    assert async_hooks buffer child_process cluster console constants crypto dgram dns domain events fs http http2
    https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder
    sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib test
    """
)
"""Built-in modules of Node.js; a package of the same name is imported with a trailing slash."""
_RUST_OWN = frozenset({"std", "core", "alloc", "proc_macro", "test"})


def link_scripts(outlines: Mapping[str, Outline]) -> Iterator[Drawn]:
    """Imports of JavaScript and TypeScript."""
    paths = frozenset(outlines)
    for path in _of(outlines, SCRIPTS):
        for one in outlines[path].imports:
            if one.module.startswith((".", "/")):
                if found := _script_file(normpath(join(dirname(path), one.module.partition("?")[0])), paths):
                    yield _drawn(path, one, Meant(found))
            elif name := _script_package(one.module):
                yield _drawn(path, one, None, name)


def _script_file(wanted: str, paths: frozenset[str]) -> str | None:
    if wanted in paths:
        return wanted
    stem, dot, ending = wanted.rpartition(".")
    written = [stem + other for other in _WRITTEN_AS.get(dot + ending, ())]
    tried = (*written, *(wanted + ending for ending in _ENDINGS), *(f"{wanted}/index{ending}" for ending in _ENDINGS))
    return next((path for path in tried if path in paths), None)


def _script_package(module: str) -> str | None:
    """The package of a name without leading dots: '@scope/name/file' belongs to '@scope/name'."""
    if ":" in module or module.startswith(("#", "~", "@/")) or not module:
        return None
    parts = module.split("/")
    name = "/".join(parts[: 2 if module.startswith("@") else 1])
    return None if name in _NODE and module != f"{name}/" else name


def link_go(outlines: Mapping[str, Outline]) -> Iterator[Drawn]:
    """Imports of Go. A package is a folder: files need it, and it needs its files."""
    modules = {dirname(p): o.package for p, o in outlines.items() if p.rpartition("/")[2] == "go.mod" and o.package}
    folders = {dirname(path) for path in _of(outlines, {"go"})}
    named = {_go_name(folder, modules): folder for folder in sorted(folders)}
    required = sorted((r.name for p, o in outlines.items() if p.endswith("go.mod") for r in o.requires), key=len)
    for path in _of(outlines, {"go"}):
        own = Meant(f"{dirname(path)}/")
        yield Drawn(Meant(path), own, None, DependencyType.PART_OF, IMPORTED, 1, "is part of")
        if not path.endswith("_test.go"):
            yield Drawn(own, Meant(path), None, DependencyType.REQUIRES, IMPORTED, 1, "consists of")
        for one in outlines[path].imports:
            if one.module in named:
                yield _drawn(path, one, Meant(f"{named[one.module]}/"))
            elif outside := [name for name in required if one.module == name or one.module.startswith(f"{name}/")]:
                yield _drawn(path, one, None, outside[-1])


def _go_name(folder: str, modules: Mapping[str, str]) -> str:
    """The import path of a folder: that of the nearest module above it, and the path down from there."""
    at = folder
    while at not in modules and at:
        at = dirname(at)
    return "/".join(part for part in (modules.get(at, ""), folder[len(at) :].strip("/")) if part)


def link_java(outlines: Mapping[str, Outline]) -> Iterator[Drawn]:
    """Imports of Java: classes by package and name. A file does not import what it uses from its own package."""
    classes: dict[str, str] = {}
    packages: dict[str, list[str]] = {}
    for path in _of(outlines, {"java"}):
        package = outlines[path].package or ""
        classes.setdefault(f"{package}.{path.rpartition('/')[2].removesuffix('.java')}".strip("."), path)
        packages.setdefault(package, []).append(path)
    for path in _of(outlines, {"java"}):
        for one in outlines[path].imports:
            if one.how == "wildcard" and one.module not in classes:
                for other in packages.get(one.module, ()):
                    source, target = Meant(path), Meant(other)
                    yield Drawn(
                        source,
                        target,
                        None,
                        DependencyType.IMPORTS,
                        CALLED_BY_NAME,
                        one.line,
                        "may import by a wildcard",
                    )
            elif found := _longest(one.module.split("."), classes, "."):
                yield _drawn(path, one, Meant(found))


def link_rust(outlines: Mapping[str, Outline]) -> Iterator[Drawn]:
    """Imports of Rust: `mod` resolves to the file of a module, `use` to the file of the longest module in its path,
    else to a package that a Cargo.toml of the repository requires."""
    crates = {dirname(path): o for path, o in outlines.items() if path.rpartition("/")[2] == "Cargo.toml"}
    modules = {path: _rust_module(path, crates) for path in _of(outlines, {"rust"})}
    by_name = {f"{crate}::" + "::".join(parts): path for path, (crate, parts) in sorted(modules.items(), reverse=True)}
    libraries = {(o.package or "").replace("-", "_"): f"{folder}/src".lstrip("/") for folder, o in crates.items()}
    required = {need.name.replace("-", "_"): need.name for o in crates.values() for need in o.requires}
    for path, (crate, parts) in sorted(modules.items()):
        for one in outlines[path].imports:
            steps = one.module.split("::")
            at = list(parts)
            first = steps[0]
            if first == "crate":
                crate_meant, at, steps = crate, [], steps[1:]
            elif first in ("self", "super"):
                crate_meant = crate
                while steps and steps[0] in ("self", "super"):
                    at = at[:-1] if steps.pop(0) == "super" else at
            elif f"{crate}::" + "::".join((*parts, first)) in by_name:
                crate_meant = crate
            elif first in libraries and first:
                crate_meant, at, steps = libraries[first], [], steps[1:]
            else:
                if first in required and first not in _RUST_OWN:
                    yield _drawn(path, one, None, required[first])
                continue
            found = _longest([crate_meant, *at, *steps], by_name, "::", root=f"{crate_meant}::")
            if found:
                yield _drawn(path, one, Meant(found))


def _rust_module(path: str, crates: Mapping[str, Outline]) -> tuple[str, tuple[str, ...]]:
    """The crate of a file, named by the folder or file it begins at, and its module in it."""
    folder = dirname(path)
    while folder not in crates and folder:
        folder = dirname(folder)
    inside = path[len(folder) :].strip("/")
    top, _, rest = inside.partition("/")
    if top == "src" and not rest.startswith("bin/"):
        parts = rest.removesuffix(".rs").split("/")
        if parts[-1] == "mod" or (len(parts) == 1 and parts[0] in ("lib", "main")):
            parts = parts[:-1]
        return f"{folder}/src".lstrip("/"), tuple(parts)
    if path.endswith("/main.rs") or rest.count("/") <= (1 if rest.startswith("bin/") else 0):
        return path, ()  # each file of tests, examples, benches and bin is a separate crate
    parts = rest.removesuffix(".rs").removesuffix("/mod").split("/")
    return f"{folder}/{top}".lstrip("/"), tuple(parts)


def _longest(parts: list[str], known: Mapping[str, str], joint: str, root: str | None = None) -> str | None:
    """The target of the longest prefix of a path."""
    for size in range(len(parts), 0, -1):
        if found := known.get(joint.join(parts[:size])):
            return found
    return known.get(root) if root else None


def _of(outlines: Mapping[str, Outline], languages: frozenset[Language] | set[Language]) -> list[str]:
    return sorted(path for path, outline in outlines.items() if outline.language in languages)


def _drawn(path: str, one: CodeImport, target: Meant | None, package: str | None = None) -> Drawn:
    return Drawn(Meant(path), target, package, DependencyType.IMPORTS, IMPORTED, one.line, "imports")
