"""Tool names of older memory systems, each with the equivalent tool here and the names of its arguments.

They are accepted where `mcp_aliases` is set, and never listed. The answers are those of the tools.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Alias:
    """`names` maps its arguments to ours, without those of the same name; `values` converts some of them; `always` is
    added to each call; arguments in `ignored` have no meaning here."""

    tool: str
    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    always: Mapping[str, Any] = field(default_factory=dict)
    ignored: Set[str] = frozenset()

    def translate(self, arguments: Json) -> tuple[str, Json]:
        """The tool and its arguments. Null values are left out; unknown arguments stay, so that they are refused by
        name.

        >>> ALIASES["lcm_grep"].translate({"query": "port", "session_scope": "all", "sort": "hybrid"})
        ('grep', {'pattern': 'port', 'scope': 'all', 'sort': 'relevance'})
        """
        read = {
            self.names.get(name, name): self.values[name](value) if name in self.values else value
            for name, value in arguments.items()
            if name not in self.ignored and value is not None
        }
        return self.tool, {**{name: value for name, value in read.items() if value is not None}, **self.always}


def _time(given: Any) -> Any:
    """Seconds since 1970 as a time; a text is a time already."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        return given
    try:
        return datetime.fromtimestamp(given, UTC).isoformat()
    except (OverflowError, ValueError, OSError):
        return given


_ID = {"node_id": "id", "externalized_ref": "id", "store_id": "id"}
_ENTITY = Alias("expand", {"entity_name": "entity", "name": "entity"})
_SESSION = Alias("expand", {"summary_id": "id", "summaryId": "id"})
_SCOPES = {"current": None, "all": "all", "session": "session"}
"""Only `session_id` names the current session; without a scope it is the one that is searched."""

ALIASES: Mapping[str, Alias] = {
    "expand_entity": _ENTITY,
    "signet_expand_entity": _ENTITY,
    "expand_session": _SESSION,
    "signet_expand_session": _SESSION,
    "recall_past_conversation": Alias("expand_query", {"query": "question"}),
    "lcm_grep": Alias(
        "grep",
        {"query": "pattern", "session_scope": "scope", "time_from": "from", "time_to": "to"},
        {
            "sort": lambda sort: "relevance" if sort == "hybrid" else sort,
            "session_scope": lambda scope: _SCOPES.get(scope, scope) if isinstance(scope, str) else scope,
            "time_from": _time,
            "time_to": _time,
        },
    ),
    "lcm_load_session": Alias("load_session", {"after_store_id": "after"}),
    "lcm_describe": Alias("expand", _ID, always={"preview": True}),
    "lcm_expand": Alias("expand", _ID),
    "lcm_expand_query": Alias(
        "expand_query", {"prompt": "question"}, ignored=frozenset({"query", "node_ids", "max_results"})
    ),
    "lcm_status": Alias("status"),
    "lcm_doctor": Alias("status", always={"doctor": True}),
}
