"""What a new session is given of what the agent knows: whether questions about it find what answers them, and whether
questions about something else are given nothing. Written to docs/context.md.

The labelled conversations of a set go to two agents in turn. Each question is asked of both, in a session that has just
begun: of the one whose agent knows the conversation it is related, of the other it is not.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias

from api.eval_answers import conversations
from api.eval_continuity import continuous
from benchmarks.service import ROOT, paragraph, table, write_section
from graphmem import __version__
from graphmem.adapters.embedding import LocalEmbedder
from graphmem.adapters.identity import utc_now
from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.app import Graphmem
from graphmem.graph.continuity.context import ContextStore
from graphmem.graph.recall.retrieval import RetrievalStore
from graphmem.model.caller import Caller
from graphmem.model.context import AssembleContext
from graphmem.model.inputs import EndSession, NewMessage, NewMessages, NewSession
from graphmem.model.labels_answers import AnswersConversation
from graphmem.model.labels_continuity import ContinuousConversation
from graphmem.rules.recall.ranking import WORDS_ALONE
from graphmem.services.continuity.assembling import Assembling
from graphmem.services.recall.recall import Recalling
from graphmem.settings import load_settings

PAGE, DATA = ROOT / "docs" / "context.md", ROOT / "tests" / "data"
SETS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tuned": (("tuned",), ("tuned", "practice")),
    "held": (("held",), ("held",)),
}
"""Folders of labelled answers, and of labelled continuity, in each set."""
FLOORS = (0.20, 0.24, 0.26, 0.28, 0.30)
ASKING = "new"
STRANGE = (
    "What is the boiling point of water on a mountain?",
    "Can you write me a poem about autumn leaves?",
    "How do I reverse a linked list?",
    "Who won the chess tournament in the park?",
    "What should I wear to a job interview?",
    "Explain how a violin makes its sound.",
    "Which planet has the most moons?",
    "Translate good evening into Portuguese.",
    "How long does rice keep in the fridge?",
    "What is the fastest way to learn touch typing?",
)
"""Questions about nothing that any of the conversations holds."""

Labelled: TypeAlias = AnswersConversation | ContinuousConversation
Way = Literal["words and meaning", "words alone"]


@dataclass(frozen=True)
class Asked:
    """A question, the messages that answer it, and where their conversation is known; None for a strange one."""

    text: str
    at: frozenset[tuple[str, str]]
    agent: str | None


@dataclass(frozen=True)
class Given:
    """What one context recalled, best first: the score of each item, and whether it answers."""

    related: bool
    strange: bool
    scores: tuple[float, ...]
    answers: tuple[bool, ...]


def labelled(name: str) -> list[Labelled]:
    answers, continuity = SETS[name]
    return [
        *(one for folder in answers for one in conversations(DATA / "answers" / folder)),
        *(one for folder in continuity for one in continuous(DATA / "continuity" / folder)),
    ]


def sessions(one: Labelled) -> Iterator[tuple[str, tuple[NewMessage, ...]]]:
    if isinstance(one, ContinuousConversation):
        yield one.id, tuple(one.messages)
        return
    for number, session in enumerate(one.sessions, 1):
        yield (
            f"{one.id}:{number}",
            tuple(
                NewMessage(
                    message_id=str(place),
                    role="assistant" if speaker == "assistant" else "user",
                    name=None if speaker == "assistant" else speaker,
                    content=text,
                    created_at=session.at + timedelta(minutes=place),
                )
                for place, (speaker, text) in enumerate(session.messages, 1)
            ),
        )


def questions(one: Labelled, agent: str) -> Iterator[Asked]:
    if isinstance(one, ContinuousConversation):
        for probe in one.probes:
            yield Asked(probe.question, frozenset((one.id, id_) for id_ in probe.messages), agent)
        return
    for question in one.questions:
        places = [place.split(":") for place in question.at]
        yield Asked(question.ask, frozenset((f"{one.id}:{number}", place) for number, place in places), agent)


async def tell(graphmem: Graphmem, agent: str, one: Labelled) -> None:
    """Sends a conversation as an agent would, and has it read."""
    caller = Caller(agent)
    for session_id, messages in sessions(one):
        await graphmem.conversation.intake.open(caller, NewSession(session_id=session_id, project=one.id))
        await graphmem.conversation.intake.add_messages(caller, session_id, NewMessages(messages=messages))
        await graphmem.conversation.intake.end(caller, session_id, EndSession(force=True))


async def settle(graphmem: Graphmem, agents: Sequence[str]) -> None:
    """Returns when everything is read, has a vector, and is found by its words."""
    while True:
        backlogs = [(await graphmem.operation.reporting.status(agent)).backlog.model_dump() for agent in agents]
        if not any(any(backlog.values()) for backlog in backlogs):
            break
        await asyncio.sleep(1)
    await graphmem.operation.upkeep.refresh_text()


async def ask(assembling: Assembling, agents: Sequence[str], asked: Sequence[Asked]) -> list[Given]:
    """What each question is given without a floor, of each agent."""
    return [await _given(assembling, agent, question) for question in asked for agent in agents]


async def _given(assembling: Assembling, agent: str, asked: Asked) -> Given:
    wanted = AssembleContext(context_window=128_000, query=asked.text, floor=0.0)
    context = await assembling.assemble(agent, ASKING, wanted)
    recalled = [item for item in context.items if item.kind == "recalled"]
    return Given(
        asked.agent == agent,
        asked.agent is None,
        tuple(item.score or 0.0 for item in recalled),
        tuple(any((item.session_id, id_) in asked.at for id_ in item.message_ids) for item in recalled),
    )


def row(name: str, way: Way, floor: float, given: Sequence[Given]) -> list[str]:
    """Of the related questions those that are given what answers them, of the others those that are given anything."""
    least = floor if way == "words and meaning" else floor * WORDS_ALONE
    related = [one for one in given if one.related]
    answered = sum(
        any(right and score >= least for score, right in zip(one.scores, one.answers, strict=True)) for one in related
    )
    cells = [f"{answered} of {len(related)}"]
    for strange in (False, True):
        others = [one for one in given if not one.related and one.strange == strange]
        disturbed = sum(any(score >= least for score in one.scores) for one in others)
        cells.append(f"{disturbed} of {len(others)}" if others else "—")
    return [name, way, f"{floor:.2f}", *cells]


async def measure(graphmem: Graphmem, floor: float) -> list[list[str]]:
    """The rows of the table."""
    rows = []
    for name in SETS:
        agents = [f"{name}-{number}" for number in range(2)]
        asked = [Asked(text, frozenset(), None) for text in STRANGE]
        for number, one in enumerate(labelled(name)):
            await tell(graphmem, agents[number % 2], one)
            asked += questions(one, agents[number % 2])
        for agent in agents:
            await graphmem.conversation.intake.open(Caller(agent), NewSession(session_id=ASKING))
        await settle(graphmem, agents)
        given = await ask(graphmem.continuity.assembling, agents, asked)
        rows += [row(name, "words and meaning", each, given) for each in FLOORS]
        none = LocalEmbedder(load_settings().cache_dir)  # nobody loads it
        store = ContextStore(graphmem.database)
        recalling = Recalling(RetrievalStore(graphmem.database), none, utc_now)
        alone = Assembling(store, recalling, none, load_settings({}).injection(), utc_now)
        rows.append(row(name, "words alone", floor, await ask(alone, agents, asked)))
    return rows


async def run(folder: Path) -> str:
    own = load_settings()
    settings = load_settings({"GRAPHMEM_DATA_DIR": str(folder / "data"), "GRAPHMEM_CACHE_DIR": str(own.cache_dir)})
    server = ManagedServer(folder, settings.cache_dir, http=False, preferred_bolt_port=0, preferred_http_port=0)
    running, stop = server.start(), asyncio.Event()
    try:
        graphmem = await Graphmem.open(settings, running)
        await graphmem.models_loaded()
        working = asyncio.create_task(graphmem.worker().run(stop))
        floor = settings.injection_floor
        rows = await measure(graphmem, floor)
        stop.set()
        await working
        await graphmem.close()
    finally:
        server.stop()
    how = paragraph(f"""
        Measured {datetime.now(UTC):%Y-%m-%d} with `python -m benchmarks.injection`: graphmem {__version__}, the local
        embedder, no model. The conversations of a set (`tests/data`: answers and continuity) are sent to two agents in
        turn and read; each question is asked of both in a session that has just begun. "Answered": a question of a
        conversation that the agent knows is given a message that answers it, or a fact drawn from it. "Disturbed": a
        question of a conversation that only the other agent knows is given anything at all, though the agents' talk is
        of like things; "of nothing" are {len(STRANGE)} questions about nothing of it at all. The floor was chosen on
        `tuned`; of `held` only the totals were seen.""")
    head = ["set", "by", "floor", "answered", "disturbed", "disturbed, of nothing"]
    return f"{how}\n\n{table(head, rows)}"


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="graphmem-injection-", ignore_cleanup_errors=True) as folder:
        text = asyncio.run(run(Path(folder)))
    print(text)
    write_section(PAGE, "injection", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
