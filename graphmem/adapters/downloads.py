"""Pinned files, fetched into a cache folder: in parallel, verified, resumable, by one process at a time.

A file gets its final name only after its SHA-256 matched; an incomplete one is called `.part` and is resumed. Once a
set was complete a stamp records it, and later calls compare sizes only: no network, no lock, no hashing of hundreds of
megabytes.
"""

import errno
import hashlib
import itertools
import os
import random
import re
import shutil
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import filelock
import httpx

from graphmem.errors import DownloadFailed, SetupFailed

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all, by one thread at a time. A file that starts again lowers the first."""

ATTEMPTS = 5
BACKOFF_S = 0.5
REAL_PROGRESS_BYTES = 1 << 20
SPARE_BYTES = 64 << 20
TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
TIMEOUT = httpx.Timeout(30, connect=10)
_CREDENTIALS = re.compile(r"(?<=://)[^/\s?#]+@")


@dataclass(frozen=True)
class Route:
    """How servers are reached unless the environment sets `HTTPS_PROXY` and `SSL_CERT_FILE`: `proxy` is an address,
    `certificates` a file of authorities."""

    proxy: str | None = None
    certificates: str | None = None

    def client(self) -> httpx.Client:
        """Errors: OSError where the file of authorities cannot be read, ValueError for a proxy that is not an
        address."""
        verify = ssl.create_default_context(cafile=self.certificates) if self.certificates else True
        return httpx.Client(follow_redirects=True, timeout=TIMEOUT, proxy=self.proxy, verify=verify)


@dataclass(frozen=True)
class PinnedFile:
    """One pinned file: `path` below the cache folder, with forward slashes; `size` in bytes."""

    url: str
    path: str
    size: int
    sha256: str

    def matches(self, path: Path) -> bool:
        """Whether that is this file, by size and hash. Errors: OSError."""
        with path.open("rb") as content:
            if os.fstat(content.fileno()).st_size != self.size:
                return False
            return hashlib.file_digest(content, "sha256").hexdigest() == self.sha256


def is_cached(files: Sequence[PinnedFile], folder: Path) -> bool:
    """True if the set was verified here before and every size is still right. Costs one `stat` per file."""
    return _stamp(files, folder).exists() and all(_size(folder / file.path) == file.size for file in files)


def fetch_all(
    files: Sequence[PinnedFile],
    folder: Path,
    *,
    advice: str,
    progress: Progress | None = None,
    workers: int = 8,
    route: Route = Route(),
) -> None:
    """All `files` are in `folder` when this returns, each verified by size and SHA-256. A name and password in an
    address are sent to that server only, and no message shows them.

    Errors: DownloadFailed when a file cannot be fetched or is not the pinned one (after a second try); SetupFailed when
    the disk is too small or the folder cannot be written. `advice` ends both messages: what to do instead.
    """
    if is_cached(files, folder):
        return
    report = progress or _silent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(files, folder, report):
            if not is_cached(files, folder):
                _Download(files, folder, advice, report, route).run(workers)
    except OSError as error:
        raise _disk_error(error, files, folder, advice) from error


class _StoppedBySibling(Exception):
    """Another file failed for good; its error is the one to report."""


class _NotThePinnedFile(Exception):
    """The answer cannot be the pinned file; the text says why."""


class _TryAgain(Exception):
    """A transient failure."""


class _Download:
    """One run over the missing files. Workers share the client, the counter and the stop flag."""

    def __init__(
        self, files: Sequence[PinnedFile], folder: Path, advice: str, progress: Progress, route: Route
    ) -> None:
        self._files = files
        self._folder = folder
        self._advice = advice
        self._progress = progress
        self._route = route
        self._total = sum(file.size for file in files)
        self._done = 0
        self._counting = threading.Lock()
        self._stop = threading.Event()

    def run(self, workers: int) -> None:
        with ThreadPoolExecutor(workers, thread_name_prefix="graphmem-download") as pool:
            kept = pool.map(self._is_already_here, self._files)
            missing = [file for file, here in zip(self._files, kept, strict=True) if not here]
            self._check_space(missing)
            self._count(self._total - sum(file.size for file in missing))
            # The biggest first: otherwise one of them is left at the end with a single connection.
            missing.sort(key=lambda file: -file.size)
            with self._route.client() as client:
                futures = [pool.submit(self._fetch, client, file) for file in missing]
                try:
                    for future in as_completed(futures):
                        future.result()
                finally:
                    self._stop.set()
                    pool.shutdown(cancel_futures=True)
        _write_stamp(self._files, self._folder)

    def _is_already_here(self, file: PinnedFile) -> bool:
        """Without a stamp a file may be anyone's: a copy made by hand, or part of a set never finished."""
        path = self._folder / file.path
        if _size(path) is None:
            return False
        if file.matches(path):
            return True
        path.unlink()
        return False

    def _check_space(self, missing: Sequence[PinnedFile]) -> None:
        needed = sum(file.size - min(file.size, _size(self._part(file)) or 0) for file in missing)
        free = shutil.disk_usage(self._folder).free
        if missing and free < needed + SPARE_BYTES:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _fetch(self, client: httpx.Client, file: PinnedFile) -> None:
        target, part = self._folder / file.path, self._part(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        self._count(min(_size(part) or 0, file.size))
        reason = ""
        for _ in range(2):
            try:
                self._receive(client, file, part)
            except _NotThePinnedFile as wrong:
                reason = str(wrong)
            else:
                if file.matches(part):
                    _flush(part)
                    os.replace(part, target)
                    return
                reason = "its SHA-256 is another one"
            self._discard(part, file)
        raise DownloadFailed(f"{shown(file.url)} is not the file we pinned, twice: {reason}. {self._advice}")

    def _receive(self, client: httpx.Client, file: PinnedFile, part: Path) -> None:
        """The part file has the pinned size when this returns; transient failures are retried."""
        failures = 0
        while (have := _size(part) or 0) < file.size:
            if self._stop.is_set():
                raise _StoppedBySibling
            try:
                self._request(client, file, part, have)
                cause: Exception = _TryAgain("the connection ended early")
            except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.TooManyRedirects) as error:
                raise DownloadFailed(
                    f"{shown(file.url)} cannot be fetched: {shown(str(error))}. {self._advice}"
                ) from error
            except (httpx.TransportError, httpx.DecodingError, _TryAgain) as error:
                cause = error
            got = _size(part) or 0
            if got >= file.size:
                break
            failures = 0 if got - have >= REAL_PROGRESS_BYTES else failures + 1
            if failures >= ATTEMPTS:
                raise DownloadFailed(
                    f"{shown(file.url)} could not be fetched: {shown(str(cause)) or type(cause).__name__} "
                    f"({ATTEMPTS} attempts). {self._advice}"
                ) from cause
            # Jitter, so that the workers don't come back to a busy server in step.
            self._stop.wait(BACKOFF_S * 2**failures * random.uniform(0.5, 1))
        if have > file.size:
            raise _NotThePinnedFile("it is longer")

    def _request(self, client: httpx.Client, file: PinnedFile, part: Path, have: int) -> None:
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        url, login = split_login(file.url)
        with client.stream("GET", url, headers=headers, auth=login) as response:
            self._check_answer(response, file, part, have)
            if response.status_code == httpx.codes.OK and have:
                self._discard(part, file)
                have = 0
            with part.open("ab") as sink:
                for chunk in response.iter_bytes():
                    if self._stop.is_set():
                        raise _StoppedBySibling
                    have += len(chunk)
                    if have > file.size:
                        raise _NotThePinnedFile("it is longer")
                    sink.write(chunk)
                    self._count(len(chunk))

    def _check_answer(self, response: httpx.Response, file: PinnedFile, part: Path, have: int) -> None:
        status = response.status_code
        if status == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            self._discard(part, file)
            raise _TryAgain("the server could not resume")
        if status in TRANSIENT_STATUS:
            raise _TryAgain(f"the server answered {status}")
        if status not in (httpx.codes.OK, httpx.codes.PARTIAL_CONTENT):
            raise DownloadFailed(
                f"{shown(file.url)} could not be fetched: the server answered {status}. {self._advice}"
            )
        length = response.headers.get("content-length")
        expected = file.size if status == httpx.codes.OK else file.size - have
        if length is not None and int(length) != expected:
            raise _NotThePinnedFile(f"{length} bytes come instead of {expected}")
        if status == httpx.codes.PARTIAL_CONTENT and not response.headers.get("content-range", "").startswith(
            f"bytes {have}-"
        ):
            self._discard(part, file)
            raise _TryAgain("the server resumed at another place")

    def _discard(self, part: Path, file: PinnedFile) -> None:
        self._count(-min(_size(part) or 0, file.size))
        part.unlink(missing_ok=True)

    def _part(self, file: PinnedFile) -> Path:
        return self._folder / f"{file.path}.part"

    def _count(self, more: int) -> None:
        with self._counting:
            self._done += more
            self._progress(self._done, self._total)


def shown(text: str) -> str:
    """A text with addresses that is safe for a message: without names and passwords in them."""
    return _CREDENTIALS.sub("***@", text)


def split_login(address: str) -> tuple[httpx.URL, httpx.BasicAuth | None]:
    """An address, and the name and password that it contained. Errors: httpx.InvalidURL."""
    url = httpx.URL(address)
    if not url.userinfo:
        return url, None
    return url.copy_with(username=None, password=None), httpx.BasicAuth(url.username, url.password)


@contextmanager
def _alone(files: Sequence[PinnedFile], folder: Path, progress: Progress) -> Iterator[None]:
    """One process at a time per folder; a waiting one sees the other's progress by the files on the disk."""
    lock = filelock.FileLock(folder / ".lock", thread_local=False)
    total = sum(file.size for file in files)
    while True:
        try:
            lock.acquire(timeout=0.3)
            break
        except filelock.Timeout:
            progress(sum(_on_disk(folder, file) for file in files), total)
    try:
        yield
    finally:
        lock.release()


def _on_disk(folder: Path, file: PinnedFile) -> int:
    path = folder / file.path
    return min(file.size, _size(path) or _size(path.with_name(f"{path.name}.part")) or 0)


def _size(path: Path) -> int | None:
    """Bytes of the file; None if there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def _flush(path: Path) -> None:
    """Flush the content to disk: after a power cut the final name must not refer to an empty file."""
    with path.open("rb+") as content:
        os.fsync(content.fileno())


def _stamp(files: Sequence[PinnedFile], folder: Path) -> Path:
    pins = "\n".join(f"{file.path} {file.size} {file.sha256}" for file in files)
    return folder / f"verified-{hashlib.sha256(pins.encode()).hexdigest()[:16]}"


def _write_stamp(files: Sequence[PinnedFile], folder: Path) -> None:
    stamp = _stamp(files, folder)
    new = stamp.with_name(f"{stamp.name}.new")
    new.write_text(f"{len(files)} files, SHA-256 checked\n", encoding="utf-8")
    os.replace(new, stamp)


def _disk_error(error: OSError, files: Sequence[PinnedFile], folder: Path, advice: str) -> SetupFailed:
    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return SetupFailed(
            f"The cache folder {folder} cannot be used: {error}. Set GRAPHMEM_CACHE_DIR to another. {advice}"
        )
    needed = sum(file.size for file in files) - sum(_on_disk(folder, file) for file in files)
    free = next(
        (shutil.disk_usage(place).free for place in itertools.chain([folder], folder.parents) if place.exists()),
        0,
    )
    return SetupFailed(
        f"{folder} needs {_mb(needed + SPARE_BYTES)} MB more for the download and has {_mb(free)} MB free. "
        f"Make room there or set GRAPHMEM_CACHE_DIR to another folder. {advice}"
    )


def _mb(size: int) -> int:
    return -(-size // 1_000_000)


def _silent(done: int, total: int) -> None:
    """Ignores notices."""
