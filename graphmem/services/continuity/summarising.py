"""Summarising: a source in fewer words, by a model where there is one, else from its own sentences. It never runs
inside a transaction, and always terminates."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphmem.errors import ModelUnavailable
from graphmem.model.compaction import Draft
from graphmem.model.questions import Question
from graphmem.rules.language.text import count_tokens
from graphmem.rules.privacy.redaction import without_secrets
from graphmem.rules.summaries.compaction import CompactionBounds, summary_tokens
from graphmem.rules.summaries.compaction_prompts import PROMPTS, Answer, Style, read_summary
from graphmem.rules.summaries.extractive import EXTRACT_SUMMARISER, Passage, extract, must_keep
from graphmem.services.ports import LanguageModel

ASK_FROM_TOKENS = 200
"""Least source for a model: a summary of less would hardly be shorter."""
KEEP_TOKENS = 400
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Source:
    """The source of a summary; the summary must stay below `tokens`. `ask` builds the question to a model from what
    must be kept, the style, and the number of tokens."""

    passages: Sequence[Passage]
    tokens: int
    depth: int
    ask: Callable[[Sequence[str], Style, int], Question]


class Patience:
    """The remaining time to wait for models, in total."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends = clock() + seconds

    @property
    def left_s(self) -> float:
        return max(self._ends - self._clock(), 0.0)


@dataclass(frozen=True)
class Summarising:
    """`model` is None where none is set."""

    bounds: CompactionBounds
    model: LanguageModel | None = None

    async def by_model(self, source: Source, patience: Patience) -> Draft:
        """A summary in a model's words: detailed, or in bullets where that is not shorter than its source.

        Errors: ModelUnavailable where no readable answer is shorter.
        """
        if self.model is None or source.tokens < ASK_FROM_TOKENS:
            raise ModelUnavailable("No model is asked.")
        keep = await asyncio.to_thread(must_keep, source.passages, KEEP_TOKENS)
        wanted = summary_tokens(source.tokens, source.depth)
        styles: tuple[tuple[Style, int], ...] = (
            ("detailed", wanted),
            ("bullets", max(int(wanted * self.bounds.bullet_ratio), 1)),
        )
        said = "\n".join(passage.text for passage in source.passages)
        for style, budget in styles:
            answer, model = await self._ask(self.model, source.ask(keep, style, budget), said, patience)
            text = await asyncio.to_thread(without_secrets, answer.text)
            tokens = await asyncio.to_thread(count_tokens, text)
            if tokens < source.tokens:
                hint = answer.hint and without_secrets(answer.hint)
                return Draft(text, tokens, style, "model", f"{PROMPTS} {model}", keep, hint)
        raise ModelUnavailable("What the model wrote was not shorter than its source.")

    async def by_rules(self, source: Source, fallback: str | None = None) -> Draft | None:
        """Sentences of the source, deterministic; None where it cannot be made shorter."""
        found = await asyncio.to_thread(extract, source.passages, source.tokens, self.bounds.cut_tokens)
        if found is None:
            return None
        tokens = count_tokens(found.text)
        hint = ", ".join(found.topics) or None
        return Draft(found.text, tokens, "truncated", "extractive", EXTRACT_SUMMARISER, found.kept, hint, fallback)

    async def told(self, source: Source, patience: Patience) -> Draft | None:
        """The summary of a source, by the first way that works; None where it cannot be made shorter."""
        try:
            return await self.by_model(source, patience)
        except ModelUnavailable as error:
            return await self.by_rules(source, self.why(error, source))

    def why(self, error: ModelUnavailable, source: Source) -> str | None:
        """Why rules wrote it instead of a model; None where no model would have been used."""
        if self.model is None or source.tokens < ASK_FROM_TOKENS:
            return None
        log.warning("rules sum up in place of a model", extra={"why": str(error)})
        return str(error)

    async def _ask(self, model: LanguageModel, question: Question, said: str, patience: Patience) -> tuple[Answer, str]:
        if not patience.left_s:
            raise ModelUnavailable("The time for models is spent.")
        try:
            async with asyncio.timeout(patience.left_s):
                return await model.ask(question, lambda answer: read_summary(answer, said))
        except TimeoutError:
            raise ModelUnavailable("No model answered in the time there was.") from None
