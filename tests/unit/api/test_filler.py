"""A long session holds the conversation in order, is as long as wanted, and its filler answers no probe."""

from itertools import pairwise
from pathlib import Path

import pytest

from api.eval_continuity import continuous
from api.filler import Message, long_session, tokens_of
from graphmem.model.inputs import NewMessages
from graphmem.model.labels_continuity import ContinuousConversation

FOLDER = Path(__file__).parents[2] / "data" / "continuity"
WORK = [one for part in ("tuned", "held") for one in continuous(FOLDER / part) if one.topic == "coding"]
TOKENS = 30_000


def is_filler(message: Message) -> bool:
    return str(message["messageId"]).startswith("filler-")


@pytest.mark.parametrize("conversation", WORK, ids=lambda one: str(one.id))
def test_the_conversation_is_whole_and_in_order_between_the_filler(conversation: ContinuousConversation) -> None:
    session = long_session(conversation, TOKENS)
    own = [message["messageId"] for message in session if not is_filler(message)]
    assert own == [message.message_id for message in conversation.messages]
    assert not is_filler(session[0])
    assert not is_filler(session[-1])


def test_it_is_as_long_as_wanted_and_not_much_longer() -> None:
    said = sum(map(tokens_of, long_session(WORK[0], TOKENS)))
    assert TOKENS <= said < TOKENS + 5_000


def test_a_service_takes_it_and_each_result_stands_behind_its_call() -> None:
    given = NewMessages.model_validate({"messages": long_session(WORK[0], TOKENS)})
    for before, message in pairwise(given.messages):
        assert message.role != "tool" or before.role == "tool" or before.tool_calls


def test_every_run_has_the_same() -> None:
    assert long_session(WORK[0], TOKENS) == long_session(WORK[0], TOKENS)
    assert long_session(WORK[0], TOKENS, seed=2) != long_session(WORK[0], TOKENS)


@pytest.mark.parametrize("conversation", WORK, ids=lambda one: str(one.id))
def test_the_filler_answers_no_probe(conversation: ContinuousConversation) -> None:
    filler = [str(message.get("content")) for message in long_session(conversation, 120_000) if is_filler(message)]
    assert [probe.question for probe in conversation.probes if probe.answered_by(*filler)] == []
