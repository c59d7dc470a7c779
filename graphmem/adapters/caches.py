"""What this process remembers of texts it has read."""

import functools
import gc

from graphmem.adapters.processes import end_processes


def forget_texts() -> None:
    """Empty all bounded caches of graphmem's functions, whatever the module: they are keyed by texts. End the processes
    that compute for this one; new ones start with the next work.

    Unbounded ones hold tables that come with the code.
    """
    for held in gc.get_objects():
        # Not isinstance, which asks proxies for what they stand for.
        if type(held) is not functools._lru_cache_wrapper or held.cache_parameters()["maxsize"] is None:
            continue
        if str(getattr(held, "__module__", "")).startswith("graphmem."):
            held.cache_clear()
    end_processes()
