"""The sweep: retires stored facts that newer stored facts contradict, entity by entity."""

import asyncio
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any

from graphmem.errors import Conflict
from graphmem.model.answers import PlannedSupersession, SweepReport
from graphmem.model.caller import Caller
from graphmem.model.change import Deciding
from graphmem.model.inputs import StartSweep
from graphmem.model.stored import ActiveFact, JobStep
from graphmem.rules.keeping.paging import LAST_ID
from graphmem.rules.supersession import (
    MAX_ASKED,
    Retirement,
    Swept,
    judgements,
    kept_pairs_to_ask,
    most_alike,
    row_of,
    swept,
)
from graphmem.services.knowledge.judging import Judging
from graphmem.services.ports import Clock, ColdTier, Compute, Jobs, Knowledge, NewId, Supersessions

KIND = "supersession_sweep"
BATCH = 100
"""Entities that are decided and written together."""
PART = 10
"""How many of these are read and compared at a time."""
APART = timedelta(seconds=1)
"""Time between the sweeps of two agents."""
BEGINNING = datetime(1, 1, 1, tzinfo=UTC)
Age = tuple[datetime, str]
"""The start of a fact, and its id."""
Plan = tuple[Retirement, ...]


@dataclass(frozen=True)
class SweepSettings:
    """`enabled`: newer facts may retire what they contradict; `by_itself`: the chore sweeps automatically;
    `proposals_only` changes no fact. `rules` names the code that compares."""

    enabled: bool
    by_itself: bool
    min_confidence: float
    proposals_only: bool
    rules: str


@dataclass(frozen=True)
class SweepMark:
    """The progress of a sweep: it continues with entities whose ids are below `before`. `left`: how many facts it may
    still decide, None for any number. `done`: how many entities of all `of`, when it began, it has swept."""

    before: str = LAST_ID
    left: int | None = None
    retired: int = 0
    proposed: int = 0
    done: int = 0
    of: int = 0


@dataclass
class _Budget:
    """How many pairs a model may still be asked about in a step."""

    left: int = MAX_ASKED


@dataclass(frozen=True)
class Sweeping:
    """Uses the rule that decides on new facts. What it has decided once is not decided again.

    `compute` may use several processors; a step of a single part is compared in a thread, faster than processes start.
    `judging` is None where no model judges facts; each step asks about a few new pairs.
    """

    supersessions: Supersessions
    knowledge: Knowledge
    cold: ColdTier
    jobs: Jobs
    settings: SweepSettings
    clock: Clock
    new_id: NewId
    compute: Compute
    judging: Judging | None = None

    async def start(self, caller: Caller, given: StartSweep) -> SweepReport:
        """Have a worker sweep an agent's facts, or report what that would do. Errors: Conflict where supersession is
        off."""
        if given.dry_run:
            plan = await self._plan_all(caller.agent_id, given.limit)
            items = tuple(_told(one) for one in plan)
            return SweepReport(job_id=None, affected=len(plan), limit_reached=len(plan) == given.limit, items=items)
        if not self.settings.enabled:
            raise Conflict("Facts retire nothing here: supersession_enabled is false. Set it, or ask with dryRun.")
        wanted = {"limit": given.limit} if given.limit else {}
        job_id = await self.jobs.want(caller.agent_id, KIND, KIND, wanted, self.new_id(), self.clock())
        return SweepReport(job_id=job_id, affected=0, items=())

    async def start_all(self) -> bool:
        """The chore: a sweep of each agent, one after the other, so that sessions that end meanwhile need not wait for
        all of them. One step does all."""
        agent_id = await self.cold.agent_after("") if self.settings.enabled and self.settings.by_itself else None
        now = at = self.clock()
        while agent_id is not None:
            await self.jobs.want(agent_id, KIND, KIND, {}, self.new_id(), now, at)
            agent_id, at = await self.cold.agent_after(agent_id), at + APART
        return False

    async def carry_on(self, agent_id: str, _subject_id: str, mark: Mapping[str, Any]) -> JobStep:
        """The job: sweep the next entities; asked for meanwhile, it begins again."""
        done = SweepMark(**mark) if "before" in mark else SweepMark(left=mark.get("limit"))
        if not done.of:
            done = replace(done, of=await self.supersessions.entities(agent_id))
        if step := await self.step(agent_id, done):
            return JobStep.on(asdict(step), step.done, step.of)
        return JobStep(result={"retired": done.retired, "proposed": done.proposed})

    async def step(self, agent_id: str, mark: SweepMark) -> SweepMark | None:
        """Sweep the next entities and return the progress, with counts; None where there are none left.

        After a kill, the same step repeats only what was not written.
        """
        if mark.left == 0 or not self.settings.enabled:
            return None
        entities = await self.supersessions.entities_before(agent_id, mark.before, BATCH)
        if not entities:
            return None
        plan, traits = await self._plan(agent_id, [id_ for id_, several in entities if several])
        plan = plan[: mark.left]
        retired = proposed = 0
        if traits:
            await self.supersessions.keep_traits(agent_id, traits)
        if plan:
            judge = self.judging.name if self.judging else ""
            rows = [(one.status, row_of(one, self.new_id(), judge)) for one in plan]
            deciding = Deciding(None, self.new_id(), self.new_id(), self.clock())
            applied = [row for status, row in rows if status == "applied"]
            asked = [row for status, row in rows if status == "proposed"]
            retired, proposed = await self.supersessions.retire(agent_id, applied, asked, deciding)
        left = None if mark.left is None else mark.left - len(plan)
        return SweepMark(
            entities[-1][0],
            left,
            mark.retired + retired,
            mark.proposed + proposed,
            mark.done + len(entities),
            mark.of,
        )

    async def _plan_all(self, agent_id: str, limit: int | None) -> list[Retirement]:
        plan: list[Retirement] = []
        before = LAST_ID
        while limit is None or len(plan) < limit:
            entities = await self.supersessions.entities_before(agent_id, before, BATCH)
            if not entities:
                break
            plan += (await self._plan(agent_id, [id_ for id_, several in entities if several]))[0]
            before = entities[-1][0]
        return plan[:limit]

    async def _plan(self, agent_id: str, entity_ids: Sequence[str]) -> tuple[list[Retirement], dict[str, bytes]]:
        """The pending retirements among the facts of these entities, newest first, and their missing traits.

        Some are read while others are compared: the database and the comparison each use a processor.
        """
        parts = [entity_ids[start : start + PART] for start in range(0, len(entity_ids), PART)]
        compute = self.compute if len(parts) > 1 else asyncio.to_thread
        budget = _Budget()
        plans = await asyncio.gather(*(self._plan_part(agent_id, part, budget, compute) for part in parts))
        found = sorted(chain.from_iterable(plan for plan, _ in plans), key=lambda one: one[0], reverse=True)
        return [retirement for _, retirement in found], {id_: one for _, traits in plans for id_, one in traits.items()}

    async def _plan_part(
        self, agent_id: str, entity_ids: Sequence[str], budget: _Budget, compute: Compute
    ) -> tuple[list[tuple[Age, Retirement]], Mapping[str, bytes]]:
        """The pending retirements among the facts of these entities, with the age of the retired fact; and the missing
        traits."""
        active, past = await asyncio.gather(
            self.knowledge.active_facts(agent_id, entity_ids),
            self.knowledge.past_facts(agent_id, entity_ids, BEGINNING),
        )
        facts = active + past
        plan, traits, recorded, settled = await self._decided(agent_id, facts, compute)
        if self.judging and await self._judge(self.judging, facts, plan, settled, budget, compute):
            plan, traits, recorded, settled = await self._decided(agent_id, facts, compute)
        began = {fact.id: (fact.valid_from, fact.id) for fact in facts}
        open_ = [one for one in plan if one.status == "applied" or (one.old_id, one.new_id) not in recorded]
        return [(began[one.old_id], one) for one in open_], traits

    async def _decided(
        self, agent_id: str, facts: Sequence[ActiveFact], compute: Compute
    ) -> tuple[Plan, Mapping[str, bytes], Mapping[tuple[str, str], str], Set[tuple[str, str]]]:
        """What these facts retire, their missing traits, the pairs that were considered before, and those that people
        decided."""
        found = await compute(self._swept(facts, frozenset()))
        plan = found.retirements
        # Only a pair that would be retired can have been decided: most sweeps look up none.
        recorded = await self.supersessions.recorded(agent_id, [one.old_id for one in plan]) if plan else {}
        if settled := {pair for pair, status in recorded.items() if status != "proposed"}:
            plan = (await compute(self._swept(facts, settled))).retirements
        return plan, found.traits, recorded, settled

    async def _judge(
        self,
        judging: Judging,
        facts: Sequence[ActiveFact],
        plan: Sequence[Retirement],
        settled: Set[tuple[str, str]],
        budget: _Budget,
        compute: Compute,
    ) -> bool:
        """Ask about facts that the rules do not decide; whether that may retire any."""
        if not budget.left:
            return False
        retired = {one.old_id for one in plan}
        said = {fact.content for fact in facts}
        told_before = frozenset(pair for pair in judging.told if pair.old in said)
        asked = partial(kept_pairs_to_ask, facts, retired=retired, settled=settled, told=told_before)
        found = await compute(asked)
        pairs = most_alike(found, budget.left)
        budget.left -= len(pairs)
        told = await judging.ask(pairs) if pairs else None
        return bool(told and any(told.values()))

    def _swept(self, facts: Sequence[ActiveFact], settled: Set[tuple[str, str]]) -> Callable[[], Swept]:
        """The work to compute: self-contained, so that it can go to another process."""
        judged = judgements(self.judging.told) if self.judging else {}
        return partial(
            swept,
            facts,
            min_confidence=self.settings.min_confidence,
            shadow=self.settings.proposals_only,
            settled=settled,
            rules=self.settings.rules,
            judged={fact.content: judged[fact.content] for fact in facts if fact.content in judged},
        )


def _told(one: Retirement) -> PlannedSupersession:
    return PlannedSupersession(
        old_id=one.old_id,
        new_id=one.new_id,
        signals=one.signals,
        confidence=one.confidence,
        method=one.method,
        status=one.status,
        reason=one.reason,
    )
