import os
import re
from importlib.resources import files
from pathlib import Path

import pytest

from graphmem.adapters.neo4j_jars import LOCK_NAME, Neo4jJars, jar_path, read_lock
from graphmem.errors import DownloadFailed, SetupFailed


def lock_text() -> str:
    return files("graphmem").joinpath("locks", LOCK_NAME).read_text(encoding="utf-8")


def test_every_line_of_the_lock_is_complete_sorted_and_there_once() -> None:
    jars = read_lock(lock_text())
    coordinates = [jar.coordinate for jar in jars]
    assert len(jars) > 200
    assert coordinates == sorted(set(coordinates))
    assert all(re.fullmatch(r"[0-9a-f]{64}", jar.sha256) and jar.size > 0 for jar in jars)
    assert len({jar.path for jar in jars}) == len(jars)


def test_server_browser_and_their_versions_are_pinned(tmp_path: Path) -> None:
    assert "org.neo4j.client:neo4j-browser:" in lock_text()
    assert re.fullmatch(r"20\d\d\.\d\d\.\d+", Neo4jJars(tmp_path).version)


def test_the_lock_names_no_host() -> None:
    assert "://" not in lock_text()


def test_a_coordinate_is_a_path_in_every_maven_repository() -> None:
    assert jar_path("org.neo4j:neo4j:1.0") == "org/neo4j/neo4j/1.0/neo4j-1.0.jar"
    assert jar_path("io.netty:epoll:4.2:linux-x86_64") == "io/netty/epoll/4.2/epoll-4.2-linux-x86_64.jar"


def test_a_mirror_is_used_instead_of_maven_central(tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match=r"no-address/.*\.jar cannot be fetched.*GRAPHMEM_MAVEN_URL"):
        Neo4jJars(tmp_path, "no-address/").ensure()


def test_a_cache_folder_java_cannot_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupFailed, match="GRAPHMEM_CACHE_DIR"):
        Neo4jJars(tmp_path / f"a{os.pathsep}b").class_path()


def test_the_class_path_has_every_jar_below_the_cache(tmp_path: Path) -> None:
    paths = Neo4jJars(tmp_path).class_path().split(os.pathsep)
    assert len(paths) == len(read_lock(lock_text()))
    assert all(Path(path).is_relative_to(tmp_path) for path in paths)
