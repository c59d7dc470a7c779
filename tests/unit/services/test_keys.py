"""Keys: kept by their hash, believed for five seconds, noted once a minute."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from graphmem.adapters.identity import new_key
from graphmem.errors import DatabaseBusy, InvalidInput, NotFound, Unauthenticated
from graphmem.model.keys import SCOPES, Key, includes
from graphmem.rules.language.keys import sha256_hex
from graphmem.services.operation.keys import REMEMBERED, Keys


class HeldKeys:
    """A ring in memory that counts what it is asked."""

    def __init__(self) -> None:
        self.by: dict[str, Key] = {}
        self.looked_up = 0
        self.uses: list[datetime] = []
        self.busy = False

    async def store(self, key: Key, hash_: str) -> None:
        self.by[hash_] = key

    async def by_hash(self, hash_: str) -> Key | None:
        self.looked_up += 1
        return self.by.get(hash_)

    async def all(self, agent_id: str | None) -> list[Key]:
        return [key for key in self.by.values() if agent_id in (None, key.agent_id)]

    async def revoke(self, id_: str, now: datetime) -> Key | None:
        for hash_, key in self.by.items():
            if key.id == id_:
                self.by[hash_] = key.model_copy(update={"revoked_at": key.revoked_at or now})
                return self.by[hash_]
        return None

    async def used(self, id_: str, now: datetime, before: datetime) -> None:
        if self.busy:
            raise DatabaseBusy("locked")
        self.uses.append(now)


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def ring() -> HeldKeys:
    return HeldKeys()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(ring: HeldKeys, clock: Clock) -> Keys:
    numbers = count()
    return Keys(ring, clock, lambda: f"id-{next(numbers)}", new_key)


def test_each_scope_includes_those_before_it() -> None:
    assert [[includes(held, needed) for needed in SCOPES] for held in SCOPES] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_a_key_is_recognised_by_its_prefix_and_holds_256_bits() -> None:
    made = {new_key() for _ in range(100)}
    assert len(made) == 100
    assert all(key.startswith("gm_") and len(key) == 3 + 43 for key in made)


async def test_only_the_hash_of_a_key_is_kept(keys: Keys, ring: HeldKeys) -> None:
    key, text = await keys.create("ada", "write", name="laptop")
    assert ring.by == {sha256_hex(text): key}
    assert text not in repr(ring.by)
    assert await keys.check(text) == key


@pytest.mark.parametrize("wrong", ["", "gm_", "gm_" + "x" * 43, "nonsense", "gm_é"])
async def test_an_unknown_key_is_refused(keys: Keys, wrong: str) -> None:
    _, text = await keys.create("ada", "write")
    for given in (wrong, text[:-1], text + "x", text.upper()):
        with pytest.raises(Unauthenticated):
            await keys.check(given)


async def test_what_cannot_be_a_key_is_not_looked_up(keys: Keys, ring: HeldKeys) -> None:
    with pytest.raises(Unauthenticated):
        await keys.check("somebody-elses-token")
    assert ring.looked_up == 0


async def test_a_key_is_looked_up_once_in_five_seconds(keys: Keys, ring: HeldKeys, clock: Clock) -> None:
    _, text = await keys.create("ada", "write")
    for _ in range(3):
        await keys.check(text)
    clock.wait(4.9)
    await keys.check(text)
    assert ring.looked_up == 1
    clock.wait(0.1)
    await keys.check(text)
    assert ring.looked_up == 2


async def test_a_revoked_key_is_refused_after_five_seconds_at_the_latest(keys: Keys, clock: Clock) -> None:
    key, text = await keys.create("ada", "write")
    await keys.check(text)
    await keys.revoke(key.id)
    clock.wait(5)
    with pytest.raises(Unauthenticated):
        await keys.check(text)


async def test_revoking_twice_keeps_the_first_time(keys: Keys, clock: Clock) -> None:
    key, _ = await keys.create("ada", "write")
    first = await keys.revoke(key.id)
    clock.wait(60)
    assert (await keys.revoke(key.id)).revoked_at == first.revoked_at
    with pytest.raises(NotFound, match="nobody"):
        await keys.revoke("nobody")


async def test_a_key_ends_at_its_time_whatever_was_believed(keys: Keys, clock: Clock) -> None:
    _, text = await keys.create("ada", "write", valid_for=timedelta(seconds=3))
    assert await keys.any_valid()
    await keys.check(text)
    clock.wait(3)
    with pytest.raises(Unauthenticated):
        await keys.check(text)
    assert not await keys.any_valid()


async def test_a_use_is_noted_once_a_minute_and_failing_that_is_no_failure(
    keys: Keys, ring: HeldKeys, clock: Clock
) -> None:
    _, text = await keys.create("ada", "write")
    begun = clock.now
    for _ in range(23):
        await keys.check(text)
        clock.wait(5)
    assert ring.uses == [begun, begun + timedelta(seconds=60)]
    ring.busy = True
    clock.wait(60)
    await keys.check(text)


async def test_no_more_than_a_thousand_keys_are_held(keys: Keys, ring: HeldKeys) -> None:
    for _ in range(REMEMBERED + 1):
        await keys.check((await keys.create("ada", "read"))[1])
    assert len(keys._seen) <= REMEMBERED
    assert len(keys._noted) <= REMEMBERED


async def test_a_key_for_what_can_be_no_agent_is_not_made(keys: Keys, ring: HeldKeys) -> None:
    with pytest.raises(InvalidInput, match="agent"):
        await keys.create("not an agent", "read")
    assert ring.by == {}
