"""Keys: what proves that a request may act for an agent, and how far."""

from datetime import datetime
from typing import Literal, get_args

from graphmem.model.value import Value

KeyScope = Literal["read", "write", "admin"]
"""What a key allows: each scope includes those before it."""

SCOPES: tuple[KeyScope, ...] = get_args(KeyScope)


def includes(held: KeyScope, needed: KeyScope) -> bool:
    """Whether a key of one scope may do what needs another."""
    return SCOPES.index(held) >= SCOPES.index(needed)


class Key(Value):
    """What is stored of a key; the key itself is not. `last_used_at` is exact to the minute."""

    id: str
    agent_id: str
    all_agents: bool
    scope: KeyScope
    name: str | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None

    def is_valid(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)
