import json
import os
import stat
from pathlib import Path

import pytest

from graphmem.adapters.neo4j_home import ServerHome, ServerState, last_lines, says_since, size
from graphmem.errors import ServerFailed


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_password_is_made_once_and_is_for_its_user_only(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    home.ensure_password()
    first = home.password()
    home.ensure_password()
    assert home.password() == first
    assert len(first) >= 32
    assert mode(home.password_file) == 0o600
    assert mode(tmp_path / "data" / "dbms" / "auth.ini") == 0o600
    assert first not in (tmp_path / "data" / "dbms" / "auth.ini").read_text()


def test_before_the_first_start_there_is_no_password(tmp_path: Path) -> None:
    with pytest.raises(ServerFailed, match="graphmem db start"):
        ServerHome(tmp_path).password()


def test_what_a_kill_left_of_a_password_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "password.new").write_text("half")
    (tmp_path / "password").write_text("")
    home = ServerHome(tmp_path)
    home.ensure_password()
    assert len(home.password()) >= 32
    assert not (tmp_path / "password.new").exists()


def test_a_lost_password_of_an_existing_database_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "data" / "databases" / "system").mkdir(parents=True)
    with pytest.raises(ServerFailed, match="is lost"):
        ServerHome(tmp_path).ensure_password()
    assert not (tmp_path / "password").exists()


def test_state_comes_back_as_it_was(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    state = ServerState(bolt_port=1, http_port=None, pid=3, created=4.5)
    home.remember(state)
    assert home.state() == state
    assert state.uri == "bolt://127.0.0.1:1"
    assert state.http_url is None


@pytest.mark.parametrize("damaged", ["", "{", "[]", json.dumps({"port": 1})])
def test_a_damaged_state_counts_as_none(tmp_path: Path, damaged: str) -> None:
    (tmp_path / "state.json").write_text(damaged)
    assert ServerHome(tmp_path).state() is None


def test_the_console_log_of_the_last_run_is_kept(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    home.set_logs_aside()
    home.console_log.write_text("why it ended")
    home.set_logs_aside()
    assert (tmp_path / "console.log.old").read_text() == "why it ended"


def test_last_lines_leave_blank_ones_out(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert last_lines(log) == ""
    log.write_text("".join(f"line {n}\n\n" for n in range(20_000)))
    assert last_lines(log).splitlines() == [f"line {n}" for n in range(19_988, 20_000)]


def test_only_words_after_the_offset_count(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert size(log) == 0
    assert not says_since(log, 0, "stopped")
    log.write_text("stopped\n")
    assert not says_since(log, size(log), "stopped")
    assert says_since(log, 0, "stopped")


def test_last_words_are_those_of_this_run(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    home.neo4j_log.parent.mkdir()
    home.neo4j_log.write_text("Stopped.\n")
    home.set_logs_aside()
    assert home.last_words() == ""
    with home.neo4j_log.open("a") as log:
        log.write("Starting...\n")
    assert home.last_words() == "Starting..."
    home.console_log.write_text("the reason\n")
    assert home.last_words() == "the reason"


def make_store(home: ServerHome) -> None:
    (home.folder / "data" / "databases" / "system").mkdir(parents=True)


def test_a_store_that_never_answered_is_set_aside_and_its_password_stays(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    home.ensure_password()
    password = home.password()
    make_store(home)
    remains = home.set_unfinished_store_aside()
    assert remains is not None
    assert (remains / "databases" / "system").exists()
    home.ensure_password()
    make_store(home)
    assert home.set_unfinished_store_aside() not in (None, remains)
    assert home.password() == password


def test_a_store_that_answered_is_never_touched(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    home.ensure_password()
    make_store(home)
    home.store_answered()
    assert home.set_unfinished_store_aside() is None
    home.ensure_password()
    assert home.set_unfinished_store_aside() is None
    assert home.has_users


def test_a_store_put_there_by_someone_else_is_never_touched(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    make_store(home)
    assert home.set_unfinished_store_aside() is None


def graph(folder: Path, text: str) -> ServerHome:
    """A home with a graph of two files, and users."""
    for part in ("databases/neo4j", "transactions/neo4j", "databases/system"):
        (folder / "data" / part).mkdir(parents=True)
        (folder / "data" / part / "file").write_text(text)
    return ServerHome(folder)


def graph_of(home: ServerHome) -> set[str]:
    parts = ("databases/neo4j", "transactions/neo4j")
    return {(home.folder / "data" / part / "file").read_text() for part in parts}


def test_an_exchanged_graph_comes_without_its_users_and_can_be_taken_back(tmp_path: Path) -> None:
    mine, other = graph(tmp_path / "mine", "mine"), graph(tmp_path / "other", "other")
    previous = mine.exchange_store(other)
    assert graph_of(mine) == {"other"}
    assert (mine.folder / "data" / "databases" / "system" / "file").read_text() == "mine"
    assert not mine.take_store_back(), "nothing was cut short"
    assert mine.take_store_back(previous)
    assert graph_of(mine) == {"mine"}
    assert not previous.exists()


@pytest.mark.parametrize("moves", range(5))
def test_an_exchange_that_was_cut_short_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int) -> None:
    mine, other = graph(tmp_path / "mine", "mine"), graph(tmp_path / "other", "other")
    replace, left = os.replace, iter(range(moves))

    def killed_after_some(source: Path, target: Path) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(os, "replace", killed_after_some)
    with pytest.raises(KeyboardInterrupt):
        mine.exchange_store(other)
    monkeypatch.undo()
    assert mine.take_store_back()
    assert graph_of(mine) == {"mine"}
    assert not mine.take_store_back()
