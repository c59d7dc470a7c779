"""`graphmem try`: each line is answered by one line, in order, with nothing started and nothing written."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli import app
from api.cli_try import RULES
from graphmem.errors import InvalidInput
from graphmem.model.inputs import ContradictionQuestion
from graphmem.rules.contradiction.detector import check

Json = dict[str, Any]
Tried = Callable[..., list[Json]]

WITHOUT_NETWORK = """
import sys

def refuse(event, given):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        raise SystemExit(f"{event} {given} was called")

sys.addaudithook(refuse)
if sys.argv[1:] == ["dial"]:
    import socket
    socket.create_connection(("127.0.0.1", 9))
from api.cli import main
main()
"""
"""Runs the command line where every call to the network ends the process, imports and loading of models included."""


@pytest.fixture
def tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tried:
    """The answers to some lines; a line that is no bytes is written as JSON."""
    monkeypatch.chdir(tmp_path)

    def run(rule: str, *lines: Json | bytes) -> list[Json]:
        given = b"".join(
            (line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()) + b"\n"
            for line in lines
        )
        result = CliRunner().invoke(app, ["try", rule], input=given)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, result.output
        assert list(tmp_path.iterdir()) == []
        return [json.loads(line) for line in result.output.splitlines()]

    return run


def test_text_is_redacted_and_told_where_in_code_points(tried: Tried) -> None:
    text = "🔑 DB_PASSWORD=correct-horse"
    (answer,) = tried("redact", {"text": text, "patterns": ["password_assignment"]})
    assert answer["text"] == "🔑 DB_PASSWORD=[redacted password_assignment, 13 characters]"
    (found,) = answer["redactions"]
    assert found == {"pattern": "password_assignment", "start": 14, "end": 27}
    assert text[14:27] == "correct-horse"


def test_tool_calls_are_redacted_and_told_with_the_path(tried: Tried) -> None:
    call = {"function": {"name": "login", "arguments": '{"user": "ana", "password": "ab"}'}}
    (answer,) = tried("redact", {"toolCalls": [call], "patterns": "all"})
    assert answer["redactions"] == [
        {"pattern": "password_assignment", "path": "0.function.arguments.password", "start": 0, "end": 2}
    ]
    assert '"ab"' not in answer["toolCalls"][0]["function"]["arguments"]


@pytest.mark.parametrize(
    ("patterns", "kinds"),
    [("all", 2), ([], 0), (["api_key"], 1), ("API_KEY, password_assignment", 2)],
)
def test_only_the_named_patterns_are_tried(tried: Tried, patterns: Any, kinds: int) -> None:
    text = "password: hunter22 and ghp_a1B2a1B2a1B2a1B2a1B2a1B2"
    (answer,) = tried("redact", {"text": text, "patterns": patterns})
    assert len(answer["redactions"]) == kinds


@pytest.mark.parametrize(
    ("session", "source", "pattern"),
    [("cron:1", None, "cron:*"), ("cron:1:2", None, None), ("s", "slack", "slack"), ("s", "a", "a:s")],
)
def test_globs_are_tried_on_id_source_and_both(
    tried: Tried, session: str, source: str | None, pattern: str | None
) -> None:
    line = {"patterns": ["cron:*", "slack", "a:s"], "sessionId": session} | ({"source": source} if source else {})
    assert tried("glob", line) == [{"match": pattern is not None, "pattern": pattern}]


def test_contradictions_are_judged_as_by_the_route(tried: Tried) -> None:
    asked = {"old": {"content": "api runs on port 8080"}, "new": {"content": "api runs on port 9090"}}
    question = ContradictionQuestion.model_validate(asked)
    (answer,) = tried("contradiction", asked)
    assert answer == check(question.old, question.new).model_dump(mode="json")
    assert answer["conflict"] is True


def test_impact_reaches_what_depends_and_no_further(tried: Tried) -> None:
    edges = [
        {"source": "web", "target": "the API", "confidence": 0.9},
        {"source": "api", "target": "db", "confidence": 0.8},
        {"source": "api", "target": "db", "confidence": 0.7},
        {"source": "batch", "target": "db", "confidence": 0.5},
        {"source": "db", "target": "disk"},
    ]
    up, down, both = tried(
        "impact",
        *(
            {"dependencies": edges, "entityId": "DB", "direction": way, "minConfidence": 0.6}
            for way in ("upstream", "downstream", "both")
        ),
    )

    def reached(answer: Json) -> list[tuple[str, int, float]]:
        return [
            (one["id"], one["depth"], round(one["confidence"], 3)) for g in answer["groups"] for one in g["entities"]
        ]

    assert reached(up) == [("api", 1, 0.7), ("web", 2, 0.63)], "the later of two equal edges is the one that holds"
    assert reached(down) == [("disk", 1, 1.0)]
    assert reached(both) == [("disk", 1, 1.0), ("api", 1, 0.7), ("web", 2, 0.63)]
    assert [group["label"] for group in up["groups"]] == ["WILL BREAK", "LIKELY AFFECTED"]
    assert up["groups"][1]["entities"][0]["weakestEdge"]["source"]["name"] == "the API"


@pytest.mark.parametrize(
    ("line", "code", "position"),
    [
        (b"{bad", "invalid_json", 1),
        (b"", "invalid_json", 0),
        (b'{"text": "\xff"}', "invalid_json", 10),
        (b'{"text": NaN}', "invalid_json", None),
        (rb'{"text": "\ud800"}', "invalid_json", None),
        (b"[" * 100_000, "invalid_json", None),
        (b"[1]", "invalid_input", None),
        (b"{}", "invalid_input", None),
        (b'{"text": "a", "toolCalls": []}', "invalid_input", None),
        (b'{"text": "a", "patterns": ["passwords"]}', "invalid_input", None),
        (b'{"text": "a", "extra": 1}', "invalid_input", None),
    ],
)
def test_a_bad_line_answers_its_error_and_the_rest_goes_on(
    tried: Tried, line: bytes, code: str, position: int | None
) -> None:
    good = {"text": "fine"}
    first, wrong, last = tried("redact", good, line, good)
    assert first == last == {"text": "fine", "redactions": []}
    assert wrong["error"]["code"] == code
    assert wrong["error"]["message"]
    assert wrong["error"].get("position") == position


def test_an_entity_without_dependencies_is_not_found(tried: Tried) -> None:
    (answer,) = tried("impact", {"dependencies": [], "entityId": "db"})
    assert answer["error"]["code"] == "entity_not_found"


def test_an_unknown_rule_is_refused_and_those_there_are_are_named(tried: Tried) -> None:
    with pytest.raises(InvalidInput, match=", ".join(RULES)):
        tried("redcat")


def test_nothing_heavy_is_loaded_to_try_a_rule() -> None:
    """No web framework, driver or model: thousands of lines are tried while those would load."""
    heavy = "fastapi uvicorn neo4j spacy onnxruntime mcp"
    program = f"import sys, api.cli, api.cli_try; print([name for name in {heavy.split()} if name in sys.modules])"
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environ, check=False)
    assert (done.returncode, done.stdout) == (0, "[]\n")


def test_what_messages_say_is_extracted_with_its_places(tried: Tried) -> None:
    messages = [
        {"role": "user", "name": "Ana", "content": "🙂 ledger-api uses Redis. Never restart ledger-api by hand."},
        {"role": "user", "name": "Ana", "content": [{"type": "text", "text": "I live in Lisbon."}]},
    ]
    (answer,) = tried("extract", {"messages": messages})
    assert set(answer) == {"entities", "attributes", "constraints", "dependencies", "extractionLevel"}
    assert answer["extractionLevel"] == 1
    assert {"ledger-api", "Redis", "Ana", "Lisbon"} == {entity["name"] for entity in answer["entities"]}
    (redis,) = (entity for entity in answer["entities"] if entity["name"] == "Redis")
    (place,) = redis["mentions"]
    assert messages[0]["content"][place["start"] : place["end"]] == "Redis"
    (edge,) = answer["dependencies"]
    assert (edge["source"], edge["type"], edge["target"], edge["confidence"]) == ("ledger-api", "uses", "Redis", 0.8)
    (rule,) = answer["constraints"]
    assert (rule["entity"], rule["message"]) == ("ledger-api", 0)
    assert [(fact["entity"], fact["claimKey"]) for fact in answer["attributes"] if fact["message"] == 1] == [
        ("Ana", "lives_in")
    ]


def test_extraction_needs_messages_and_refuses_a_time_without_zone(tried: Tried) -> None:
    message = {"role": "user", "content": "hi", "createdAt": "2026-01-01T10:00:00"}
    none, zone, silent = tried("extract", {"messages": []}, {"messages": [message]}, {"messages": [{"role": "user"}]})
    assert [answer["error"]["code"] for answer in (none, zone, silent)] == ["invalid_input"] * 3
    assert "messages.0.createdAt" in zone["error"]["message"]


TURNS = [
    {"id": "a", "role": "user", "O1": 9, "O2": 8, "novelty": 0.9, "importance": 8, "embedding": [1, 0]},
    {"id": "b", "O1": 8, "importance": 2, "embedding": [0.8, 0.6], "tags": ["api.py"], "sessionId": "s"},
    {"id": "c", "O2": 6, "novelty": 0.2, "embedding": [0, 1], "paradigmShift": True},
]


def test_a_lattice_query_answers_ids_in_the_order_given(tried: Tried) -> None:
    queries = {
        "(O1 > 7) AND (O2 > 7)": ["a"],
        "O2 + O1": ["a", "b", "c"],
        "NOT O1": ["c"],
        "O1[tag=api.py] + O1[session_id=s]": ["b"],
        "O1[user]": ["a"],
        "O1[is_routine=true]": ["b"],
        "(O1 + O2) & O2[is_paradigm_shift=true]": ["a", "c"],
        "novelty < 0.5": ["c"],
        "O3 < 5": ["a", "b", "c"],
    }
    answers = tried("lattice", *({"query": query, "turns": TURNS} for query in queries))
    assert answers == [{"ids": found} for found in queries.values()]
    (none,) = tried("lattice", {"query": "NOT O1", "turns": []})
    assert none == {"ids": []}


def test_a_lattice_query_that_compares_meaning_answers_pairs(tried: Tried) -> None:
    meet, projection, operand = tried(
        "lattice", *({"query": query, "turns": TURNS} for query in ("O1 ~ O2", "O2 -> O1", "(O1 ~ O2) & O2"))
    )
    assert meet == {"pairs": [{"left": "b", "right": "a", "similarity": 0.8}]}
    assert projection["ids"] == ["b"]
    assert [(pair["left"], pair["right"]) for pair in projection["pairs"]] == [("a", "b"), ("c", "b")]
    assert operand == {"ids": ["a"]}


def test_a_mistake_in_a_lattice_query_is_told_with_kind_and_place(tried: Tried) -> None:
    wrong, good, many = tried(
        "lattice",
        {"query": "O1 and O2", "turns": TURNS},
        {"query": "O1", "turns": TURNS},
        {"query": " & ".join(f"O{n} != {m}" for n in range(1, 8) for m in (1, 2)), "turns": []},
    )
    assert wrong["error"]["code"] == "invalid_query"
    assert (wrong["error"]["kind"], wrong["error"]["position"]) == ("lower_case", 3)
    assert good == {"ids": ["a", "b"]}
    assert many["error"]["kind"] == "too_complex"


def test_a_conversation_is_analysed_as_the_service_would(tried: Tried) -> None:
    said = [
        {"role": "user", "text": "We must encrypt the access tokens and rotate the leaked credentials."},
        {
            "role": "assistant",
            "text": "",
            "toolCalls": [{"function": {"name": "Bash", "arguments": '{"command":"ls"}'}}],
        },
        {"role": "user", "text": "ok thanks"},
        {"role": "user", "text": "As we said earlier, encrypt the access tokens in src/tokens.py."},
    ]
    (answer,) = tried("overlays", {"turns": said})
    first, call, thanks, last = answer["turns"]
    assert answer["embedder"] == "all-MiniLM-L6-v2"
    assert first["O2"] == max(first[f"O{number}"] for number in range(1, 8)) >= 6
    assert first["evidence"]["O2"][0]["items"]
    assert call["O5"] >= 6
    assert (first["novelty"], thanks["class"]) == (0.5, "compressed")
    assert (last["references"], last["tags"]) == ([0], ["src/tokens.py"])
    assert all(set(turn) >= {"novelty", "importance", "paradigmShift", "class"} for turn in answer["turns"])
    assert tried("overlays", {"turns": said}) == [answer]


def test_scores_make_an_importance_and_a_class(tried: Tried) -> None:
    scores = {"O1": 5, "O2": 5, "O3": 5}
    balanced, additive = tried(
        "importance",
        {"novelty": 0.5, "overlays": scores},
        {"novelty": 0.5, "overlays": scores, "formula": "additive"},
    )
    assert balanced == {"importance": 5, "class": "summarized"}
    assert additive == {"importance": 10, "class": "preserved"}


def test_vectors_make_a_novelty_and_those_that_do_not_fit_an_error(tried: Tried) -> None:
    plain, calibrated, first, mixed, unknown, upside_down = tried(
        "novelty",
        {"embedding": [1, 0], "previous": [[0, 1]]},
        {"embedding": [1, 0], "previous": [[0.6, 0.8]], "calibration": {"lo": 0.2, "hi": 1.0}},
        {"embedding": [1, 0]},
        {"embedding": [1, 0], "previous": [[1]]},
        {"embedding": [1, 0], "calibration": "nobody"},
        {"embedding": [1, 0], "calibration": {"lo": 1, "hi": 1}},
    )
    assert plain == {"raw": 1.0, "novelty": 1.0}
    assert calibrated == {"raw": 0.4, "novelty": 0.25}
    assert first == {"raw": 0.5, "novelty": 0.5}
    assert [one["error"]["code"] for one in (mixed, unknown, upside_down)] == ["invalid_input"] * 3


ASKED = {"role": "user", "text": "Which port does the ledger run on?"}
ANSWERED = {"role": "assistant", "content": "It runs on port 7000 of the second host, behind the team's proxy."}


@pytest.mark.parametrize(
    ("given", "reasons"),
    [
        ({"turns": [ASKED, ANSWERED] * 5}, ["turns"]),
        ({"turns": [ASKED, ANSWERED] * 4}, []),
        ({"turns": [ASKED, ANSWERED] * 4, "thresholds": {"minTurns": 4}}, ["turns"]),
        ({"turns": [], "entityHits": 1}, ["entities"]),
        ({"turns": [], "entityHits": 1, "thresholds": {"minEntityOverlap": 2}}, []),
        ({"turns": [], "novelty": 0.15}, ["novelty"]),
        ({"turns": [], "novelty": 0.15, "thresholds": {"noveltyThreshold": 0.2}}, []),
    ],
)
def test_the_gate_is_tried_on_turns_and_figures(tried: Tried, given: Json, reasons: list[str]) -> None:
    (answer,) = tried("gate", {"entityHits": 0, "novelty": 0.1} | given)
    assert (answer["significant"], answer["reasons"]) == (bool(reasons), reasons)


def test_the_gate_is_tried_with_the_settings_thresholds(tried: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_MIN_TURNS", "0")
    (answer,) = tried("gate", {"turns": [], "entityHits": 0, "novelty": 0})
    assert (answer["reasons"], answer["thresholds"]["minTurns"]) == (["turns"], 0)
    (wrong,) = tried("gate", {"turns": [], "entityHits": 0, "novelty": 2})
    assert "novelty" in wrong["error"]["message"]


def test_the_mode_of_a_conversation_is_told_with_its_points(tried: Tried) -> None:
    call = {"role": "assistant", "toolCalls": [{"function": {"name": "Read", "arguments": '{"path": "a.py"}'}}]}
    scored = {"role": "user", "text": "x", "O1": 9, "O5": 9}
    quest, structural, chat = tried(
        "mode", {"turns": [call] * 6}, {"turns": [scored]}, {"turns": [{"role": "user", "text": "a -> b > c"}] * 20}
    )
    assert (quest["mode"], quest["score"], quest["parts"]["tools"], quest["parts"]["files"]) == ("quest", 5, 3, 2)
    assert (structural["mode"], structural["parts"]["structure"]) == ("chat", 3)
    assert (chat["mode"], chat["score"]) == ("chat", 0)


def test_what_a_budget_leaves_of_turns_is_told(tried: Tried) -> None:
    turns = [
        {"id": "a", "tokens": 100, "importance": 2},
        {"id": "b", "tokens": 100, "importance": 5},
        {"id": "c", "tokens": 100, "importance": 3, "paradigmShift": True},
    ]
    fits, tight = tried("compression", {"turns": turns, "budget": 200}, {"turns": turns, "budget": 0})
    assert fits == {"preserved": ["c"], "summarized": ["b"], "compressed": ["a"], "left": [], "usedTokens": 140}
    assert tight == {"preserved": ["c"], "summarized": [], "compressed": [], "left": ["b", "a"], "usedTokens": 100}


def test_the_budget_and_the_bounds_of_compression_are_the_settings(
    tried: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = [{"id": "a", "tokens": 150_000, "importance": 5}, {"id": "b", "tokens": 150_000, "importance": 4}]
    (seed,) = tried("compression", {"turns": turns})
    assert (seed["left"], seed["compressed"], seed["usedTokens"]) == ([], ["a", "b"], 30_000)
    monkeypatch.setenv("GRAPHMEM_COMPRESSION_TARGET", "20000")
    monkeypatch.setenv("GRAPHMEM_PRESERVE_THRESHOLD", "5")
    (own,) = tried("compression", {"turns": turns})
    assert (own["preserved"], own["left"]) == (["a"], ["b"])
    (given,) = tried("compression", {"turns": turns, "budget": 0})
    assert given["left"] == ["b"]


def test_extraction_makes_no_call_to_the_network(tmp_path: Path) -> None:
    def run(*given: str) -> "subprocess.CompletedProcess[bytes]":
        said = {
            "messages": [
                {"role": "user", "name": "Ana", "content": "ledger-api uses Redis. See https://example.com/x."}
            ]
        }
        return subprocess.run(
            [sys.executable, "-c", WITHOUT_NETWORK, *given],
            input=json.dumps(said).encode(),
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=False,
            timeout=300,
        )

    dialled = run("dial")
    assert dialled.returncode == 1, "a call would be noticed"
    assert b"was called" in dialled.stderr
    tried = run("try", "extract")
    assert tried.returncode == 0, tried.stderr.decode()
    assert [one["name"] for one in json.loads(tried.stdout)["entities"]] == ["ledger-api", "Redis"]
