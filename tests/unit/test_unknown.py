"""The name that was probably meant."""

import pytest

from graphmem.client import GraphmemClient
from graphmem.errors import InvalidInput
from graphmem.model.erasing import Erase
from graphmem.model.inputs import NewMessages, Recall, Remember
from graphmem.model.unknown import did_you_mean, fields_at


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("maxTokns", "did you mean maxTokens?"),
        ("max_tokns", "did you mean maxTokens?"),
        ("MaxTokens", "did you mean maxTokens?"),
        ("frm", "did you mean from?"),
        ("colour", ""),
    ],
)
def test_a_near_name_is_named(given: str, meant: str) -> None:
    assert did_you_mean(given, fields_at(Recall, (given,))) == meant


def test_few_names_are_listed_and_none_is_said() -> None:
    assert did_you_mean("colour", ["b", "a"]) == "it takes a, b"
    assert did_you_mean("colour", []) == "it takes none"


def test_the_fields_are_those_of_the_object_where_it_stands() -> None:
    assert "slot" in fields_at(Remember, ("claim", "slott"))
    assert "toolCalls" in fields_at(NewMessages, ("messages", 3, "tools"))
    assert "messageId" in fields_at(Erase, ("subject", "message"))


def test_the_client_names_it_without_a_service() -> None:
    with GraphmemClient("http://127.0.0.1:9") as client, pytest.raises(InvalidInput) as told:
        client.recall(query="a", max_tokns=3)
    assert [(one.loc, one.msg) for one in told.value.problems] == [
        (("max_tokns",), "is no field of this request; did you mean maxTokens?")
    ]
