"""From the outlines of all files of a repository to its entities, edges, names and passages; and the changes from one
such graph to another."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from posixpath import basename, dirname

from graphmem.model.code import (
    CodeDelta,
    CodeEdge,
    CodeEntity,
    CodeGraph,
    EdgeKey,
    Outline,
    Passage,
    PlacedPassage,
)
from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.rules.code.link_others import link_go, link_java, link_rust, link_scripts
from graphmem.rules.code.link_python import Drawn, LinkedPython, link_python
from graphmem.rules.code.link_services import link_services
from graphmem.rules.code.owners import owned
from graphmem.rules.code.python_names import Meant
from graphmem.rules.language.keys import sha256_hex
from graphmem.rules.language.text import canonical_name

_CODE_LIKE = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|\w_\w|\w\.\w")
"""Names of this shape are code names everywhere; `report` may be any report."""
_TOKEN = re.compile(r"[A-Za-z_][\w./-]*\w")
_canonical = lru_cache(maxsize=200_000)(canonical_name)
"""The names of a repository are computed twice, before and after, and are more than those of a conversation."""
_SYMBOLS = {"class": EntityType.CLASS, "function": EntityType.FUNCTION}


def code_graph(repository: str, outlines: Mapping[str, Outline]) -> CodeGraph:
    """What follows from all files together."""
    return _Making(repository, outlines).graph()


def changes(repository: str, before: Mapping[str, Outline], after: Mapping[str, Outline]) -> CodeDelta:
    """The changes from the graph of the old files to that of the current ones. Packages and owners that nothing needs
    any more stay: they may be known from elsewhere."""
    making = _Making(repository, before)
    return _delta(making.graph(), _Making(repository, after, like=making).graph())


def _delta(old: CodeGraph, new: CodeGraph) -> CodeDelta:
    return CodeDelta(
        entities=tuple(one for key, one in new.entities.items() if old.entities.get(key) != one),
        gone=tuple(key for key, one in old.entities.items() if one.file and key not in new.entities),
        edges=tuple(one for key, one in new.edges.items() if old.edges.get(key) != one),
        retired=tuple(key for key in old.edges if key not in new.edges),
        names={name: led for name, led in new.names.items() if old.names.get(name) != led},
        names_dropped={name: key for name, (key, _) in old.names.items() if new.names.get(name, ("", ""))[0] != key},
        passages=tuple(one for key, one in new.passages.items() if old.passages.get(key) != one),
        passages_gone=tuple(key for key in old.passages if key not in new.passages),
    )


class _Making:
    """A graph under construction. `called`: the names of each entity besides its key; `like`: a graph of mostly the
    same files."""

    def __init__(self, repository: str, outlines: Mapping[str, Outline], like: "_Making | None" = None) -> None:
        self.repository = repository
        self.outlines = outlines
        self.entities: dict[str, CodeEntity] = {}
        self.edges: dict[EdgeKey, CodeEdge] = {}
        self.called: dict[str, list[str]] = {}
        python = {path: outline for path, outline in outlines.items() if outline.language == "python"}
        self.python: LinkedPython = link_python(python, like.python if like else None)
        self.dotted = {path: file.dotted for path, file in self.python.names.files.items()}

    def graph(self) -> CodeGraph:
        self._draw()
        names = _unambiguous(self.called)
        surfaces = {surface: key for key, surface in names.values()}
        passages = {
            key: PlacedPassage(key, path, passage, tuple(_mentions(passage, surfaces, self.file_key(path))))
            for path, outline in sorted(self.outlines.items())
            for passage in outline.passages
            for key in (_passage_key(self.repository, path, passage),)
        }
        return CodeGraph(self.entities, self.edges, names, passages)

    def _draw(self) -> None:
        if self.outlines:
            self.shared(self.repository, EntityType.PROJECT)
        for path, outline in sorted(self.outlines.items()):
            self._file(path, outline)
        linked: tuple[Iterable[Drawn], ...] = (
            *self.python.edges.values(),
            link_scripts(self.outlines),
            link_go(self.outlines),
            link_java(self.outlines),
            link_rust(self.outlines),
        )
        for edges in linked:
            for drawn in edges:
                self._drawn(drawn)
        for path, outline in sorted(self.outlines.items()):
            self._requirements(path, outline)
        self._services()
        self._owners()

    def file_key(self, path: str) -> str:
        return f"{self.repository}:{path}"

    def _file(self, path: str, outline: Outline) -> None:
        python = outline.language == "python"
        key = self.file_key(path)
        self.entities[key] = CodeEntity(key, path, EntityType.MODULE if python else EntityType.FILE, path)
        self.called[key] = [
            key,
            path,
            basename(path),
            *([self.dotted[path]] if "." in self.dotted.get(path, "") else []),
        ]
        for symbol in outline.symbols:
            own = f"{key}::{symbol.name}"
            if own in self.entities:  # defined twice, for two systems or versions: the first represents both
                continue
            name = f"{self.dotted[path]}.{symbol.name}"
            self.entities[own] = CodeEntity(own, name, _SYMBOLS[symbol.kind], path, symbol.line, symbol.end)
            short = symbol.name.rpartition(".")[2]
            self.called[own] = [own, name, *(one for one in {symbol.name, short} if _CODE_LIKE.search(one))]
            owner = symbol.name.rpartition(".")[0]
            around = f"{key}::{owner}" if owner and f"{key}::{owner}" in self.entities else key
            self._edge(own, around, DependencyType.PART_OF, 1.0, path, symbol.line, "is defined in")
        for endpoint in outline.endpoints:
            name = f"{endpoint.method} {endpoint.path}"
            own = f"{key}::{name}"
            self.entities[own] = CodeEntity(own, name, EntityType.ENDPOINT, path, endpoint.line, endpoint.line)
            self.called[own] = [own, name]
            self._edge(own, key, DependencyType.PART_OF, 1.0, path, endpoint.line, "is described in")

    def _drawn(self, drawn: Drawn) -> None:
        source = self._key(drawn.source)
        target = self._key(drawn.target) if drawn.target else self.shared(drawn.package or "", EntityType.PACKAGE)
        self._edge(source, target, drawn.type, drawn.confidence, drawn.source.file, drawn.line, drawn.how)

    def _key(self, meant: Meant) -> str:
        key = self.file_key(meant.file)
        if meant.file.endswith("/"):  # a folder that is a package
            name = meant.file.rstrip("/") or self.repository
            self.entities.setdefault(key, CodeEntity(key, name, EntityType.MODULE, meant.file))
            self.called.setdefault(key, [key, *([name] if "/" in name else [])])
        elif meant.symbol:
            key = f"{key}::{meant.symbol}"
        return key

    def shared(self, name: str, type_: EntityType) -> str:
        """An entity that is identified by its name alone."""
        key = canonical_name(name) or name
        self.entities.setdefault(key, CodeEntity(key, name, type_))
        return key

    def _requirements(self, path: str, outline: Outline) -> None:
        if outline.language != "manifest":
            return
        if not dirname(path):
            source = self.shared(self.repository, EntityType.PROJECT)
        elif outline.package:
            source = self.shared(outline.package, EntityType.PACKAGE)
        else:
            source = self.file_key(path)
        for one in outline.requires:
            target = self.shared(one.name, EntityType.PACKAGE)
            self._edge(source, target, DependencyType.REQUIRES, 1.0, path, one.line, "requires")

    def _services(self) -> None:
        def key(name: str) -> str:
            return f"{self.repository}:service {name}"

        for path, outline in sorted(self.outlines.items()):
            for one in outline.services:
                own = key(one.name)
                self.entities.setdefault(own, CodeEntity(own, one.name, EntityType.SERVICE, path, one.line, one.line))
                self.called.setdefault(own, [own, *([one.name] if re.search(r"\w[-_]\w", one.name) else [])])
                file = self.file_key(path)
                self._edge(own, file, DependencyType.PART_OF, 1.0, path, one.line, "is described in")
        for need in link_services(self.outlines):
            if key(need.target) in self.entities:
                self._edge(
                    key(need.source),
                    key(need.target),
                    DependencyType.DEPENDS_ON,
                    need.confidence,
                    need.file,
                    need.line,
                    need.how,
                )

    def _owners(self) -> None:
        """Owners from the first of the possible places of CODEOWNERS, as code hosts read it."""
        rules = next((self.outlines[path] for path in _OWNER_PLACES if path in self.outlines), None)
        if rules is None:
            return
        file = next(path for path in _OWNER_PLACES if path in self.outlines)
        for path, rule in sorted(owned(rules.owners, self.outlines).items()):
            for owner in rule.owners:
                target = self.shared(owner, EntityType.OWNER)
                self._edge(self.file_key(path), target, DependencyType.OWNED_BY, 1.0, file, rule.line, "is owned by")

    def _edge(
        self, source: str, target: str, type_: DependencyType, confidence: float, file: str, line: int, how: str
    ) -> None:
        """Of several reasons for an edge the most confident is kept, then the first in the file."""
        key = (source, target, type_)
        other = self.edges.get(key)
        if source != target and (other is None or (-confidence, line) < (-other.confidence, other.line)):
            self.edges[key] = CodeEdge(source, target, type_, confidence, file, line, how)


_OWNER_PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")


def _unambiguous(called: Mapping[str, list[str]]) -> dict[str, tuple[str, str]]:
    """Canonical names that resolve to one entity, each with the entity and the name as written."""
    meant = {(_canonical(name), key): name for key, names in called.items() for name in reversed(names)}
    often = Counter(name for name, _ in meant)
    return {name: (key, written) for (name, key), written in meant.items() if name and often[name] == 1}


def _mentions(passage: Passage, surfaces: Mapping[str, str], own: str) -> Iterator[str]:
    """The file of a passage, then the entities that it names, as written."""
    tokens = _TOKEN.findall(f"{passage.heading}\n{passage.text}")
    return iter(dict.fromkeys([own, *(surfaces[token] for token in tokens if token in surfaces)]))


def _passage_key(repository: str, path: str, passage: Passage) -> str:
    return sha256_hex(f"passage\n{repository}\n{path}\n{passage.heading}\n{passage.text}")[:40]
