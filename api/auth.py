"""Authentication: the only place where a credential becomes an agent."""

from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.app import Graphmem
from graphmem.errors import InvalidInput, ScopeMissing, Unauthenticated
from graphmem.model.caller import AGENT_ID_RULE, is_agent_id
from graphmem.model.keys import KeyScope, includes


@dataclass(frozen=True)
class Access:
    """What a request may do, and for which agent."""

    agent_id: str
    scope: KeyScope = "admin"
    key_id: str | None = None
    one_agent: bool = False
    """The key belongs to this agent alone: it must learn nothing of others."""
    named: bool = True
    """The agent was asked for, or is the only one there is for this key; else it is the default."""

    def require(self, needed: KeyScope) -> None:
        """Errors: ScopeMissing when the key does not include this scope."""
        if not includes(self.scope, needed):
            raise ScopeMissing(
                f"This needs a key of the scope {needed}, and the one given has {self.scope}. "
                f"`graphmem keys create --agent {self.agent_id} --scope {needed}` makes one."
            )


async def identify(graphmem: Graphmem, headers: Mapping[str, str]) -> Access:
    """The access of a request by its headers (names in lower case or a case-insensitive mapping).

    A key that is given is always checked. Without one, and where none is required, everything is allowed: the service
    then listens on loopback only.

    Errors: Unauthenticated for an invalid key, or none where one is required; InvalidInput for an invalid agent id.
    """
    given = _key(headers)
    if given is None:
        if graphmem.settings.require_key:
            raise Unauthenticated("This service requires a key: send it as `Authorization: Bearer gm_…`.")
        named = _named_agent(headers)
        return Access(named or graphmem.settings.agent_id, named=named is not None)
    key = await graphmem.operation.keys.check(given)
    named = _named_agent(headers) if key.all_agents else key.agent_id
    return Access(named or key.agent_id, key.scope, key.id, one_agent=not key.all_agents, named=named is not None)


def _key(headers: Mapping[str, str]) -> str | None:
    """The key that was sent. Credentials of a scheme other than Bearer are not ours, but a proxy's, for instance."""
    scheme, _, credentials = headers.get("authorization", "").partition(" ")
    return credentials.strip() if scheme.lower() == "bearer" else headers.get("x-api-key")


def _named_agent(headers: Mapping[str, str]) -> str | None:
    named = headers.get("x-agent-id")
    if named is not None and not is_agent_id(named):
        raise InvalidInput.at("header", "X-Agent-Id", msg=AGENT_ID_RULE)
    return named
