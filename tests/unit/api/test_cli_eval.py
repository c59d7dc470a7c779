"""`graphmem eval extraction` prints the shares by kind, tells misses on request, and says what is wrong with a file."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli import app
from api.cli_eval import GOALS, conversations, evaluate_extraction
from benchmarks.scripted_reader import INVENTED, LabelledReader
from graphmem.errors import InvalidInput
from tests.scripted_model import refusal, scripted_model

GOOD: dict[str, Any] = {
    "id": "ops-1",
    "topic": "ops",
    "project": "atlas",
    "messages": [
        {"role": "user", "name": "Ana", "content": "ledger-api uses Redis. Never restart ledger-api by hand."}
    ],
    "entities": [
        {"name": "ledger-api", "type": "system"},
        {"name": "Redis", "type": "tool"},
        {"name": "Kafka", "type": "tool"},
    ],
    "attributes": [{"entity": "ledger-api", "says": ["uses", "Redis"], "message": 0}],
    "constraints": [{"entity": "ledger-api", "says": ["never", "restart"], "message": 0}],
    "dependencies": [{"source": "ledger-api", "target": "Redis", "type": "uses"}],
}
NOISE = {key: [] for key in ("entities", "attributes", "constraints", "dependencies")} | {
    "id": "noise-1",
    "topic": "noise",
    "project": None,
    "messages": [{"role": "user", "content": "hi there, how are you?"}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tuned").mkdir()
    for one in (GOOD, NOISE):
        (tmp_path / "tuned" / f"{one['id']}.json").write_text(json.dumps(one))
    return tmp_path


def test_the_table_has_every_kind_and_its_goal(folder: Path) -> None:
    result = CliRunner().invoke(app, ["eval", "extraction", str(folder), "--misses", "tuned"])
    assert result.exit_code == 0, result.output
    rows = {line.split("|")[2].strip(): line for line in result.output.splitlines() if line.startswith("| tuned")}
    assert set(rows) == {*GOALS, "entities in noise"}
    assert rows["entities"] == "| tuned (2) | entities | 1.000 | 0.667 | 0.800 | 2 | 3 | 0.90 / 0.85 |"
    assert rows["constraints"] == "| tuned (2) | constraints | 1.000 | 1.000 | 1.000 | 1 | 1 | 0.90 / 0.90 |"
    assert rows["entities in noise"].split("|")[6].strip() == "0"
    assert "ops-1: entities: missed: Kafka" in result.output


def test_with_a_model_its_rows_follow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_model() as server:
        server.script = [refusal(400)] * 3
        monkeypatch.setenv("GRAPHMEM_MODEL_URL", server.url)
        monkeypatch.setenv("GRAPHMEM_MODEL_NAME", "m")
        result = CliRunner().invoke(app, ["eval", "extraction", str(folder)])
    assert result.exit_code == 0, result.output
    rows = [line.split(" | ") for line in result.output.splitlines() if line.startswith("| tuned, model")]
    assert [row[1] for row in rows] == [*GOALS, "entities in noise", "read by rules"]
    assert rows[0] == ["| tuned, model (2)", "entities", "1.000", "0.667", "0.800", "2", "3", "0.90 / 0.85 |"]
    assert rows[2][2:7] == ["—", "0.000", "—", "0", "1"], "this model knows no constraints"
    assert rows[-1][5] == "1", "the first conversation was refused"
    assert "| tuned (2) | constraints | 1.000 | 1.000 |" in result.output


def test_what_a_reader_who_knows_the_labels_says_arrives_and_what_it_invents_does_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_model() as server:
        server.otherwise = LabelledReader(conversations(folder / "tuned"))
        monkeypatch.setenv("GRAPHMEM_MODEL_URL", server.url)
        monkeypatch.setenv("GRAPHMEM_MODEL_NAME", "m")
        _, read = evaluate_extraction(folder)
    assert read.by_model
    assert read.fallbacks == 0
    assert all(INVENTED in json.dumps(server.otherwise(asked)) for asked in server.asked)
    assert {kind: (tally.right, tally.wrong, tally.missed) for kind, tally in read.tallies.items()} == {
        "entities": (2, (), ("Kafka",)),  # labelled, but nobody names it
        "attributes": (1, (), ()),
        "constraints": (1, (), ()),
        "dependencies": (1, (), ()),
    }


def test_a_file_that_is_none_is_named(folder: Path) -> None:
    (folder / "tuned" / "bad.json").write_text(json.dumps(GOOD | {"topic": "sports"}))
    with pytest.raises(InvalidInput, match=r"bad\.json is no labelled conversation: topic"):
        evaluate_extraction(folder)


def test_an_empty_folder_and_an_unknown_part_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no folder in"):
        evaluate_extraction(tmp_path)
    result = CliRunner().invoke(app, ["eval", "taste", str(tmp_path)])
    assert isinstance(result.exception, InvalidInput)


def test_a_conversation_is_read_in_chunks_that_know_what_the_ones_before_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each chunk names six new things, and again those of the one before: together they would be too many for one."""
    letters = [f"{one}lamp" for one in "abcdefghijklmnopqrstuvwxy"]
    links = zip(letters[::2], letters[1::2], letters[2::2], strict=False)
    messages = [
        {"role": "user", "content": f"{a}-service uses {b}-service. {a}-service uses {c}-service."} for a, b, c in links
    ]
    names = [{"name": f"{one}-service", "type": "system"} for one in letters]
    labelled = GOOD | {"messages": messages, "entities": names, "attributes": [], "constraints": [], "dependencies": []}
    (tmp_path / "tuned").mkdir()
    (tmp_path / "tuned" / "ops-1.json").write_text(json.dumps(labelled))
    found = {}
    for most in ("3", "12"):
        monkeypatch.setenv("GRAPHMEM_EXTRACTION_CHUNK_MESSAGES", most)
        (read,) = evaluate_extraction(tmp_path)
        found[most] = (read.tallies["entities"].right, len(read.tallies["dependencies"].wrong))
    assert found["3"] == (25, 24), "every name once, though chunks share some"
    assert found["12"] == found["3"], "a chunk of more messages than fit its limits is halved"
    whole = {"role": "user", "content": " ".join(message["content"] for message in messages)}
    (tmp_path / "tuned" / "ops-1.json").write_text(json.dumps(labelled | {"messages": [whole]}))
    (read,) = evaluate_extraction(tmp_path)
    assert read.tallies["entities"].right == 5, "one message is cut at the limits"
