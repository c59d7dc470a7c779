"""Work that comes at the same time is carried out together, and answered each for itself."""

import asyncio
from collections.abc import Sequence

import pytest

from graphmem.errors import Conflict, DatabaseUnavailable
from graphmem.graph.group_commit import GroupCommit

MOST = 4


class Log:
    """Commits take a turn of the loop each; `faults` says what of an item is raised for its whole group."""

    def __init__(self, faults: dict[str, Exception] | None = None) -> None:
        self.groups: list[tuple[str, tuple[str, ...]]] = []
        self._faults = faults or {}

    async def commit(self, key: str, items: Sequence[str]) -> list[str]:
        self.groups.append((key, tuple(items)))
        await asyncio.sleep(0)
        for item in items:
            if item in self._faults:
                raise self._faults[item]
        return [item.upper() for item in items]


async def test_one_alone_does_not_wait_for_others() -> None:
    log = Log()
    assert await GroupCommit(log.commit, MOST).carry_out("a", "x") == "X"
    assert log.groups == [("a", ("x",))]


async def test_what_comes_during_a_commit_goes_together_in_the_order_it_came() -> None:
    log = Log()
    together = GroupCommit(log.commit, MOST)
    answers = await asyncio.gather(*(together.carry_out("a", letter) for letter in "pqrstuvw"))
    assert answers == list("PQRSTUVW")
    assert [items for _, items in log.groups] == [("p", "q", "r", "s"), ("t", "u", "v", "w")]
    assert await together.carry_out("a", "z") == "Z"


async def test_keys_never_share_a_commit() -> None:
    log = Log()
    together = GroupCommit(log.commit, MOST)
    await asyncio.gather(*(together.carry_out(key, key + n) for n in "12" for key in "ab"))
    assert sorted(log.groups) == [("a", ("a1", "a2")), ("b", ("b1", "b2"))]


async def test_one_at_fault_fails_alone() -> None:
    log = Log({"q": Conflict("no")})
    together = GroupCommit(log.commit, MOST)
    answers = await asyncio.gather(*(together.carry_out("a", letter) for letter in "pqr"), return_exceptions=True)
    assert [answers[0], answers[2]] == ["P", "R"]
    assert isinstance(answers[1], Conflict)
    assert [items for _, items in log.groups] == [("p", "q", "r"), ("p",), ("q",), ("r",)]


async def test_database_that_is_away_is_told_to_all_and_not_asked_for_each() -> None:
    log = Log({"p": DatabaseUnavailable("away")})
    together = GroupCommit(log.commit, MOST)
    answers = await asyncio.gather(*(together.carry_out("a", letter) for letter in "pqr"), return_exceptions=True)
    assert [type(answer) for answer in answers] == [DatabaseUnavailable] * 3
    assert len(log.groups) == 1
    assert await together.carry_out("a", "s") == "S"


async def test_one_who_left_takes_nobody_along() -> None:
    log = Log()
    together = GroupCommit(log.commit, MOST)
    waiting = [asyncio.create_task(together.carry_out("a", letter)) for letter in "pq"]
    await asyncio.sleep(0)
    waiting[0].cancel()
    assert await waiting[1] == "Q"
    with pytest.raises(asyncio.CancelledError):
        await waiting[0]
