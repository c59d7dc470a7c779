"""A package index on loopback: pages by the simple API, as JSON and as HTML, files that can be resumed, and a login."""

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class SmallIndex(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.package = "tiny-model"
        self.files: dict[str, bytes] = {}
        self.hashes: dict[str, str | None] = {}
        """What the page says of a file, where that is not its hash; None: nothing."""
        self.speaks_json = True
        self.login: str | None = None
        self.status = 200
        self.cut = 0
        """Bytes after which the connection ends, once."""
        self.elsewhere: str | None = None
        """The server to which files are redirected."""
        self.asked: list[tuple[str, str | None, str | None]] = []
        """Path, range and login of each request."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/simple"

    def with_login(self, login: str) -> str:
        return self.url.replace("://", f"://{login}@")

    def paths(self) -> list[str]:
        return [path for path, _, _ in self.asked]

    def page(self) -> tuple[str, str]:
        digests = {name: self.hashes.get(name, hashlib.sha256(body).hexdigest()) for name, body in self.files.items()}
        if self.speaks_json:
            files = [
                {"filename": name, "url": f"../../files/{name}", "hashes": {"sha256": digest} if digest else {}}
                for name, digest in digests.items()
            ]
            return "application/vnd.pypi.simple.v1+json", json.dumps({"meta": {"api-version": "1.1"}, "files": files})
        fragments = {name: f"#sha256={digest}" if digest else "" for name, digest in digests.items()}
        links = [f'<a href="../../files/{name}{fragments[name]}">{name}</a><br/>' for name in digests]
        return "text/html; charset=utf-8", f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>"


class _Answer(BaseHTTPRequestHandler):
    server: SmallIndex

    def do_GET(self) -> None:
        index = self.server
        given = self.headers.get("Authorization")
        login = base64.b64decode(given.removeprefix("Basic ")).decode() if given else None
        wanted = self.headers.get("Range")
        index.asked.append((self.path, wanted, login))
        if index.login and login != index.login:
            self.send_error(401)
        elif index.status != 200:
            self.send_error(index.status)
        elif self.path == f"/simple/{index.package}/":
            kind, text = index.page()
            self._send(200, text.encode(), {"Content-Type": kind})
        elif self.path.startswith("/files/") and index.elsewhere:
            self._send(302, b"", {"Location": f"{index.elsewhere}{self.path}"})
        elif (body := index.files.get(self.path.removeprefix("/files/"))) is not None:
            start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
            partly = {"Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"} if wanted else {}
            self._send(206 if wanted else 200, body[start:], partly)
        else:
            self.send_error(404)

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        cut = self.server.cut if self.path.startswith("/files/") else 0
        if cut:
            self.server.cut = 0
            self.close_connection = True
        self.wfile.write(body[: cut or None])

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def small_index() -> Iterator[SmallIndex]:
    with SmallIndex() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()
