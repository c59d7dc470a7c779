"""Pinned files against a real HTTP server that can be as bad as the network."""

import errno
import hashlib
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from graphmem.adapters import downloads
from graphmem.adapters.downloads import PinnedFile, fetch_all, is_cached
from graphmem.errors import DownloadFailed, SetupFailed

ADVICE = "Do something else."


class BadServer(ThreadingHTTPServer):
    """Serves `bodies`; each entry of `misbehaviour` is taken by one request for that path."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.bodies: dict[str, bytes] = {}
        self.misbehaviour: dict[str, list[str]] = {}
        self.requests: list[tuple[str, str | None]] = []
        self.knows_ranges = True
        self.may_go_on = threading.Event()

    def add(self, path: str, body: bytes, *misbehaviour: str) -> PinnedFile:
        self.bodies[f"/{path}"] = body
        self.misbehaviour[f"/{path}"] = list(misbehaviour)
        return PinnedFile(f"{self.url}/{path}", path, len(body), hashlib.sha256(body).hexdigest())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def count(self, path: str) -> int:
        return Counter(path for path, _ in self.requests)[f"/{path}"]


class _Answer(BaseHTTPRequestHandler):
    server: BadServer

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.requests.append((self.path, wanted))
        body = self.server.bodies.get(self.path)
        if body is None:
            self.send_error(404)
            return
        todo = self.server.misbehaviour[self.path]
        misbehaviour = todo.pop(0) if todo else ""
        start = 0
        if misbehaviour == "503":
            self.send_error(503)
            return
        if misbehaviour == "corrupt":
            body = bytes(byte ^ 1 for byte in body)
        if misbehaviour == "error page":
            body = b"<html>please log in</html>"
        if wanted and self.server.knows_ranges and misbehaviour != "error page":
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(body):
                self.send_error(416)
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        end = len(body) - (len(body) - start) // 2 if misbehaviour == "drop" else len(body)
        piece = 1 if misbehaviour == "dripping" else 1 << 16
        for at in range(start, end, piece):
            self.wfile.write(body[at : min(end, at + piece)])
            if misbehaviour == "dripping":
                self.server.may_go_on.wait(0.01)  # two million of these take hours
            if misbehaviour == "held":
                self.server.may_go_on.wait(60)

    def log_message(self, format: str, *args: Any) -> None:
        """Not to the terminal."""


@pytest.fixture
def server() -> Iterator[BadServer]:
    with BadServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "BACKOFF_S", 0.001)


def body(size: int, seed: int = 0) -> bytes:
    return hashlib.shake_256(seed.to_bytes(4, "big")).digest(size)


def test_a_set_is_fetched_verified_and_then_needs_no_network(server: BadServer, tmp_path: Path) -> None:
    files = [server.add(f"org/x/{n}.jar", body(10_000 + n, n)) for n in range(20)]
    seen: list[tuple[int, int]] = []
    fetch_all(files, tmp_path, advice=ADVICE, progress=lambda done, total: seen.append((done, total)))
    total = sum(file.size for file in files)
    assert seen[-1] == (total, total)
    assert [(tmp_path / file.path).read_bytes() for file in files] == [server.bodies[f"/{f.path}"] for f in files]
    requests = len(server.requests)
    server.server_close()
    fetch_all(files, tmp_path, advice=ADVICE)
    assert is_cached(files, tmp_path)
    assert len(server.requests) == requests
    assert not list(tmp_path.rglob("*.part"))


def test_only_what_is_missing_is_fetched_again(server: BadServer, tmp_path: Path) -> None:
    files = [server.add(f"{n}.jar", body(1000, n)) for n in range(3)]
    fetch_all(files, tmp_path, advice=ADVICE)
    (tmp_path / "1.jar").unlink()
    (tmp_path / "2.jar").write_bytes(b"cut off")
    fetch_all(files, tmp_path, advice=ADVICE)
    assert [server.count(file.path) for file in files] == [1, 2, 2]


def test_files_copied_by_hand_are_verified_and_kept(server: BadServer, tmp_path: Path) -> None:
    good, bad = server.add("good.jar", body(1000)), server.add("bad.jar", body(1000, 1))
    (tmp_path / "good.jar").write_bytes(body(1000))
    (tmp_path / "bad.jar").write_bytes(body(1000, 2))
    fetch_all([good, bad], tmp_path, advice=ADVICE)
    assert (server.count("good.jar"), server.count("bad.jar")) == (0, 1)


def test_a_dropped_connection_is_resumed_where_it_broke(server: BadServer, tmp_path: Path) -> None:
    file = server.add("a.jar", body(1_000_000), "drop", "drop")
    fetch_all([file], tmp_path, advice=ADVICE)
    assert [wanted for _, wanted in server.requests] == [None, "bytes=500000-", "bytes=750000-"]
    assert (tmp_path / "a.jar").read_bytes() == body(1_000_000)


def test_what_an_earlier_run_left_is_resumed(server: BadServer, tmp_path: Path) -> None:
    file = server.add("a.jar", body(1000))
    (tmp_path / "a.jar.part").write_bytes(body(1000)[:400])
    fetch_all([file], tmp_path, advice=ADVICE)
    assert server.requests == [("/a.jar", "bytes=400-")]


def test_a_server_without_ranges_starts_the_file_anew(server: BadServer, tmp_path: Path) -> None:
    server.knows_ranges = False
    file = server.add("a.jar", body(100_000), "drop")
    seen: list[int] = []
    fetch_all([file], tmp_path, advice=ADVICE, progress=lambda done, _: seen.append(done))
    assert (tmp_path / "a.jar").read_bytes() == body(100_000)
    assert seen[-1] == max(seen) == file.size


@pytest.mark.parametrize("left", [b"x" * 400, b"x" * 1000, b"x" * 2000], ids=["shorter", "complete", "longer"])
def test_a_wrong_part_file_is_thrown_away(server: BadServer, tmp_path: Path, left: bytes) -> None:
    file = server.add("a.jar", body(1000))
    (tmp_path / "a.jar.part").write_bytes(left)
    fetch_all([file], tmp_path, advice=ADVICE)
    assert (tmp_path / "a.jar").read_bytes() == body(1000)


def test_a_corrupt_body_is_fetched_once_more(server: BadServer, tmp_path: Path) -> None:
    file = server.add("a.jar", body(1000), "corrupt")
    fetch_all([file], tmp_path, advice=ADVICE)
    assert (tmp_path / "a.jar").read_bytes() == body(1000)
    assert server.count("a.jar") == 2


@pytest.mark.parametrize("misbehaviour", ["corrupt", "error page"])
def test_a_file_that_stays_wrong_is_refused_and_never_kept(
    server: BadServer, tmp_path: Path, misbehaviour: str
) -> None:
    file = server.add("a.jar", body(1000), *[misbehaviour] * 9)
    with pytest.raises(DownloadFailed, match=r"a\.jar is not the file we pinned.*Do something else"):
        fetch_all([file], tmp_path, advice=ADVICE)
    assert not (tmp_path / "a.jar").exists()
    assert server.count("a.jar") == 2


def test_a_busy_server_is_asked_again(server: BadServer, tmp_path: Path) -> None:
    file = server.add("a.jar", body(1000), "503", "503")
    fetch_all([file], tmp_path, advice=ADVICE)
    assert server.count("a.jar") == 3


def test_a_server_that_stays_busy_is_given_up(server: BadServer, tmp_path: Path) -> None:
    file = server.add("a.jar", body(1000), *["503"] * 99)
    with pytest.raises(DownloadFailed, match=r"a\.jar could not be fetched: the server answered 503 \(5 attempts\)"):
        fetch_all([file], tmp_path, advice=ADVICE)


def test_a_missing_file_fails_at_once_and_stops_the_others(server: BadServer, tmp_path: Path) -> None:
    slow = [server.add(f"{n}.jar", body(2_000_000, n), "dripping") for n in range(3)]
    gone = PinnedFile(f"{server.url}/gone.jar", "gone.jar", 9_000_000, "0" * 64)
    with pytest.raises(DownloadFailed, match=r"gone\.jar could not be fetched: the server answered 404"):
        fetch_all([*slow, gone], tmp_path, advice=ADVICE)
    assert server.count("gone.jar") == 1
    assert not is_cached(slow, tmp_path)


def test_without_network_the_message_names_file_and_way_out(tmp_path: Path) -> None:
    file = PinnedFile("http://127.0.0.1:1/a.jar", "a.jar", 10, "0" * 64)
    with pytest.raises(DownloadFailed, match=r"http://127.0.0.1:1/a.jar could not be fetched: .*Do something else"):
        fetch_all([file], tmp_path, advice=ADVICE)


def test_a_mirror_that_is_no_address_fails_at_once(tmp_path: Path) -> None:
    file = PinnedFile("not-an-address/a.jar", "a.jar", 10, "0" * 64)
    with pytest.raises(DownloadFailed, match=r"not-an-address/a\.jar cannot be fetched"):
        fetch_all([file], tmp_path, advice=ADVICE)


def test_too_small_a_disk_is_told_before_anything_is_fetched(
    server: BadServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = server.add("a.jar", body(1000))
    monkeypatch.setattr(downloads.shutil, "disk_usage", lambda _: _Usage(free=30_000_000))
    with pytest.raises(SetupFailed, match=r"needs 68 MB more .* has 30 MB free.*GRAPHMEM_CACHE_DIR.*Do something else"):
        fetch_all([file], tmp_path, advice=ADVICE)
    assert not server.requests


class _Usage:
    def __init__(self, free: int) -> None:
        self.free = free


def test_a_disk_that_fills_up_is_told(server: BadServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = server.add("a.jar", body(1000))
    monkeypatch.setattr(downloads.os, "replace", full)
    with pytest.raises(SetupFailed, match=r"MB more for the download"):
        fetch_all([file], tmp_path, advice=ADVICE)


def test_a_cache_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    file = PinnedFile("http://127.0.0.1:1/a.jar", "a.jar", 10, "0" * 64)
    with pytest.raises(SetupFailed, match="cannot be used"):
        fetch_all([file], tmp_path / "file", advice=ADVICE)


def test_two_processes_at_once_fetch_every_file_once(server: BadServer, tmp_path: Path) -> None:
    files = [server.add(f"{n}.jar", body(300_000, n), "held") for n in range(6)]
    code = (
        "import sys; from pathlib import Path\n"
        "from graphmem.adapters.downloads import PinnedFile, fetch_all\n"
        f"files = {files!r}\n"
        "fetch_all(files, Path(sys.argv[1]), advice='', progress=lambda done, total: print(done, flush=True))"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    # One that fetches, and one that waits and sees the other's progress: nothing is whole before both have told.
    assert all(run.stdout and run.stdout.readline() for run in runs)
    server.may_go_on.set()
    for run in runs:
        run.communicate(timeout=120)
    assert [run.returncode for run in runs] == [0, 0]
    assert [server.count(file.path) for file in files] == [1] * 6
    assert is_cached(files, tmp_path)
