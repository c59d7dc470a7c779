"""Condensing: sessions of a project become arcs, and arcs epochs, as often as it takes and never twice."""

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphmem.errors import ModelUnavailable
from graphmem.model.answers import Condensation, CondensationItem
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.condensing import CONDENSE_ALL, GroupRow, Line, Statement, Step, ToldLine
from graphmem.model.stored import JobStep
from graphmem.rules.language.grams import grams
from graphmem.rules.language.keys import agent_key
from graphmem.rules.language.text import count_tokens
from graphmem.rules.privacy.redaction import without_secrets
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
NODES_A_STEP = 8
"""Most arcs and epochs that a job builds or removes in one go."""
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
                caller.agent_id, CONDENSE_ALL, CONDENSE_ALL, {"limit": limit}, self.new_id(), self.clock()
            )
        return Condensation(job_id=job_id, affected=len(items), limit_reached=len(items) == limit, items=tuple(items))

    async def queue_stale(self) -> bool:
        """The chore: a job for each agent with outdated arcs and epochs; facts can be retired, or end, without a
        session that would update the line. One step does all."""
        agent_id = await self.data.agent_after("")
        while agent_id is not None:
            if await self.data.stale(agent_id, self.clock()):
                await self.jobs.want(agent_id, CONDENSE_ALL, CONDENSE_ALL, {}, self.new_id(), self.clock())
            agent_id = await self.data.agent_after(agent_id)
        return False

    async def carry_on(self, agent_id: str, project: str, mark: Mapping[str, Any]) -> JobStep:
        """The job of one project; '' for sessions without one. A step builds or removes a few nodes."""
        made, left = await self._condense(agent_id, project or None, NODES_A_STEP)
        nodes = mark.get("nodes", 0) + made
        return JobStep.on({"nodes": nodes}, nodes, nodes + left) if left else JobStep(result={"nodes": nodes})

    async def carry_on_all(self, agent_id: str, _subject_id: str, mark: Mapping[str, Any]) -> JobStep:
        """The job of all projects, one after the other: builds or removes at most `limit` nodes."""
        projects, limit = await self.data.lines(agent_id), mark.get("limit")
        nodes, at = mark.get("nodes", 0), mark.get("projects", 0)
        room = NODES_A_STEP if limit is None else min(NODES_A_STEP, limit - nodes)
        if at >= len(projects) or room <= 0:
            return JobStep(result={"nodes": nodes}, anew={} if limit is None else {"limit": limit})
        made, left = await self._condense(agent_id, projects[at], room)
        now = {"limit": limit, "nodes": nodes + made, "projects": at if left else at + 1}
        return JobStep.on(now, now["projects"], len(projects))

    async def _condense(self, agent_id: str, project: str | None, limit: int) -> tuple[int, int]:
        """Build or remove nodes, at most so many; returns how many, and how many are left."""
        line = await self.data.line(agent_id, project, self.clock())
        if len(line.sessions) > 1:
            await self.data.mend(agent_id, [session.summary_id for session in line.sessions])
        done = 0
        for _ in range(ROUNDS):
            steps = self._next(line)[: limit - done]
            if not steps:
                break
            for step in steps:
                await self._take(agent_id, project, line, step)
            done += len(steps)
            line = await self.data.line(agent_id, project, self.clock())
        if done:
            log.info("sessions condensed", extra={"agent": agent_id, "nodes": done})
        return done, len(self._steps(line)) if done == limit else 0

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
        stated = await self.data.statements(agent_id, step.sessions, now)
        lines = told_lines(step.kind, [_without_secrets(one) for one in stated])
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
        return without_secrets(found), f"{PROMPTS} {model}"

    async def _lines(self, agent_id: str) -> AsyncIterator[tuple[str | None, Line]]:
        for project in await self.data.lines(agent_id):
            yield project, await self.data.line(agent_id, project, self.clock())


def _without_secrets(one: Statement) -> Statement:
    facts = tuple(replace(fact, content=without_secrets(fact.content)) for fact in one.facts)
    return replace(one, content=without_secrets(one.content), facts=facts)


def _told(project: str | None, step: Step, names: dict[str, str]) -> CondensationItem:
    return CondensationItem(
        action=step.action,
        kind=step.kind,
        project=project,
        number=step.number,
        id=step.held.id if step.held else None,
        session_ids=tuple(names[id_] for id_ in step.sessions),
    )
