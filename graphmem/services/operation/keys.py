"""Keys: created, listed, revoked, and checked at each request."""

import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta

from graphmem.errors import GraphmemError, InvalidInput, NotFound, Unauthenticated
from graphmem.model.caller import AGENT_ID_RULE, is_agent_id
from graphmem.model.keys import Key, KeyScope
from graphmem.rules.language.keys import KEY_PREFIX, sha256_hex
from graphmem.services.ports import Clock, KeyRing, NewId

BELIEVED = timedelta(seconds=5)
"""How long a looked-up key is cached: for this long a revoked one may still work."""
REMEMBERED = 1000
"""Most keys in the cache."""
USE_NOTED_EVERY = timedelta(minutes=1)


class Keys:
    """`new_key` generates the text of a key: it cannot be guessed, so one round of SHA-256 is enough to store it."""

    def __init__(self, ring: KeyRing, clock: Clock, new_id: NewId, new_key: Callable[[], str]) -> None:
        self._ring = ring
        self._clock = clock
        self._new_id = new_id
        self._new_key = new_key
        self._seen: dict[str, tuple[datetime, Key]] = {}
        self._noted: dict[str, datetime] = {}

    async def create(
        self,
        agent_id: str,
        scope: KeyScope,
        *,
        name: str | None = None,
        all_agents: bool = False,
        valid_for: timedelta | None = None,
    ) -> tuple[Key, str]:
        """A new key, and its text, which is returned only once. Errors: InvalidInput for an invalid agent id."""
        if not is_agent_id(agent_id):
            raise InvalidInput.at("agent", msg=AGENT_ID_RULE)
        now, text = self._clock(), self._new_key()
        key = Key(
            id=self._new_id(),
            agent_id=agent_id,
            all_agents=all_agents,
            scope=scope,
            name=name,
            created_at=now,
            expires_at=now + valid_for if valid_for else None,
            last_used_at=None,
            revoked_at=None,
        )
        await self._ring.store(key, sha256_hex(text))
        return key, text

    async def all(self, agent_id: str | None = None) -> list[Key]:
        """Keys of one agent, or of all, oldest first; including expired and revoked ones."""
        return await self._ring.all(agent_id)

    async def any_valid(self) -> bool:
        now = self._clock()
        return any(key.is_valid(now) for key in await self._ring.all(None))

    async def revoke(self, id_: str) -> Key:
        """Revoke the key now; one that ended before keeps its time. Errors: NotFound."""
        revoked = await self._ring.revoke(id_, self._clock())
        if revoked is None:
            raise NotFound(f"There is no key {id_!r}. `graphmem keys list` shows the ids.")
        return revoked

    async def check(self, text: str) -> Key:
        """The key with this text.

        It is looked up by its hash, so the duration of a comparison does not reveal how much of a guess was right.

        Errors: Unauthenticated for one that is unknown, revoked or expired.
        """
        now = self._clock()
        key = await self._find(sha256_hex(text), now) if text.startswith(KEY_PREFIX) else None
        if key is None or not key.is_valid(now):
            raise Unauthenticated(
                "The key is unknown, revoked or expired. `graphmem keys list` shows those there are, "
                "`graphmem keys create` makes one."
            )
        return key

    async def _find(self, hash_: str, now: datetime) -> Key | None:
        at, key = self._seen.get(hash_, (None, None))
        if at is not None and now - at < BELIEVED:
            return key
        found = await self._ring.by_hash(hash_)
        if found is None:
            return None
        if len(self._seen) >= REMEMBERED:
            self._seen.clear()
            self._noted.clear()
        self._seen[hash_] = (now, found)
        if found.is_valid(now):
            await self._note_use(found, now)
        return found

    async def _note_use(self, key: Key, now: datetime) -> None:
        """Record a use of the key. Best effort: a request does not fail because of it."""
        noted = self._noted.get(key.id) or key.last_used_at
        if noted and now - noted < USE_NOTED_EVERY:
            return
        self._noted[key.id] = now  # before the write: concurrent requests do not write too
        with contextlib.suppress(GraphmemError):
            await self._ring.used(key.id, now, now - USE_NOTED_EVERY)
