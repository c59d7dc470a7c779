"""Loads the local embedding model once, as a service does at its start, and prints how long that took in milliseconds.

It is run in processes of its own (`benchmarks.start`): the second load of a process imports nothing any more.
"""

import asyncio
import time


async def load_ms() -> float:
    """From the first import of what embeds until the model has embedded a text."""
    began = time.perf_counter()
    from graphmem.adapters.embedding import LocalEmbedder
    from graphmem.settings import load_settings

    embedder = LocalEmbedder(load_settings().cache_dir)
    await embedder.load()
    took_ms = (time.perf_counter() - began) * 1000
    await embedder.close()
    return took_ms


if __name__ == "__main__":
    print(asyncio.run(load_ms()))
