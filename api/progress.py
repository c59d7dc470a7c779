"""Progress bars: on standard error where that is a terminal, else nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress, TaskID

if TYPE_CHECKING:
    from graphmem.services.ports import Tell


def progress_bar() -> Progress:
    """A bar on standard error where that is a terminal, else nothing."""
    console = Console(stderr=True)
    console.quiet = not console.is_terminal  # before rich 14 even a disabled bar ends in an empty line
    return Progress(console=console, transient=True, disable=not console.is_terminal)


@contextmanager
def bars() -> Iterator["Tell"]:
    """A bar for each counted thing, removed at the end. Print after it, not meanwhile."""
    with progress_bar() as shown:
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = shown.add_task(what.capitalize(), total=of)
            shown.update(tasks[what], completed=done, total=max(done, of))

        yield tell


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A bar without a percentage, for what cannot be counted."""
    with progress_bar() as shown:
        shown.add_task(what, total=None)
        yield
