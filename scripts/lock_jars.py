"""Renews graphmem/locks/neo4j-jars.lock: every jar of the managed Neo4j, with size and SHA-256.

Run it after changing a version below, then look at the diff:

    python scripts/lock_jars.py

jgo, of the development environment, resolves the tree (a minute, over the network); this is why nothing is resolved at
run time. The list is the same on every platform. Jars are checked against the checksum their publisher put beside them.
"""

import argparse
import hashlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from graphmem.adapters.neo4j_jars import LOCK_NAME, MAVEN_CENTRAL, jar_path

ENDPOINTS = ("org.neo4j:neo4j:2026.08.1", "org.neo4j.client:neo4j-browser:5.24.0")
LOCK = Path(__file__).parent.parent / "graphmem" / "locks" / LOCK_NAME
HEADER = f"""\
# The jars of the managed Neo4j: coordinate (group:artifact:version[:classifier]), bytes, SHA-256.
# Made by scripts/lock_jars.py from {" and ".join(ENDPOINTS)}; do not edit.
"""


def resolve() -> list[str]:
    """Coordinates of everything the endpoints need at run time, sorted."""
    listed = subprocess.run(
        [Path(sys.executable).with_name("jgo"), "--full-coordinates", "list", "+".join(ENDPOINTS)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    coordinates = set()
    for line in listed.split():
        group, artifact, packaging, *classifier, version, scope = line.split(":")
        if packaging == "jar" and scope in ("compile", "runtime"):
            coordinates.add(":".join([group, artifact, version, *classifier]))
    return sorted(coordinates)


def pin(client: httpx.Client, maven_url: str, coordinate: str) -> str:
    url = f"{maven_url.rstrip('/')}/{jar_path(coordinate)}"
    jar = client.get(url).raise_for_status().content
    published = re.split(r"\s", client.get(f"{url}.sha1").raise_for_status().text.strip())[0]
    # SHA-1 is what every publisher gives; it guards against a broken transfer, TLS against a false sender.
    if hashlib.sha1(jar, usedforsecurity=False).hexdigest() != published:
        raise SystemExit(f"{url} does not match its published checksum; run this again.")
    return f"{coordinate} {len(jar)} {hashlib.sha256(jar).hexdigest()}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--maven-url", default=MAVEN_CENTRAL, help="a mirror of Maven Central")
    given = arguments.parse_args()
    coordinates = resolve()
    with httpx.Client(follow_redirects=True, timeout=60) as client, ThreadPoolExecutor(8) as pool:
        lines = list(pool.map(lambda coordinate: pin(client, given.maven_url, coordinate), coordinates))
    LOCK.write_text(HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{LOCK}: {len(lines)} jars, {sum(int(line.split()[1]) for line in lines) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
