"""Processes and ports of this machine: what runs, what listens, what is free."""

import os
import socket
import subprocess
import threading
import time
from pathlib import Path

import psutil

from graphmem.adapters.neo4j_conf import LOOPBACK, clean_environment, is_command_line

BOLT_MAGIC = bytes.fromhex("6060b017")
BOLT_VERSIONS = bytes.fromhex("00080805000000060000000000000000")
ANSWER_S = 2.0
RELEASE_POLL_S = 0.02
CREATED_WITHIN_S = 2.0
"""Clock corrections change the creation times that the system computes; the command line decides anyway."""


def find_process(home: Path, pid: int | None, created: float | None) -> psutil.Process | None:
    """The server that runs on this home folder; None if there is none.

    The recorded process is checked first. If it is gone, or its number belongs to another program, all processes are
    checked: the process that started the server may have been killed before it recorded it.
    """
    if pid is not None and created is not None:
        process = _process(pid)
        if process and abs(process.create_time() - created) < CREATED_WITHIN_S and is_server(process, home):
            return process
    return next((process for process in psutil.process_iter() if is_server(process, home)), None)


def is_server(process: psutil.Process, home: Path) -> bool:
    """True if the process lives and its command line is that of this home folder's server."""
    try:
        return (
            process.is_running()
            and process.status() != psutil.STATUS_ZOMBIE
            and is_command_line(process.cmdline(), home)
        )
    except psutil.Error:
        return False


def launch(command: list[str], folder: Path, log: Path) -> psutil.Process | None:
    """The new process; None if it is gone already. It survives this one, and Ctrl+C in its terminal."""
    with log.open("wb") as sink:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    # Waits for its end, so that a server stopped by another process does not stay as our zombie.
    threading.Thread(target=child.wait, name=f"neo4j-{child.pid}", daemon=True).start()
    return _process(child.pid)


def _process(pid: int) -> psutil.Process | None:
    try:
        return psutil.Process(pid)
    except psutil.Error:
        return None


def answers_bolt(port: int) -> bool:
    """True if a Bolt server on this loopback port negotiates a version with us."""
    try:
        with socket.create_connection((LOOPBACK, port), ANSWER_S) as connection:
            connection.settimeout(ANSWER_S)
            connection.sendall(BOLT_MAGIC + BOLT_VERSIONS)
            reply = connection.recv(4)
    except OSError:
        return False
    return len(reply) == 4 and reply[:2] == b"\0\0" and any(reply)


def listens(process: psutil.Process, port: int) -> bool:
    """True if this process listens on the port, and not another Neo4j."""
    try:
        return any(
            connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
            for connection in process.net_connections("tcp")
        )
    except psutil.AccessDenied:
        return True  # some systems hide this; the server itself would have failed on a used port
    except psutil.Error:
        return False


def connections(process: psutil.Process, port: int) -> int:
    """How many clients are connected to the process on this port; 0 where the system does not report it."""
    try:
        open_now = process.net_connections("tcp")
    except psutil.Error:
        return 0
    return sum(one.status == psutil.CONN_ESTABLISHED and one.laddr.port == port for one in open_now)


def is_free(port: int) -> bool:
    """True if a server could listen on this loopback port now."""
    with socket.socket() as probe:
        probe.settimeout(ANSWER_S)
        # With a listener on all addresses some systems let us bind the loopback one, too: try to connect.
        if probe.connect_ex((LOOPBACK, port)) == 0:
            return False
    with socket.socket() as probe:
        if os.name == "posix":
            # Without it the connections of a stopped server make its port look used for a minute.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def becomes_free(port: int, within_s: float) -> bool:
    """Wait until a server could listen on this loopback port; False if not within the time."""
    deadline = time.monotonic() + within_s
    while not is_free(port):
        if time.monotonic() > deadline:
            return False
        time.sleep(RELEASE_POLL_S)
    return True


def choose_port(*wanted: int | None, but_not: int = 0) -> int:
    """The first wanted port that is free, else any free one. None and 0 mean any port."""
    for port in wanted:
        if port and port != but_not and is_free(port):
            return port
    while True:
        with socket.socket() as probe:
            probe.bind((LOOPBACK, 0))
            port = int(probe.getsockname()[1])
        if port != but_not:
            return port
