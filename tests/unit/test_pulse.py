"""Calls end when the database is silent, and only then."""

import asyncio

import pytest

from graphmem.graph import pulse
from graphmem.graph.pulse import Pulse


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOOK_AFTER_S", "TICK_S"):
        monkeypatch.setattr(pulse, name, 0.02)


async def test_calls_end_long_before_their_time_when_the_database_is_silent() -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    watched = Pulse(hang)
    for _ in range(2):  # the second as the first
        with pytest.raises(TimeoutError):
            async with watched.over(3600):
                await asyncio.Event().wait()
    await watched.close()


async def test_calls_end_when_nobody_is_there_any_more() -> None:
    async def refuse() -> None:
        raise ConnectionRefusedError

    watched = Pulse(refuse)
    with pytest.raises(TimeoutError):
        async with watched.over(3600):
            await asyncio.Event().wait()
    await watched.close()


async def test_a_call_goes_on_while_the_database_gives_signs_of_life() -> None:
    signs, enough = 0, asyncio.Event()

    async def answer() -> None:
        nonlocal signs
        signs += 1
        if signs == 20:
            enough.set()

    watched = Pulse(answer)
    async with watched.over(3600):
        await enough.wait()
    await watched.close()


async def test_a_question_that_waits_is_not_asked_again() -> None:
    asked, goes_on = 0, asyncio.Event()

    async def ask() -> None:
        nonlocal asked
        asked += 1
        await goes_on.wait()

    watched = Pulse(ask)
    for _ in range(2):
        with pytest.raises(TimeoutError):
            async with watched.over(3600):
                await asyncio.Event().wait()
    assert asked == 1
    goes_on.set()
    await watched.close()


async def test_nobody_is_asked_while_nobody_waits() -> None:
    async def never() -> None:
        raise AssertionError

    watched = Pulse(never)
    for _ in range(20):
        async with watched.over(3600):
            pass
    await asyncio.sleep(4 * pulse.LOOK_AFTER_S)
    assert watched._watching is None
    await watched.close()


async def test_a_call_has_its_own_time_too() -> None:
    async def answer() -> None: ...

    watched = Pulse(answer)
    with pytest.raises(TimeoutError):
        async with watched.over(0.01):
            await asyncio.Event().wait()
    await watched.close()
