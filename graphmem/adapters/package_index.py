"""Finds a file in the package indexes that pip or uv use here, by their simple API (PEP 503 and 691).

A file is identified by its hash, so it does not matter which index has it: all that are configured are asked, in order.
"""

import configparser
import netrc
import os
import re
import shlex
import shutil
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx
import platformdirs
from pydantic import BaseModel, ValidationError

from graphmem.adapters.downloads import TRANSIENT_STATUS, PinnedFile, Route, fetch_all, shown, split_login
from graphmem.errors import DownloadFailed, SetupFailed

DEFAULT_INDEX = "https://pypi.org/simple"
ATTEMPTS = 3
BACKOFF_S = 0.5
_ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"


@dataclass(frozen=True)
class Indexes:
    """`urls` of indexes, to which `/<package>/` is added, before `links`: folders and pages with files of any package.
    Where neither is configured, `urls` is the public index."""

    urls: tuple[str, ...]
    links: tuple[str, ...] = ()
    route: Route = field(default_factory=Route)

    @classmethod
    def configured(cls, environ: Mapping[str, str] | None = None) -> "Indexes":
        """The configuration in the environment and the files of pip and uv; the environment first."""
        environ = os.environ if environ is None else environ
        pip, uv = _pip_options(environ), _uv_indexes(environ)
        urls = [
            *(re.sub(r"^[\w.-]+=", "", index) for index in _words(environ, "UV_INDEX")),  # a name may come before it
            *_words(environ, "UV_EXTRA_INDEX_URL"),
            environ.get("UV_DEFAULT_INDEX") or environ.get("UV_INDEX_URL") or "",
            *uv,
        ]
        if pip.get("no-index", "").lower() not in ("1", "true", "yes", "on"):
            urls += [pip.get("index-url", ""), *pip.get("extra-index-url", "").split()]
            urls = [url for url in urls if url] or [DEFAULT_INDEX]
        links = (*shlex.split(pip.get("find-links", "")), *_words(environ, "UV_FIND_LINKS"))
        route = Route(pip.get("proxy") or None, pip.get("cert") or None)
        return cls(tuple(dict.fromkeys(url.rstrip("/") for url in urls if url)), tuple(links), route)


@dataclass(frozen=True)
class Wheel:
    """One file of a package."""

    package: str
    version: str
    file: str
    size: int
    sha256: str

    def __str__(self) -> str:
        return f"{self.package}=={self.version}"


def fetch_wheel(wheel: Wheel, folder: Path, *, advice: str, indexes: Indexes | None = None) -> Path:
    """The file in `folder`, checked; a partial download is kept there and resumed.

    Errors: `DownloadFailed` where no index has it or can be reached, `SetupFailed` for a full disk or an unusable
    option of pip. `advice` ends both messages.
    """
    indexes = indexes or Indexes.configured()
    target = folder / wheel.file
    folder.mkdir(parents=True, exist_ok=True)
    local = next((path for link in indexes.links if (path := _path(link) / wheel.file).is_file()), None)
    if local is not None:
        shutil.copyfile(local, target)  # checked below as if it had been fetched
    pinned = PinnedFile("", wheel.file, wheel.size, wheel.sha256)
    if not (target.is_file() and pinned.matches(target)):
        url = _locate(wheel, indexes, advice)
        pinned = PinnedFile(url, wheel.file, wheel.size, wheel.sha256)
    fetch_all([pinned], folder, advice=advice, route=indexes.route)
    return target


# Asking


class _Hashes(BaseModel):
    sha256: str | None = None


class _File(BaseModel):
    filename: str
    url: str
    hashes: _Hashes = _Hashes()


class _Page(BaseModel):
    files: list[_File]


class _NotHere(Exception):
    """What one index returned instead of the file; reported for that index."""


def _locate(wheel: Wheel, indexes: Indexes, advice: str) -> str:
    pages = [f"{url}/{wheel.package}/" for url in indexes.urls]
    pages += [link for link in indexes.links if link.startswith(("http://", "https://"))]
    reasons = []
    try:
        client = indexes.route.client()
    except (OSError, ValueError) as error:
        raise SetupFailed(f"pip's options `cert` and `proxy` cannot be used: {shown(str(error))}. {advice}") from error
    with client:
        for page in pages:
            try:
                return _on_page(client, page, wheel)
            except _NotHere as reason:
                reasons.append(f"{shown(page)} {reason}")
    said = "; ".join(reasons) or "no index is configured, and no folder of `find-links` has it"
    raise DownloadFailed(
        f"{wheel} could not be fetched: {said}. Check the network, the proxy and the package index that is set for pip "
        f"or uv, then start again. {advice}"
    )


def _on_page(client: httpx.Client, page: str, wheel: Wheel) -> str:
    """The address of the file from a page of an index, with its login."""
    response = _get(client, page)
    listed = _listed(response)
    named = [file for file in listed if file.filename == wheel.file]
    right = [file for file in named if file.hashes.sha256 in (None, wheel.sha256)]
    if not right:
        raise _NotHere("has another file of that name than the pinned one" if named else "does not list it")
    found, index = response.url.join(right[0].url).copy_with(fragment=None), httpx.URL(page)
    if not found.userinfo and index.userinfo and _server(found) == _server(index):
        found = found.copy_with(username=index.username, password=index.password)
    return str(_with_login(found))


def _get(client: httpx.Client, page: str) -> httpx.Response:
    reason = ""
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(BACKOFF_S * 2**attempt)
        try:
            url, login = split_login(str(_with_login(httpx.URL(page))))
            response = client.get(url, headers={"Accept": _ACCEPT}, auth=login)
        except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.TooManyRedirects) as error:
            raise _NotHere(f"cannot be asked: {shown(str(error))}") from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            reason = f"cannot be reached: {shown(str(error)) or type(error).__name__}"
            continue
        if response.status_code == httpx.codes.OK:
            return response
        reason = f"answered {response.status_code}"
        if response.status_code not in TRANSIENT_STATUS:
            break
    raise _NotHere(reason)


def _listed(response: httpx.Response) -> list[_File]:
    if "json" in response.headers.get("content-type", ""):
        try:
            return _Page.model_validate_json(response.content).files
        except ValidationError:
            raise _NotHere("answered with no page of an index") from None
    reader = _Links()
    reader.feed(response.text)
    return [_linked(link) for link in reader.links]


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        link = dict(attrs).get("href")
        if tag == "a" and link:
            self.links.append(link)


def _linked(link: str) -> _File:
    parts = urlsplit(link)
    kind, _, digest = parts.fragment.partition("=")
    hashes = _Hashes(sha256=digest if kind == "sha256" else None)
    return _File(filename=unquote(parts.path.rpartition("/")[2]), url=link, hashes=hashes)


def _server(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _with_login(url: httpx.URL) -> httpx.URL:
    """The address with the login that `.netrc` has for its server, unless it has one."""
    if url.userinfo:
        return url
    try:
        found = netrc.netrc(os.environ.get("NETRC")).authenticators(url.host)
    except (OSError, netrc.NetrcParseError):
        return url
    return url.copy_with(username=found[0], password=found[2]) if found else url


# What is configured


def _words(environ: Mapping[str, str], name: str) -> list[str]:
    return environ.get(name, "").replace(",", " ").split()


def _path(link: str) -> Path:
    return Path(unquote(urlsplit(link).path) if link.startswith("file:") else link).expanduser()


def _pip_options(environ: Mapping[str, str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for file in _pip_files(environ):
        parser = configparser.RawConfigParser()
        try:
            parser.read(file, encoding="utf-8")
        except (OSError, UnicodeDecodeError, configparser.Error):
            continue  # pip itself says what is wrong with it
        for section in ("global", "download"):
            if parser.has_section(section):
                options |= {name.replace("_", "-"): value for name, value in parser.items(section)}
    pip = {name[4:].lower().replace("_", "-"): value for name, value in environ.items() if name.startswith("PIP_")}
    return options | pip


def _pip_files(environ: Mapping[str, str]) -> Iterator[Path]:
    given = environ.get("PIP_CONFIG_FILE")
    if given == os.devnull:
        return
    name = "pip.ini" if sys.platform == "win32" else "pip.conf"
    for folder in platformdirs.site_config_dir("pip", appauthor=False, multipath=True).split(os.pathsep):
        yield Path(folder) / name
    if sys.platform != "win32":
        yield Path("/etc") / name
    home = Path.home()
    yield home / "pip" / name if sys.platform == "win32" else home / ".pip" / name
    yield Path(platformdirs.user_config_dir("pip", appauthor=False, roaming=True)) / name
    if sys.platform == "darwin":
        yield home / ".config" / "pip" / name
    yield Path(sys.prefix) / name
    if given:
        yield Path(given)


def _uv_indexes(environ: Mapping[str, str]) -> list[str]:
    given = environ.get("UV_CONFIG_FILE")
    user = Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "uv" / "uv.toml"
    urls: list[str] = []
    for file in [Path(given)] if given else [user, Path("/etc/uv/uv.toml")]:
        try:
            options: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
            continue  # uv itself says what is wrong with it
        named: Any = options.get("index", [])
        urls += [index["url"] for index in named if isinstance(index, dict) and "url" in index]
        urls += [options.get("index-url", ""), *options.get("extra-index-url", [])]
    return [url for url in urls if isinstance(url, str)]
