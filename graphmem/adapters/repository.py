"""The files of a repository: those git lists, else those its .gitignore files leave; no links, no huge files."""

import hashlib
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pathspec import GitIgnoreSpec

from graphmem.errors import InvalidInput
from graphmem.model.code import FoundFile

MOST_BYTES = 1_000_000
"""Largest file in bytes: bigger ones are generated."""
SKIPPED_FOLDERS = frozenset(
    {".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", "site-packages"}
)
_GIT_S = 60.0
_SNIFFED = 8_192


@dataclass
class Listing:
    """The wanted files, in order; `skipped` counts those left out, by reason."""

    files: list[FoundFile] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


def list_files(root: Path, wanted: Callable[[str], bool]) -> Listing:
    """The files below a folder that are wanted, by their paths. Errors: InvalidInput where it is not a folder."""
    if not root.is_dir():
        raise InvalidInput(f"{root} is no folder.")
    root = root.resolve()
    found = Listing()
    for path in _by_git(root) or sorted(_by_walking(root)):
        if SKIPPED_FOLDERS & {*path.split("/")[:-1]}:
            continue
        if not wanted(path):
            continue
        if _leaves(root, path):
            found.skipped["links"] += 1
        elif (root / path).is_file():  # a file that git lists may have been deleted
            _read(root, path, found)
    return found


def _read(root: Path, path: str, found: Listing) -> None:
    try:
        with (root / path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError:
        found.skipped["unreadable"] += 1
        return
    if len(content) > MOST_BYTES:
        found.skipped["bigger than 1 MB"] += 1
    elif b"\0" in content[:_SNIFFED]:
        found.skipped["binary"] += 1
    else:
        text = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
        found.files.append(FoundFile(path, hashlib.sha256(content).hexdigest(), text))


def _leaves(root: Path, path: str) -> bool:
    """Whether the path goes through a link: it could lead anywhere."""
    at = root
    for part in path.split("/"):
        at = at / part
        if at.is_symlink():
            return True
    return False


def _by_git(root: Path) -> list[str]:
    """What git tracks or would add, from this folder; nothing where there is no git, or no git repository."""
    git = shutil.which("git")
    if git is None or not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return []
    # A repository's own settings may name programs to run: prevent that.
    quiet = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "safe.directory=*"]
    asked = [git, *quiet, "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(asked, capture_output=True, check=True, timeout=_GIT_S, env=_environment())
    except (subprocess.SubprocessError, OSError):
        return []
    return sorted({path.decode(errors="surrogateescape") for path in done.stdout.split(b"\0") if path})


def _environment() -> Mapping[str, str]:
    """Our environment without the variables that would point git to another repository."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def _by_walking(root: Path) -> Iterator[str]:
    """Files that no .gitignore between the root and them excludes."""
    specs: dict[str, GitIgnoreSpec] = {}
    for folder, folders, names in os.walk(root, followlinks=False):
        inside = Path(folder).relative_to(root).as_posix()
        prefix = "" if inside == "." else f"{inside}/"
        if ".gitignore" in names and not (Path(folder) / ".gitignore").is_symlink():
            lines = (Path(folder) / ".gitignore").read_text(errors="replace").splitlines()
            specs[prefix] = GitIgnoreSpec.from_lines(lines)
        folders[:] = [
            name for name in sorted(folders) if name not in SKIPPED_FOLDERS and not _ignored(f"{prefix}{name}/", specs)
        ]
        yield from (f"{prefix}{name}" for name in names if not _ignored(f"{prefix}{name}", specs))


def _ignored(path: str, specs: Mapping[str, GitIgnoreSpec]) -> bool:
    """Whether a path is excluded, by the deepest .gitignore that matches it."""
    for prefix in sorted((one for one in specs if path.startswith(one)), key=len, reverse=True):
        said = specs[prefix].check_file(path[len(prefix) :]).include
        if said is not None:
            return said
    return False
