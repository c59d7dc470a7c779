"""The configuration of the managed Neo4j, its Java arguments and first password. Text in, text out."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"
ADMIN_CLASS = "org.neo4j.cli.AdminTool"
"""What the command neo4j-admin runs in a second Java; here it runs in the first."""
USER = "neo4j"
DATABASE = "neo4j"
"""Name of the graph; the other database of a server is `system`, with its users."""
LOOPBACK = "127.0.0.1"

PASSWORD_ITERATIONS = 1024

KEPT_ENVIRONMENT = frozenset(
    {
        "HOME",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "LOGNAME",
        "PATH",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "TMPDIR",
        "TZ",
        "USER",
        "WINDIR",
    }
)


@dataclass(frozen=True)
class ServerConf:
    """What differs between managed servers. Sizes in MiB; `http_port` None: no HTTP, and so no Browser."""

    bolt_port: int
    http_port: int | None
    heap_mb: int
    page_cache_mb: int
    quick_start: bool = False


def page_cache_of(memory_mb: int) -> int:
    """The page cache for a machine with so much memory, in MiB: an eighth, within bounds.

    Neo4j's default is half. A graph of 100,000 entities and 500,000 dependencies has 650 MB of files, and with a fifth
    of that in memory a walk takes more than twice the processor time.
    """
    return min(max(memory_mb // 8, 128), 8192)


def render_conf(conf: ServerConf) -> str:
    """The text of `neo4j.conf`. It names no folder: everything is in its default place below the home."""
    settings = {
        "server.default_listen_address": LOOPBACK,
        "server.default_advertised_address": LOOPBACK,
        "server.bolt.listen_address": f"{LOOPBACK}:{conf.bolt_port}",
        # Set explicitly: otherwise the server advertises the default port, whatever it listens on.
        "server.bolt.advertised_address": f"{LOOPBACK}:{conf.bolt_port}",
        "server.http.enabled": "false",
        "server.https.enabled": "false",
        "dbms.security.auth_enabled": "true",
        "server.config.strict_validation.enabled": "true",
        # Nothing leaves the machine, and nothing is announced on the local network.
        "dbms.usage_report.enabled": "false",
        "dbms.fleet_manager.enabled": "false",
        "server.fleet_discovery.enabled": "false",
        "client.allow_telemetry": "false",
        "server.http.x_forward.enabled": "false",
        # The query log would contain what people said, as parameters.
        "db.logs.query.enabled": "OFF",
        # Otherwise the driver guards each read with a task and a timer, a tenth of the API's processor time. graphmem
        # has its own time limits (graph/connection.py).
        "server.bolt.connection_keep_alive_for_requests": "OFF",
        "server.memory.heap.initial_size": f"{conf.heap_mb}m",
        "server.memory.heap.max_size": f"{conf.heap_mb}m",
        "server.memory.pagecache.size": f"{conf.page_cache_mb}m",
        # The defaults of these three are "no limit": one bad query could block the server, or take all its memory.
        "db.transaction.timeout": "30s",
        "db.lock.acquisition.timeout": "10s",
        "db.memory.transaction.max": "256m",
        # Otherwise the full-text indexes open a new reader after every few writes: half the time of a small write.
        "db.index.fulltext.eventually_consistent_refresh_interval": "200ms",
        # Each write adds a segment to a vector index, and a search reads all segments. They are merged at a checkpoint,
        # which is every quarter of an hour by default, or when there are fifty of one size.
        "db.checkpoint.interval.time": "15m" if conf.quick_start else "1m",
        "internal.dbms.index.vector.standard_merge_factor": "10",
        # Log files are preallocated: 2 x 256 MiB for an empty database by default.
        "db.tx_log.rotation.size": "32m",
        "db.tx_log.rotation.retention_policy": "256m size",
        # Otherwise a stop waits two times 5 s for connections that are already closed, with all data stored.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
    }
    if conf.quick_start:
        # Otherwise a statement is planned for each length of its lists and texts, and most of a test is planning.
        settings["internal.cypher.use_parameter_size"] = "false"
        # Otherwise it is planned again every ten seconds, because a small graph grows quickly.
        settings["dbms.cypher.min_replan_interval"] = "1h"
        # Otherwise a statement that ran ten times is planned again, to be compiled: nearly half of a run's plans.
        settings["internal.cypher.expression_engine"] = "interpreted"
    if conf.http_port is not None:
        settings["server.http.enabled"] = "true"
        settings["server.http.listen_address"] = f"{LOOPBACK}:{conf.http_port}"
        settings["server.http.advertised_address"] = f"{LOOPBACK}:{conf.http_port}"
        # Browser's own files and nothing else: it speaks Bolt, and no page finds a route to the data here.
        settings["server.http_enabled_modules"] = "BROWSER"
        # The default is any. Only Browser itself may read what is answered.
        settings["dbms.security.http_access_control_allow_origin"] = f"http://{LOOPBACK}:{conf.http_port}"
    lines = (f"{name}={value}\n" for name, value in settings.items())
    return f"# Written by graphmem at each start; changes are lost.\n{''.join(lines)}"


JAVA_FLAGS = (
    # 100 MB less than G1 at this heap size, and no slower on few cores.
    "-XX:+UseSerialGC",
    # A server without memory must end, so that the next start finds a clean state.
    "-XX:+ExitOnOutOfMemoryError",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "-Dfile.encoding=UTF-8",
    "-Djava.awt.headless=true",
    "-Dlog4j2.disable.jmx=true",
)


def render_java_arguments(conf: ServerConf, class_path: str, more: Sequence[str] = ()) -> str:
    """The text of Java's argument file: 238 jars would be too much for the command line."""
    arguments = [
        f"-Xms{conf.heap_mb}m",
        f"-Xmx{conf.heap_mb}m",
        # With one compiler Java has 48 MB for compiled code, and a run of all tests needs 50.
        *(["-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m"] if conf.quick_start else []),
        *JAVA_FLAGS,
        *more,
        "-cp",
        class_path,
    ]
    return "".join(f"{_quote(argument)}\n" for argument in arguments)


def _quote(argument: str) -> str:
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def command_line(java: str, arguments_file: Path, home: Path) -> list[str]:
    """The command that runs the server on `home`. It contains no secret: other users can read command lines."""
    return [java, f"@{arguments_file}", MAIN_CLASS, *home_arguments(home)]


def home_arguments(home: Path) -> list[str]:
    return [f"--home-dir={home}", f"--config-dir={home / 'conf'}"]


def is_command_line(arguments: list[str], home: Path) -> bool:
    """True if a process with these arguments is the managed server of this home folder."""
    return MAIN_CLASS in arguments and f"--home-dir={home}" in arguments


def clean_environment(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables the server gets: neither our keys and passwords, nor Java options for other programs."""
    return {name: value for name, value in environ.items() if name.upper() in KEPT_ENVIRONMENT}


def render_initial_password(password: str, salt: bytes) -> str:
    """The text of `data/dbms/auth.ini`: the first user's password, for when the system database is made.

    It is what `neo4j-admin dbms set-initial-password` writes, without its 4 s of Java and without the password on a
    command line: SHA-256 over salt and password, then over the digest, 1,024 times in all.
    """
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(PASSWORD_ITERATIONS - 1):
        digest = hashlib.sha256(digest).digest()
    return f"{USER}:SHA-256,{digest.hex()},{salt.hex()},{PASSWORD_ITERATIONS}:\n"


HINTS = {
    "store_lock": "Another Neo4j uses this data folder, perhaps in a container; stop it first.",
    "FileLockException": "Another Neo4j uses this data folder, perhaps in a container; stop it first.",
    "No space left on device": "The disk is full; make room for the data folder.",
    "Could not reserve enough space": "There is too little memory; lower GRAPHMEM_NEO4J_HEAP_MB.",
    "insufficient memory": "There is too little memory; lower GRAPHMEM_NEO4J_HEAP_MB.",
    "OutOfMemoryError": "The heap was too small; raise GRAPHMEM_NEO4J_HEAP_MB.",
    "ZipException": "A jar is damaged; delete neo4j-jars in the cache folder and start again.",
    "ClassNotFoundException": "A jar is damaged; delete neo4j-jars in the cache folder and start again.",
    "NoClassDefFoundError": "A jar is damaged; delete neo4j-jars in the cache folder and start again.",
    "error while loading shared libraries": "A library of the operating system is missing; see the log.",
    # Neo4j also logs it after failures: it must be the last.
    "shutdown initiated by request": "It was told to stop while it was starting; start it again.",
}
PORT_TAKEN = ("already in use", "BindException")
NO_HINT = "Without a reason in the log it may have been for lack of memory: lower GRAPHMEM_NEO4J_HEAP_MB."


def hint_for(log: str) -> str:
    """Advice about a server that ended by itself, from its output."""
    return next((hint for sign, hint in HINTS.items() if sign in log), NO_HINT)


def lost_its_port(log: str) -> bool:
    """True if another process took a port between our check and the server's."""
    return any(sign in log for sign in PORT_TAKEN)
