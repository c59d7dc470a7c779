"""Settings are checked at the start: every one described, no name or value wrong in silence, no secret shown."""

import re
import signal
import sys
from pathlib import Path
from typing import Any, get_args

import hypothesis
import pytest
from hypothesis import strategies as st
from pydantic import SecretStr
from pydantic.alias_generators import to_camel

from api.cli import main
from graphmem.errors import SettingsInvalid
from graphmem.rules.keeping.presets import PRESETS
from graphmem.rules.privacy.redaction import CATALOGUE
from graphmem.settings import CONSTANTS, OUTSIDE, PREFIX, TO_COME, Settings, load_settings, read_settings
from graphmem.settings_expert import ExpertSettings

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(Settings.model_fields)
SECRETS = sorted(name for name, field in Settings.model_fields.items() if SecretStr in get_args(field.annotation))
NUMBERS = sorted(name for name, field in Settings.model_fields.items() if field.annotation in (int, float, int | None))
SWITCHES = sorted(name for name, field in Settings.model_fields.items() if field.annotation is bool)
WRONG = {
    "allowed_hosts": "https://memory.example.org",
    "maven_url": "ftp://mirror.example",
    "embedding_url": "localhost:8080",
    "model_url": "localhost:8080",
    "expansion_model_url": "localhost:8080",
    "rerank_url": "localhost:8080",
    "preset": "context_9m",
    "neo4j_uri": "http://127.0.0.1:7474",
    "agent_id": "not an agent",
    "log_level": "loud",
    "aot_cache": "always",
    "redact": "api_key, pasword",
    "ignore_sessions": "cron:*",
    "stateless_sessions": '["a***"]',
    "legal_hold": "case:*",
    "ignore_messages": '["ok", "(unclosed"]',
}
"""A wrong value for each setting of which not any word will do."""


def wrong_value(name: str) -> str:
    return WRONG.get(name, "7e99x" if name in NUMBERS + SWITCHES else " \t")


def written(folder: Path, text: str) -> Path:
    (folder / "graphmem.toml").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_says_in_a_sentence_what_it_is_for(name: str) -> None:
    description = Settings.model_fields[name].description or ""
    assert description.endswith(".")
    assert len(description) > 10


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_has_both_bounds(name: str) -> None:
    bounds = {kind for bound in Settings.model_fields[name].metadata for kind in ("ge", "le") if hasattr(bound, kind)}
    assert bounds == {"ge", "le"}


def test_without_any_setting_there_are_defaults_for_this_machine_alone(tmp_path: Path) -> None:
    settings, sources = read_settings({}, tmp_path)
    assert settings.host == "127.0.0.1"
    assert settings.neo4j_uri is None
    assert settings.data_dir.is_absolute()
    assert settings.cache_dir.is_absolute()
    assert sources == dict.fromkeys(Settings.model_fields, "default")


@pytest.mark.parametrize(
    ("wrong", "near"), [("PROT", "port"), ("NEO4J_URL", "neo4j_uri"), ("SHADOWMODE", "shadow_mode")]
)
def test_unknown_name_in_the_environment_is_refused_with_a_near_one(wrong: str, near: str, tmp_path: Path) -> None:
    with pytest.raises(
        SettingsInvalid, match=rf"GRAPHMEM_{wrong} is no setting.*Did you mean {PREFIX}{near.upper()}\?"
    ):
        load_settings({f"{PREFIX}{wrong}": "1"}, tmp_path)


def test_unknown_key_in_the_file_is_refused_with_a_near_one_and_the_file(tmp_path: Path) -> None:
    folder = written(tmp_path, "supersession_min_confidense = 0.8\n")
    with pytest.raises(
        SettingsInvalid, match=r"graphmem\.toml is no setting.*Did you mean supersession_min_confidence"
    ):
        load_settings({}, folder)


def test_unknown_name_near_to_nothing_says_where_all_are_listed(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match="graphmem settings"):
        load_settings({"GRAPHMEM_XYZZY": "1"}, tmp_path)


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_setting_that_became_a_constant_is_refused_with_the_place_of_the_constant(name: str, tmp_path: Path) -> None:
    constant, _, place = CONSTANTS[name].partition(" in ")
    assert re.search(rf"^(class )?{constant}\b", (ROOT / place).read_text(encoding="utf-8"), re.MULTILINE)
    said = rf"is no setting any more: it became a constant, {re.escape(CONSTANTS[name])}"
    with pytest.raises(SettingsInvalid, match=rf"^{PREFIX}{name.upper()} {said}"):
        load_settings({f"{PREFIX}{name.upper()}": "1"}, tmp_path)
    with pytest.raises(SettingsInvalid, match=rf"^{name} in .*graphmem\.toml {said}"):
        load_settings({}, written(tmp_path, f"{to_camel(name)} = 1\n"))


def test_every_setting_of_the_decisions_is_on_one_page_and_most_people_set_are_on_the_first() -> None:
    main = Settings.model_fields.keys() - ExpertSettings.model_fields
    assert {"port", "data_dir", "neo4j_uri", "require_key", "model_url", "redact", "shadow_mode"} <= main
    assert len(main) < 65
    assert not (main | ExpertSettings.model_fields.keys()) & CONSTANTS.keys()


@pytest.mark.parametrize("name", sorted(OUTSIDE - {"GRAPHMEM_CONFIG"}))
def test_names_that_are_no_settings_are_let_through(name: str, tmp_path: Path) -> None:
    assert load_settings({name: "x"}, tmp_path) == load_settings({}, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_value_in_the_environment_names_setting_and_source(name: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=rf"^GRAPHMEM_{name.upper()}: "):
        load_settings({f"{PREFIX}{name.upper()}": wrong_value(name)}, tmp_path)


@pytest.mark.parametrize("name", [*NAMES, *sorted(TO_COME)])
def test_wrong_value_ends_a_command_with_2_before_it_begins(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(f"{PREFIX}{name.upper()}", wrong_value(name))
    monkeypatch.setattr(sys, "argv", ["graphmem", "serve"])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert f"{PREFIX}{name.upper()}" in capsys.readouterr().err


@hypothesis.given(name=st.sampled_from(NAMES), value=st.text(max_size=300))
@hypothesis.example(name="data_dir", value="~nobody-of-that-name/data")
@hypothesis.example(name="cache_dir", value="x" * 5000)
@hypothesis.example(name="redact", value="[" * 100_000)
@hypothesis.example(name="ignore_sessions", value='["***", "\x00"]')
def test_any_text_is_a_value_or_is_refused_by_name(name: str, value: str) -> None:
    refused = ""
    try:
        load_settings({f"{PREFIX}{name.upper()}": value}, Path(__file__).parent)
    except SettingsInvalid as error:
        refused = str(error)
    assert not refused or name in refused.lower()


@pytest.mark.parametrize("name", NUMBERS)
def test_number_outside_its_bounds_in_the_file_names_setting_and_file(name: str, tmp_path: Path) -> None:
    for value in (-2, 10**9):
        with pytest.raises(SettingsInvalid, match=rf"^{name} in .*graphmem\.toml: .*(greater|less)"):
            load_settings({}, written(tmp_path, f"{name} = {value}\n"))


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        load_settings({"GRAPHMEM_PORT": "99999", "GRAPHMEM_LOG_LEVEL": "loud"}, tmp_path)
    assert "GRAPHMEM_PORT" in str(caught.value)
    assert "GRAPHMEM_LOG_LEVEL" in str(caught.value)


def test_environment_wins_over_the_file_and_both_over_the_default(tmp_path: Path) -> None:
    folder = written(tmp_path, 'port = 9001\nagent_id = "from-file"\n')
    settings, sources = read_settings({"GRAPHMEM_PORT": "9002"}, folder)
    assert (settings.port, settings.agent_id, settings.workers) == (9002, "from-file", 1)
    assert (sources["port"], sources["agent_id"], sources["workers"]) == ("environment", "file", "default")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_lies_beneath_what_is_set_and_above_the_defaults(name: str, tmp_path: Path) -> None:
    values = PRESETS[name].values
    settings, sources = read_settings({"GRAPHMEM_PRESET": name}, tmp_path)
    assert {setting: getattr(settings, setting) for setting in values} == values
    assert {setting for setting, source in sources.items() if source == "preset"} == set(values)
    assert (sources["preset"], sources["port"]) == ("environment", "default")
    folder = written(tmp_path, f'preset = "{name}"\npayload_threshold_chars = 7\n')
    settings, sources = read_settings({}, folder)
    assert (settings.payload_threshold_chars, sources["payload_threshold_chars"]) == (7, "file")
    settings, sources = read_settings({"GRAPHMEM_PAYLOAD_THRESHOLD_CHARS": "8"}, folder)
    assert (settings.payload_threshold_chars, sources["payload_threshold_chars"]) == (8, "environment")
    assert settings.preset == name


def test_an_unknown_preset_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"^preset in .*graphmem\.toml: .*'context_32k'.*'context_1m'"):
        load_settings({}, written(tmp_path, 'preset = "large"\n'))


def test_named_file_is_read_instead_of_the_one_in_the_working_directory(tmp_path: Path) -> None:
    written(tmp_path, "port = 9001\n")
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_text("port = 9003\n")
    assert load_settings({"GRAPHMEM_CONFIG": str(elsewhere)}, tmp_path).port == 9003


def test_named_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"GRAPHMEM_CONFIG names .*none\.toml"):
        load_settings({"GRAPHMEM_CONFIG": str(tmp_path / "none.toml")}, tmp_path)


@pytest.mark.parametrize("text", ["port = ", "= 3", "port = 9001\nport = 9002"])
def test_file_that_is_not_toml_is_refused_by_name(text: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"graphmem\.toml cannot be read as TOML"):
        load_settings({}, written(tmp_path, text))


def test_file_that_is_not_utf8_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "graphmem.toml").write_bytes(b'agent_id = "\xff"')
    with pytest.raises(SettingsInvalid, match=r"graphmem\.toml cannot be read"):
        load_settings({}, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_camel_case_and_tables_of_the_seeds_lead_to_the_same_setting(name: str, tmp_path: Path) -> None:
    values = {"neo4j_uri": "bolt://x", "log_level": "debug", "agent_id": "a"}
    values |= {"aot_cache": "off", "redact": "all", "preset": "context_1m", "importance_formula": "additive"}
    values |= dict.fromkeys(
        ("maven_url", "embedding_url", "model_url", "expansion_model_url", "rerank_url"), "http://x"
    )
    lists = ("allowed_hosts", "ignore_sessions", "stateless_sessions", "ignore_messages", "legal_hold")
    values |= {name: ["x"] for name in lists}
    alone = {"neo4j_password", "neo4j_password_file", "neo4j_token"}
    values |= {name: 0.9 for name in NUMBERS if Settings.model_fields[name].annotation is float}
    value: Any = values.get(name, True if name in SWITCHES else 301 if name in NUMBERS else "/x")
    if name in ("workers", "model_retries", "injection_top"):
        value = 3
    elif name in ("preserve_threshold", "routine_threshold"):
        value = 5
    elif name.startswith("max_new_") or name == "extraction_chunk_messages":
        value = 17
    spelled = str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
    needed = {"embedding_url": "embedding_model", "model_url": "model_name", "model_name": "model_url"}
    needed |= {"expansion_model_url": "expansion_model_name", "expansion_model_name": "expansion_model_url"}
    needed |= {"rerank_model": "rerank_url", "rerank_key": "rerank_url"}
    more = f'{needed[name]} = "http://m"\n' if name in needed else 'neo4j_uri = "bolt://x"\n' if name in alone else ""
    plain = load_settings({}, written(tmp_path, f"{more}{name} = {spelled}\n"))
    assert getattr(plain, name) == plain.supersession_enabled or plain != load_settings({}, tmp_path / "empty")
    assert load_settings({}, written(tmp_path, f"{more}{to_camel(name)} = {spelled}\n")) == plain
    if name in ExpertSettings.model_fields:
        assert load_settings({}, written(tmp_path, f"{more}[expert]\n{name} = {spelled}\n")) == plain
    assert load_settings({}, written(tmp_path, f"{more}[memory.pipeline]\n{to_camel(name)} = {spelled}\n")) == plain


@pytest.mark.parametrize(
    ("given", "names"),
    [("small", ("small",)), ("small, large:7b", ("small", "large:7b")), ('["a,b", "c"]', ("a,b", "c"))],
)
def test_models_are_named_with_commas_or_as_a_list(given: str, names: tuple[str, ...], tmp_path: Path) -> None:
    environ = {"GRAPHMEM_MODEL_URL": "http://127.0.0.1:1/v1", "GRAPHMEM_MODEL_NAME": given}
    assert load_settings(environ, tmp_path).model_name == names


@pytest.mark.parametrize("missing", ["GRAPHMEM_MODEL_URL", "GRAPHMEM_MODEL_NAME"])
def test_a_model_needs_its_server_and_its_name(missing: str, tmp_path: Path) -> None:
    environ = {"GRAPHMEM_MODEL_URL": "http://127.0.0.1:1/v1", "GRAPHMEM_MODEL_NAME": "small"}
    del environ[missing]
    with pytest.raises(SettingsInvalid, match="model_url and model_name need each other"):
        load_settings(environ, tmp_path)


@pytest.mark.parametrize(
    ("given", "patterns"),
    [
        ("", ()),
        ("all", CATALOGUE),
        ("API_KEY , private_key", ("api_key", "private_key")),
        ("private_key,private_key", ("private_key",)),
    ],
)
def test_secrets_to_redact_are_named_or_all(given: str, patterns: tuple[str, ...], tmp_path: Path) -> None:
    assert load_settings({"GRAPHMEM_REDACT": given}, tmp_path).redact == patterns


@pytest.mark.parametrize("name", ["ignore_sessions", "stateless_sessions", "ignore_messages", "legal_hold"])
def test_patterns_are_a_json_list_in_the_environment_and_a_list_in_the_file(name: str, tmp_path: Path) -> None:
    folder = written(tmp_path, f"{name} = ['a,b', 'c']\n")
    from_file, from_environment = load_settings({}, folder), load_settings({f"{PREFIX}{name.upper()}": '["d"]'}, folder)
    assert (getattr(from_file, name), getattr(from_environment, name)) == (("a,b", "c"), ("d",))
    assert getattr(load_settings({f"{PREFIX}{name.upper()}": ""}, folder), name) == ()


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("redact", "pasword", "'pasword' is no pattern; there are api_key"),
        ("ignore_messages", '["("]', r"'\(' is no regular expression: missing \)"),
        ("ignore_sessions", '["a", 1]', "must be a JSON list of texts"),
        ("ignore_sessions", '[""]', "must be a JSON list of texts"),
        ("stateless_sessions", "[", "must be a JSON list of texts"),
        ("stateless_sessions", '["a\\n"]', "is no pattern for sessions"),
    ],
)
def test_wrong_guard_is_refused_by_name_and_says_what_is_right(
    name: str, wrong: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingsInvalid, match=rf"^GRAPHMEM_{name.upper()}: .*{said}"):
        load_settings({f"{PREFIX}{name.upper()}": wrong}, tmp_path)


def test_seeds_spelling_of_a_nested_switch_reaches_the_setting(tmp_path: Path) -> None:
    folder = written(
        tmp_path, "[memory.pipelineV2]\nshadowMode = true\n[memory.pipelineV2.limits]\nmaxNewEntitiesPerChunk = 5\n"
    )
    settings = load_settings({}, folder)
    assert settings.shadow_mode
    assert settings.max_new_entities_per_chunk == 5
    assert settings.proposals_only


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"GRAPHMEM_NEO4J_PASSWORD": "pw"}, "set neo4j_uri too"),
        (
            {"GRAPHMEM_NEO4J_URI": "bolt://x", "GRAPHMEM_NEO4J_PASSWORD": "pw", "GRAPHMEM_NEO4J_TOKEN": "t"},
            "only one of",
        ),
        (
            {"GRAPHMEM_NEO4J_URI": "bolt://x", "GRAPHMEM_NEO4J_PASSWORD": "pw", "GRAPHMEM_NEO4J_PASSWORD_FILE": "f"},
            "only one of",
        ),
        ({"GRAPHMEM_NEO4J_PASSWORD_FILE": "f"}, "set neo4j_uri too"),
        ({"GRAPHMEM_EMBEDDING_URL": "http://x/v1"}, "needs embedding_model"),
        ({"GRAPHMEM_RERANK_MODEL": "bge"}, "need rerank_url"),
        ({"GRAPHMEM_RERANK_KEY": "pw"}, "need rerank_url"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(environ: dict[str, str], said: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=said) as caught:
        load_settings(environ, tmp_path)
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize(
    "held", ["hush-4", "hush-4\n", "hush-4\r\n", "neo4j/hush-4", "neo4j/hush-4\n"], ids=lambda held: repr(held)
)
def test_password_comes_from_a_file_alone_or_behind_its_user(held: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(held.encode())
    environ = {"GRAPHMEM_NEO4J_URI": "bolt://x", "GRAPHMEM_NEO4J_PASSWORD_FILE": str(secret)}
    settings = load_settings(environ, tmp_path)
    assert settings.database_password() == "hush-4"
    assert "hush-4" not in repr(settings) + str(settings.public())


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (None, "cannot be read: No such file"),
        (b"", "one line"),
        (b"\n", "one line"),
        (b"neo4j/\n", "one line"),
        (b"hush-4\nhush-5\n", "one line"),
        (b"hush-4\xff", "not UTF-8"),
    ],
)
def test_password_file_that_holds_no_password_is_refused_by_name(held: bytes | None, said: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    if held is not None:
        secret.write_bytes(held)
    environ = {"GRAPHMEM_NEO4J_URI": "bolt://x", "GRAPHMEM_NEO4J_PASSWORD_FILE": str(secret)}
    settings = load_settings(environ, tmp_path)
    with pytest.raises(SettingsInvalid, match=rf"GRAPHMEM_NEO4J_PASSWORD_FILE names .*secret.* {said}") as caught:
        settings.database_password()
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("scheme", [f"{way}{safe}" for way in ("bolt", "neo4j") for safe in ("", "+s", "+ssc")])
def test_every_scheme_of_the_driver_is_an_address(scheme: str, tmp_path: Path) -> None:
    assert load_settings({"GRAPHMEM_NEO4J_URI": f"{scheme}://db:7687"}, tmp_path).neo4j_uri == f"{scheme}://db:7687"


def test_secrets_are_never_shown(tmp_path: Path) -> None:
    assert SECRETS == [
        "api_key",
        "embedding_key",
        "expansion_model_key",
        "model_key",
        "neo4j_password",
        "neo4j_token",
        "rerank_key",
    ]
    environ = {
        "GRAPHMEM_NEO4J_URI": "bolt://x",
        "GRAPHMEM_EMBEDDING_KEY": "hush-1",
        "GRAPHMEM_MODEL_KEY": "hush-4",
        "GRAPHMEM_EXPANSION_MODEL_KEY": "hush-5",
        "GRAPHMEM_NEO4J_PASSWORD": "hush-2",
    }
    for given in (environ, {k: v for k, v in environ.items() if "PASS" not in k} | {"GRAPHMEM_NEO4J_TOKEN": "hush-3"}):
        settings = load_settings(given, tmp_path)
        for shown in (str(settings.public()), repr(settings), settings.model_dump_json()):
            assert "hush" not in shown
        assert not settings.public().keys() & {name for name in SECRETS if getattr(settings, name) is not None}


def test_wrong_secret_is_not_repeated_in_the_error(tmp_path: Path) -> None:
    folder = written(tmp_path, "neo4j_uri = 'bolt://x'\nneo4j_password = 12345678\n")
    with pytest.raises(SettingsInvalid, match="neo4j_password") as caught:
        load_settings({}, folder)
    assert "12345678" not in str(caught.value)


def test_public_settings_can_be_written_as_json(settings: Settings) -> None:
    shown = settings.public()
    assert set(shown) <= set(NAMES)
    assert all(isinstance(value, str | int | float | bool | list | dict | None) for value in shown.values())
