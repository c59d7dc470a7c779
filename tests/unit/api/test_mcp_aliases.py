"""Old tool names lead to the tools that do the same, with the arguments these take."""

from typing import Any

import pytest

from api.mcp_aliases import ALIASES
from api.mcp_tools import OFFERS

CALLS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("expand_entity", {"entity_name": "wick", "question": "port?"}, "expand", {"entity": "wick", "question": "port?"}),
    ("signet_expand_entity", {"entity": "wick", "max_tokens": 500}, "expand", {"entity": "wick", "max_tokens": 500}),
    ("expand_session", {"summary_id": "y"}, "expand", {"id": "y"}),
    ("signet_expand_session", {"summaryId": "y"}, "expand", {"id": "y"}),
    ("recall_past_conversation", {"query": "port?"}, "expand_query", {"question": "port?"}),
    (
        "lcm_grep",
        {"query": "port", "session_scope": "session", "session_id": "s", "sort": "hybrid", "time_from": 0, "limit": 5},
        "grep",
        {
            "pattern": "port",
            "scope": "session",
            "session_id": "s",
            "sort": "relevance",
            "from": "1970-01-01T00:00:00+00:00",
            "limit": 5,
        },
    ),
    ("lcm_grep", {"query": "port", "session_scope": "current"}, "grep", {"pattern": "port"}),
    ("lcm_load_session", {"session_id": "s", "after_store_id": 4}, "load_session", {"session_id": "s", "after": 4}),
    ("lcm_describe", {"node_id": "y"}, "expand", {"id": "y", "preview": True}),
    ("lcm_expand", {"node_id": None, "store_id": "m", "max_tokens": 400}, "expand", {"id": "m", "max_tokens": 400}),
    (
        "lcm_expand_query",
        {"prompt": "port?", "query": "port", "max_results": 5, "context_max_tokens": 4000},
        "expand_query",
        {"question": "port?", "context_max_tokens": 4000},
    ),
    ("lcm_status", {}, "status", {}),
    ("lcm_doctor", {}, "status", {"doctor": True}),
]


@pytest.mark.parametrize(("name", "given", "tool", "taken"), CALLS)
def test_an_old_name_leads_to_a_tool_that_takes_its_arguments(
    name: str, given: dict[str, Any], tool: str, taken: dict[str, Any]
) -> None:
    assert ALIASES[name].translate(given) == (tool, taken)
    OFFERS[tool].read(taken)


def test_every_old_name_is_tried_and_is_no_name_of_ours() -> None:
    assert {name for name, *_ in CALLS} == ALIASES.keys()
    assert not ALIASES.keys() & OFFERS.keys()


def test_what_nobody_knows_stays_so_that_it_is_refused_by_its_name() -> None:
    assert ALIASES["lcm_grep"].translate({"query": "a", "colour": "red", "time_to": 1e300}) == (
        "grep",
        {"pattern": "a", "colour": "red", "to": 1e300},
    )
