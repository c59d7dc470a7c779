"""`graphmem eval continuity`: turn analysis of labelled conversations, and how much of long ones is retained.

Without a service the rules are called as `graphmem try` does, turn by turn; with the address of one the conversations
are sent there, so that meanings and earlier turns count too, and recaps, recall and expansion are measured.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from rich.console import Console

from api.cli_try import RULES, answered
from api.eval_sessions import LongSession, continue_long, served
from api.eval_supersession import share
from graphmem.errors import InvalidInput, NotBuiltYet
from graphmem.model.inputs import NewMessage
from graphmem.model.labels_continuity import ContinuousConversation, Mode
from graphmem.model.turns import OVERLAYS, Overlay
from graphmem.rules.evaluation import Agreement, SeenTurn, Share, Tally, agreement, whole

GOAL_HIGHS, GOAL_LOWS, GOAL_RATIO, GOAL_PROBES = 0.85, 0.95, 30.0, 0.85
LONG_TOKENS = 120_000
"""Least number of tokens of a session for a recap."""


@dataclass(frozen=True)
class EvaluatedConversations:
    """The results for one folder. `long`: its conversations about coding again, in one session of `LONG_TOKENS`; None
    without a service, or where there are none."""

    name: str
    conversations: int
    turns: Agreement
    modes: Share
    long: LongSession | None = None


def tell_continuity(folder: Path, misses: str | None, url: str | None, out: Console) -> None:
    """Print the table, and what was missed in one of the folders. Errors: InvalidInput; NotBuiltYet where this version
    has no such rules; GraphmemError as a service returns it."""
    evaluated = evaluate_continuity(folder, url)
    for line in continuity_table(evaluated):
        out.print(line)
    for one in evaluated:
        if one.name == misses:
            for told in _misses(one):
                out.print(told)


def evaluate_continuity(folder: Path, url: str | None = None) -> list[EvaluatedConversations]:
    """Each folder in it, by name. Errors: InvalidInput for a file that is not a labelled conversation, or no file at
    all; NotBuiltYet; GraphmemError as a service returns it."""
    folders = sorted(sub for sub in folder.iterdir() if sub.is_dir() and any(sub.glob("*.json")))
    if not folders:
        raise InvalidInput(f"no folder in {folder} holds labelled conversations (*.json)")
    return [_evaluate(sub.name, continuous(sub), url) for sub in folders]


def continuous(folder: Path) -> list[ContinuousConversation]:
    """The labelled conversations of a folder, by name. Errors: InvalidInput names an invalid file."""
    return [_read(file) for file in sorted(folder.glob("*.json"))]


def _evaluate(name: str, labelled: Sequence[ContinuousConversation], url: str | None) -> EvaluatedConversations:
    seen = [(one, *(served(one, url) if url else tried(one))) for one in labelled]
    turns = [agreement(one, found) for one, found, _ in seen]
    modes = [Share(1) if mode == one.mode else Share(0, (f"{one.id}: {mode}",)) for one, _, mode in seen]
    work = [one for one in labelled if one.topic == "coding"]
    return EvaluatedConversations(
        name,
        len(labelled),
        sum(turns[1:], turns[0]),
        sum(modes, Share()),
        continue_long(work, LONG_TOKENS, url) if url and work else None,
    )


@dataclass(frozen=True)
class Analysed:
    """A message as the rules alone see it."""

    role: str
    text: str
    importance: int
    shift: bool


def analysed(messages: Sequence[NewMessage]) -> list[Analysed]:
    """The importance and shifts of messages by the rules, without vectors of earlier turns."""
    turns = _turns(messages)
    return [
        Analysed(turn["role"], turn["text"], score["importance"], bool(score["paradigmShift"]))
        for turn, score in zip(turns, _try("overlays", {"turns": turns})["turns"], strict=True)
    ]


def _turns(messages: Sequence[NewMessage]) -> list[dict[str, Any]]:
    return [{"role": one.role, "text": one.content or "", "toolCalls": one.tool_calls} for one in messages]


def tried(conversation: ContinuousConversation) -> tuple[list[SeenTurn], Mode]:
    """The rules applied to a conversation, without vectors of earlier turns: they link nothing."""
    turns = _turns(conversation.messages)
    scored = _try("overlays", {"turns": turns})["turns"]
    mode: Mode = _try("mode", {"turns": [turn | _scores(score) for turn, score in zip(turns, scored, strict=True)]})[
        "mode"
    ]
    found = [
        SeenTurn(label.message, _scores(score), bool(score["paradigmShift"]))
        for label, score in zip(conversation.turns, scored, strict=True)
    ]
    return found, mode


def _try(rule: str, given: object) -> dict[str, Any]:
    """The answer of `graphmem try`. Errors: NotBuiltYet; InvalidInput with the rule's own error."""
    if rule not in RULES:
        raise NotBuiltYet(f"The rule {rule} cannot be tried in this version: give --url to ask a service.")
    answer = answered(RULES[rule], json.dumps(given, ensure_ascii=False).encode())
    if "error" in answer:
        raise InvalidInput(f"the rule {rule} answered: {answer['error']['message']}")
    return answer


def _scores(turn: Mapping[str, Any]) -> dict[Overlay, float]:
    return {overlay: float(turn[overlay]) for overlay in OVERLAYS}


def continuity_table(evaluated: Sequence[EvaluatedConversations]) -> list[str]:
    """Lines of a Markdown table."""
    lines = ["| conversations | what | share | met | labels | goal |", "|---|---|---:|---:|---:|---:|"]
    for one in evaluated:
        lines += [f"| {one.name} ({one.conversations}) | {row} |" for row in _turn_rows(one)]
        if one.long:
            lines += [f"| {one.name}, one session | {row} |" for row in _long_rows(one.long)]
    return lines


def _turn_rows(one: EvaluatedConversations) -> Iterator[str]:
    for what, shares, goal in (("high", one.turns.highs, GOAL_HIGHS), ("low", one.turns.lows, GOAL_LOWS)):
        yield from (_row(f"{overlay} {what}", shares[overlay], "—") for overlay in OVERLAYS)
        yield _row(f"all {what}", whole(shares), f"{goal:.2f}")
    yield from _tally_rows("shifts", one.turns.shifts)
    if one.turns.references is not None:
        yield from _tally_rows("references", one.turns.references)
    yield _row("mode", one.modes, "1.00")


def _tally_rows(what: str, tally: Tally) -> Iterator[str]:
    """The share of the labels that was found, and the share of the finds that is right."""
    yield _row(f"{what} found", Share(tally.held, tally.missed), "—")
    yield _row(f"{what} right", Share(tally.right, tally.wrong), "—")


def _row(what: str, counted: Share, goal: str) -> str:
    return f"{what} | {share(counted.value)} | {counted.met} | {counted.total} | {goal}"


def _long_rows(long: LongSession) -> Iterator[str]:
    """How much of a long session is retained."""
    yield _row("recaps within their cap", long.within_cap, "1.00")
    yield f"true ratio | {long.ratio:.1f} | — | — | {GOAL_RATIO:.0f}"
    yield _row("probes from the recap alone", long.by_recap, "—")
    yield _row("probes from one recall alone", long.by_recall, "—")
    yield _row("probes from the recap and one recall", long.by_both, f"{GOAL_PROBES:.2f}")
    yield _row("probes through expansion", long.by_expansion, "1.00")


def _misses(one: EvaluatedConversations) -> Iterator[str]:
    for shares, what in ((one.turns.highs, "not high"), (one.turns.lows, "not low")):
        yield from (f"{what}: {missed}" for missed in whole(shares).missed)
    for what, tally in (("shift", one.turns.shifts), ("reference", one.turns.references or Tally())):
        yield from (f"{what}: wrong: {told}" for told in tally.wrong)
        yield from (f"{what}: missed: {told}" for told in tally.missed)
    yield from (f"mode: {missed}" for missed in one.modes.missed)
    if one.long:
        yield from (f"recap: {missed}" for missed in one.long.within_cap.missed)
        yield from (f"probe: {missed}" for missed in one.long.by_both.missed)
        yield from (f"expansion: {missed}" for missed in one.long.by_expansion.missed)


def _read(file: Path) -> ContinuousConversation:
    try:
        return ContinuousConversation.model_validate_json(file.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "as a whole"
        raise InvalidInput(f"{file} is no labelled conversation: {place}: {first['msg']}") from None
