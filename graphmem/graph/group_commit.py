"""Group commit: work that arrives while a transaction runs is committed together in the next one."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeAlias, TypeVar

from graphmem.errors import DatabaseBusy, DatabaseUnavailable

Item = TypeVar("Item")
Result = TypeVar("Result")
Waiting: TypeAlias = tuple[Item, asyncio.Future[Result]]


class GroupCommit(Generic[Item, Result]):
    """Work items of one key (an agent), each committed alone or in one transaction with others that wait.

    A transaction costs the same for one message as for thirty, and concurrent writers would wait for each other anyway.
    `commit` writes a group and answers in its order; when it raises, nothing was written. One faulty item must not fail
    the others: then each item of the group is committed alone.
    """

    def __init__(self, commit: Callable[[str, Sequence[Item]], Awaitable[Sequence[Result]]], most: int) -> None:
        self._commit = commit
        self._most = most
        self._waiting: dict[str, list[Waiting[Item, Result]]] = defaultdict(list)
        self._running: dict[str, asyncio.Task[None]] = {}

    async def carry_out(self, key: str, item: Item) -> Result:
        """What `commit` returns for the item, once it is committed. Errors: what `commit` raises for it."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting[key].append((item, done))
        if key not in self._running:
            self._running[key] = asyncio.create_task(self._work(key))
        return await done

    async def _work(self, key: str) -> None:
        try:
            while group := self._waiting[key][: self._most]:
                del self._waiting[key][: self._most]
                await self._together(key, group)
        finally:  # nothing is awaited between the last check and this: later items start a new run
            del self._running[key]
            for _, done in self._waiting.pop(key):
                done.cancel()

    async def _together(self, key: str, group: Sequence[Waiting[Item, Result]]) -> None:
        try:
            results = await self._commit(key, [item for item, _ in group])
        except asyncio.CancelledError:
            for _, done in group:
                done.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - any error is passed to those who wait
            if len(group) > 1 and not isinstance(error, DatabaseBusy | DatabaseUnavailable):
                for one in group:
                    await self._together(key, [one])
                return
            for _, done in group:
                if not done.done():
                    done.set_exception(error)
        else:
            for (_, done), result in zip(group, results, strict=True):
                if not done.done():  # the caller may have been cancelled
                    done.set_result(result)
