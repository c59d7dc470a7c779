"""A language model behind any server with the OpenAI API: one route for each model, tried in order."""

import asyncio
import importlib
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from graphmem.errors import ModelUnavailable, SetupFailed
from graphmem.model.questions import Question
from graphmem.rules.language.text import count_tokens
from graphmem.rules.model.answers import Nonsense
from graphmem.rules.model.guards import FAILURES, REST_S, Breaker, SpendGuard

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MAX_ANSWER_TOKENS = 4096
MAX_ANSWER_BYTES = 2_000_000
"""Size at which an answer is abandoned: a model that repeats itself endlessly, or a server that is not one."""
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 20.0
_FORMATS = ("json_schema", "json_object", "text")
_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|(?:input|prompt|request) (?:is )?too (?:long|large)|too many "
    r"(?:input |prompt )?tokens|reduce the length|exceeds? the (?:model|maximum|context|available)",
    re.IGNORECASE,
)
"""Phrases by which servers report that a question does not fit their model."""
Result = TypeVar("Result")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """`names`: the first model, then its fallbacks. `retries`: for each, after the first try. After `failures` in a row
    a model rests for `rest_s`."""

    url: str
    names: tuple[str, ...]
    key: str | None
    timeout_s: float
    retries: int
    tokens_per_hour: int
    tokens_per_day: int
    failures: int = FAILURES
    rest_s: float = REST_S


@dataclass(frozen=True, slots=True)
class _Manner:
    """The options that the server of a route is known to support."""

    format: int = 0
    limit: str = "max_tokens"
    temperature: bool = True


@dataclass(slots=True)
class _Route:
    model: str
    breaker: Breaker
    manner: _Manner = _Manner()


class _Part(BaseModel):
    text: str = ""


class _Message(BaseModel):
    content: str | list[_Part] | None = None


class _Choice(BaseModel):
    message: _Message


class _Usage(BaseModel):
    total_tokens: int | None = None


class _Completion(BaseModel):
    choices: list[_Choice]
    usage: _Usage | None = None


class _Failed(Exception):
    """Why one try got no answer; `again`: another one may succeed after so many seconds; `too_much`: a shorter question
    may."""

    def __init__(self, why: str, again: float | None = None, *, too_much: bool = False) -> None:
        super().__init__(why)
        self.again = again
        self.too_much = too_much


class _TooLong(_Failed):
    """The question does not fit the model. It does not count as a failure: other questions may fit."""


class _Spent(_Failed):
    """No model was asked."""


class EndpointModel:
    """The models of one server. `url` is what comes before `/chat/completions`, as .../v1.

    Circuit breakers and spend guard are local to this process, and end with it.
    *Errors* `SetupFailed` where the client package is not installed: it is an extra.
    """

    def __init__(self, settings: ModelSettings, clock: Callable[[], float] = time.monotonic) -> None:
        if find_spec("openai") is None:
            raise SetupFailed(
                f"The settings name a model ({', '.join(settings.names)}), and the package that asks it, openai, is "
                "not installed: pip install 'graphmem[llm]', or leave the model out of the settings."
            )
        self._settings = settings
        self._clock = clock
        self._routes = [
            _Route(name, Breaker(most=settings.failures, rest_s=settings.rest_s)) for name in settings.names
        ]
        self._guard = SpendGuard(settings.tokens_per_hour, settings.tokens_per_day)
        self._client: AsyncOpenAI | None = None

    async def ask(self, question: Question, read: Callable[[str], Result]) -> tuple[Result, str]:
        """What `read` returns for the first answer it accepts, and the name of the model; it runs off the event loop
        and raises Nonsense.

        Each model that does not rest is tried in order, again after a pause where that may help.
        *Errors* `ModelUnavailable` where none gives a readable answer; it contains nothing that was sent or answered.
        """
        reasons: list[str] = []
        too_much = False
        tokens = await asyncio.to_thread(lambda: count_tokens(question.system) + count_tokens(question.data))
        for route in self._routes:
            if route.breaker.is_open(self._clock()):
                reasons.append(f"{route.model} rests for up to {self._settings.rest_s:g} s after failures")
                continue
            try:
                found = await self._ask_route(route, question, tokens, read)
            except _Spent as spent:
                reasons.append(str(spent))
                break
            except _Failed as failure:
                if not isinstance(failure, _TooLong):
                    route.breaker.failed(self._clock())
                too_much = too_much or failure.too_much
                reasons.append(f"{route.model} {failure}")
                log.warning("a model failed", extra={"model": route.model, "why": str(failure)})
            else:
                route.breaker.succeeded()
                return found, route.model
        raise ModelUnavailable(f"No model answered: {'; '.join(reasons)}.", too_much=too_much)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _ask_route(self, route: _Route, question: Question, tokens: int, read: Callable[[str], Result]) -> Result:
        pause_s = _FIRST_PAUSE_S
        tries_left = self._settings.retries
        while True:
            try:
                answer = await self._try(route, question, tokens)
                return await asyncio.to_thread(_read, read, answer)
            except _Failed as failure:
                if failure.again is None or not tries_left:
                    raise
                pause_s = max(pause_s, failure.again)
            tries_left -= 1
            await asyncio.sleep(min(pause_s, _LONGEST_PAUSE_S))
            pause_s *= 2

    async def _try(self, route: _Route, question: Question, tokens: int) -> str:
        """One answer; asked again without the options that the server reports as unknown."""
        import openai

        manner = route.manner
        while True:
            try:
                async with asyncio.timeout(self._settings.timeout_s):
                    answer = await self._send(route.model, manner, question, tokens)
            except (TimeoutError, openai.APITimeoutError):
                raise _Failed(f"did not answer in {self._settings.timeout_s:g} s", 0.0, too_much=True) from None
            except openai.APIConnectionError as error:
                raise _Failed(f"cannot be reached ({type(error).__name__})", 0.0) from None
            except openai.APIStatusError as error:
                complaint = str(error.message)
                if error.status_code in (400, 413, 422) and _TOO_LONG.search(complaint):
                    raise _TooLong(f"finds the question too long ({error.status_code})", too_much=True) from None
                simpler = _simpler(manner, complaint, question) if error.status_code in (400, 422) else None
                if simpler is None:
                    raise _refused(error) from None
                manner = simpler
            except _broken() as error:
                raise _Failed(f"broke off ({type(error).__name__})", 0.0) from None
            else:
                route.manner = manner
                return answer

    async def _send(self, model: str, manner: _Manner, question: Question, tokens: int) -> str:
        if not self._guard.allows(tokens + MAX_ANSWER_TOKENS, self._clock()):
            raise _Spent("the tokens for this hour or day are spent")
        received = bytearray()
        spent = tokens  # also for a question without an answer: the model may have worked on it
        try:
            async with self._opened().chat.completions.with_streaming_response.create(
                model=model, messages=_messages(question), **_asking(manner, question)
            ) as response:
                async for chunk in response.iter_bytes():
                    received += chunk
                    if len(received) > MAX_ANSWER_BYTES:
                        raise _Failed("answered without end")
            answer, used = await asyncio.to_thread(_content, bytes(received))
            spent = used or tokens + count_tokens(answer[: 10 * MAX_ANSWER_TOKENS])
            return answer
        finally:
            self._guard.spent(spent, self._clock())

    def _opened(self) -> "AsyncOpenAI":
        if self._client is None:
            from openai import AsyncOpenAI  # takes a second to import, only where a model is set

            logging.getLogger("openai").setLevel(logging.WARNING)  # below this level its lines contain what is sent
            # Self-hosted servers mostly need no key, but the client does.
            self._client = AsyncOpenAI(
                base_url=self._settings.url,
                api_key=self._settings.key or "none",
                timeout=self._settings.timeout_s,
                max_retries=0,
            )
        return self._client


def _broken() -> tuple[type[Exception], ...]:
    """Exceptions raised while an answer is read: by openai, and by httpx2, or httpx before version 3, below it."""
    wires = [importlib.import_module(name) for name in ("httpx", "httpx2") if find_spec(name)]
    errors = [getattr(wire, name) for wire in wires for name in ("HTTPError", "InvalidURL", "StreamError")]
    return importlib.import_module("openai").OpenAIError, *errors


def _read(read: Callable[[str], Result], answer: str) -> Result:
    try:
        return read(answer)
    except Nonsense as nonsense:
        raise _Failed(f"answered nonsense: {nonsense}") from None


def _messages(question: Question) -> Any:
    return [{"role": "system", "content": question.system}, {"role": "user", "content": question.data}]


def _asking(manner: _Manner, question: Question) -> dict[str, Any]:
    asking: dict[str, Any] = {manner.limit: MAX_ANSWER_TOKENS}
    if manner.temperature:
        asking["temperature"] = 0
    kind = _FORMATS[manner.format] if question.schema is not None else "text"
    if kind == "json_schema":
        schema = {"name": "knowledge", "schema": question.schema, "strict": True}
        asking["response_format"] = {"type": kind, "json_schema": schema}
    elif kind == "json_object":
        asking["response_format"] = {"type": kind}
    return asking


def _simpler(manner: _Manner, complaint: str, question: Question) -> _Manner | None:
    """A simpler request for a server that refused this one; None where there is none."""
    if "max_tokens" in complaint and manner.limit == "max_tokens":
        return replace(manner, limit="max_completion_tokens")
    if "temperature" in complaint and manner.temperature:
        return replace(manner, temperature=False)
    if question.schema is None:
        return None
    return replace(manner, format=manner.format + 1) if manner.format + 1 < len(_FORMATS) else None


def _content(body: bytes) -> tuple[str, int]:
    """The text of a completion, and the tokens it took, 0 where they are not reported."""
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join(map(str, problem["loc"])) or "the body"
        raise _Failed(f"gave no completion ({where} is wrong)") from None
    content = completion.choices[0].message.content if completion.choices else None
    said = content if isinstance(content, str) else "".join(part.text for part in content or ())
    used = completion.usage.total_tokens if completion.usage else None
    if not said.strip():
        raise _Failed("answered nothing")
    return said, max(used or 0, 0)


def _refused(error: Any) -> _Failed:
    status = int(error.status_code)
    if status in (401, 403):
        return _Failed(f"refused the key ({status})")
    if status == 404:
        return _Failed("is not there (404): the address mostly ends in /v1")
    if status in (408, 409, 429) or status >= 500:
        return _Failed(f"answered {status}", _retry_after_s(error.response.headers))
    return _Failed(f"refused the question ({status})")


def _retry_after_s(headers: Any) -> float:
    """The seconds in Retry-After; 0 where it is missing or names a date."""
    try:
        return max(float(headers.get("Retry-After", 0)), 0.0)
    except ValueError:
        return 0.0
