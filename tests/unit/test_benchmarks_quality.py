"""The page of quality: rules and the scripted model read the same conversations."""

import json
from pathlib import Path

import pytest

from benchmarks.quality import extraction_rows
from graphmem.rules.evaluation.tally import KINDS

SAID: dict[str, object] = {
    "id": "ops-1",
    "topic": "ops",
    "project": "atlas",
    "messages": [{"role": "user", "content": "ledger-api uses Redis. Never restart ledger-api by hand."}],
    "entities": [{"name": "ledger-api", "type": "system"}, {"name": "Redis", "type": "tool"}],
    "attributes": [{"entity": "ledger-api", "says": ["uses", "Redis"], "message": 0}],
    "constraints": [{"entity": "ledger-api", "says": ["never", "restart"], "message": 0}],
    "dependencies": [{"source": "ledger-api", "target": "Redis", "type": "uses"}],
}


def test_rows_of_the_rules_are_followed_by_those_of_the_scripted_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_MODEL_URL", "http://192.0.2.1/v1")  # is not asked
    (tmp_path / "tuned").mkdir()
    (tmp_path / "tuned" / "ops-1.json").write_text(json.dumps(SAID))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in extraction_rows(tmp_path)[2:]]
    assert [row[1] for row in rows if row[0].startswith("tuned, model")] == [
        *KINDS,
        "entities in noise",
        "read by rules",
    ]
    by_model = {row[1]: row[2:6] for row in rows if row[0] == "tuned, model (1)"}
    assert by_model["entities"] == ["1.000", "1.000", "1.000", "2"]
    assert by_model["dependencies"] == ["1.000", "1.000", "1.000", "1"]
    assert by_model["constraints"] == ["1.000", "1.000", "1.000", "1"], "what it invents is refused"
    assert rows[-1][5] == "0", "the model answered, and nobody stood in for it"
    assert {row[1]: row[3] for row in rows if row[0] == "tuned (1)"}["constraints"] == "1.000"
