"""The outside world other than the graph: the managed server, models, parsers."""
