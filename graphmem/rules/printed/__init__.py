"""What tools print, read by its kind: test runs, builds, traces, diffs, searches, listings, JSON, logs, receipts."""

from graphmem.rules.printed.reading import read_tool_result

__all__ = ["read_tool_result"]
