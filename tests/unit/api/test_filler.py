"""A long session holds the conversations in order, is as long as wanted, and its filler answers no probe."""

from itertools import pairwise
from pathlib import Path

import pytest

from api.eval_continuity import continuous
from api.eval_sessions import probes_of
from api.filler import Message, long_session, own_id, tokens_of
from graphmem.model.inputs import NewMessages

FOLDER = Path(__file__).parents[2] / "data" / "continuity"
WORK = [one for part in ("tuned", "held") for one in continuous(FOLDER / part) if one.topic == "coding"]
TOKENS = 30_000


def is_filler(message: Message) -> bool:
    return str(message["messageId"]).startswith("filler-")


@pytest.fixture(scope="module")
def session() -> list[Message]:
    return long_session(WORK, TOKENS)


def test_the_conversations_are_whole_and_in_order_between_the_filler(session: list[Message]) -> None:
    own = [str(message["messageId"]) for message in session if not is_filler(message)]
    for one in WORK:
        wanted = [own_id(one.id, str(message.message_id)) for message in one.messages]
        first = own.index(wanted[0])
        assert own[first : first + len(wanted)] == wanted
    assert len(own) == len(set(own)) == sum(len(one.messages) for one in WORK)
    assert not is_filler(session[0])
    assert not is_filler(session[-1])


def test_conversations_follow_each_other_in_time(session: list[Message]) -> None:
    times = [str(message["createdAt"]) for message in session]
    assert times == sorted(times)


def test_it_is_as_long_as_wanted_and_not_much_longer(session: list[Message]) -> None:
    assert TOKENS <= sum(map(tokens_of, session)) < TOKENS + 5_000


def test_a_service_takes_it_and_each_result_stands_behind_its_call(session: list[Message]) -> None:
    given = NewMessages.model_validate({"messages": session})
    for before, message in pairwise(given.messages):
        assert message.role != "tool" or before.role == "tool" or before.tool_calls
    calls = [call["id"] for message in given.messages for call in message.tool_calls or () if isinstance(call, dict)]
    results = [message.tool_call_id for message in given.messages if message.role == "tool"]
    assert results == calls
    assert len(set(calls)) == len(calls)


def test_each_probe_is_answered_by_the_messages_it_names(session: list[Message]) -> None:
    contents = {str(message["messageId"]): str(message.get("content", "")) for message in session}
    for probe in probes_of(WORK):
        assert probe.answered_by(*(contents[message] for message in probe.messages))


def test_every_run_has_the_same(session: list[Message]) -> None:
    assert long_session(WORK, TOKENS) == session
    assert long_session(WORK, TOKENS, seed=2) != session


def test_the_filler_answers_no_probe() -> None:
    filler = [str(message.get("content")) for message in long_session(WORK, 120_000) if is_filler(message)]
    probes = [probe for one in WORK for probe in one.probes]
    assert [probe.question for probe in probes if probe.answered_by(*filler)] == []
