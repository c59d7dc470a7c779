"""What is built is what is installed: sdist and wheel hold all that runs, and nothing of the checkout is needed."""

import sys
import tomllib
import zipfile
from pathlib import Path
from tarfile import open as open_tar

import pytest

from graphmem.settings import Settings
from scripts.try_pythons import ROOT, build, install, try_out

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME = f"graphmem-{PROJECT['version']}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and in `tree/` the wheel made of the tree, in `sdist/` the one made of the sdist."""
    folder = tmp_path_factory.mktemp("built")
    build(folder / "sdist")  # the sdist, and the wheel of it
    build(folder / "tree", "--wheel")
    return folder


def wheel(folder: Path) -> Path:
    (found,) = folder.glob("*.whl")
    return found


def parts(folder: Path) -> dict[str, int]:
    """The files in a wheel and their checksums."""
    with zipfile.ZipFile(wheel(folder)) as archive:
        return {entry.filename: entry.CRC for entry in archive.infolist()}


def files_of(folder: str, suffixes: set[str]) -> set[str]:
    found = (path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)
    return {path.relative_to(ROOT).as_posix() for path in found}


def test_wheel_holds_code_statements_locks_and_story_and_nothing_else(built: Path) -> None:
    code = (
        files_of("api", {".py"})
        | files_of("graphmem", {".py", ".lock", ".gz", ".json", ".toml"})
        | {"graphmem/py.typed"}
    )
    statements = {f"graphmem/_{name}" for name in files_of("cypher", {".cypher", ".grass", ".toml"})}
    ours = code | statements | {"api/_examples/atlas-shop.jsonl"}
    about = {
        f"{NAME}.dist-info/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    }
    assert len(statements) > 50
    assert set(parts(built / "tree")) == ours | about


def test_wheel_of_the_sdist_is_the_wheel_of_the_tree(built: Path) -> None:
    assert parts(built / "sdist") == parts(built / "tree")


def test_sdist_holds_locks_tests_and_nothing_private(built: Path) -> None:
    with open_tar(built / "sdist" / f"{NAME}.tar.gz") as archive:
        names = {name.removeprefix(f"{NAME}/") for name in archive.getnames()}
    assert {
        "requirements/run.lock",
        "requirements/build.lock",
        "graphmem/locks/models.lock",
        "tests/conftest.py",
    } <= names
    private = {".venv", ".git", "secrets", "graphmem.toml", ".env"}
    assert not {name for name in names if name.split("/")[0] in private or "__pycache__" in name}


def test_classifiers_name_the_pythons_of_the_range() -> None:
    named = {text.removeprefix("Programming Language :: Python :: ") for text in PROJECT["classifiers"]}
    low, high = (int(bound.split(".")[1]) for bound in PROJECT["requires-python"].split(","))
    assert {name for name in named if name.startswith("3.")} == {f"3.{minor}" for minor in range(low, high)}


@pytest.mark.long
@pytest.mark.timeout(600)  # the first time packages are fetched
def test_installed_wheel_serves_remembers_and_recalls_without_the_checkout(
    built: Path, server_settings: dict[str, str], settings: Settings, agent_id: str, tmp_path: Path
) -> None:
    environment = tmp_path / "env"
    python = install(sys.executable, wheel(built / "tree"), environment)
    cache = {"GRAPHMEM_CACHE_DIR": str(settings.cache_dir)}
    answer = try_out(python, tmp_path, server_settings | cache, agent_id)
    assert answer["recalled"] == "ledger-api now runs on port 7100"
    assert answer["superseded"] == 1
    assert "meaning" in answer["signals"]
    assert answer["versions"]["graphmem"] == PROJECT["version"]
    for name in answer["files"]:
        assert Path(name).is_relative_to(environment)
        assert Path(name).exists()
