"""`graphmem eval supersession` counts pairs by class, tells misses of one file only, and names a line that is none."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli import app
from api.eval_supersession import evaluate_supersession
from graphmem.errors import InvalidInput


def pair(class_: str, old: str, new: str, conflict: bool, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{class_}-1",
        "class": class_,
        "old": {"content": old, "createdAt": "2026-01-01T10:00:00Z"} | more,
        "new": {"content": new, "createdAt": "2026-02-01T10:00:00Z"} | more,
        "conflict": conflict,
    }


PAIRS = [
    pair("value", "The port is 80", "The port is 90", True),
    pair("value", "Ana sells pots", "Pots are gone", True),
    pair("value", "uses A", "uses B", True, claimKey="database"),
    pair("subjects", "The port is 80", "The port is 90", False),
    pair("scope", "The port is 80", "The port is 90", False, kind="constraint"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("tuned", "reported"):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, PAIRS)))
    return tmp_path


def test_the_table_has_every_class_the_whole_and_the_collateral(folder: Path) -> None:
    result = CliRunner().invoke(app, ["eval", "supersession", str(folder), "--misses", "tuned"])
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert "| tuned (3) | value | 1.000 | 0.667 | 0.800 | 2 | 3 | — |" in lines
    assert "| tuned (1) | scope | — | — | — | 0 | 0 | — |" in lines
    assert "| reported (5) | all | 0.667 | 0.667 | 0.667 | 3 | 3 | 0.98 / 0.90 |" in lines
    assert "| tuned | collateral across subjects | — | — | — | 1 | 0 | 0 |" in lines
    told = [line for line in lines if not line.startswith("|")]
    assert told == [
        "value: missed: Ana sells pots | Pots are gone",
        "subjects: wrong: The port is 80 | The port is 90",
    ]


def test_without_misses_none_are_told(folder: Path) -> None:
    result = CliRunner().invoke(app, ["eval", "supersession", str(folder)])
    assert all(line.startswith("|") for line in result.output.splitlines())


def test_facts_of_two_subjects_never_meet(tmp_path: Path) -> None:
    one = pair("subjects", "runs on port 80", "runs on port 90", False)
    one["old"]["subject"], one["new"]["subject"] = "orders", "billing"
    (tmp_path / "a.jsonl").write_text(json.dumps(one))
    assert evaluate_supersession(tmp_path)[0].collateral == 0


def test_a_line_that_is_none_is_named(folder: Path) -> None:
    (folder / "bad.jsonl").write_text(json.dumps(PAIRS[0]) + "\n{}")
    with pytest.raises(InvalidInput, match=r"bad\.jsonl, line 2, is no labelled pair: id"):
        evaluate_supersession(folder)


def test_an_empty_folder_and_a_missing_one_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no file in"):
        evaluate_supersession(tmp_path)
    result = CliRunner().invoke(app, ["eval", "supersession", str(tmp_path / "none")])
    assert isinstance(result.exception, InvalidInput)
