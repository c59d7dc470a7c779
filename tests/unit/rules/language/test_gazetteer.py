"""What counts as a software thing by its name or by its shape."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from graphmem.model.knowledge import EntityType
from graphmem.rules.language import gazetteer
from graphmem.rules.language.gazetteer import NAMES, identify, lookup


def names(text: str) -> list[str]:
    return [found.known.name for found in identify(text)]


def test_gazetteer_knows_enough_things() -> None:
    assert len({known.name for known in NAMES.values()}) >= 150


@pytest.mark.parametrize(
    ("written", "preferred"),
    [
        ("postgres", "PostgreSQL"),
        ("k8s", "Kubernetes"),
        ("Golang", "Go"),
        ("GH Actions", "GitHub Actions"),
        ("nvim", "Neovim"),
    ],
)
def test_other_spellings_have_one_preferred_name(written: str, preferred: str) -> None:
    known = lookup(written)
    assert known is not None
    assert known.name == preferred


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("billing-service stores rows in Postgres", ["billing-service", "PostgreSQL"]),
        ("the API uses Go and Rust", ["Go", "Rust"]),
        ("Go ahead and deploy it", []),
        ("I go running and express myself at Spring", []),
        ("React quickly when the service fails", []),
        ("C++ and .NET and Node.js code", ["C++", ".NET", "Node.js"]),
        ("see src/app/main.py and README.md", ["src/app/main.py", "README.md"]),
        ("install left-pad@1.3.0 and requests==2.31", ["left-pad", "requests"]),
        ("set DATABASE_URL for orders_db", ["DATABASE_URL", "orders_db"]),
        ("the class UserStore", ["UserStore"]),
        ("DeepBrew opened a shop", []),
        ("McDonald and LeBron wrote code", []),
        ("a state-of-the-art, well-known self-service", []),
        ("ask bob@example.com or http://example.com/a.py", ["", ""]),
        ("e.g. this and etc.", []),
        ("call parse_rows() first", ["parse_rows"]),
        ("VS Code beats Visual Studio", ["VS Code", "Visual Studio"]),
        ("images go to Docker Hub, state to Google Cloud Storage", ["Docker Hub", "Google Cloud Storage"]),
        ("the service keeps its index in RocksDB and WhimsyDB", ["RocksDB", "WhimsyDB"]),
        ("tabs are forbidden in .proto files", [".proto files"]),
        ("the worker needs libvips, not libraries", ["libvips"]),
        ("orrery.readers imports orrery.units, see example.com", ["orrery.readers", "orrery.units"]),
        ("Tollgate talks to session-vault over gRPC", ["session-vault", "gRPC"]),
        ("the output goes into balance-view.", ["balance-view"]),
        ("it subscribes to the parcel-events topic", ["parcel-events"]),
        ("after the check-in and the sign-off we made a trade-off", []),
        ("we restarted feed-reader and anomaly-detector", ["feed-reader", "anomaly-detector"]),
        ("routing-table still reads from Kafka, fully-managed", ["routing-table", "Kafka"]),
        ("the closed-loop, machine-readable, family-owned design is newly-built", []),
        ("docker compose on Kubernetes", ["Docker Compose", "Kubernetes"]),
    ],
)
def test_text_names_these_things(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_places_are_exact_and_apart() -> None:
    text = "`auth-api` runs on k8s, see deploy/values.yaml"
    found = identify(text)
    assert [text[f.start : f.end] for f in found] == ["auth-api", "k8s", "deploy/values.yaml"]
    assert [f.known.type for f in found] == [EntityType.SYSTEM, EntityType.TOOL, EntityType.FILE]
    assert all(a.end <= b.start for a, b in pairwise(found))


LABELLED = Path(__file__).parents[3] / "data" / "extraction" / "tuned"


def test_listed_names_are_found_as_by_their_pattern_alone() -> None:
    texts = [
        message["content"]
        for file in sorted(LABELLED.glob("*.json"))
        for message in json.loads(file.read_text(encoding="utf-8"))["messages"]
    ]
    texts += ["", "İİ kafka and Postgres\u2019s REDIS, GitHub Actions/GitHub", "x-redis redis.io (Redis) C++ C# go Go."]
    found = [match.span() for text in texts for match in gazetteer._listed_names(text)]
    assert found == [match.span() for text in texts for match in gazetteer._NAME.finditer(text)]
    assert len(found) > 50
