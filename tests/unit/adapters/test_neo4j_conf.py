import hashlib
from pathlib import Path

import pytest

from graphmem.adapters.neo4j_conf import (
    NO_HINT,
    ServerConf,
    clean_environment,
    command_line,
    hint_for,
    is_command_line,
    lost_its_port,
    page_cache_of,
    render_conf,
    render_initial_password,
    render_java_arguments,
)

CONF = ServerConf(bolt_port=7001, http_port=7002, heap_mb=512, page_cache_mb=128)


def settings_of(conf: ServerConf) -> dict[str, str]:
    lines = [line for line in render_conf(conf).splitlines() if not line.startswith("#")]
    settings = dict(line.split("=", 1) for line in lines)
    assert len(settings) == len(lines), "Neo4j refuses a setting given twice"
    return settings


def test_everything_listens_on_loopback_and_wants_a_login() -> None:
    settings = settings_of(CONF)
    addresses = {name: value for name, value in settings.items() if name.endswith("_address")}
    assert set(addresses.values()) == {"127.0.0.1", "127.0.0.1:7001", "127.0.0.1:7002"}
    assert settings["dbms.security.auth_enabled"] == "true"
    assert settings["server.https.enabled"] == "false"


def test_without_http_port_there_is_no_http() -> None:
    settings = settings_of(ServerConf(7001, None, 512, 128))
    assert settings["server.http.enabled"] == "false"
    assert not [name for name in settings if name.startswith("server.http.") and name.endswith("_address")]


def test_nothing_is_reported_to_anyone() -> None:
    settings = settings_of(CONF)
    assert settings["dbms.usage_report.enabled"] == "false"
    assert settings["client.allow_telemetry"] == "false"
    assert settings["dbms.fleet_manager.enabled"] == "false"
    assert settings["server.fleet_discovery.enabled"] == "false"
    assert settings["db.logs.query.enabled"] == "OFF"


def test_parts_of_a_vector_index_are_brought_together_each_minute() -> None:
    settings = settings_of(CONF)
    assert settings["db.checkpoint.interval.time"] == "1m"
    assert settings["internal.dbms.index.vector.standard_merge_factor"] == "10"


def test_java_arguments_keep_blanks_quotes_and_backslashes() -> None:
    lines = render_java_arguments(CONF, 'C:\\my "jars"\\a.jar').splitlines()
    assert lines[-2:] == ['"-cp"', '"C:\\\\my \\"jars\\"\\\\a.jar"']
    assert '"-Xmx512m"' in lines


def test_only_a_quick_start_gives_up_the_second_compiler() -> None:
    assert "TieredStopAtLevel" not in render_java_arguments(CONF, "x")
    quick = ServerConf(1, 2, 512, 128, quick_start=True)
    assert "TieredStopAtLevel=1" in render_java_arguments(quick, "x")


def test_only_a_quick_start_plans_without_sizes_once_and_compiles_no_expression() -> None:
    quick = render_conf(ServerConf(1, 2, 512, 128, quick_start=True))
    for setting in ("use_parameter_size=false", "min_replan_interval=1h", "expression_engine=interpreted"):
        assert setting not in render_conf(CONF)
        assert setting in quick


def test_a_command_line_is_recognised_for_its_own_folder_only() -> None:
    home = Path("/somewhere/neo4j")
    command = command_line("java", home / "java.args", home)
    assert is_command_line(command, home)
    assert not is_command_line(command, Path("/somewhere/neo4j2"))
    assert not is_command_line(command, Path("/somewhere"))
    assert not is_command_line(["less", "--home-dir=/somewhere/neo4j"], home)


def test_the_server_gets_none_of_our_secrets_and_no_java_options() -> None:
    ours = {
        "GRAPHMEM_MODEL_KEY": "k",
        "JAVA_TOOL_OPTIONS": "-Xmx1g",
        "NEO4J_AUTH": "none",
        "OPENAI_API_KEY": "k",
    }
    assert clean_environment({**ours, "PATH": "/bin", "TZ": "UTC"}) == {"PATH": "/bin", "TZ": "UTC"}


def test_the_initial_password_is_what_the_admin_command_writes() -> None:
    # Written by `dbms set-initial-password` of Neo4j 2026.08.1.
    written = (
        "neo4j:SHA-256,8b05f168b22239bdc1cf91e748a7d74f30c61f7ff540e9522c96e23f7a7b6811,"
        "68cb7dfe356521d0d9949310974c8423f2940f140f65a05878a58cb42bca6b11,1024:\n"
    )
    salt = bytes.fromhex("68cb7dfe356521d0d9949310974c8423f2940f140f65a05878a58cb42bca6b11")
    assert render_initial_password("Test-password-1", salt) == written
    assert hashlib.sha256(b"Test-password-1").hexdigest() not in written


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ("FileLockException: Lock file has been locked by another process: /x/store_lock.", "Another Neo4j"),
        ("Could not reserve enough space for 16777216KB object heap", "GRAPHMEM_NEO4J_HEAP_MB"),
        ("java.util.zip.ZipException: zip END header not found", "delete neo4j-jars"),
        ("No space left on device", "disk is full"),
        ("", NO_HINT),
    ],
)
def test_what_a_dead_server_wrote_becomes_advice(log: str, expected: str) -> None:
    assert expected in hint_for(log)


def test_a_lost_port_is_recognised() -> None:
    assert lost_its_port("PortBindException: An error occurred while trying to bind to the socket /127.0.0.1:7687")
    assert lost_its_port("Starting Neo4j failed: Address 127.0.0.1:7474 is already in use, cannot bind to it.")
    assert not lost_its_port("Unrecognized setting")


@pytest.mark.parametrize(
    ("memory_mb", "cache_mb"), [(512, 128), (2048, 256), (24 * 1024, 3072), (64 * 1024, 8192), (1024 * 1024, 8192)]
)
def test_page_cache_follows_the_memory_of_the_machine(memory_mb: int, cache_mb: int) -> None:
    assert page_cache_of(memory_mb) == cache_mb
