import os
from pathlib import Path

import pytest

from graphmem.adapters import neo4j_aot
from graphmem.adapters.neo4j_aot import (
    DISK_MB,
    LARGEST_HEAP_MB,
    MEMORY_MB,
    QUIET_LOAD,
    AotCache,
    Machine,
    machine_now,
    why_no_room,
    why_not_now,
)
from graphmem.adapters.neo4j_jars import Neo4jJars, PinnedJar

IDLE = Machine(load=0.1, memory_mb=8000, disk_mb=50_000)


@pytest.fixture
def java(tmp_path: Path) -> str:
    runtime = tmp_path / "java-runtime"
    for folder in ("bin", "lib"):
        (runtime / folder).mkdir(parents=True)
    (runtime / "release").write_text('JAVA_VERSION="25.0.2"\n')
    (runtime / "lib" / "modules").write_bytes(b"classes")
    return str(runtime / "bin" / "java")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AotCache:
    pins = [PinnedJar("org.neo4j:neo4j:1", 3, "0"), PinnedJar("org.neo4j:neo4j-kernel:1", 3, "0")]
    monkeypatch.setattr("graphmem.adapters.neo4j_jars.read_lock", lambda _: pins)
    jars = Neo4jJars(tmp_path)
    for pin in pins:
        jar = jars.folder / pin.path
        jar.parent.mkdir(parents=True)
        jar.write_bytes(b"jar")
    return AotCache(tmp_path, jars)


def test_the_same_jars_and_java_lead_to_the_same_file(cache: AotCache, java: str) -> None:
    assert cache.file(java) == cache.file(java)
    assert cache.file(java).suffix == ".aot"


def test_another_checkout_of_the_same_java_shares_the_cache(cache: AotCache, java: str, tmp_path: Path) -> None:
    before = cache.file(java)
    runtime = Path(java).parent.parent
    moved = runtime.rename(tmp_path / "elsewhere")
    assert cache.file(str(moved / "bin" / "java")) == before


@pytest.mark.parametrize("changed", ["release", "modules", "jar size", "jar time", "flags"])
def test_whatever_java_would_not_accept_has_another_file(
    cache: AotCache, java: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    before = cache.file(java)
    runtime, jar = Path(java).parent.parent, next(tmp_path.rglob("neo4j-1.jar"))
    match changed:
        case "release":
            (runtime / "release").write_text('JAVA_VERSION="25.0.3"\n')
        case "modules":
            (runtime / "lib" / "modules").write_bytes(b"other classes")
        case "jar size":
            jar.write_bytes(b"another jar")
        case "jar time":
            os.utime(jar, (1, 1))
        case "flags":
            monkeypatch.setattr(neo4j_aot, "JAVA_FLAGS", ("-XX:+UseG1GC",))
    assert cache.file(java) != before


def test_without_a_cache_java_is_told_nothing(cache: AotCache, java: str) -> None:
    assert cache.arguments(java, heap_mb=512) == []


def test_a_cache_is_used_checked_and_keeps_quiet(cache: AotCache, java: str, tmp_path: Path) -> None:
    installed(cache, java, tmp_path)
    arguments = cache.arguments(java, heap_mb=512)
    assert f"-XX:AOTCache={cache.file(java)}" in arguments
    assert "-XX:+VerifySharedSpaces" in arguments, "a damaged one would crash the server"
    assert "-Xlog:aot*=off" in arguments


def test_a_heap_with_other_addresses_does_without(cache: AotCache, java: str, tmp_path: Path) -> None:
    installed(cache, java, tmp_path)
    assert cache.arguments(java, heap_mb=LARGEST_HEAP_MB)
    assert cache.arguments(java, heap_mb=LARGEST_HEAP_MB + 1) == []


def test_a_new_cache_takes_the_place_of_older_ones(cache: AotCache, java: str, tmp_path: Path) -> None:
    first = installed(cache, java, tmp_path)
    (Path(java).parent.parent / "release").write_text('JAVA_VERSION="25.0.3"\n')
    assert cache.arguments(java, heap_mb=512) == [], "the old one no longer counts"
    second = installed(cache, java, tmp_path)
    assert sorted(cache.folder.iterdir()) == [second]
    assert first != second


def installed(cache: AotCache, java: str, tmp_path: Path) -> Path:
    cache.folder.mkdir(exist_ok=True)
    made = tmp_path / "made.aot"
    made.write_bytes(b"cache")
    return cache.install(made, java)


@pytest.mark.parametrize(
    ("machine", "unasked", "asked"),
    [
        (IDLE, None, None),
        (Machine(QUIET_LOAD + 0.01, 8000, 50_000), "the machine is at work", None),
        (Machine(0.1, MEMORY_MB - 1, 50_000), "of memory", "of memory"),
        (Machine(0.1, 8000, DISK_MB - 1), "on the disk", "on the disk"),
    ],
)
def test_a_machine_with_something_else_to_do_is_left_alone(
    machine: Machine, unasked: str | None, asked: str | None
) -> None:
    for reason, expected in ((why_not_now(machine), unasked), (why_no_room(machine), asked)):
        assert (reason is None) if expected is None else (reason is not None and expected in reason)


def test_this_machine_can_be_looked_at_before_the_cache_folder_exists(tmp_path: Path) -> None:
    now = machine_now(tmp_path / "not" / "there")
    assert now.memory_mb > 0
    assert now.disk_mb > 0
    assert now.load >= 0
