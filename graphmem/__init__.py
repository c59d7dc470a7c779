"""graphmem: a memory for agents that loses nothing and never serves a stale fact without saying so."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("graphmem")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = ["__version__"]
