"""`graphmem eval continuity` counts what the rules or a service see, and what is left of a long session."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from api import cli_try, eval_continuity
from api.cli import app
from api.eval_continuity import EvaluatedConversations, continuity_table, evaluate_continuity, tried
from api.eval_sessions import CAPS, Agent, left_of
from graphmem.errors import DatabaseUnavailable, GraphmemError, InvalidInput, NotBuiltYet
from graphmem.model.labels_continuity import ContinuousConversation
from graphmem.model.turns import OVERLAYS
from graphmem.model.value import Value
from graphmem.rules.evaluation.tally import Tally
from graphmem.rules.evaluation.turn_agreement import Agreement, SeenTurn, Share
from graphmem.rules.language.text import count_tokens

PROBES = [{"question": f"Which port, {number}?", "words": ["8080"], "messages": ["b"]} for number in range(9)]
TALK: dict[str, Any] = {
    "id": "talk",
    "topic": "coding",
    "mode": "quest",
    "project": None,
    "about": "ports",
    "messages": [
        {"messageId": "a", "role": "user", "content": "Which port?"},
        {"messageId": "b", "role": "assistant", "content": "Port 8080."},
        {"messageId": "c", "role": "assistant", "toolCalls": [{"id": "1"}]},
    ],
    "turns": [
        {"message": "a", "low": ["O2"], "shift": True},
        {"message": "b", "high": ["O5"], "low": ["O2"], "shift": False},
        {"message": "c", "high": ["O5"]},
    ],
    "probes": [*PROBES, {"question": "Who asks?", "words": ["which"], "messages": ["a"]}],
}


@pytest.fixture
def talk() -> ContinuousConversation:
    return ContinuousConversation.model_validate(TALK)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tuned").mkdir()
    (tmp_path / "tuned" / "talk.json").write_text(json.dumps(TALK))
    return tmp_path


class AnyTurns(Value):
    turns: tuple[dict[str, Any], ...]


def score(given: AnyTurns) -> dict[str, Any]:
    """Sees O5 in what names a port, and a shift in every question."""
    return {
        "turns": [
            {overlay: 7.0 if overlay == "O5" and "ort" in turn["text"] else 0.0 for overlay in OVERLAYS}
            | {"paradigmShift": "?" in turn["text"], "importance": 5}
            for turn in given.turns
        ]
    }


def mode(given: AnyTurns) -> dict[str, Any]:
    return {"mode": "quest" if any(turn["O5"] > 5 and turn["toolCalls"] is None for turn in given.turns) else "chat"}


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"overlays": cli_try.Rule(AnyTurns, score), "mode": cli_try.Rule(AnyTurns, mode)}
    monkeypatch.setattr(eval_continuity, "RULES", made)


@pytest.mark.usefixtures("rules")
def test_the_table_has_each_overlay_the_whole_shifts_and_modes(folder: Path) -> None:
    result = CliRunner().invoke(app, ["eval", "continuity", str(folder), "--misses", "tuned"])
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert "| tuned (1) | O5 high | 0.500 | 1 | 2 | — |" in lines
    assert "| tuned (1) | all high | 0.500 | 1 | 2 | 0.85 |" in lines
    assert "| tuned (1) | all low | 1.000 | 2 | 2 | 0.95 |" in lines
    assert "| tuned (1) | shifts found | 1.000 | 1 | 1 | — |" in lines
    assert "| tuned (1) | mode | 1.000 | 1 | 1 | 1.00 |" in lines
    assert not any("references" in line or "recap" in line for line in lines), "no service was asked"
    assert [line for line in lines if not line.startswith("|")] == ["not high: talk c: O5 0.0"]


@pytest.mark.usefixtures("rules")
def test_the_rules_see_every_message_and_link_nothing(talk: ContinuousConversation) -> None:
    turns, told = tried(talk)
    assert [turn.message for turn in turns] == ["a", "b", "c"]
    assert {turn.references for turn in turns} == {None}
    assert told == "quest"


def test_a_version_without_the_rules_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_continuity, "RULES", {})
    with pytest.raises(NotBuiltYet, match="overlays"):
        evaluate_continuity(folder)


def test_a_rule_that_refuses_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_continuity, "RULES", {"overlays": cli_try.RULES["redact"]})
    with pytest.raises(InvalidInput, match="the rule overlays answered"):
        evaluate_continuity(folder)


def test_a_file_that_is_none_is_named(folder: Path) -> None:
    (folder / "tuned" / "zebra.json").write_text(json.dumps(TALK | {"mode": "story"}))
    with pytest.raises(InvalidInput, match=r"zebra\.json is no labelled conversation: mode: "):
        evaluate_continuity(folder)
    (folder / "tuned" / "zebra.json").write_text(json.dumps(TALK | {"turns": []}))
    with pytest.raises(InvalidInput, match=r"as a whole: .*one label for each message"):
        evaluate_continuity(folder)


def test_an_empty_folder_and_a_service_for_another_part_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no folder in"):
        evaluate_continuity(tmp_path)
    result = CliRunner().invoke(app, ["eval", "extraction", str(tmp_path), "--url", "http://x"])
    assert isinstance(result.exception, InvalidInput)


RECAPS = {CAPS[0]: "Port 8080 was chosen.", CAPS[1]: "Port 8080.", CAPS[2]: "word " * 400}


def test_a_probe_counts_by_the_recap_by_one_recall_and_by_both(talk: ContinuousConversation) -> None:
    recalled = [["Which port?"] if probe.question == "Who asks?" else [] for probe in talk.probes]
    left = left_of(talk.probes, 1_000, RECAPS, recalled, {"a": "Which port?", "b": "Port 80"})
    assert (left.by_recap.met, left.by_recall.met, left.by_both.met) == (9, 1, 10)
    assert left.by_recap.missed == ("Who asks?",)
    assert (left.by_expansion.met, left.by_expansion.total) == (1, 10), "the words of b were cut"


def test_the_ratio_is_that_of_the_texts_and_every_cap_is_counted(talk: ContinuousConversation) -> None:
    left = left_of(talk.probes, 1_000, RECAPS, [()] * 10, {})
    assert left.ratio == pytest.approx(1_000 / count_tokens(RECAPS[CAPS[0]]))
    assert left.within_cap == Share(2, (f"{count_tokens(RECAPS[CAPS[2]])} tokens for 300",))


def test_a_long_session_has_rows_of_its_own(talk: ContinuousConversation) -> None:
    left = left_of(talk.probes, 1_000, RECAPS, [()] * 10, {})
    shares = dict.fromkeys(OVERLAYS, Share(1))
    one = EvaluatedConversations("held", 3, Agreement(shares, shares, Tally(), Tally()), Share(3), left)
    lines = continuity_table([one])
    assert "| held, one session | true ratio | 142.9 | — | — | 30 |" in lines
    assert "| held, one session | probes from the recap and one recall | 0.900 | 9 | 10 | 0.85 |" in lines
    assert "| held (3) | references found | — | 0 | 0 | — |" in lines


class Scripted:
    """A service that answers from a script; keeps what was asked."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[tuple[str, Any]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.raw_path.decode().split("/s1")[-1]
        self.asked.append((path, json.loads(request.content) if request.content else None))
        for part, answer in self.answers.items():
            if part in path:
                return httpx.Response(200, json=answer.pop(0) if isinstance(answer, list) else answer)
        return httpx.Response(500, text="broken")


def agent(script: Scripted) -> Agent:
    return Agent("http://service", "s1", httpx.MockTransport(script))


def test_a_session_is_sent_ended_and_waited_for() -> None:
    script = Scripted(sessions={}, messages={}, end=[{"pipeline": "queued"}, {"pipeline": "done"}])
    with agent(script) as one:
        one.send([{"messageId": str(number), "role": "user", "content": "x"} for number in range(201)], "p")
    assert [len(body["messages"]) for path, body in script.asked if path == "/messages"] == [200, 1]
    assert [body["wait"] for path, body in script.asked if path == "/end"] == [True, True]


def test_a_session_that_is_not_processed_is_an_error() -> None:
    with agent(Scripted(sessions={}, end={"pipeline": "failed"})) as one, pytest.raises(GraphmemError, match="failed"):
        one.send([], None)


def test_turns_are_read_to_the_last_page() -> None:
    def page(message: str, cursor: str | None) -> dict[str, Any]:
        overlays = dict.fromkeys(OVERLAYS, 1.5)
        links = [{"messageId": "a"}] if message == "b" else None
        turn = {"messageId": message, "overlays": overlays, "paradigmShift": message == "b", "references": links}
        return {"items": [turn], "nextCursor": cursor}

    with agent(Scripted(turns=[page("a", "next"), page("b", None)])) as one:
        turns = list(one.turns())
    scores = dict.fromkeys(OVERLAYS, 1.5)
    assert turns == [SeenTurn("a", scores, False, ()), SeenTurn("b", scores, True, ("a",))]


def test_expansion_goes_down_to_the_messages_page_by_page() -> None:
    def message(id_: str) -> dict[str, Any]:
        return {"id": f"#{id_}", "messageId": id_, "role": "user", "content": f"content of {id_}"}

    listed = [{"id": "top", "kind": "session"}, {"id": "other", "kind": "leaf"}]
    answers = {
        "top/expand": [
            {"children": [message("a"), {"id": "leaf", "kind": "leaf"}], "nextCursor": "2"},
            {"children": [message("b"), {"id": "leaf", "kind": "leaf"}], "nextCursor": None},
        ],
        "leaf/expand": [{"children": [message("c")], "nextCursor": None}],
        "recap": {},
        "summaries": {"items": listed},
    }
    script = Scripted(**answers)
    with agent(script) as one:
        assert one.expanded() == {id_: f"content of {id_}" for id_ in "abc"}
    assert [body.get("cursor") for path, body in script.asked if "top/" in path] == [None, "2"]


def test_what_the_service_refuses_or_does_not_answer_is_told() -> None:
    with agent(Scripted()) as one, pytest.raises(GraphmemError, match="answered 500: broken"):
        one.recap()

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no", request=request)

    away = httpx.MockTransport(refuse)
    with Agent("http://service", "s1", away) as one, pytest.raises(DatabaseUnavailable, match="no graphmem answers"):
        one.recap()
