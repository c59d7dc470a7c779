"""`graphmem eval truth` on a service that runs: what it counts is what the service shows."""

import json
from pathlib import Path

import pytest

from tests.service import Cli, Service

STORY = {
    "id": "pump",
    "door": "sessions",
    "sessions": [
        {
            "start": "2026-01-05T09:00:00Z",
            "messages": [{"role": "user", "content": "pump-service runs on port 8080. Noor owns pump-service."}],
        },
        {
            "start": "2026-03-05T09:00:00Z",
            "messages": [{"role": "user", "content": "pump-service runs on port 9090."}],
        },
    ],
    "asks": [
        {"q": "Which port does pump-service run on?", "now": ["9090"], "stale": ["8080"]},
        {"q": "Who owns pump-service?", "now": ["Noor"]},
    ],
    "keep": [["Noor", "owns"]],
    "never": ["noor: .*port"],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps([STORY]))
    return file


def test_a_story_is_told_asked_and_counted(cli: Cli, service: Service, file: Path) -> None:
    done = cli("eval", "truth", str(file), "--url", service.url, "--misses", "mine")
    assert done.returncode == 0, done.stderr
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines() if "|" in line]
    counted = {row[1]: row[2:] for row in rows if row[0] == "mine (1)"}
    assert counted["first hit right, value changed"] == ["1.00", "1", "1"], done.stdout
    assert counted["first hit right"] == ["1.00", "2", "2"], done.stdout
    assert counted["stale shown unmarked (lower is better)"] == ["0.00", "0", "1"]
    assert counted["stories with a false fact (lower is better)"] == ["0.00", "0", "1"]
    assert counted["kept what must stay"] == ["1.00", "1", "1"]


def test_a_file_without_stories_is_refused_with_the_place(cli: Cli, service: Service, file: Path) -> None:
    file.write_text(json.dumps([STORY | {"asks": [{"q": "Where?"}]}]))
    done = cli("eval", "truth", str(file), "--url", service.url)
    assert done.returncode == 2
    assert "mine.json: 0.asks.0" in done.stderr
