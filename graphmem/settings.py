"""Every setting, once: its name, unit, bounds, default and meaning.

A setting is read from the environment (`GRAPHMEM_` and the name in capitals), else from `graphmem.toml` (the file
named by `$GRAPHMEM_CONFIG`, else the one in the working directory), else it is that of the preset, if one is chosen,
else it has its default. The file accepts snake_case, the camelCase spellings of the documents graphmem follows, and
tables: only the last part of a dotted name counts. What only experiments set is in `settings_expert`.
"""

import difflib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
import regex
from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel, to_snake

from graphmem.errors import SettingsInvalid
from graphmem.model.caller import AGENT_ID_RULE, is_agent_id
from graphmem.model.living import Vitality
from graphmem.rules.keeping.presets import PRESETS, PresetName
from graphmem.rules.privacy.globs import is_glob
from graphmem.rules.privacy.guards import GuardRules
from graphmem.rules.privacy.redaction import PatternName, pattern_names
from graphmem.rules.summaries.compaction import CompactionBounds
from graphmem.rules.turns.significance import Thresholds
from graphmem.settings_expert import ExpertSettings

PREFIX = "GRAPHMEM_"
OUTSIDE = frozenset({"GRAPHMEM_CONFIG", "GRAPHMEM_TEST_NEO4J_URI", "GRAPHMEM_TEST_NEO4J_PASSWORD"})
"""Names with our prefix that are no settings: where the file is, and what only the tests read."""

TO_COME: Mapping[str, frozenset[str]] = {}
"""Settings of features that do not exist yet, with the values that mean off: any other value is refused, so that nobody
relies on a setting that does nothing."""

CONSTANTS: Mapping[str, str] = {
    "max_new_constraints_per_chunk": "Limits in graphmem/model/extraction.py",
    "job_lease_s": "LEASE_S in graphmem/services/operation/work.py",
    "embedding_batch": "EMBEDDING_BATCH in graphmem/services/operation/work.py",
    "end_idle_sessions_interval_s": "END_IDLE_SESSIONS_S in graphmem/roots/operation.py",
    "forget_requests_interval_s": "FORGET_REQUESTS_S in graphmem/roots/operation.py",
    "compaction_interval_s": "COMPACT_SESSIONS_S in graphmem/roots/operation.py",
    "fill_grams_interval_s": "FILL_GRAMS_S in graphmem/roots/operation.py",
    "condense_stale_interval_s": "CONDENSE_STALE_S in graphmem/roots/operation.py",
    "living_confidence_interval_s": "LIVING_CONFIDENCE_S in graphmem/roots/operation.py",
    "fade_feedback_interval_s": "FADE_FEEDBACK_S in graphmem/roots/operation.py",
    "confidence_confirmation": "CONFIRMATION in graphmem/model/living.py",
    "confidence_contradiction": "CONTRADICTION in graphmem/model/living.py",
}
"""Former settings that nobody set, and where their values are now."""


def _listed(given: object) -> tuple[str, ...]:
    """The texts of a list, which the environment can only hold as JSON."""
    if isinstance(given, str):
        try:
            given = json.loads(given) if given.strip() else []
        except (ValueError, RecursionError):
            given = None
    if not isinstance(given, list | tuple) or not all(isinstance(one, str) and one for one in given):
        raise ValueError('must be a JSON list of texts that are not empty, such as ["cron:*", "test-**"]')
    return tuple(given)


def _names(given: object) -> tuple[str, ...]:
    """Names in a list, or in a text with commas."""
    if isinstance(given, str) and not given.lstrip().startswith("["):
        given = [name.strip() for name in given.split(",")]
    return _listed(given)


def _globs(given: object) -> tuple[str, ...]:
    for pattern in (patterns := _listed(given)):
        if not is_glob(pattern):
            raise ValueError(f"{pattern!r} is no pattern for sessions: `*` and `**` are wildcards, `***` is none")
    return patterns


def _hosts(given: object) -> tuple[str, ...]:
    for host in (hosts := _names(given)):
        if host != ANY_HOST and not _HOST.fullmatch(host):
            raise ValueError(
                f"{host!r} is no host: write memory.example.org or memory.example.org:8443, or `*` for all"
            )
    return hosts


def _expressions(given: object) -> tuple[str, ...]:
    for pattern in (patterns := _listed(given)):
        try:
            regex.compile(pattern)
        except regex.error as error:
            raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
    return patterns


LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})
ANY_HOST = "*"
"""Every host and every origin, in `allowed_hosts`."""
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(:\d{1,5})?")
DEFAULTS_FILE = "graphmem.toml"

LISTS = frozenset({"allowed_hosts", "redact", "ignore_sessions", "stateless_sessions", "ignore_messages", "legal_hold"})
"""Settings that may be empty."""

Source = Literal["environment", "file", "preset", "default"]
_USERINFO = re.compile(r"(?<=://)[^/@\s]+@")


class Settings(ExpertSettings):
    """All settings of one process, checked. The docstring of each is its `description`."""

    host: str = Field(
        "127.0.0.1",
        description="Address the HTTP service listens on; beyond loopback only with `require_key` and a key.",
    )
    port: int = Field(8000, ge=1, le=65535, description="Port of the HTTP service.")
    allowed_hosts: Annotated[tuple[str, ...], BeforeValidator(_hosts)] = Field(
        (),
        description="Hosts besides loopback and `host` under which the service is reached, and whose pages may use it, "
        "with commas or as a JSON list; `*`: all, with `require_key` only ([who may call](keys.md#web-pages)).",
    )
    workers: int = Field(
        1,
        ge=0,
        le=16,
        description="Job worker processes that `graphmem serve` starts; 0: run `graphmem work` yourself.",
    )
    data_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("graphmem")),
        description="Folder of the managed Neo4j's data and of everything that must not be lost.",
    )
    cache_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir("graphmem")),
        description="Folder of what can be fetched again: jars and models.",
    )
    neo4j_uri: str | None = Field(
        None,
        description="bolt://, neo4j:// or a secured form (+s, +ssc) of a Neo4j of your own; unset: the managed one.",
    )
    neo4j_user: str = Field("neo4j", description="User for your own Neo4j.")
    neo4j_password: SecretStr | None = Field(None, description="Password for your own Neo4j.")
    neo4j_password_file: Path | None = Field(
        None, description="File with that password, alone or as user/password; what container secrets are."
    )
    neo4j_token: SecretStr | None = Field(None, description="Bearer token for your own Neo4j, instead of a password.")
    neo4j_database: str = Field("neo4j", description="Name of the database on your own Neo4j.")
    neo4j_heap_mb: int = Field(512, ge=256, le=65536, description="Heap of the managed Neo4j, in MiB.")
    neo4j_page_cache_mb: int | None = Field(
        None,
        ge=32,
        le=1048576,
        description="What the managed Neo4j may keep of its files in memory, in MiB; it takes that as it reads. Unset: "
        "an eighth of the machine's memory, at least 128 and at most 8192.",
    )
    min_free_disk_mb: int | None = Field(
        None,
        ge=0,
        le=1_048_576,
        description="Room that writes leave on the disk of `data_dir`, in MiB; below it they are refused with 507, and "
        "reads go on. Unset: 512, or a third of the managed Neo4j's store if that is more. 0: no limit.",
    )
    aot_cache: Literal["auto", "use", "off"] = Field(
        "auto",
        description="Cache that shortens the start of the managed Neo4j. auto: used, and made while `graphmem serve` "
        "has nothing else to do; use: made by `graphmem db train` only.",
    )
    maven_url: str | None = Field(None, description="Mirror of Maven Central from which the managed Neo4j's jars come.")
    require_key: bool = Field(False, description="Refuse requests without a key; `graphmem keys create` makes one.")
    requests_per_minute: int | None = Field(
        None,
        ge=0,
        le=10_000_000,
        description="Requests a key may send at once, and then a minute; 0: any number. Unset: any number on loopback, "
        "6000 beyond.",
    )
    api_key: SecretStr | None = Field(
        None, description="Key that the command line sends to a service which requires one."
    )
    agent_id: str = Field("default", description="Agent of the command line, and of HTTP calls that name none.")
    embedding_url: str | None = Field(
        None, description="OpenAI-compatible server (up to and with /v1) that embeds texts; unset: the local model."
    )
    embedding_model: str | None = Field(
        None, description="Model name at `embedding_url`; without a URL, a folder with model.onnx and tokenizer.json."
    )
    embedding_key: SecretStr | None = Field(None, description="Key for `embedding_url`.")
    model_url: str | None = Field(
        None,
        description="OpenAI-compatible server (up to and with /v1) whose models extract knowledge from sessions; "
        "unset: rules do; see [models](models.md).",
    )
    model_name: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field(
        (),
        description="Names of models at `model_url`, with commas or as a JSON list: the first is asked, the others "
        "stand in for it.",
    )
    model_key: SecretStr | None = Field(None, description="Key for `model_url`.")
    model_timeout_s: int = Field(
        60,
        ge=1,
        le=600,
        description="Seconds a model may take for one answer. Source: hermes-lcm, LCM_SUMMARY_TIMEOUT_MS.",
    )
    model_retries: int = Field(
        2, ge=0, le=10, description="Times a model that is busy, late or away is asked again before another one is."
    )
    model_tokens_per_hour: int = Field(
        0,
        ge=0,
        le=100_000_000,
        description="Tokens a worker may spend on models in an hour; beyond, rules extract; 0: no bound.",
    )
    model_tokens_per_day: int = Field(
        0,
        ge=0,
        le=100_000_000,
        description="Tokens a worker may spend on models in a day; beyond, rules extract; 0: no bound.",
    )
    rerank_url: str | None = Field(
        None,
        description="Server with the route `/rerank` (up to what comes before it) that recall sends the question and "
        "its best texts to; unset: nobody; see [models](models.md#a-reranker).",
    )
    rerank_model: str | None = Field(None, description="Model name at `rerank_url`, where the server wants one.")
    rerank_key: SecretStr | None = Field(None, description="Key for `rerank_url`.")
    rerank_timeout_s: float = Field(
        2, ge=0.1, le=60, description="Seconds a recall waits for the reranker; then its own order stands."
    )
    supersession_enabled: bool = Field(True, description="Let newer facts retire what they contradict.")
    supersession_min_confidence: float = Field(
        0.7,
        ge=0,
        le=1,
        description="Confidence a contradiction needs before anything is retired. "
        "Source: Signet's supersession, supersessionMinConfidence.",
    )
    supersession_sweep_enabled: bool = Field(
        True, description="Look again at facts that are kept already, for what newer ones contradict."
    )
    supersession_sweep_interval_s: int = Field(
        86_400,
        ge=0,
        le=31_536_000,
        description="Seconds between two such sweeps of all agents; 0: only when asked for.",
    )
    supersession_semantic_fallback: bool = Field(
        True,
        description="Ask the language model, where there is one, about facts on which the rules are silent.",
    )
    semantic_contradiction_enabled: bool = Field(
        True, description="A language model may say that facts contradict; without it the setting above does nothing."
    )
    shadow_mode: bool = Field(False, description="Record supersessions as proposals and change no fact.")
    mutations_frozen: bool = Field(False, description="As shadow_mode: proposals only.")
    idle_end_minutes: float = Field(
        30,
        ge=0.01,
        le=525_600,
        description="Minutes without a message after which a session is ended. "
        "Source: ours; the seeds leave it to the client.",
    )
    min_turns: int = Field(
        5,
        ge=0,
        le=1000,
        description="Substantive turns with which a session is worth reading; 0: every session is "
        "([sessions](sessions.md)). Source: Signet, pipeline.minTurns.",
    )
    retention_interval_s: int = Field(
        0,
        ge=0,
        le=31_536_000,
        description="Seconds between two runs that send old, light memories to the cold tier; 0: only when asked for.",
    )
    retain_days: int = Field(
        365, ge=0, le=36_500, description="Days for which retention leaves every memory where it is."
    )
    retain_importance: float = Field(
        0.7,
        ge=0,
        le=1,
        description="Memories of at least this importance stay, however old, unless they are superseded.",
    )
    redact: Annotated[tuple[PatternName, ...], BeforeValidator(pattern_names)] = Field(
        (),
        description="Secrets that are replaced in all that is stored: `all`, or names of api_key, bearer_token, "
        "password_assignment and private_key, with commas; see [privacy](privacy.md).",
    )
    ignore_sessions: Annotated[tuple[str, ...], BeforeValidator(_globs)] = Field(
        (),
        description="JSON list of patterns for session ids, sources and `source:sessionId`; of such sessions nothing "
        "is stored. `*` stays within a colon segment, `**` crosses them.",
    )
    stateless_sessions: Annotated[tuple[str, ...], BeforeValidator(_globs)] = Field(
        (), description="JSON list of patterns, as `ignore_sessions`; such sessions read everything and write nothing."
    )
    legal_hold: Annotated[tuple[str, ...], BeforeValidator(_globs)] = Field(
        (),
        description="JSON list of patterns, as `ignore_sessions`; nothing that such sessions said is "
        "[erased](erasing.md). `**` keeps everything.",
    )
    ignore_messages: Annotated[tuple[str, ...], BeforeValidator(_expressions)] = Field(
        (), description="JSON list of regular expressions; messages in which one is found are not stored."
    )
    payload_threshold_chars: int = Field(
        0,
        ge=0,
        le=10_000_000,
        description="Characters above which a whole text goes to a payload file (12000 is a good start); 0: only what "
        "is binary does.",
    )
    fresh_tail: int = Field(
        64,
        ge=2,
        le=10_000,
        description="Last messages of a session that are replayed as they are, whatever its age. "
        "Source: hermes-lcm, LCM_FRESH_TAIL_COUNT.",
    )
    recap_max_tokens: int = Field(
        4000,
        ge=64,
        le=32_000,
        description="Most tokens of a [recap](recap.md). Source: SIGMA, key metrics, 3 to 4 thousand.",
    )
    compaction_threshold: float = Field(
        0.75,
        ge=0.01,
        le=1,
        description="Share of its context window above which a session is compacted; see [compaction](compaction.md). "
        "Source: hermes-lcm, LCM_CONTEXT_THRESHOLD.",
    )
    expansion_model_url: str | None = Field(
        None, description="As `model_url`, for the models that answer questions; unset: those of `model_url`."
    )
    expansion_model_name: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field(
        (), description="As `model_name`, of models that answer questions and do nothing else; unset: those do."
    )
    expansion_model_key: SecretStr | None = Field(
        None, description="Key for `expansion_model_url`; without that address, for those models at `model_url`."
    )
    living_confidence: bool = Field(
        True,
        description="Let confirmations raise the confidence of dependencies, contradictions and age lower it "
        "([confidence](confidence.md)); false: the next run of the chore gives back what was given.",
    )
    mcp_aliases: bool = Field(
        False, description="Let the MCP door take the tool names of older memories too; it lists none of them."
    )
    preset: PresetName | None = Field(
        None,
        description="Settings that go together for a context window, beneath those that are set; "
        "`graphmem preset show` lists them.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least severe log line shown.")

    @field_validator("*", mode="before")
    @classmethod
    def _says_something(cls, given: object, info: ValidationInfo) -> object:
        # An empty folder would be the working directory, an empty key no key: neither is intended.
        blank = isinstance(given, str) and (
            not given.strip() or any(ord(char) < 32 or char == "\x7f" for char in given)
        )
        if blank and info.field_name not in LISTS:
            raise ValueError("must not be blank or hold control characters; leave it out where it is not needed")
        return given

    @field_validator("maven_url", "embedding_url", "model_url", "expansion_model_url", "rerank_url")
    @classmethod
    def _web_address(cls, url: str | None) -> str | None:
        if url is not None and not re.match(r"https?://[^\s/]+(?:/\S*)?$", url):
            raise ValueError("must be an address that starts with http:// or https://")
        return url

    @field_validator("data_dir", "cache_dir", "neo4j_password_file")
    @classmethod
    def _absolute(cls, path: Path | None) -> Path | None:
        try:
            return path and path.expanduser().resolve()
        except (OSError, RuntimeError) as error:  # a name too long, a ~user nobody is, links in a circle
            raise ValueError(f"cannot be a path here: {error}") from None

    @field_validator("agent_id")
    @classmethod
    def _agent(cls, agent_id: str) -> str:

        if not is_agent_id(agent_id):
            raise ValueError(AGENT_ID_RULE)
        return agent_id

    @field_validator("neo4j_uri")
    @classmethod
    def _address(cls, uri: str | None) -> str | None:
        if uri is not None and uri.split("://")[0] not in {
            f"{scheme}{security}" for scheme in ("bolt", "neo4j") for security in ("", "+s", "+ssc")
        }:
            raise ValueError("must start with bolt://, neo4j://, or one of these with +s or +ssc")
        return uri

    @model_validator(mode="after")
    def _together(self) -> "Settings":
        if ANY_HOST in self.allowed_hosts and not self.require_key:
            raise ValueError(
                "allowed_hosts must not be * without require_key: any web page could read and change the memory"
            )
        credentials = [self.neo4j_password, self.neo4j_password_file, self.neo4j_token]
        names = "neo4j_password, neo4j_password_file and neo4j_token"
        if self.neo4j_uri is None and any(credentials):
            raise ValueError(f"{names} are for a Neo4j of your own: set neo4j_uri too")
        if sum(map(bool, credentials)) > 1:
            raise ValueError(f"set only one of {names}")
        if self.embedding_url and not self.embedding_model:
            raise ValueError("embedding_url needs embedding_model: the model's name at that server")
        if bool(self.model_url) != bool(self.model_name):
            raise ValueError("model_url and model_name need each other: a server, and the names of models there")
        if self.expansion_model_name and not (self.expansion_model_url or self.model_url):
            raise ValueError("expansion_model_name needs expansion_model_url or model_url: the server of the models")
        if self.expansion_model_url and not self.expansion_model_name:
            raise ValueError("expansion_model_url needs expansion_model_name: the names of models there")
        if (self.rerank_model or self.rerank_key) and not self.rerank_url:
            raise ValueError("rerank_model and rerank_key need rerank_url: the server they are for")
        if self.routine_threshold > self.preserve_threshold:
            raise ValueError("routine_threshold must not be above preserve_threshold: a turn would be both")
        return self

    @property
    def url(self) -> str:
        """Address of the HTTP service."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def database_password(self) -> str | None:
        """The password for your own Neo4j; read from its file now, where one is named. None: there is none.

        Errors: SettingsInvalid when the file cannot be read, or is not one line with a password.
        """
        if self.neo4j_password_file is None:
            return self.neo4j_password.get_secret_value() if self.neo4j_password else None
        what = f"{PREFIX}NEO4J_PASSWORD_FILE names {self.neo4j_password_file}, which"
        try:
            line = self.neo4j_password_file.read_text(encoding="utf-8").rstrip("\r\n")
        except OSError as error:
            raise SettingsInvalid(f"{what} cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError:
            raise SettingsInvalid(f"{what} is not UTF-8 text.") from None
        # Neo4j's own image expects its secret with the user in front: one file works for both.
        password = line.removeprefix(f"{self.neo4j_user}/")
        if not password or "\n" in password:
            raise SettingsInvalid(f"{what} must hold one line: the password, or {self.neo4j_user}/ and the password.")
        return password

    @property
    def key_text(self) -> str | None:
        """`api_key` as it is sent."""
        return self.api_key.get_secret_value() if self.api_key else None

    def gate(self) -> Thresholds:
        """What a session needs to be worth reading."""
        return Thresholds(self.min_turns, self.min_entity_overlap, self.novelty_threshold)

    def guards(self) -> GuardRules:
        """The configuration of the guards at the door."""
        return GuardRules(
            ignore_sessions=self.ignore_sessions,
            stateless_sessions=self.stateless_sessions,
            ignore_messages=self.ignore_messages,
            redact=self.redact,
            payload_threshold_chars=self.payload_threshold_chars,
        )

    def doubts(self) -> tuple[str, ...]:
        """Settings that make a memory behave unexpectedly, one sentence each."""
        shut = [name for name in ("ignore_sessions", "stateless_sessions") if "**" in getattr(self, name)]
        found = [f"{PREFIX}{name.upper()} holds `**`, which fits every session: nothing is stored." for name in shut]
        if not self.supersession_enabled:
            found.append(f"{PREFIX}SUPERSESSION_ENABLED is false: facts that newer ones contradict stay active.")
        if not self.event_seal_interval_s:
            found.append(f"{PREFIX}EVENT_SEAL_INTERVAL_S is 0: history is not chained, and could be changed unseen.")
        return tuple(found)

    @property
    def vitality(self) -> Vitality:
        return Vitality(enabled=self.living_confidence, half_life_days=self.confidence_half_life_days)

    @property
    def compaction_bounds(self) -> CompactionBounds:
        return CompactionBounds(
            threshold=self.compaction_threshold,
            fresh_tail=self.fresh_tail,
            leaf_tokens=self.compaction_leaf_tokens,
            leaf_max_tokens=self.compaction_leaf_max_tokens,
            dynamic=self.compaction_dynamic,
            fan_in=self.compaction_fan_in,
            bullet_ratio=self.compaction_bullet_ratio,
            cut_tokens=self.compaction_cut_tokens,
        )

    @property
    def asks_about_facts(self) -> bool:
        return self.supersession_semantic_fallback and self.semantic_contradiction_enabled

    @property
    def proposals_only(self) -> bool:
        return self.shadow_mode or self.mutations_frozen

    def public(self) -> dict[str, Any]:
        """The settings by name as JSON can carry them, without secrets, and addresses without the password in them."""
        return {
            name: _USERINFO.sub("(secret)@", value) if isinstance(value, str) else value
            for name, value in self.model_dump(mode="json").items()
            if not isinstance(getattr(self, name), SecretStr)
        }


def load_settings(environ: Mapping[str, str] | None = None, directory: Path | None = None) -> Settings:
    """The settings of this process.

    Errors: SettingsInvalid names the setting, where it was set, and what would be right; also for a name that does
    not exist.
    """
    return read_settings(environ, directory)[0]


def read_settings(
    environ: Mapping[str, str] | None = None, directory: Path | None = None
) -> tuple[Settings, dict[str, Source]]:
    """The settings and, for each, where its value came from."""
    environ = os.environ if environ is None else environ
    path = Path(environ.get("GRAPHMEM_CONFIG") or (directory or Path.cwd()) / DEFAULTS_FILE)
    from_file = _read_file(path, required="GRAPHMEM_CONFIG" in environ)
    from_environment = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environ.items()
        if name.startswith(PREFIX) and name not in OUTSIDE
    }
    from_file, from_environment = _without_to_come(from_file), _without_to_come(from_environment)
    explicit = from_file | from_environment
    chosen = PRESETS.get(str(explicit.get("preset")))
    from_preset: Mapping[str, int] = chosen.values if chosen else {}
    sources: dict[str, Source] = dict.fromkeys(Settings.model_fields, "default")
    sources |= dict.fromkeys(from_preset, "preset")
    sources |= dict.fromkeys(from_file, "file")
    sources |= dict.fromkeys(from_environment, "environment")
    try:
        return Settings.model_validate({**from_preset, **explicit}), sources
    except ValidationError as error:
        raise SettingsInvalid("; ".join(_say(problem, sources, path) for problem in error.errors())) from None


def _without_to_come(given: Mapping[str, Any]) -> dict[str, Any]:
    for name in TO_COME.keys() & given.keys():
        if str(given[name]).lower() not in TO_COME[name]:
            raise SettingsInvalid(
                f"{PREFIX}{name.upper()} belongs to a feature that this version does not have yet: leave it out."
            )
    return {name: value for name, value in given.items() if name not in TO_COME}


def _read_file(path: Path, *, required: bool) -> dict[str, Any]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if required:
            raise SettingsInvalid(f"GRAPHMEM_CONFIG names {path}, which does not exist.") from None
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsInvalid(f"{path} cannot be read as TOML: {error}") from error
    return dict(_flatten(tables))


def _flatten(table: Mapping[str, Any]) -> list[tuple[str, Any]]:
    # Looked up first, because to_snake turns neo4j_uri into neo_4j_uri.
    spelled = {spelling: name for name in Settings.model_fields for spelling in (name, to_camel(name))}
    pairs: list[tuple[str, Any]] = []
    for key, value in table.items():
        pairs.extend(_flatten(value) if isinstance(value, dict) else [(spelled.get(key) or to_snake(key), value)])
    return pairs


def _say(problem: Any, sources: Mapping[str, Source], path: Path) -> str:
    if not problem["loc"]:
        return str(problem["msg"]).removeprefix("Value error, ")
    name = str(problem["loc"][0])
    where = f"{PREFIX}{name.upper()}" if sources.get(name) == "environment" else f"{name} in {path}"
    if name in CONSTANTS:
        return f"{where} is no setting any more: it became a constant, {CONSTANTS[name]}. Leave it out."
    if problem["type"] == "extra_forbidden":
        near = difflib.get_close_matches(name, Settings.model_fields, n=1)
        said = f"{PREFIX}{near[0].upper()}" if near and sources.get(name) == "environment" else "".join(near)
        hint = f" Did you mean {said}?" if near else " `graphmem settings --expert` lists them."
        return f"{where} is no setting of this version.{hint}"
    return f"{where}: {str(problem['msg']).removeprefix('Value error, ')}"
