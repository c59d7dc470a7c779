"""A repository as it is read: the outline of each file, and the entities and edges that follow from all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.model.value import Value

Language = Literal[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "go",
    "java",
    "rust",
    "manifest",
    "services",
    "openapi",
    "owners",
    "markdown",
]
SymbolKind = Literal["class", "function"]
READER = "1"
"""Version of the readers: files read by another are read again."""


class CodeImport(Value):
    """A reference from a file to another, as written. `names`: what is imported, each with its local name; `level`:
    dots of a relative import. `how` distinguishes a Rust `mod` from a `use`, and a wildcard from a single name."""

    line: int
    module: str
    names: tuple[tuple[str, str], ...] = ()
    level: int = 0
    how: Literal["import", "from", "mod", "use", "wildcard"] = "import"


class CodeSymbol(Value):
    """A class, function or method, from its first line (decorators counted) to its last."""

    name: str
    kind: SymbolKind
    line: int
    end: int
    bases: tuple[str, ...] = ()


class CodeCall(Value):
    """A call as written, in a symbol of the file ('' at module level). A leading dot stands for an unknown object."""

    scope: str
    name: str
    line: int


class Requirement(Value):
    """A package that a manifest requires."""

    name: str
    line: int


class ServiceNeed(Value):
    name: str
    confidence: float
    how: str


class CodeService(Value):
    """A service of docker-compose, or a workload, Service or Ingress of Kubernetes. `hosts`: names in its settings,
    some of which may be services; `labels` are those of its pods, `selector` says which pods it routes to."""

    name: str
    kind: str
    line: int
    needs: tuple[ServiceNeed, ...] = ()
    hosts: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    selector: tuple[tuple[str, str], ...] = ()


class CodeEndpoint(Value):
    method: str
    path: str
    line: int


class OwnerRule(Value):
    """A line of CODEOWNERS; of several that match a file the last one applies."""

    pattern: str
    owners: tuple[str, ...]
    line: int


class Passage(Value):
    """A part of a Markdown file with the headings above it, and its scores for O2, O4, O5 and O6 (0 to 10)."""

    line: int
    end: int
    heading: str
    text: str
    o2: float
    o4: float
    o5: float
    o6: float


class Outline(Value):
    """The outline of a file: enough to derive its edges once all files are known. `package`: its own name, as a
    manifest, a Java package or a Go module."""

    language: Language
    package: str | None = None
    imports: tuple[CodeImport, ...] = ()
    symbols: tuple[CodeSymbol, ...] = ()
    calls: tuple[CodeCall, ...] = ()
    requires: tuple[Requirement, ...] = ()
    services: tuple[CodeService, ...] = ()
    endpoints: tuple[CodeEndpoint, ...] = ()
    owners: tuple[OwnerRule, ...] = ()
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeEntity:
    """`key` identifies it and is the name it is stored under. `file` is None for a package, an owner or the repository;
    these may be known from conversations by the same name."""

    key: str
    name: str
    type: EntityType
    file: str | None = None
    line: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class CodeEdge:
    """`source` needs `target`, both by key. `how` describes the edge: "imports", "calls by name alone"."""

    source: str
    target: str
    type: DependencyType
    confidence: float
    file: str
    line: int
    how: str

    @property
    def reason(self) -> str:
        return f"{self.how}, {self.file} line {self.line}"


@dataclass(frozen=True, slots=True)
class PlacedPassage:
    """A passage in its file, and the keys of the entities it names."""

    key: str
    file: str
    passage: Passage
    mentions: tuple[str, ...]


EdgeKey = tuple[str, str, DependencyType]


@dataclass(frozen=True, slots=True)
class CodeGraph:
    """What follows from all files of a repository. `names`: canonical names that resolve to one entity, with their
    spelling in it; ambiguous names are left out."""

    entities: Mapping[str, CodeEntity] = field(default_factory=dict)
    edges: Mapping[EdgeKey, CodeEdge] = field(default_factory=dict)
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    passages: Mapping[str, PlacedPassage] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file as the graph holds it. `halted`: an interrupted run was about to change or remove it."""

    path: str
    sha256: str
    reader: str
    halted: bool


@dataclass(frozen=True, slots=True)
class KeptOutline:
    """The outline of a file when it was last read. `pending`: the outline that an interrupted run was about to
    store."""

    path: str
    outline: Outline | None
    pending: Outline | None


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file of a repository, by its path from the root."""

    path: str
    sha256: str
    text: str


@dataclass(frozen=True, slots=True)
class CodeDelta:
    """The changes that turn one graph into another."""

    entities: tuple[CodeEntity, ...]
    gone: tuple[str, ...]
    edges: tuple[CodeEdge, ...]
    retired: tuple[EdgeKey, ...]
    names: Mapping[str, tuple[str, str]]
    names_dropped: Mapping[str, str]
    passages: tuple[PlacedPassage, ...]
    passages_gone: tuple[str, ...]

    @property
    def empty(self) -> bool:
        return not (self.entities or self.gone or self.edges or self.retired or self.passages or self.passages_gone)


class CodeProblem(Value):
    """A file that was left out, and why."""

    path: str
    problem: str


class RepositoryReceipt(Value):
    """What a reading of a repository found and wrote. `read`: files that are new or changed; `edges` and `entities`
    count those created or changed, `retired` the edges that no longer hold, `removed` the deleted files."""

    repository: str
    files: int
    read: int
    unchanged: int
    removed: int
    entities: int
    edges: int
    retired: int
    passages: int
    skipped: dict[str, int]
    problems: tuple[CodeProblem, ...]
