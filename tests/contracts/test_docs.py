"""The documents say what is: settings, errors, commands, decisions, version, links and routes are those of the code."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from api.app import create_app
from api.cli import app as command_line
from api.mcp_tools import OFFERS
from graphmem import errors
from graphmem.graph.connection import Database
from graphmem.roots import operation
from graphmem.rules.keeping.findings import FINDINGS
from graphmem.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DECISIONS = DOCS / "decisions"
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)

# Addresses of package indexes, and folders of one machine.
DEFAULT_HOSTS = {
    "graphmem/adapters/neo4j_jars.py": "repo.maven.apache.org",
    "graphmem/adapters/package_index.py": "pypi.org",
}
"""What is asked where nothing is configured, once."""
INDEX_HOSTS = ("pypi.org", "pythonhosted.org", "repo1.maven.org", "repo.maven.apache.org", "search.maven.org")
PRIVATE_HOST = re.compile(r"https?://[^\s/\"')]*(?:nexus|artifactory|devpi|\.internal\b|\.corp\b|\.lan\b)")
MACHINE_PATH = re.compile(r"(?<![\w./-])/(?:home|Users|root|work|mnt)/[\w.-]+")
NOT_TEXT = {".png", ".jpg", ".gif", ".ico", ".woff2", ".jar", ".whl"}


def markdown_files() -> list[Path]:
    return [path for path in kept_files() if path.suffix == ".md"]


@cache
def kept_files() -> tuple[Path, ...]:
    """What git tracks or would track; in a tree without git, everything but what .gitignore names first."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],  # noqa: S607 - any git
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not any(part.startswith(".venv") for part in path.parts)]
    return tuple(sorted(path for path in paths if path.is_file() and "__pycache__" not in path.parts))


def kept_text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def all_errors() -> Iterator[type[errors.GraphmemError]]:
    waiting: list[type[errors.GraphmemError]] = [errors.GraphmemError]
    while waiting:
        cls = waiting.pop()
        yield cls
        waiting.extend(cls.__subclasses__())


@pytest.mark.parametrize("script", ["settings_page.py", "schema.py", "understood_page.py"])
def test_what_scripts_make_is_current(script: str) -> None:
    made = subprocess.run(
        [sys.executable, ROOT / "scripts" / script, "--check"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr


def test_every_error_is_documented_with_its_class() -> None:
    page = (DOCS / "errors.md").read_text(encoding="utf-8")
    rows = {cells[1].strip(): cells for line in page.splitlines() if len(cells := line.split("|")) > 4}
    missing = [
        cls.__name__
        for cls in all_errors()
        if cls.__module__ == errors.__name__ and rows.get(f"`{cls.code}`", [""] * 3)[2].strip() != cls.__name__
    ]
    assert not missing, f"docs/errors.md lacks: {sorted(missing)}"


def test_documented_statuses_and_exit_codes_are_those_of_the_doors() -> None:
    from api.problems import EXIT_CODE, HTTP_STATUS

    page = (DOCS / "errors.md").read_text(encoding="utf-8")
    for cls in all_errors():
        if cls.__module__ != errors.__name__:
            continue
        status = next((HTTP_STATUS[kin] for kin in cls.__mro__ if kin in HTTP_STATUS), 500)
        exit_code = next((EXIT_CODE[kin] for kin in cls.__mro__ if kin in EXIT_CODE), 1)
        assert f"| `{cls.code}` | {cls.__name__} | {status} | {exit_code} |" in page, cls.__name__


def test_codes_of_the_http_door_are_documented() -> None:
    page = (DOCS / "errors.md").read_text(encoding="utf-8")
    names = ("problems.py", "app.py", "hosts.py", "connections.py")
    sources = "".join((ROOT / "api" / name).read_text(encoding="utf-8") for name in names)
    codes = set(re.findall(r'\(\s*(?:\d{3},\s*)?"([a-z]+(?:_[a-z]+)+)",\s*"', sources))
    assert {"invalid_json", "bad_request", "body_too_big", "host_not_allowed"} <= codes, (
        "the pattern no longer finds the codes"
    )
    assert not [code for code in codes if f"`{code}`" not in page]


def test_newest_version_of_the_changelog_is_ours() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = re.search(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$", changelog, re.MULTILINE)
    assert found, "the changelog has no version with a date"
    assert found[1] == project["version"]


def test_every_decision_is_in_the_index_and_has_its_parts() -> None:
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    records = sorted(DECISIONS.glob("[0-9]*.md"))
    numbers = [int(record.name[:4]) for record in records]
    assert numbers == list(range(1, len(numbers) + 1))
    for record in records:
        assert f"]({record.name})" in index, record.name
        text = record.read_text(encoding="utf-8")
        for part in ("Context", "Decision", "Consequences", "Alternatives"):
            assert f"\n## {part}\n" in text, f"{record.name}: {part}"
        assert re.search(r"\n## (?:The )?[Cc]heck\n", text), f"{record.name}: Check"


def test_title_and_file_name_of_a_decision_are_the_decision() -> None:
    """The index, the record and its file say the same, in words enough for a decision."""
    index = dict(re.findall(r"^\| \[(\d{4})\]\([^)]+\) \| (.*) \|$", kept_text(DECISIONS / "README.md"), re.MULTILINE))
    for record in sorted(DECISIONS.glob("[0-9]*.md")):
        title = kept_text(record).partition("\n")[0]
        assert title == f"# {record.name[:4]}: {index[record.name[:4]]}"
        assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+){2,}", record.stem[5:]), f"{record.name}: three words or more"


def paths_of_the_index() -> dict[str, list[Path]]:
    """The index of the documents: a reader's heading, and the pages of the numbered list below it."""
    index = kept_text(DOCS / "README.md")
    return {
        reader: [
            (DOCS / target).resolve() for target in re.findall(r"^\d+\. \[[^\]]+\]\(([^)]+)\): ", below, re.MULTILINE)
        ]
        for reader, below in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", index, re.MULTILINE | re.DOTALL)
    }


def test_every_page_is_in_the_index_where_one_reader_looks() -> None:
    paths = paths_of_the_index()
    assert len(paths) == 5
    assert all(3 <= len(pages) <= 9 for pages in paths.values())
    pages = {*DOCS.glob("*.md"), DECISIONS / "README.md", DOCS / "measurements" / "README.md"} - {DOCS / "README.md"}
    listed = [page for pages in paths.values() for page in pages]
    assert sorted(listed) == sorted(pages), "each page once"


def test_every_measurement_is_in_its_index() -> None:
    index = kept_text(DOCS / "measurements" / "README.md")
    assert not [page.name for page in (DOCS / "measurements").glob("[!R]*.md") if f"]({page.name})" not in index]


def test_the_readme_is_short() -> None:
    assert len(kept_text(ROOT / "README.md").splitlines()) <= 220


CODE_FOLDERS = ("", "graphmem", "graphmem/rules", "graphmem/model")
"""Where a path in prose begins."""


@pytest.mark.parametrize("page", markdown_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_named_modules_exist(page: Path) -> None:
    """Files (`rules/recall/ranking.py`), and dotted names (`rules.recall.ranking.rank`) of what a module defines."""
    text = kept_text(page)
    files = re.findall(r"(?<![\w/.:~-])((?:[a-z_]+/)+[a-z_0-9]+\.py)\b", text)
    gone = [name for name in files if not any((ROOT / folder / name).is_file() for folder in CODE_FOLDERS)]
    dotted = re.findall(
        r"`(?:graphmem\.)?((?:rules|graph|services|adapters|model|roots|api)(?:\.\w+)+)(?:\(\))?`", text
    )
    gone += [name for name in dotted if not name.endswith((".onnx", ".safetensors")) and not is_defined(name)]
    assert not [name for name in gone if not (page.name == "code.md" and name in EXAMPLES_OF_CODE)]


EXAMPLES_OF_CODE = {"graphmem/errors.py"}


def is_defined(name: str) -> bool:
    """Whether a dotted name is a module or package of ours, or what one defines."""
    parts = name.split(".")
    for place in (ROOT / "graphmem", ROOT):
        for length in range(len(parts), 0, -1):
            folder = place.joinpath(*parts[:length])
            module = folder.with_suffix(".py") if folder.with_suffix(".py").is_file() else folder / "__init__.py"
            if module.is_file():
                rest = parts[length:]
                return not rest or bool(
                    re.search(rf"^(?:async )?(?:def |class )?{rest[0]}\b", kept_text(module), re.MULTILINE)
                )
    return False


@pytest.mark.parametrize("page", markdown_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_relative_links_resolve(page: Path) -> None:
    broken = []
    for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z][a-z+.-]*:", target):
            continue
        path, _, anchor = target.partition("#")
        place = (page.parent / path).resolve() if path else page
        if not place.exists() or (anchor and anchor not in anchors(place)):
            broken.append(target)
    assert not broken


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the usual renderers make them."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_no_index_host_and_no_path_of_one_machine_is_written_down_but_two_defaults() -> None:
    found = []
    for path in kept_files():
        if path.suffix in NOT_TEXT or path == Path(__file__):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        kept = DEFAULT_HOSTS.get(path.relative_to(ROOT).as_posix(), "")
        hits = [host for host in INDEX_HOSTS if text.count(host) != (host == kept)]
        hits += PRIVATE_HOST.findall(text) + MACHINE_PATH.findall(text)
        found += [f"{path.relative_to(ROOT)}: {hit}" for hit in dict.fromkeys(hits)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", sorted((ROOT / "cypher" / "browser").glob("*.cypher")), ids=lambda path: path.stem)
async def test_queries_for_browser_are_sound_read_only_and_named_in_the_page(path: Path, database: Database) -> None:
    text, page = kept_text(path), kept_text(DOCS / "browser.md")
    assert re.match(r"// \S.*\n// Parameters: agent\b", text), "what it shows, then its parameters"
    assert "{agent_id: $agent" in text
    assert f"(../cypher/browser/{path.name})" in page
    plan = await database.explain(text, {"agent": "nobody", "name": "nothing", "project": "none"})
    assert plan.query_type == "r"


def commands(group: Any, prefix: str = "graphmem") -> Iterator[tuple[str, Any]]:
    """Every command below a group with its full name. By shape: typer brings a click of its own."""
    for name, command in group.commands.items():
        yield f"{prefix} {name}", command
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix} {name}")


def test_every_command_and_option_is_documented() -> None:
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    root = typer.main.get_command(command_line)
    documented = dict(re.findall(r"^#{2,3} (graphmem [a-z -]+)\n(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL))
    exist = dict(commands(root))
    assert documented.keys() == exist.keys()
    for name, command in exist.items():
        options = [
            flag for param in command.params for flag in (*param.opts, *param.secondary_opts) if flag[:2] == "--"
        ]
        missing = [flag for flag in options if flag != "--help" and f"`{flag}" not in documented[name]]
        assert not missing, f"{name}: {missing}"


def test_every_finding_of_the_doctor_is_documented() -> None:
    page = kept_text(DOCS / "command-line.md")
    rows = {
        code: cells[3]
        for line in page.splitlines()
        if len(cells := line.split("|")) == 5
        for code in re.findall(r"`([a-z_0-9]+)`", cells[1])
    }
    assert not FINDINGS.keys() - rows.keys()
    beyond = {code for code, kind in FINDINGS.items() if not kind.repairable} - {"schema_mismatch"}
    assert {code for code in FINDINGS if rows[code].strip().startswith("None:")} == beyond


def test_every_chore_is_documented_with_its_interval_and_how_to_start_it() -> None:
    composed = kept_text(ROOT / "graphmem" / "roots" / "operation.py")
    chores = re.findall(r'Chore\("(\w+)", ([\w.]+),', composed)
    assert len(chores) == composed.count("Chore(") >= 5, "the pattern no longer finds the chores"
    page = kept_text(DOCS / "command-line.md")
    for name, interval in chores:
        setting = interval.removeprefix("settings.")
        told = str(getattr(operation, interval)) if setting == interval else f"`GRAPHMEM_{setting.upper()}`"
        assert re.search(rf"^\| `{name}` \|.*\| {told} \|$", page, re.MULTILINE), name
    assert "`POST /api/repair/upkeep`" in page
    assert "`backlog.embedding`" in page


def test_arguments_of_mcp_tools_are_documented() -> None:
    """Filters may be named in one word, and what else a route takes in four."""
    page = kept_text(DOCS / "mcp.md")
    told: dict[str, str] = {}
    last = ""
    for tool, takes in re.findall(r"^\| (?:`(\w+)`)? ?\| (.*?) \|", page.partition("## Tools")[2], re.MULTILINE):
        last = tool or last
        told[last] = told.get(last, "") + takes
    assert told.keys() == OFFERS.keys()
    for name, offer in OFFERS.items():
        fields = offer.tool().input_schema["properties"]
        missing = [field for field in fields if f"`{field}`" not in told[name]]
        if "filters" not in told[name] and "what the route takes" not in told[name]:
            assert not missing, f"{name}: {missing}"


def test_commands_and_settings_named_in_documents_exist() -> None:
    root = typer.main.get_command(command_line)
    known = {name.removeprefix("graphmem ") for name, _ in commands(root)}
    settings = {f"GRAPHMEM_{name.upper()}" for name in Settings.model_fields}
    others = {"GRAPHMEM_CONFIG", "GRAPHMEM_TEST_NEO4J_URI", "GRAPHMEM_TEST_NEO4J_PASSWORD"}
    others |= {"GRAPHMEM_TOUR_URL", "GRAPHMEM_TOUR_AGENT"}  # of the notebook
    wrong = []
    for page in (ROOT / "README.md", *DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for first, second in re.findall(r"(?:`|bin/)graphmem ([a-z]+)(?: ([a-z]+))?", text):
            if first not in known or (first == "db" and second and f"db {second}" not in known):
                wrong.append(f"{page.name}: graphmem {first} {second}".rstrip())
        wrong += [
            f"{page.name}: {name}"
            for name in re.findall(r"\bGRAPHMEM_[A-Z0-9_]*[A-Z0-9]\b", text)
            if name not in settings | others
        ]
    assert not wrong


@pytest.mark.parametrize(("page", "least"), [(ROOT / "README.md", 8), (DOCS / "http.md", 18)], ids=["README", "http"])
def test_routes_of_curl_lines_exist(page: Path, least: int) -> None:
    schema = create_app(Settings()).openapi()
    served = [
        (method.upper(), re.compile(re.sub(r"\{[^}]+\}", "[^/?]+", path) + r"(?:\?.*)?$"))
        for path, methods in schema["paths"].items()
        for method in methods
    ]
    called = []
    for line in re.findall(r"^(?: *|ID=\$\()curl .*$", kept_text(page).replace("\\\n", " "), re.MULTILINE):
        path = re.search(r"(?:\$[A-Z]+|https?://[^/\s]+)(/[^\s'\"]*)", line)
        assert path, f"no address of ours: {line}"
        method = re.search(r"-X (\w+)", line)
        called.append(
            (method[1] if method else "POST" if re.search(r" (?:-d|--data\S*|--json) ", line) else "GET", path[1])
        )
    assert len(called) >= least
    unknown = [
        call for call in called if not any(call[0] == method and route.match(call[1]) for method, route in served)
    ]
    assert not unknown
