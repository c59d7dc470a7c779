"""Which files of a folder are read."""

import subprocess
from pathlib import Path

import pytest

from graphmem.adapters.code_reader import is_code
from graphmem.adapters.repository import MOST_BYTES, list_files
from graphmem.errors import InvalidInput

GIT = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def paths(folder: Path) -> list[str]:
    return [file.path for file in list_files(folder, is_code).files]


@pytest.fixture(params=["walked", "by git"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An empty folder, which is a repository of git or none."""
    root = tmp_path / "repo"
    root.mkdir()
    if request.param == "by git":
        subprocess.run([*GIT, "init", "-q", str(root)], check=True)
    return root


def test_ignored_files_are_left_out(folder: Path) -> None:
    write(folder, {".gitignore": "made/\n*_pb2.py\n!keep_pb2.py\n/only_here.py\n", "sub/.gitignore": "own.py\n"})
    write(folder, dict.fromkeys(("a.py", "made/b.py", "x_pb2.py", "keep_pb2.py", "only_here.py"), ""))
    write(folder, dict.fromkeys(("sub/own.py", "sub/only_here.py", "sub/made/c.py"), ""))
    assert paths(folder) == ["a.py", "keep_pb2.py", "sub/only_here.py"]


def test_folders_of_others_are_left_out(folder: Path) -> None:
    write(folder, {f"{name}/x.py": "" for name in ("node_modules", ".venv", "sub/__pycache__", "lib")})
    assert paths(folder) == ["lib/x.py"]


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    write(tmp_path, {"outside/secret.py": "", "secret.py": ""})
    write(folder, {"a.py": ""})
    (folder / "linked").symlink_to(tmp_path / "outside", target_is_directory=True)
    (folder / "b.py").symlink_to(tmp_path / "secret.py")
    (folder / "around").symlink_to(folder, target_is_directory=True)
    found = list_files(folder, is_code)
    assert [file.path for file in found.files] == ["a.py"]
    assert found.skipped["links"] == 1


def test_huge_and_binary_files_are_counted_and_left_out(folder: Path) -> None:
    write(folder, {"huge.py": "#" * (MOST_BYTES + 1), "fine.py": "#" * MOST_BYTES})
    (folder / "binary.py").write_bytes(b"x = 1\0\1")
    found = list_files(folder, is_code)
    assert [file.path for file in found.files] == ["fine.py"]
    assert found.skipped == {"bigger than 1 MB": 1, "binary": 1}


def test_same_content_has_the_same_hash(folder: Path) -> None:
    write(folder, {"a.py": "x = 1\n", "b.py": "x = 1\n", "c.py": "x = 2\n"})
    a, b, c = (file.sha256 for file in list_files(folder, is_code).files)
    assert a == b != c


def test_settings_of_a_repository_run_nothing(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    subprocess.run([*GIT, "init", "-q", str(root)], check=True)
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\n")
    trap.chmod(0o755)
    subprocess.run([*GIT, "-C", str(root), "config", "core.fsmonitor", str(trap)], check=True)
    write(root, {"a.py": ""})
    assert paths(root) == ["a.py"]
    assert not sprung.exists()


def test_a_part_of_a_repository_has_its_own_paths(tmp_path: Path) -> None:
    subprocess.run([*GIT, "init", "-q", str(tmp_path)], check=True)
    write(tmp_path, {"inner/a.py": "", "b.py": ""})
    assert paths(tmp_path / "inner") == ["a.py"]


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        list_files(tmp_path / "gone", is_code)
