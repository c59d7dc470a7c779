"""Who a request comes from: the one place where a credential becomes an agent."""

from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.app import Graphmem
from graphmem.errors import InvalidInput
from graphmem.model.caller import AGENT_ID_RULE, is_agent_id


@dataclass(frozen=True)
class Access:
    """What a request may do, and as whom."""

    agent_id: str


async def identify(graphmem: Graphmem, headers: Mapping[str, str]) -> Access:
    """The access of a request by its headers (names in lower case or a case-insensitive mapping).

    Errors: InvalidInput for an agent id that can be none.
    """
    named = headers.get("x-agent-id")
    if named is None:
        return Access(graphmem.settings.agent_id)
    if not is_agent_id(named):
        raise InvalidInput.at("header", "X-Agent-Id", msg=AGENT_ID_RULE)
    return Access(named)
