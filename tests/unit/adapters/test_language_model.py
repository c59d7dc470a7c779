"""The model adapter against a scripted server: what it does where that is away, late, busy or talks nonsense."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from graphmem.adapters import language_model
from graphmem.adapters.language_model import EndpointModel, ModelSettings
from graphmem.errors import ModelUnavailable, SetupFailed
from graphmem.model.questions import Question
from graphmem.rules.model.answers import Nonsense
from tests.scripted_model import Reply, Script, ScriptedModel, completion, refusal, scripted_model

QUESTION = Question("Do it.", "secret words", {"type": "object"})


class Time:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with scripted_model() as running:
        running.otherwise = "fine"
        yield running


@pytest.fixture
def clock() -> Time:
    return Time()


Make = Callable[..., EndpointModel]


@pytest.fixture
async def make(server: ScriptedModel, clock: Time, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Make]:
    monkeypatch.setattr(language_model, "_FIRST_PAUSE_S", 0.01)
    made: list[EndpointModel] = []

    def build(*names: str, **changed: Any) -> EndpointModel:
        given: dict[str, Any] = {
            "url": server.url,
            "key": "s3cret",
            "timeout_s": 60,
            "retries": 2,
            "tokens_per_hour": 0,
            "tokens_per_day": 0,
        }
        made.append(EndpointModel(ModelSettings(names=names or ("small",), **(given | changed)), clock))
        return made[-1]

    yield build
    for model in made:
        await model.close()


async def ask(model: EndpointModel) -> str:
    found, _ = await model.ask(QUESTION, take)
    return found


def take(answered: str) -> str:
    if "nonsense" in answered:
        raise Nonsense("it is nonsense")
    return answered


def asked_for(server: ScriptedModel) -> list[str]:
    return [one["model"] for one in server.asked]


async def test_the_question_goes_out_as_it_is_with_the_key(make: Make, server: ScriptedModel) -> None:
    assert await ask(make()) == "fine"
    (asked,) = server.asked
    assert asked["messages"] == [
        {"role": "system", "content": "Do it."},
        {"role": "user", "content": "secret words"},
    ]
    assert (asked["model"], asked["temperature"], asked["max_tokens"]) == ("small", 0, 4096)
    assert asked["response_format"]["type"] == "json_schema"
    assert asked["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert server.keys == ["Bearer s3cret"]


@pytest.mark.parametrize(
    "reply",
    [
        refusal(429, Retry_After="0.01"),
        refusal(429, Retry_After="soon"),
        refusal(500),
        refusal(503),
        Reply(502, b"<h>"),
    ],
)
async def test_a_busy_server_is_asked_again(make: Make, server: ScriptedModel, reply: Reply) -> None:
    server.script = [reply, reply]
    assert await ask(make()) == "fine"
    assert len(server.asked) == 3


async def test_a_late_answer_is_not_waited_for_and_asked_anew(make: Make, server: ScriptedModel) -> None:
    model = make()
    await ask(model)  # what is imported by the first question takes none of the next one's time

    def late(asked: dict[str, Any]) -> Reply:
        model._settings = replace(model._settings, timeout_s=60)
        return Reply(after_s=600)

    model._settings = replace(model._settings, timeout_s=0.3)
    server.script = [late]
    assert await ask(model) == "fine"
    assert len(server.asked) == 3


BAD: dict[str, tuple[Script, str]] = {
    "no JSON": (Reply(body=b"<html>"), "gave no completion"),
    "nothing": (Reply(body=b""), "gave no completion"),
    "another shape": (Reply(body=b'{"choices": {"a": 1}}'), r"gave no completion \(choices"),
    "no choice": (Reply(body=b'{"choices": []}'), "answered nothing"),
    "null": (completion(None), "answered nothing"),
    "blank": (completion(" \n"), "answered nothing"),
    "a number": (completion(7), "gave no completion"),
    "nonsense": (completion("nonsense"), "answered nonsense: it is nonsense"),
    "no key": (refusal(401), "refused the key"),
    "no route": (refusal(404), r"/v1"),
    "teapot": (refusal(418), r"refused the question \(418\)"),
    "a broken body": (Reply(body=b'{"choices"', missing=50), "broke off"),
    "without end": (Reply(body=b" " * 100_000, endless=True), "without end"),
}


@pytest.mark.parametrize("kind", sorted(set(BAD) - {"a broken body"}))
async def test_a_bad_answer_leads_to_the_next_model_at_once(make: Make, server: ScriptedModel, kind: str) -> None:
    server.script = [BAD[kind][0]]
    assert await make("first", "second").ask(QUESTION, take) == ("fine", "second")
    assert asked_for(server) == ["first", "second"]


@pytest.mark.parametrize("kind", BAD)
async def test_where_no_model_is_left_the_error_says_why_and_holds_no_words(
    make: Make, server: ScriptedModel, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.otherwise, why = BAD[kind]
    with caplog.at_level(logging.DEBUG), pytest.raises(ModelUnavailable, match=why) as caught:
        await ask(make())
    for text in (str(caught.value), *(str(vars(record)) for record in caplog.records)):
        assert "s3cret" not in text
        assert "secret words" not in text


async def test_nobody_there_is_told_after_the_retries(make: Make) -> None:
    with pytest.raises(ModelUnavailable, match="small cannot be reached"):
        await ask(make(url="http://127.0.0.1:1/v1"))


async def test_parts_of_a_text_are_one_answer(make: Make, server: ScriptedModel) -> None:
    server.script = [completion([{"type": "text", "text": "one "}, {"type": "text", "text": "answer"}])]
    assert await ask(make()) == "one answer"


async def test_what_a_server_does_not_understand_is_left_out_from_then_on(make: Make, server: ScriptedModel) -> None:
    server.script = [
        refusal(400, "'response_format' of type json_schema is not supported"),
        refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."),
        refusal(400, "'temperature' does not support 0"),
    ]
    model = make()
    assert await ask(model) == "fine"
    for asked in (server.asked[-1], None):
        asked = asked or (await ask(model), server.asked[-1])[1]
        assert asked["response_format"] == {"type": "json_object"}
        assert asked["max_completion_tokens"] == 4096
        assert not {"max_tokens", "temperature"} & set(asked)
    assert len(server.asked) == 5


async def test_a_server_that_refuses_every_manner_is_given_up(make: Make, server: ScriptedModel) -> None:
    server.otherwise = refusal(400, "no response_format, no max_tokens, no temperature")
    with pytest.raises(ModelUnavailable, match="refused the question"):
        await ask(make())
    assert len(server.asked) == 5


async def test_a_route_rests_after_two_failures_and_is_tried_again_later(
    make: Make, server: ScriptedModel, clock: Time
) -> None:
    model = make("first", "second")
    server.otherwise = lambda asked: "nonsense" if asked["model"] == "first" else "fine"
    for _ in range(4):
        assert await ask(model) == "fine"
    assert asked_for(server) == ["first", "second"] * 2 + ["second"] * 2
    clock.now += 301
    await ask(model)
    await ask(model)
    assert asked_for(server)[6:] == ["first", "second", "second"], "one more failure and it rests again"
    clock.now += 301
    server.otherwise = "fine"
    await ask(model)
    assert asked_for(server)[-1] == "first"
    server.script = ["nonsense"]
    await ask(model)
    await ask(model)
    assert asked_for(server)[-1] == "first", "an answer forgives what was before"


async def test_while_all_rest_nobody_is_asked(make: Make, server: ScriptedModel) -> None:
    model = make("first", "second")
    server.otherwise = "nonsense"
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            await ask(model)
    with pytest.raises(ModelUnavailable, match=r"first rests.*second rests"):
        await ask(model)
    assert len(server.asked) == 4


async def test_no_token_is_spent_beyond_the_bounds(make: Make, server: ScriptedModel, clock: Time) -> None:
    server.otherwise = completion("fine", tokens=3_000)
    model = make("first", "second", tokens_per_hour=8_000, tokens_per_day=12_000)
    assert [await ask(model) for _ in range(2)] == ["fine", "fine"]
    for _ in range(3):
        with pytest.raises(ModelUnavailable, match="tokens for this hour or day are spent"):
            await ask(model)
    clock.now += 3_601
    assert await ask(model) == "fine", "spending too much is no fault of the model"
    clock.now += 3_601
    with pytest.raises(ModelUnavailable, match="spent"):
        await ask(model)
    clock.now += 86_400
    assert await ask(model) == "fine"
    assert asked_for(server) == ["first"] * 4


async def test_tokens_are_estimated_where_the_server_does_not_tell(make: Make, server: ScriptedModel) -> None:
    server.otherwise = completion("word " * 3_000, tokens=None)
    model = make(tokens_per_hour=7_000)
    await ask(model)
    with pytest.raises(ModelUnavailable, match="spent"):
        await ask(model)


async def test_reading_an_answer_does_not_stop_the_event_loop(make: Make) -> None:
    loop = asyncio.get_running_loop()

    def read(_: str) -> str:
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(60)  # only a loop that is free gets there
        return "read"

    assert (await make().ask(QUESTION, read))[0] == "read"


async def test_a_body_that_drips_is_given_up_in_time(make: Make, server: ScriptedModel) -> None:
    server.otherwise = Reply(body=b" ", endless=True)
    with pytest.raises(ModelUnavailable, match=r"did not answer in 0\.3 s"):
        await ask(make(retries=0, timeout_s=0.3))


async def test_a_question_for_plain_text_names_no_format(make: Make, server: ScriptedModel) -> None:
    assert await make().ask(Question("Do it.", "words", None), take) == ("fine", "small")
    assert "response_format" not in server.asked[0]
    server.script = [refusal(400, "no such parameter")]
    with pytest.raises(ModelUnavailable, match="refused the question"):
        await make().ask(Question("Do it.", "words", None), take)
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "reply",
    [
        refusal(400, "This model's maximum context length is 8192 tokens, however you requested 9000."),
        refusal(400, "Input is too long for requested model."),
        refusal(413, "Too many tokens."),
        refusal(422, "the request exceeds the available context size"),
    ],
)
async def test_a_question_that_is_too_long_is_no_fault_of_the_model(
    make: Make, server: ScriptedModel, reply: Reply
) -> None:
    model = make("small")
    for _ in range(3):
        server.script = [reply]
        with pytest.raises(ModelUnavailable, match="too long") as raised:
            await ask(model)
        assert raised.value.too_much
    assert len(server.asked) == 3
    assert await ask(model) == "fine"


async def test_late_is_too_much_and_nonsense_is_not(make: Make, server: ScriptedModel) -> None:
    server.otherwise = Reply(after_s=600)
    with pytest.raises(ModelUnavailable) as late:
        await ask(make(retries=0, timeout_s=0.3))
    server.otherwise = "nonsense"
    with pytest.raises(ModelUnavailable) as nonsense:
        await ask(make(retries=0))
    assert (late.value.too_much, nonsense.value.too_much) == (True, False)


async def test_how_long_a_model_rests_and_after_how_many_failures_is_set(
    make: Make, server: ScriptedModel, clock: Time
) -> None:
    server.otherwise = "nonsense"
    model = make(failures=1, rest_s=10.0)
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            await ask(model)
    assert len(server.asked) == 1
    clock.now += 11
    with pytest.raises(ModelUnavailable):
        await ask(model)
    assert len(server.asked) == 2


def test_without_the_extra_the_error_says_what_to_install(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_model, "find_spec", lambda _: None)
    with pytest.raises(SetupFailed, match=r"name a model \(large, small\).*pip install 'graphmem\[llm\]'"):
        make("large", "small")


def test_no_import_of_graphmem_needs_the_extra() -> None:
    """Neither do the doors: only who sets a model has it."""
    hidden = "import sys; sys.modules['openai'] = None; sys.modules['httpx2'] = None\n"
    program = hidden + "import api.cli, graphmem.app, graphmem.client, graphmem.roots.world"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
