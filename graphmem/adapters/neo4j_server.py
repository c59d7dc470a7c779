"""The managed Neo4j: one real Neo4j Community per data folder, started when needed; the last of those who use it stops
it, unless it was started to stay.

All its files are in `<data_dir>/neo4j`: `conf/`, `data/`, `logs/`, `console.log`, `password`, `state.json` (process and
ports), `users/` (a locked file for each user) and `lock`, which lets one process at a time start or stop it. The
command line of a living process decides whether a server runs, never a file alone: files survive a kill, and process
numbers are reused.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import filelock
import psutil

from graphmem.adapters import neo4j_process as processes
from graphmem.adapters.downloads import Progress
from graphmem.adapters.neo4j_aot import IN_USE, LARGEST_HEAP_MB, AotCache, AotState, discard, recording_arguments
from graphmem.adapters.neo4j_conf import USER, ServerConf, command_line, hint_for, lost_its_port, page_cache_of
from graphmem.adapters.neo4j_home import ServerHome, ServerState, recovery_of, says_since, size
from graphmem.adapters.neo4j_jars import ADVICE, Neo4jJars
from graphmem.adapters.neo4j_java import java_program
from graphmem.adapters.neo4j_users import ServerUsers
from graphmem.errors import ServerFailed, SetupFailed

Notice = Callable[[str], None]
"""Called with one sentence for the user."""

LAUNCHES = 3
POLL_S = 0.05
LOOK_S = 1.0
TELL_EVERY_S = 30.0
WORK_S = 10
"""Seconds of processor time that count as progress: a server that starts needs them within a minute, one that hangs
within an hour."""
RELEASED_WITHIN_S = 1.0
STOPPED_WITHIN_S = 30.0
FAILED_STOPS_WITHIN_S = 10.0
STORES_ARE_CLOSED = '"Shutting down Bolt server"'
JAVA_CRASHED = "A fatal error has been detected by the Java Runtime Environment"


@dataclass(frozen=True)
class RunningServer:
    """A server that answers. `http_url` None: started without HTTP. `started_here`: by this call."""

    uri: str
    user: str
    password: str
    http_url: str | None
    pid: int
    started_here: bool


@dataclass(frozen=True)
class ServerStatus:
    """The status, read without side effects. `starting`: the process lives but does not answer.

    Units: `rss_mb` in MiB. A stopped server has neither address nor process. `aot_in_use`: this run was started with
    the AOT cache, and Java accepted it.
    """

    state: Literal["running", "stopped", "starting"]
    uri: str | None
    http_url: str | None
    pid: int | None
    data_dir: Path
    version: str
    rss_mb: int | None
    aot_in_use: bool = False


@dataclass(frozen=True)
class _Live:
    process: psutil.Process
    state: ServerState


class ManagedServer:
    """The server of one data folder. Any number of these may exist, in any number of processes.

    Creating one has no side effects.
    """

    def __init__(
        self,
        data_dir: Path,
        cache_dir: Path,
        *,
        http: bool = True,
        heap_mb: int = 512,
        page_cache_mb: int | None = None,
        preferred_bolt_port: int = 7687,
        preferred_http_port: int = 7474,
        maven_url: str | None = None,
        quick_start: bool = False,
        use_aot: bool = True,
        record_aot: Path | None = None,
        java_options: Sequence[str] = (),
    ) -> None:
        """Units: sizes in MiB, no page cache given means one for this machine's memory; a preferred port of 0 means
        any.

        `quick_start` compiles and plans less: starts in two thirds of the time, slower at long queries, so for tests
        only.
        `use_aot`: start with the AOT cache where there is one. `record_aot`: write one there at the end, which makes
        the stop take a minute; see `neo4j_training`. `java_options`: for Java, after ours, so that they win.
        """
        # Resolved, because the folder identifies the server: two spellings must not start two servers.
        self.data_dir = data_dir.resolve()
        self._home = ServerHome(self.data_dir / "neo4j")
        self._users = ServerUsers(self._home.users)
        self._jars = Neo4jJars(cache_dir.resolve(), maven_url)
        self.aot = AotCache(cache_dir.resolve(), self._jars)
        self._use_aot = use_aot
        self._record_aot = record_aot
        self._java_options = java_options
        self._http = http
        self._preferred = (preferred_bolt_port, preferred_http_port)
        if page_cache_mb is None:
            page_cache_mb = page_cache_of(psutil.virtual_memory().total >> 20)
        self._conf = ServerConf(0, None, heap_mb, page_cache_mb, quick_start)

    @property
    def password_file(self) -> Path:
        return self._home.password_file

    @property
    def console_log(self) -> Path:
        return self._home.console_log

    @property
    def home_folder(self) -> Path:
        return self._home.folder

    @property
    def has_store(self) -> bool:
        """True once a start has created it."""
        return self._home.has_users

    def ensure_jars(self, progress: Progress | None = None) -> None:
        """All jars are in the cache when this returns; without network if they were there.

        Errors: DownloadFailed, SetupFailed.
        """
        self._jars.ensure(progress)

    @contextmanager
    def used(self, *, notice: Notice | None = None, timeout_s: float = 120) -> Iterator[RunningServer]:
        """A server that answers, during the block: the running one, else a new one, which the last of those who use it
        stops. One that `start` has started stays. Errors: as `start` and `stop`."""
        with self._alone(time.monotonic() + timeout_s):
            mark = self._users.join()
        try:
            yield self._started(None, notice, timeout_s, passing=True)
        finally:
            with self._alone(time.monotonic() + timeout_s):
                last, live = self._users.leave(mark), self._find()
                if last and live and live.state.passing:
                    self._end(live, STOPPED_WITHIN_S)

    def start(
        self, *, progress: Progress | None = None, notice: Notice | None = None, timeout_s: float = 120
    ) -> RunningServer:
        """A server that answers, the running one, else a new one; it goes on running until it is stopped.

        It may take as long as it makes progress: after a crash it first applies its transaction logs. `notice` is told
        every half minute what it does.

        Units: `timeout_s` is the longest time without progress.
        Errors: UnsupportedPlatform, DownloadFailed, SetupFailed; ServerFailed when it ends by itself, with its last
        output, or makes no progress (it then continues to start: call again).
        """
        running = self._started(progress, notice, timeout_s, passing=False)
        with self._alone(time.monotonic() + timeout_s):
            if (live := self._find()) and live.state.passing:
                self._home.remember(replace(live.state, passing=False))
        return running

    def _started(
        self, progress: Progress | None, notice: Notice | None, timeout_s: float, *, passing: bool
    ) -> RunningServer:
        if running := self.running():
            return running
        java = java_program()
        self.ensure_jars(progress)
        say = notice or _keep_quiet
        for _ in range(LAUNCHES):
            with self._alone(time.monotonic() + timeout_s):
                live = self._find()
                mine = live is None
                live = live or self._launch(java, say, passing=passing)
            if live and self._comes_to_answer(live, timeout_s, say):
                return self._running(live, started_here=mine)
            if live and self._lives(live):
                raise ServerFailed(
                    f"Neo4j (process {live.process.pid}) has neither answered nor made progress for {timeout_s:.0f} s. "
                    f"It goes on starting; call again later, or read {self._home.neo4j_log}."
                )
            # It is gone. If another process started it, start it here. If this one did, retry only after a lost port,
            # or after a cache that Java accepted and crashed on.
            if mine and not lost_its_port(self._home.last_words()) and not self._crashed_with_aot(java):
                break
        words = self._home.last_words()
        raise ServerFailed(
            f"Neo4j ended before it answered. {hint_for(words)} {ADVICE}\nThe end of {self._home.console_log}:\n{words}"
        )

    def stop(self, timeout_s: float = 30) -> bool:
        """True if a server was stopped, False if none ran. It ends in about a second, all data stored.

        Errors: ServerFailed when it is still storing after `timeout_s`: it continues to stop. It is killed only once it
        has reported that its stores are closed.
        """
        if not self._home.folder.exists():
            return False
        with self._alone(time.monotonic() + timeout_s):
            live = self._find()
            if live:
                self._end(live, timeout_s)
            return live is not None

    def revive(self) -> RunningServer:
        """Start a server again that was killed; it stays, or passes, as it did before. Errors: as `start`."""
        state = self._home.state()
        return self._started(None, None, 120, passing=state is not None and state.passing)

    def restart(self) -> RunningServer:
        """Start a server that met a critical error anew; it stays, or passes, as it did before.

        It may not come to its end in order; then it is killed, which loses nothing: it commits no more, and what it
        committed is in its transaction logs.

        Errors: as `start`.
        """
        with self._alone(time.monotonic() + STOPPED_WITHIN_S), suppress(psutil.NoSuchProcess):
            if live := self._find():
                live.process.terminate()
                if not self._ends_before(time.monotonic() + FAILED_STOPS_WITHIN_S, live):
                    live.process.kill()
                    self._ends_before(time.monotonic() + STOPPED_WITHIN_S, live)
        return self.revive()

    @contextmanager
    def stopped(self, timeout_s: float = 60) -> Iterator[ServerHome]:
        """Keep the server stopped during the block; nobody can start it, and the block owns its files.

        Errors: as `stop`; ServerFailed when others are connected to it: then nothing is stopped.
        """
        with self._alone(time.monotonic() + timeout_s):
            if live := self._find():
                if others := processes.connections(live.process, live.state.bolt_port):
                    raise ServerFailed(
                        f"Neo4j is in use ({others} connections), perhaps by `graphmem serve` or Neo4j Browser. "
                        "Stop what uses it first; it has to be stopped for this."
                    )
                self._end(live, timeout_s)
            yield self._home

    def prepare(self, home: ServerHome) -> None:
        """Write the files that Neo4j's own commands read, into this home or one beside it.

        Errors: DownloadFailed, SetupFailed.
        """
        self.ensure_jars()
        home.write_conf(self._conf, self._jars.class_path(), self._more_arguments(java_program()))

    def _end(self, live: _Live, timeout_s: float) -> None:
        deadline = time.monotonic() + timeout_s
        logged = size(self._home.debug_log)
        with suppress(psutil.NoSuchProcess):
            live.process.terminate()
        if not self._ends_before(deadline, live):
            if not says_since(self._home.debug_log, logged, STORES_ARE_CLOSED):
                raise ServerFailed(
                    f"Neo4j (process {live.process.pid}) is still storing data after {timeout_s:.0f} s "
                    f"and goes on. See {self._home.neo4j_log}."
                )
            with suppress(psutil.NoSuchProcess):
                live.process.kill()
            self._ends_before(time.monotonic() + timeout_s, live)
        self._home.remember(replace(live.state, pid=None, created=None))

    def status(self) -> ServerStatus:
        """What runs on this data folder now."""
        stopped = ServerStatus("stopped", None, None, None, self.data_dir, self._jars.version, None)
        live = self._find()
        if live is None:
            return stopped
        try:
            rss_mb = live.process.memory_info().rss >> 20
        except psutil.NoSuchProcess:
            return stopped
        return replace(
            stopped,
            state="running" if self._answers(live) else "starting",
            uri=live.state.uri,
            http_url=live.state.http_url,
            pid=live.process.pid,
            rss_mb=rss_mb,
            aot_in_use=says_since(self._home.aot_log, 0, IN_USE),
        )

    def aot_state(self) -> AotState:
        """Whether the next start will use the AOT cache. Errors: UnsupportedPlatform."""
        if not self._use_aot or self._conf.heap_mb > LARGEST_HEAP_MB:
            return "off"
        return "ready" if self._jars.are_here() and self._aot_arguments(java_program()) else "missing"

    def password(self) -> str:
        """The password of the user `neo4j`.

        Errors: ServerFailed before the first start, which makes it, and when its file was lost.
        """
        return self._home.password()

    def running(self) -> RunningServer | None:
        """The server of this data folder, if it runs and answers; None otherwise, also while it starts."""
        live = self._find()
        return self._running(live, started_here=False) if live and self._answers(live) else None

    def was_killed(self) -> bool:
        """True if the server has ended without being stopped."""
        state = self._home.state()
        return state is not None and state.pid is not None and self._find() is None

    def _running(self, live: _Live, *, started_here: bool) -> RunningServer:
        state = live.state
        self._home.store_answered()
        return RunningServer(state.uri, USER, self.password(), state.http_url, live.process.pid, started_here)

    def _find(self) -> _Live | None:
        state = self._home.state()
        # Ports are stored before a server is launched: without them there was none.
        if state is None:
            return None
        process = processes.find_process(self._home.folder, state.pid, state.created)
        return _Live(process, state) if process else None

    def _launch(self, java: str, say: Notice, *, passing: bool) -> _Live | None:
        """A new process; None if it ended at once. Only under the lock, and only if none runs."""
        home = self._home
        try:
            state = replace(self._choose_ports(say), passing=passing)
            conf = replace(self._conf, bolt_port=state.bolt_port, http_port=state.http_port)
            home.write_conf(conf, self._jars.class_path(), self._more_arguments(java))
            if home.take_store_back():
                say("The graph from before a load that was interrupted is in its place again.")
            if remains := home.set_unfinished_store_aside():
                say(f"The store is made anew: the last start was interrupted while making it. Left of it: {remains}.")
            home.ensure_password()
            home.set_logs_aside()
            home.remember(state)
            command = command_line(java, home.arguments_file, home.folder)
            process = processes.launch(command, home.folder, home.console_log)
            if process is None:
                return None
            state = replace(state, pid=process.pid, created=process.create_time())
            home.remember(state)
            return _Live(process, state)
        except psutil.NoSuchProcess:
            return None
        except OSError as error:
            raise self._unusable(error) from error

    def _more_arguments(self, java: str) -> list[str]:
        return [*self._aot_arguments(java), *self._java_options]

    def _aot_arguments(self, java: str) -> list[str]:
        if self._record_aot:
            return recording_arguments(self._record_aot)
        return self.aot.arguments(java, self._conf.heap_mb) if self._use_aot else []

    def _crashed_with_aot(self, java: str) -> bool:
        """True if the cache may be why Java crashed; then it is removed, and the next start does without it."""
        if self._record_aot or not self._aot_arguments(java):
            return False
        if not says_since(self._home.console_log, 0, JAVA_CRASHED):
            return False
        discard(self.aot.file(java))
        return True

    def _choose_ports(self, say: Notice) -> ServerState:
        last = self._home.state() or ServerState(0, None)
        for port in filter(None, (last.bolt_port, last.http_port)):
            # A killed process leaves the list before the system releases its ports and file locks.
            processes.becomes_free(port, RELEASED_WITHIN_S)
        wanted_bolt, wanted_http = self._preferred
        bolt = processes.choose_port(last.bolt_port, wanted_bolt)
        http = processes.choose_port(last.http_port, wanted_http, but_not=bolt) if self._http else None
        if wanted_bolt and bolt not in (wanted_bolt, last.bolt_port):
            say(f"Port {wanted_bolt} is taken: Bolt of the managed Neo4j is on port {bolt}.")
        if wanted_http and http not in (wanted_http, last.http_port, None):
            say(f"Port {wanted_http} is taken: HTTP of the managed Neo4j is on port {http}.")
        return ServerState(bolt, http)

    def _lives(self, live: _Live) -> bool:
        return processes.is_server(live.process, self._home.folder)

    def _answers(self, live: _Live) -> bool:
        """HTTP starts a second after Bolt, and a server that cannot get its HTTP port ends again."""
        bolt, http = live.state.bolt_port, live.state.http_port
        return (
            processes.answers_bolt(bolt)
            and processes.listens(live.process, bolt)
            and (http is None or processes.listens(live.process, http))
        )

    def _comes_to_answer(self, live: _Live, timeout_s: float, say: Notice) -> bool:
        """True once Bolt answers; False when the process ends, or makes no progress for `timeout_s`."""
        began = moved_at = told_at = looked_at = time.monotonic()
        seen = None
        while self._lives(live):
            if self._answers(live):
                return True
            now = time.monotonic()
            if now - looked_at > LOOK_S:
                looked_at, before, seen = now, seen, self._progress(live)
                moved_at = now if seen != before else moved_at
            if now - moved_at > timeout_s:
                return False
            if now - told_at > TELL_EVERY_S:
                told_at = now
                say(f"Neo4j has been starting for {now - began:.0f} s{recovery_of(self._home)}. This waits for it.")
            time.sleep(POLL_S)
        return False

    def _progress(self, live: _Live) -> tuple[float, ...]:
        """What grows while a server works: its logs, and its processor time in steps that an idle one takes minutes
        for."""
        home = self._home
        try:
            times = live.process.cpu_times()
        except psutil.NoSuchProcess:
            return ()
        logged = (size(log) for log in (home.console_log, home.neo4j_log, home.debug_log))
        return (*logged, (times.user + times.system) // WORK_S)

    def _ends_before(self, deadline: float, live: _Live) -> bool:
        while self._lives(live):
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_S)
        return True

    @contextmanager
    def _alone(self, deadline: float) -> Iterator[None]:
        """No other process starts or stops this server meanwhile; the system frees the lock of a dead one."""
        left_s = max(0.0, deadline - time.monotonic())
        try:
            # Only for its user: it contains the password and all memories.
            self._home.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = filelock.FileLock(self._home.lock, timeout=left_s, thread_local=False)
            lock.acquire()
        except filelock.Timeout as error:
            raise ServerFailed(
                f"Another process was starting or stopping the Neo4j in {self._home.folder} all the while. Try again."
            ) from error
        except OSError as error:
            raise self._unusable(error) from error
        try:
            yield
        finally:
            lock.release()

    def _unusable(self, error: OSError) -> SetupFailed:
        return SetupFailed(
            f"The managed Neo4j cannot use {self._home.folder}: {error}. Set GRAPHMEM_DATA_DIR to another folder."
        )


def _keep_quiet(_: str) -> None:
    """Ignores notices."""
