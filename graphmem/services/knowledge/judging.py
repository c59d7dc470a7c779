"""Judging: a language model's verdicts on facts that the rules do not decide. It never runs inside a transaction."""

import asyncio
import logging
from collections.abc import Sequence

from graphmem.errors import ModelUnavailable
from graphmem.rules.supersession import PROMPTS, Pair, question, read_verdicts
from graphmem.services.ports import LanguageModel

CALLER_WAITS_S = 5.0
"""How long a synchronous call waits for a model; workers wait up to the model's own limit."""
MAX_REMEMBERED = 10_000
"""Pairs whose verdicts are cached, so that each sweep asks about others."""
log = logging.getLogger(__name__)


class Judging:
    """`name`: the judge, with its version; `asked` and `failed` count questions of this process, `told` caches the
    answers."""

    def __init__(self, model: LanguageModel, name: str = PROMPTS) -> None:
        self._model = model
        self.name = name
        self._running: set[asyncio.Task[dict[Pair, float] | None]] = set()
        self.asked = 0
        self.failed = 0
        self.told: dict[Pair, float] = {}

    async def ask(self, pairs: Sequence[Pair], wait_s: float | None = None) -> dict[Pair, float] | None:
        """The model's confidence that the two facts of each pair exclude each other; None where it is down, late or
        returns nonsense, which is counted. An answer after `wait_s` is used by the next sweep."""
        self.asked += 1
        task = asyncio.create_task(self._answer(pairs))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        done, _ = await asyncio.wait({task}, timeout=wait_s)
        found = task.result() if done else None
        self.failed += found is None
        return found

    async def _answer(self, pairs: Sequence[Pair]) -> dict[Pair, float] | None:
        try:
            found, _ = await self._model.ask(question(pairs), lambda answer: read_verdicts(answer, pairs))
        except ModelUnavailable as error:
            log.warning("no model judges facts", extra={"why": str(error)})
            return None
        self.told |= found
        while len(self.told) > MAX_REMEMBERED:
            del self.told[next(iter(self.told))]
        return found
