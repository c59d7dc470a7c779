"""Condensing: sessions of a project become arcs, and arcs epochs, as often as it takes and never twice."""

import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from graphmem.errors import ModelUnavailable
from graphmem.model.answers import Condensation, CondensationItem
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.condensing import CONDENSE_ALL, GroupRow, Line, Step, ToldLine
from graphmem.rules.language.grams import grams
from graphmem.rules.language.keys import agent_key
from graphmem.rules.language.text import count_tokens
from graphmem.rules.summaries.condensing import (
    DEPTHS,
    PROMPTS,
    SUMMARISER,
    dag_key,
    plan,
    question,
    read_summary,
    told_lines,
    unsaid,
)
from graphmem.services.ports import Clock, Jobs, LanguageModel, NewId, SessionDag

ROUNDS = 8
"""How often a line is processed before further changes are left to the next job."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CondensingSettings:
    """How many sessions of a project make an arc, and how many arcs an epoch."""

    arc_sessions: int
    epoch_arcs: int


@dataclass(frozen=True)
class Condensing:
    """`model` is None where rules alone condense. It is called outside any transaction, and rules are the fallback."""

    data: SessionDag
    jobs: Jobs
    settings: CondensingSettings
    clock: Clock
    new_id: NewId
    model: LanguageModel | None = None

    async def start(self, caller: Caller, *, dry_run: bool, limit: int) -> Condensation:
        """Have a worker build what is missing or stale in the DAG of an agent, or only report what that is."""
        items: list[CondensationItem] = []
        async for project, line in self._lines(caller.agent_id):
            names = {session.summary_id: session.session_id for session in line.sessions}
            items += [_told(project, step, names) for step in self._steps(line)]
        items = items[:limit]
        job_id = None
        if items and not dry_run:
            job_id = await self.jobs.want(
                caller, CONDENSE_ALL, CONDENSE_ALL, {"limit": limit}, self.new_id(), self.clock()
            )
        return Condensation(job_id=job_id, affected=len(items), items=tuple(items))

    async def queue_stale(self) -> bool:
        """The chore: a job for each agent with outdated arcs and epochs; facts can be retired, or end, without a
        session that would update the line. One step does all."""
        agent_id = await self.data.agent_after("")
        while agent_id is not None:
            if await self.data.stale(agent_id, self.clock()):
                await self.jobs.want(Caller(agent_id), CONDENSE_ALL, CONDENSE_ALL, {}, self.new_id(), self.clock())
            agent_id = await self.data.agent_after(agent_id)
        return False

    async def carry_out(self, agent_id: str, project: str) -> object:
        """The job of one project; '' for sessions without one."""
        return {"nodes": await self._condense(agent_id, project or None, None)}

    async def carry_out_all(self, agent_id: str, limit: int | None) -> object:
        """The job of all projects: builds or removes at most this many nodes."""
        done = 0
        for project in await self.data.lines(agent_id):
            left = None if limit is None else limit - done
            done += await self._condense(agent_id, project, left) if left != 0 else 0
        return {"nodes": done}

    async def _condense(self, agent_id: str, project: str | None, limit: int | None) -> int:
        """Build or remove nodes; returns how many."""
        line = await self.data.line(agent_id, project, self.clock())
        if len(line.sessions) > 1:
            await self.data.mend(agent_id, [session.summary_id for session in line.sessions])
        done = 0
        for _ in range(ROUNDS):
            steps = self._next(line)[: None if limit is None else limit - done]
            if not steps:
                break
            for step in steps:
                await self._take(agent_id, project, line, step)
            done += len(steps)
            line = await self.data.line(agent_id, project, self.clock())
        if done:
            log.info("sessions condensed", extra={"agent": agent_id, "nodes": done})
        return done

    def _steps(self, line: Line) -> list[Step]:
        return plan(line, self.settings.arc_sessions, self.settings.epoch_arcs)

    def _next(self, line: Line) -> list[Step]:
        """The next steps: arcs before epochs, which are built from them."""
        steps = self._steps(line)
        arcs = [step for step in steps if step.kind == "arc" and step.action != "dissolve"]
        return arcs or steps

    async def _take(self, agent_id: str, project: str | None, line: Line, step: Step) -> None:
        if step.action == "dissolve":
            if step.held:
                event = EventRow(self.new_id(), "summary_dissolved", step.held.id, "summaries", self.clock())
                await self.data.dissolve(agent_id, step.held.id, event)
            return
        now = self.clock()
        lines = told_lines(step.kind, await self.data.statements(agent_id, step.sessions, now))
        text = "\n".join(line.text for line in lines) or unsaid(len(step.sessions))
        said = await self._by_model(step, lines, text) if self.model and lines else None
        arcs = {group.number: group.id for group in line.groups if group.kind == "arc"}
        content, by = said or (text, SUMMARISER)
        row = GroupRow(
            id=self.new_id(),
            kind=step.kind,
            number=step.number,
            depth=DEPTHS[step.kind],
            dag_key=dag_key(step.kind, project, step.number),
            project=project,
            content=content,
            tokens=count_tokens(content),
            method="model" if said else "extractive",
            by=by,
            agent_key=agent_key(agent_id),
            grams=grams(content),
            child_ids=tuple(arcs[number] for number in step.children) if step.kind == "epoch" else step.sessions,
            lines=tuple(lines),
            follows_key=dag_key(step.kind, project, step.number - 1) if step.number else None,
            expected_marks=step.held.marks if step.held else 0,
        )
        await self.data.store(agent_id, row, EventRow(self.new_id(), "summary_created", row.id, "summaries", now))

    async def _by_model(self, step: Step, lines: Sequence[ToldLine], text: str) -> tuple[str, str] | None:
        """The lines in a model's words, and the model; None where it is down, late or returns nonsense."""
        if self.model is None:
            return None
        tokens = count_tokens(text)
        try:
            found, model = await self.model.ask(
                question(step.kind, lines), lambda answer: read_summary(step.kind, answer, tokens)
            )
        except ModelUnavailable as error:
            log.warning("no model sums up", extra={"kind": step.kind, "why": str(error)})
            return None
        return found, f"{PROMPTS} {model}"

    async def _lines(self, agent_id: str) -> AsyncIterator[tuple[str | None, Line]]:
        for project in await self.data.lines(agent_id):
            yield project, await self.data.line(agent_id, project, self.clock())


def _told(project: str | None, step: Step, names: dict[str, str]) -> CondensationItem:
    return CondensationItem(
        action=step.action,
        kind=step.kind,
        project=project,
        number=step.number,
        id=step.held.id if step.held else None,
        session_ids=tuple(names[id_] for id_ in step.sessions),
    )
