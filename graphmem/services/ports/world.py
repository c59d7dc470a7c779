"""The outside world except the graph: time, ids, language and models."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal, Protocol, TypeVar

from graphmem.model.parsed import ParsedText
from graphmem.model.questions import Question

Clock = Callable[[], datetime]
NewId = Callable[[], str]
Result = TypeVar("Result")
Tell = Callable[[str, int, int], None]
"""Receives the progress of a long operation: what is counted, how many are done, and of how many."""


def silent(_what: str, _done: int, _of: int) -> None:
    """A `Tell` that ignores progress."""


class Compute(Protocol):
    """Runs a pure function off the event loop."""

    async def __call__(self, work: Callable[[], Result], /) -> Result: ...


class Parser(Protocol):
    """Reads English. CPU-bound: call it off the event loop."""

    def parse(self, texts: Sequence[str]) -> list[ParsedText]: ...


class Embedder(Protocol):
    """Turns texts into unit vectors of `dimensions` numbers; `id` names the model they come from."""

    @property
    def id(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def state(self) -> Literal["loading", "ready", "off"]: ...
    async def load(self) -> None: ...
    async def embed(self, texts: Sequence[str]) -> list[list[float]]: ...
    async def close(self) -> None: ...


class LanguageModel(Protocol):
    """Answers questions. `ask` returns the result of `read` for the first answer it accepts, and the name of the model;
    `read` runs off the event loop. Errors: ModelUnavailable."""

    async def ask(self, question: Question, read: Callable[[str], Result]) -> tuple[Result, str]: ...
    async def close(self) -> None: ...


class Reranker(Protocol):
    """Scores how well texts answer a question: a finite number for each, in order, higher is better. Errors:
    ModelUnavailable."""

    async def score(self, query: str, texts: Sequence[str]) -> list[float]: ...
    async def close(self) -> None: ...
