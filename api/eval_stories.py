"""`graphmem eval stories`: long labelled sessions on a running service, and what recaps and contexts of them say."""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from rich.console import Console

from api.eval_sessions import Agent
from api.eval_supersession import share
from api.filler import Message
from api.own_service import running_service
from graphmem.errors import InvalidInput
from graphmem.model.labels_story import Story
from graphmem.rules.evaluation import RecapScore, Share, score_answers, score_recap
from graphmem.rules.language.text import count_tokens

SIZES = (300, 1000, 2500, 4000)
"""Tokens of the recaps that are asked for."""
CONTEXT_TOKENS, CONTEXT_WINDOW = 1000, 8000


@dataclass(frozen=True)
class EvaluatedStory:
    """Of one story: its recaps by their size, its contexts, what a recap and one recall say together, the share of its
    tokens that is preserved, and how many turns with a labelled decision or rule are."""

    id: str
    recaps: dict[int, RecapScore]
    contexts: Share
    together: Share
    preserved: float
    kept: Share


def tell_stories(folder: Path, misses: str | None, url: str | None, out: Console) -> None:
    """Print the table, and what was missed in one of the folders. Errors: as `evaluate_stories`."""
    evaluated = evaluate_stories(folder, url)
    for line in stories_table(evaluated):
        out.print(line)
    for one in evaluated.get(misses or "", ()):
        for told in _misses(one):
            out.print(told)


def evaluate_stories(folder: Path, url: str | None = None) -> dict[str, list[EvaluatedStory]]:
    """The stories of each folder in it, by name, on the service at `url`, else on one that is started for them. Errors:
    InvalidInput; GraphmemError as a service returns it."""
    folders = sorted(sub for sub in folder.iterdir() if sub.is_dir() and any(sub.glob("*.json")))
    if not folders:
        raise InvalidInput(f"no folder in {folder} holds labelled stories (*.json)")
    read = {sub.name: stories(sub) for sub in folders}
    with ExitStack() as stack:
        address = url or stack.enter_context(running_service()).url
        return {name: [_evaluate(story, address) for story in found] for name, found in read.items()}


def stories(folder: Path) -> list[Story]:
    """The labelled stories of a folder, by name. Errors: InvalidInput names an invalid file."""
    return [_read(file) for file in sorted(folder.glob("*.json"))]


def _evaluate(story: Story, url: str) -> EvaluatedStory:
    sent: list[Message] = [message.model_dump(mode="json", exclude_none=True) for message in story.messages]
    with Agent(url, story.id) as agent:
        agent.send(sent, None)
        recaps = {size: agent.recap(size) for size in SIZES}
        contexts = [_context(agent, one.question) for one in story.questions]
        recalled = ["\n".join(agent.recalled(one.question)) for one in story.questions]
        preserved = agent.preserved()
    return evaluated_story(story, recaps, contexts, recalled, preserved)


def evaluated_story(
    story: Story,
    recaps: dict[int, dict[str, Any]],
    contexts: Sequence[str],
    recalled: Sequence[str],
    preserved: Collection[str],
) -> EvaluatedStory:
    """The scores. `recaps` are the service's answers, by size; `contexts` and `recalled` what it gave for each
    question; `preserved` are ids of messages."""
    tokens = {one.message_id or "": count_tokens(str(one.content or "")) for one in story.messages}
    roles = {one.message_id: one.role for one in story.messages}
    binding = {id_: one.what for one in story.must if one.kind in ("decision", "rule") for id_ in one.messages}
    binding = {id_: what for id_, what in binding.items() if roles[id_] == "user"}
    lost = tuple(what for id_, what in binding.items() if id_ not in preserved)
    scores = {
        size: score_recap(story, recap["text"], [(part["start"], part["end"]) for part in recap["outdated"]])
        for size, recap in recaps.items()
    }
    largest = recaps[max(recaps)]["text"]
    return EvaluatedStory(
        story.id,
        scores,
        score_answers(story, contexts),
        score_answers(story, [f"{largest}\n{text}" for text in recalled]),
        sum(tokens[id_] for id_ in preserved) / max(1, sum(tokens.values())),
        Share(len(binding) - len(lost), lost),
    )


def _context(agent: Agent, question: str) -> str:
    asked = {"contextWindow": CONTEXT_WINDOW, "maxTokens": CONTEXT_TOKENS, "query": question}
    items = agent.call("POST", f"/api/sessions/{agent.session}/context", asked)["items"]
    return "\n".join(item["text"] for item in items)


def stories_table(evaluated: dict[str, list[EvaluatedStory]]) -> list[str]:
    """Lines of a Markdown table."""
    lines = [
        "| story | recap | must-haves | rules | open | now | pending | told as if it held | half sentences |",
        "|---|---:|---:|---:|---:|---|---|---:|---:|",
    ]
    for name, found in evaluated.items():
        for one in found:
            lines += [_row(f"{name}: {one.id}", size, score) for size, score in one.recaps.items()]
    titles = (
        "story",
        "questions",
        "contexts of 1,000 tokens",
        "recap and one recall",
        "tokens preserved",
        "decisions kept",
    )
    lines += ["", f"| {' | '.join(titles)} |", "|---|---:|---:|---:|---:|---:|"]
    for name, found in evaluated.items():
        lines += [
            f"| {name}: {one.id} | {one.contexts.total} | {one.contexts.met} | {share(one.together.value)} "
            f"| {one.preserved:.2f} | {one.kept.met} of {one.kept.total} |"
            for one in found
        ]
    return lines


def _row(name: str, size: int, one: RecapScore) -> str:
    met = " | ".join(f"{shares.met} of {shares.total}" for shares in (one.must, one.rules, one.open))
    yes = " | ".join("yes" if shares.met else "no" for shares in (one.now, one.pending))
    return f"| {name} | {size} | {met} | {yes} | {len(one.current_wrong)} | {len(one.halves)} |"


def _misses(one: EvaluatedStory) -> Iterator[str]:
    for size, score in one.recaps.items():
        for what, shares in (("must", score.must), ("rule", score.rules), ("open", score.open)):
            yield from (f"{one.id} {size} {what}: {missed}" for missed in shares.missed)
        yield from (f"{one.id} {size} as if it held: {told}" for told in score.current_wrong)
        yield from (f"{one.id} {size} half: {told}" for told in score.halves)
    yield from (f"{one.id} context: {missed}" for missed in one.contexts.missed)
    yield from (f"{one.id} recap and recall: {missed}" for missed in one.together.missed)
    yield from (f"{one.id} not preserved: {missed}" for missed in one.kept.missed)


def _read(file: Path) -> Story:
    try:
        return Story.model_validate(json.loads(file.read_bytes()))
    except (ValidationError, ValueError) as error:
        said = str(error)
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False)[0]
            said = f"{'.'.join(map(str, first['loc'])) or 'as a whole'}: {first['msg']}"
        raise InvalidInput(f"{file} is no labelled story: {said}") from None
