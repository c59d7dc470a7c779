"""Bounds on work that hold on a slow and on a busy machine."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def little_work(most_s: float = 10) -> Iterator[None]:
    """The body takes no more processor time of this thread: what else runs, here or elsewhere, is not counted.

    The bound is for work that takes a fiftieth of it or less, and would take far more if it grew faster than the text.
    """
    started = time.thread_time()
    yield
    assert time.thread_time() - started < most_s
