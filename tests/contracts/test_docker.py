"""The container files as far as they can be checked without an engine: sound by schema and linter, and in step with
the code."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from graphmem.adapters.neo4j_conf import ServerConf, render_conf
from graphmem.adapters.neo4j_jars import Neo4jJars
from graphmem.settings import PREFIX, Settings, load_settings

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "Dockerfile"
COMPOSE = ROOT / "docker-compose.yml"
SECRET = "/run/secrets/neo4j_auth"


@pytest.fixture(scope="module")
def compose() -> Any:
    return YAML(typ="safe").load(COMPOSE)


def instructions() -> list[str]:
    """The instructions of the Dockerfile, a line each."""
    text = DOCKERFILE.read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def environment_of_the_image() -> dict[str, str]:
    lines = [line for line in instructions() if line.startswith("ENV ")]
    return dict(re.findall(r"(\w+)=(\S+)", " ".join(lines)))


def test_compose_file_fits_the_schema_of_compose() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_linter_has_nothing_to_say_of_the_dockerfile() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    checked = subprocess.run([hadolint, "--no-color", str(DOCKERFILE)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_every_setting_named_in_a_container_exists(compose: Any) -> None:
    named = {**environment_of_the_image(), **compose["services"]["api"]["environment"]}
    named |= dict.fromkeys(re.findall(rf"\b{PREFIX}\w+", DOCKERFILE.read_text(encoding="utf-8")))
    ours = {name for name in named if name.startswith(PREFIX)}
    assert len(ours) >= 6
    assert ours <= {PREFIX + name.upper() for name in Settings.model_fields}


def test_settings_of_the_api_container_are_accepted_and_ask_for_keys(compose: Any, tmp_path: Path) -> None:
    environ = environment_of_the_image() | compose["services"]["api"]["environment"]
    settings = load_settings({name: value for name, value in environ.items() if name.startswith(PREFIX)}, tmp_path)
    assert settings.host == "0.0.0.0"  # noqa: S104 - of the container
    assert settings.require_key
    assert str(settings.neo4j_password_file) == SECRET
    assert settings.neo4j_uri == "bolt://neo4j:7687"


def test_one_secret_serves_both_and_no_password_is_written_down(compose: Any) -> None:
    for service in compose["services"].values():
        assert service["secrets"] == ["neo4j_auth"]
        assert SECRET in service["environment"].values()
        assert not [name for name in service["environment"] if name in ("NEO4J_AUTH", "GRAPHMEM_NEO4J_PASSWORD")]
    assert compose["secrets"] == {"neo4j_auth": {"file": "./secrets/neo4j_auth"}}


def test_neo4j_is_the_version_that_graphmem_runs_itself(compose: Any, tmp_path: Path) -> None:
    assert compose["services"]["neo4j"]["image"] == f"neo4j:{Neo4jJars(tmp_path).version}-community"


def test_neo4j_keeps_its_indexes_and_its_limits_as_the_managed_one_does(compose: Any) -> None:
    managed = dict(
        line.split("=", 1) for line in render_conf(ServerConf(7687, None, 512, 128)).splitlines()[1:] if "=" in line
    )
    ours = {
        re.sub(r"_+", lambda found: "." if found[0] == "_" else "_", name.removeprefix("NEO4J_")): value
        for name, value in compose["services"]["neo4j"]["environment"].items()
    }
    same = {name for name in ours if name.startswith(("db.", "internal."))}
    assert {"db.checkpoint.interval.time", "internal.dbms.index.vector.standard_merge_factor"} <= same
    assert {name: ours[name] for name in same} == {name: managed[name] for name in same}


def test_ports_are_published_on_loopback_only(compose: Any) -> None:
    published = [port for service in compose["services"].values() for port in service["ports"]]
    assert len(published) == 3
    assert all(re.fullmatch(r"127\.0\.0\.1:\$\{\w+:-\d+\}:\d+", port) for port in published)
    (port,) = compose["services"]["api"]["ports"]
    assert port.endswith(f":{Settings().port}")
    assert f"EXPOSE {Settings().port}" in instructions()


def test_api_waits_for_a_healthy_neo4j_and_says_itself_whether_it_is_ready(compose: Any) -> None:
    assert compose["services"]["api"]["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert "test" in compose["services"]["neo4j"]["healthcheck"]
    (check,) = [line for line in instructions() if line.startswith("HEALTHCHECK ")]
    assert f"'127.0.0.1', {Settings().port}" in check
    assert "/readyz" in check


def test_volumes_are_declared_and_hold_what_the_image_writes(compose: Any) -> None:
    mounted = [volume.split(":") for service in compose["services"].values() for volume in service["volumes"]]
    assert {name for name, _ in mounted} == set(compose["volumes"])
    image = environment_of_the_image()
    assert {image["GRAPHMEM_DATA_DIR"], image["GRAPHMEM_CACHE_DIR"]} <= {place for _, place in mounted}


def test_what_the_dockerfile_copies_exists_and_is_let_through() -> None:
    copied = [line.split()[1:-1] for line in instructions() if line.startswith("COPY ") and "--from=" not in line]
    sources = {name for names in copied for name in names}
    assert {"requirements/run.lock", "pyproject.toml", "cypher"} <= sources
    assert all((ROOT / name).exists() for name in sources)
    let_through = {
        line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.startswith("!")
    }
    assert {name.split("/")[0] for name in sources} == let_through


def test_image_needs_neither_root_nor_the_network_to_start() -> None:
    (user,) = [line for line in instructions() if line.startswith("USER ")]
    assert re.fullmatch(r"USER [1-9]\d+:[1-9]\d+", user)
    assert all(
        re.search(r":\d+\.\d+\.\d+-", line) or "packages" in line for line in instructions() if line[:5] == "FROM "
    )
    assert any(line.startswith("RUN ") and line.endswith("graphmem setup") for line in instructions())


def test_secrets_stay_out_of_git() -> None:
    assert "secrets/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
