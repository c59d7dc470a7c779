"""Which indexes are asked for a wheel, how, and with which login: pip's and uv's settings before a local server."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest

from graphmem.adapters import downloads, package_index
from graphmem.adapters.downloads import PinnedFile, Route, fetch_all
from graphmem.adapters.package_index import DEFAULT_INDEX, Indexes, Wheel, fetch_wheel
from graphmem.errors import DownloadFailed, SetupFailed
from tests.small_index import SmallIndex, small_index

BODY = b"of a wheel" * 100
WHEEL = Wheel("tiny-model", "1.0", "tiny_model-1.0-py3-none-any.whl", len(BODY), hashlib.sha256(BODY).hexdigest())
NOWHERE = {"PIP_CONFIG_FILE": os.devnull, "UV_CONFIG_FILE": os.devnull}


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NETRC", os.devnull)
    monkeypatch.setattr(package_index, "BACKOFF_S", 0.001)
    monkeypatch.setattr(downloads, "BACKOFF_S", 0.001)


@pytest.fixture
def index() -> Iterator[SmallIndex]:
    with small_index() as server:
        server.files[WHEEL.file] = BODY
        yield server


def fetched(folder: Path, *urls: str, links: tuple[str, ...] = ()) -> bytes:
    return fetch_wheel(WHEEL, folder, advice="Do without.", indexes=Indexes(urls, links)).read_bytes()


@pytest.mark.parametrize("speaks_json", [True, False])
@pytest.mark.parametrize("names_the_hash", [True, False])
def test_both_kinds_of_pages_are_read(
    speaks_json: bool, names_the_hash: bool, index: SmallIndex, tmp_path: Path
) -> None:
    index.speaks_json = speaks_json
    index.files["tiny_model-1.0.tar.gz"] = b"the source"
    if not names_the_hash:
        index.hashes[WHEEL.file] = None
    assert fetched(tmp_path, index.url) == BODY


def test_the_next_index_is_asked_where_one_lacks_the_file(index: SmallIndex, tmp_path: Path) -> None:
    with small_index() as other:
        assert fetched(tmp_path, "http://127.0.0.1:9/simple", other.url, index.url) == BODY
    assert other.paths() == ["/simple/tiny-model/"]


def test_all_that_failed_is_named(index: SmallIndex, tmp_path: Path) -> None:
    index.package = "another"
    with pytest.raises(
        DownloadFailed, match=r"9/simple/tiny-model/ cannot be reached: .*; .*answered 404.* Do without"
    ):
        fetched(tmp_path, "http://127.0.0.1:9/simple", index.url)


@pytest.mark.parametrize("url", ["ftp://index.test/simple", "http://[::1/simple", "file:///simple"])
def test_an_index_that_is_no_address_is_named(url: str, tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match="cannot be asked"):
        fetched(tmp_path, url)


@pytest.mark.parametrize("login", ["me:s3cret", "me%40work:s3%2Fcret"])
def test_a_login_in_the_address_is_sent_for_page_and_file(login: str, index: SmallIndex, tmp_path: Path) -> None:
    index.login = "me:s3cret" if "%" not in login else "me@work:s3/cret"
    assert fetched(tmp_path, index.with_login(login)) == BODY
    assert {given for _, _, given in index.asked} == {index.login}


def test_a_login_of_netrc_is_sent(index: SmallIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "netrc"
    file.write_text("machine 127.0.0.1 login me password s3cret\n")
    file.chmod(0o600)
    monkeypatch.setenv("NETRC", str(file))
    index.login = "me:s3cret"
    assert fetched(tmp_path / "here", index.url) == BODY


def test_a_login_goes_to_no_other_server(index: SmallIndex, tmp_path: Path) -> None:
    with small_index() as other:
        other.files = index.files
        index.login, index.elsewhere = "me:s3cret", other.url.removesuffix("/simple")
        assert fetched(tmp_path, index.with_login("me:s3cret")) == BODY
    assert [given for _, _, given in other.asked] == [None]


@pytest.mark.parametrize("trouble", [401, 403, 503, "away", "file gone"])
def test_no_message_shows_a_login(
    trouble: int | str, index: SmallIndex, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    url = index.with_login("me:s3cret")
    match trouble:
        case "away":
            url = "http://me:s3cret@127.0.0.1:9/simple"
        case "file gone":
            index.elsewhere = "http://127.0.0.1:9"
        case int():
            index.status = trouble
    with pytest.raises(DownloadFailed, match=r"http://\*\*\*@127\.0\.0\.1") as caught:
        fetched(tmp_path, url)
    assert "s3cret" not in str(caught.value) + caplog.text


def test_neither_does_that_of_a_mirror_of_maven(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    file = PinnedFile("http://me:s3@cret@127.0.0.1:9/a.jar", "a.jar", 3, "0" * 64)
    with pytest.raises(DownloadFailed, match=r"http://\*\*\*@127\.0\.0\.1:9/a\.jar") as caught:
        fetch_all([file], tmp_path, advice="Do without.")
    assert "cret" not in str(caught.value) + caplog.text


def test_a_folder_of_links_needs_no_network(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / WHEEL.file).write_bytes(BODY)
    assert fetched(tmp_path / "here", links=("/nowhere", shelf.as_uri())) == BODY
    (shelf / WHEEL.file).write_bytes(b"another")
    with pytest.raises(DownloadFailed, match="no index is configured, and no folder"):
        fetched(tmp_path / "there", links=(str(shelf),))


def test_a_page_of_links_is_read(index: SmallIndex, tmp_path: Path) -> None:
    assert fetched(tmp_path, links=(f"{index.url}/tiny-model/",)) == BODY


def test_certificates_that_are_not_there_are_named(tmp_path: Path) -> None:
    indexes = Indexes(("https://127.0.0.1:9/simple",), route=Route(certificates=str(tmp_path / "none.pem")))
    with pytest.raises(SetupFailed, match=r"`cert` and `proxy` cannot be used.*Do without"):
        fetch_wheel(WHEEL, tmp_path, advice="Do without.", indexes=indexes)


def test_a_proxy_of_pip_is_used(index: SmallIndex, tmp_path: Path) -> None:
    """A proxy is asked for whole addresses, of which the small index knows none."""
    indexes = Indexes(("http://index.test/simple",), route=Route(proxy=index.url.removesuffix("/simple")))
    with pytest.raises(DownloadFailed, match="answered 404"):
        fetch_wheel(WHEEL, tmp_path, advice="Do without.", indexes=indexes)
    assert index.paths() == ["http://index.test/simple/tiny-model/"]


@pytest.mark.parametrize(
    ("environ", "urls"),
    [
        ({}, [DEFAULT_INDEX]),
        ({"PIP_INDEX_URL": "https://a.test/simple/"}, ["https://a.test/simple"]),
        ({"UV_DEFAULT_INDEX": "https://b.test/simple"}, ["https://b.test/simple"]),
        ({"UV_INDEX_URL": "https://b.test/simple"}, ["https://b.test/simple"]),
        (
            {"UV_DEFAULT_INDEX": "https://b.test", "UV_INDEX": "ours=https://c.test https://d.test/?a=b"},
            ["https://c.test", "https://d.test/?a=b", "https://b.test"],
        ),
        (
            {"PIP_INDEX_URL": "https://a.test", "PIP_EXTRA_INDEX_URL": "https://e.test https://a.test"},
            ["https://a.test", "https://e.test"],
        ),
        ({"PIP_NO_INDEX": "1", "PIP_INDEX_URL": "https://a.test"}, []),
    ],
)
def test_the_environment_of_pip_and_uv_is_read(environ: dict[str, str], urls: list[str]) -> None:
    assert list(Indexes.configured(NOWHERE | environ).urls) == urls


def test_the_files_of_pip_and_uv_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "site_config_dir", lambda *_, **__: str(tmp_path / "none"))
    monkeypatch.setattr(platformdirs, "user_config_dir", lambda *_, **__: str(tmp_path))
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://a.test/100%/simple\ncert = /a.pem\nproxy = http://proxy.test:3128\n"
        "[download]\nfind_links = /wheels\n"
    )
    (tmp_path / "uv.toml").write_text(
        'extra-index-url = ["https://c.test"]\n[[index]]\nurl = "https://b.test"\ndefault = true\n'
    )
    found = Indexes.configured({"UV_CONFIG_FILE": str(tmp_path / "uv.toml")})
    assert found.urls == ("https://b.test", "https://c.test", "https://a.test/100%/simple")
    assert (found.links, found.route) == (("/wheels",), Route("http://proxy.test:3128", "/a.pem"))
    assert Indexes.configured(NOWHERE).urls == (DEFAULT_INDEX,)
    (tmp_path / "pip.conf").write_text("no section\n")
    (tmp_path / "uv.toml").write_text("[")
    left = Indexes.configured({"UV_CONFIG_FILE": str(tmp_path / "uv.toml")})
    assert not {"https://a.test/100%/simple", "https://b.test"} & set(left.urls), "pip and uv say what is wrong there"
