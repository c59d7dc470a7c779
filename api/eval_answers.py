"""`graphmem eval answers`: which questions the rules answer with the right quote, and which they report as
unanswerable.

All conversations of a folder are loaded together, so that the right one has to be distinguished from the others; no
service, no database and no language model.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from graphmem.errors import InvalidInput
from graphmem.model.labels_answers import AnswersConversation
from graphmem.opening import make_embedder
from graphmem.rules.recall import answering
from graphmem.rules.recall.answering import Passage
from graphmem.services.ports import Embedder
from graphmem.settings import load_settings


@dataclass
class Answers:
    """The results for the questions of one folder. `right`: a quote is from a message that answers; `wrong`: another
    text was quoted; `refused`: those of the `unanswerable`; `missed` lists the errors."""

    name: str
    way: str
    answerable: int = 0
    right: int = 0
    wrong: int = 0
    unanswerable: int = 0
    refused: int = 0
    missed: list[str] = field(default_factory=list)


def tell_answers(folder: Path, misses: str | None, out: Console) -> None:
    """Print the table, and the errors in one of the folders. Errors: InvalidInput; ModelUnavailable."""
    folders = sorted(sub for sub in folder.iterdir() if sub.is_dir() and any(sub.glob("*.json")))
    if not folders:
        raise InvalidInput(f"no folder in {folder} holds labelled conversations (*.json)")
    evaluated = asyncio.run(_evaluate_all({sub.name: conversations(sub) for sub in folders}))
    for line in answers_table(evaluated):
        out.print(line)
    for one in evaluated:
        for what in one.missed if one.name == misses else ():
            out.print(f"{one.way}: {what}")


def answers_table(evaluated: Sequence[Answers]) -> list[str]:
    """The lines of the table in docs/quality.md."""
    lines = [
        "| set | by | answered right | answered wrong | not found, of those | refused rightly |",
        "|---|---|---|---|---|---|",
    ]
    for one in evaluated:
        silent = one.answerable - one.right - one.wrong
        lines.append(
            f"| {one.name} | {one.way} | {one.right} of {one.answerable} | {one.wrong} | {silent} "
            f"| {one.refused} of {one.unanswerable} |"
        )
    return lines


async def _evaluate_all(labelled: Mapping[str, Sequence[AnswersConversation]]) -> list[Answers]:
    embedder = make_embedder(load_settings(), threads=2)
    try:
        await embedder.load()
        return [await evaluate_answers(name, of, by) for name, of in labelled.items() for by in (None, embedder)]
    finally:
        await embedder.close()


async def evaluate_answers(name: str, labelled: Sequence[AnswersConversation], embedder: Embedder | None) -> Answers:
    """The results for these conversations; without an embedder by words alone."""
    told = Answers(name, "words and meaning" if embedder else "words alone")
    passages = [passage for one in labelled for passage in passages_of(one)]
    for one in labelled:
        for question in one.questions:
            wanted = {f"{one.id}/{place}" for place in question.at}
            quoted = await _quoted(question.ask, passages, embedder)
            told.answerable += 1
            told.right += bool(wanted & quoted.keys())
            told.wrong += bool(quoted) and not wanted & quoted.keys()
            if not wanted & quoted.keys():
                told.missed.append(f"{question.ask} -> {' / '.join(quoted.values()) or 'not found'}")
        for asked in one.unanswerable:
            quoted = await _quoted(asked, passages, embedder)
            told.unanswerable += 1
            told.refused += not quoted
            if quoted:
                told.missed.append(f"{asked} -> {' / '.join(quoted.values())}, though nothing says it")
    return told


async def _quoted(question: str, passages: Sequence[Passage], embedder: Embedder | None) -> dict[str, str]:
    """The quotes of an answer, by their source text."""
    found = answering.sentences(question, passages)
    near: list[float] | None = None
    if embedder:
        nearest = found[: answering.MOST_EMBEDDED]
        texts = [question, *(answering.meaningful(one, passages) for one in nearest)]
        asked, *vectors = await embedder.embed(texts)
        near = [sum(mine * theirs for mine, theirs in zip(asked, row, strict=True)) for row in vectors]
    floor = answering.FLOOR_ALONE if near is None else answering.FLOOR
    picked = answering.chosen(answering.weigh(question, found, passages, near), passages, floor)
    return {passages[one.sentence.passage].id: one.sentence.text for one in picked}


def passages_of(one: AnswersConversation) -> list[Passage]:
    """Its messages as passages."""
    found = []
    for number, session in enumerate(one.sessions, 1):
        previous: tuple[str, str] | None = None
        for place, (speaker, text) in enumerate(session.messages, 1):
            answers = previous is not None and previous[0] != speaker
            found.append(
                Passage(
                    id=f"{one.id}/{number}:{place}",
                    kind="message",
                    text=text,
                    speaker=None if speaker == "assistant" else speaker,
                    said_at=session.at + timedelta(minutes=place),
                    before=previous[1] if previous and answers else "",
                    addressee=previous[0] if previous and answers else None,
                )
            )
            previous = (speaker, text)
    return found


def conversations(folder: Path) -> list[AnswersConversation]:
    """The conversations of a folder, by name. Errors: InvalidInput names an invalid file, or a question about no
    message."""
    found = []
    for file in sorted(folder.glob("*.json")):
        try:
            one = AnswersConversation.model_validate_json(file.read_text(encoding="utf-8"))
        except (ValidationError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{file} is no labelled conversation: {error}") from None
        known = {passage.id for passage in passages_of(one)}
        for question in one.questions:
            if strange := [place for place in question.at if f"{one.id}/{place}" not in known]:
                raise InvalidInput(f"{file}: {question.ask!r} names no message with {', '.join(strange)}")
        found.append(one)
    return found
