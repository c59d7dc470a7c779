"""What stands beside source code: manifests, services, owners, Markdown; and the graph of all."""

import pytest

from graphmem.adapters.code_reader import read_code
from graphmem.model.code import CodeGraph, Outline
from graphmem.rules.code.graph import changes, code_graph
from graphmem.rules.code.manifests import read_manifest
from graphmem.rules.code.markdown import MOST_CHARS, read_markdown
from graphmem.rules.code.owners import owned, read_owners
from graphmem.rules.code.python import Unreadable


def outlines(files: dict[str, str]) -> dict[str, Outline]:
    return {path: outline for path, text in files.items() if (outline := read_code(path, text))}


def graph(files: dict[str, str], name: str = "repo") -> CodeGraph:
    return code_graph(name, outlines(files))


def drawn(files: dict[str, str]) -> set[tuple[str, str, str, float]]:
    """Edges by the names of their ends."""
    made = graph(files)
    return {
        (made.entities[one.source].name, one.type.value, made.entities[one.target].name, one.confidence)
        for one in made.edges.values()
    }


# --- manifests ------------------------------------------------------------------------------------------------------

MANIFESTS = {
    "pyproject.toml": (
        '[project]\nname = "me"\ndependencies = ["httpx[http2]>=0.28", "uvloop; sys_platform != \'win32\'"]\n'
        '[project.optional-dependencies]\nx = ["rich"]\n[dependency-groups]\ndev = ["pytest", {include-group = "x"}]\n'
        '[tool.poetry.dependencies]\npython = "^3.11"\nattrs = "*"\n',
        ("me", ["httpx", "uvloop", "rich", "pytest", "attrs"]),
    ),
    "package.json": (
        '{"name": "me", "dependencies": {"left-pad": "1"}, "devDependencies": {"@types/node": "2"}}',
        ("me", ["left-pad", "@types/node"]),
    ),
    "go.mod": (
        "module example.com/me\n\ngo 1.22\n\nrequire example.com/one v1.0.0\n"
        "require (\n\texample.com/two v2.0.0 // indirect\n)\n",
        ("example.com/me", ["example.com/one", "example.com/two"]),
    ),
    "pom.xml": (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><groupId>org.me</groupId><artifactId>me</artifactId>'
        "<dependencies><dependency><groupId>org.x</groupId><artifactId>y</artifactId></dependency></dependencies></project>",
        ("org.me:me", ["org.x:y"]),
    ),
    "Cargo.toml": (
        '[package]\nname = "me"\n[dependencies]\nserde = "1"\nrenamed = { package = "other", version = "1" }\n'
        '[dev-dependencies]\nproptest = "1"\n[target.\'cfg(unix)\'.dependencies]\nlibc = "1"\n',
        ("me", ["serde", "other", "proptest", "libc"]),
    ),
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_manifest_says_what_it_asks_for(name: str) -> None:
    text, expected = MANIFESTS[name]
    found = read_manifest(name, text)
    assert (found.package, [one.name for one in found.requires]) == expected


def test_requirement_names_its_line() -> None:
    found = read_manifest("pyproject.toml", '[project]\nname = "a"\ndependencies = [\n  "rich-text",\n  "rich",\n]\n')
    assert [(one.name, one.line) for one in found.requires] == [("rich-text", 4), ("rich", 5)]
    text = '{\n"name": "me",\n"scripts": {"lint": "eslint lib"},\n"devDependencies": {\n"eslint": "^9"\n}}'
    assert [(one.name, one.line) for one in read_manifest("package.json", text).requires] == [("eslint", 5)]
    text = '[dependencies]\n# serde is needed\nserde = "1"\n'
    assert [(one.name, one.line) for one in read_manifest("Cargo.toml", text).requires] == [("serde", 3)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[project"),
        ("package.json", "{"),
        ("package.json", "[]"),
        ("Cargo.toml", "="),
        ("pom.xml", "<a>"),
        ("pom.xml", '<!DOCTYPE x [<!ENTITY a "b">]><project/>'),
    ],
)
def test_broken_manifest_is_refused(name: str, text: str) -> None:
    with pytest.raises(Unreadable):
        read_manifest(name, text)


def test_packages_are_shared_by_name_between_manifests_and_imports() -> None:
    files = {"pyproject.toml": '[project]\nname = "repo"\ndependencies = ["httpx"]\n', "a.py": "import httpx\n"}
    assert {("repo", "requires", "httpx", 1.0), ("a.py", "imports", "httpx", 1.0)} <= drawn(files)


# --- services -------------------------------------------------------------------------------------------------------

COMPOSE = """
services:
  api:
    build: .
    depends_on:
      db: {condition: service_healthy}
    environment:
      CACHE_URL: redis://cache:6379/0
  worker:
    links: ["api:backend"]
    environment: ["QUEUE=amqp://nobody:5672"]
  db:
    image: postgres
  cache:
    image: redis
"""
CLUSTER = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: billing-web}
spec:
  template:
    metadata: {labels: {app: billing, tier: web}}
    spec:
      containers:
        - name: main
          env: [{name: LEDGER, value: "http://ledger.default.svc:8080/x"}]
---
apiVersion: v1
kind: Service
metadata: {name: billing}
spec: {selector: {app: billing}}
---
apiVersion: v1
kind: Service
metadata: {name: ledger}
spec: {}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front}
spec:
  rules: [{http: {paths: [{path: /, backend: {service: {name: billing}}}]}}]
"""


def needs(files: dict[str, str]) -> set[tuple[str, str, float]]:
    return {(source, target, sure) for source, type_, target, sure in drawn(files) if type_ == "depends_on"}


def test_services_of_compose_need_each_other() -> None:
    assert needs({"docker-compose.yml": COMPOSE}) == {
        ("api", "db", 1.0),
        ("api", "cache", 0.7),
        ("worker", "api", 1.0),
    }


def test_services_of_a_cluster_need_each_other_across_files() -> None:
    deployment, rest = CLUSTER.split("---\n", 1)
    assert needs({"k8s/web.yaml": deployment, "k8s/rest.yaml": rest}) == {
        ("billing-web", "ledger", 0.7),
        ("billing", "billing-web", 1.0),
        ("front", "billing", 1.0),
    }


def test_yaml_of_other_kinds_says_nothing() -> None:
    assert read_code(".github/workflows/ci.yml", "on: push\njobs: {services: {}}\n") is None
    assert read_code("chart/x.yaml", "kind: {{ .Values.kind }}\n  - {{ x }}\n") is None


@pytest.mark.parametrize(
    "text", ["services: [\n", "kind: &a [*a\n", "services:\n  !!python/object/apply:os.system ['x']\n"]
)
def test_yaml_that_is_broken_or_wants_to_run_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read_code("compose.yaml", text)


def test_yaml_that_stands_within_itself_ends() -> None:
    text = "services:\n  api: &a\n    environment: {x: *a, y: db}\n  db: {image: i}\n"
    assert needs({"compose.yaml": text}) == {("api", "db", 0.7)}


def test_yaml_that_repeats_itself_without_end_is_read_at_once() -> None:
    levels = "".join(f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    text = f"x:\n  a0: &a0 [db]\n{levels}services:\n  api:\n    environment: {{x: *a11}}\n  db: {{image: i}}\n"
    assert needs({"compose.yaml": text}) == {("api", "db", 0.7)}


def test_endpoints_of_openapi_are_described_in_its_file() -> None:
    text = "openapi: 3.1.0\npaths:\n  /orders/{id}:\n    get: {}\n    delete: {}\n    parameters: []\n"
    expected = {("GET /orders/{id}", "part_of", "api.yaml", 1.0), ("DELETE /orders/{id}", "part_of", "api.yaml", 1.0)}
    assert drawn({"api.yaml": text}) == expected


# --- owners ---------------------------------------------------------------------------------------------------------


def test_last_rule_that_fits_says_who_owns_a_file() -> None:
    rules = read_owners("# all\n* @all\n/docs/ @writers me@example.org\n*.py @py # code\n/docs/made.py\n").owners
    paths = ["README", "docs/a.md", "docs/b.py", "docs/made.py", "lib/docs/x"]
    assert {path: rule.owners for path, rule in owned(rules, paths).items()} == {
        "README": ("@all",),
        "docs/a.md": ("@writers", "me@example.org"),
        "docs/b.py": ("@py",),
        "lib/docs/x": ("@all",),
    }


# --- Markdown -------------------------------------------------------------------------------------------------------


def test_passages_have_their_headings_and_lines() -> None:
    text = "# One\n\nFirst words of it all.\n\n## Two\n\nMore words are here.\nAnd here.\n"
    text += "\n# Three\n\nLast words of it all.\n"
    found = [(one.line, one.end, one.heading, one.text) for one in read_markdown("README.md", text).passages]
    assert found == [
        (3, 4, "One", "First words of it all."),
        (7, 9, "One / Two", "More words are here.\nAnd here."),
        (12, 12, "Three", "Last words of it all."),
    ]


def test_code_in_markdown_has_no_headings() -> None:
    text = "# One\n\nIt is done so:\n\n```sh\n# not a heading\nmake it\n```\n"
    (one,) = read_markdown("README.md", text).passages
    assert "# not a heading" in one.text


@pytest.mark.parametrize(
    ("path", "text", "overlay"),
    [
        ("SECURITY.md", "# Reporting\n\nPlease send us a mail first.\n", "o2"),
        ("docs/decisions/0001-x.md", "# X\n\nIt is done in one place.\n", "o4"),
        ("VISION.md", "# X\n\nIt is done in one place.\n", "o4"),
        ("README.md", "# Installing\n\nTake the one you like best.\n", "o5"),
        ("docs/algorithm.md", "# X\n\nTake the one you like best.\n", "o6"),
        ("notes.md", "# X\n\nPasswords and tokens are encrypted with a secret key.\n", "o2"),
    ],
)
def test_passage_is_tagged_by_what_it_is_about(path: str, text: str, overlay: str) -> None:
    (one,) = read_markdown(path, text).passages
    scores = {name: getattr(one, name) for name in ("o2", "o4", "o5", "o6")}
    assert scores[overlay] >= 5, scores
    assert all(0 <= score <= 10 for score in scores.values())


def test_long_section_is_cut_and_loses_nothing() -> None:
    paragraphs = [f"Paragraph number {n} " + "word " * 60 for n in range(30)]
    found = read_markdown("a.md", "# T\n\n" + "\n\n".join(paragraphs)).passages
    assert len(found) > 3
    assert all(len(one.text) <= 3 * MOST_CHARS for one in found)
    assert " ".join(one.text for one in found).split() == " ".join(paragraphs).split()
    endless = read_markdown("a.md", "word word word word word\n" * 5000).passages
    assert sum(len(one.text.split()) for one in endless) == 25_000


# --- names and differences ------------------------------------------------------------------------------------------


def test_names_that_mean_one_thing_lead_to_it() -> None:
    made = graph({"app/errors.py": "class NotThere(Exception): pass\ndef report(): pass\n", "app/__init__.py": ""})
    led = {name: made.entities[key].name for name, (key, _) in made.names.items()}
    assert led["app/errors.py"] == led["errors.py"] == led["app.errors"] == "app/errors.py"
    assert led["notthere"] == "app.errors.NotThere"
    assert "report" not in led, "a word that anybody may use"


def test_names_that_could_mean_two_lead_nowhere() -> None:
    made = graph({"a/errors.py": "class NotThere: pass", "b/errors.py": "class NotThere: pass"})
    assert {"errors.py", "notthere"} & made.names.keys() == set()
    assert "a/errors.py" in made.names


def test_passage_names_what_it_writes_as_code_does() -> None:
    files = {
        "app/errors.py": "class NotThere: pass\n",
        "README.md": "Raise `NotThere` of app/errors.py, not notthere.\n",
    }
    made = graph(files)
    (passage,) = made.passages.values()
    assert [made.entities[key].name for key in passage.mentions] == [
        "README.md",
        "app.errors.NotThere",
        "app/errors.py",
    ]


def test_names_that_differ_by_case_alone_are_two_entities() -> None:
    made = graph({"a.py": "class Node: pass\ndef node(): pass\n"})
    assert {one.name for one in made.entities.values() if one.line} == {"a.Node", "a.node"}


def test_difference_between_a_graph_and_itself_is_nothing() -> None:
    files = outlines({"a.py": "import b\n", "b.py": "x = 1\n", "README.md": "Some words about this.\n"})
    assert changes("repo", files, files).empty
    assert len(changes("repo", {}, files).edges) == 1


def test_difference_tells_what_came_and_what_went() -> None:
    old = outlines({"a.py": "import b\n", "b.py": "def f_one(): pass\n"})
    new = outlines({"a.py": "import c\n", "c.py": "def f_one(): pass\n"})
    found = changes("repo", old, new)
    assert {one.name for one in found.entities} == {"c.py", "c.f_one"}
    assert set(found.gone) == {"repo:b.py", "repo:b.py::f_one"}
    assert {key[:2] for key in found.retired} == {("repo:a.py", "repo:b.py"), ("repo:b.py::f_one", "repo:b.py")}
    assert found.names_dropped["f one"] == "repo:b.py::f_one"
    assert found.names["f one"][0] == "repo:c.py::f_one"
