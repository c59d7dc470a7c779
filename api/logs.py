"""The log of every process of graphmem."""

import logging
import sys

from pythonjsonlogger.json import JsonFormatter

from graphmem.settings import Settings


def set_up_logging(settings: Settings) -> None:
    """One JSON object a line on standard error; never message text, never secrets."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        JsonFormatter("{levelname}{name}{message}", style="{", timestamp="at", rename_fields={"levelname": "level"})
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    for noisy, least in {"httpx": logging.WARNING, "httpcore": logging.WARNING, "neo4j": logging.ERROR}.items():
        logging.getLogger(noisy).setLevel(least)  # the driver warns about every retry
    for noisy in ("uvicorn", "asyncio", "mcp"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, root.level))
