"""The use cases: the order of steps, without decisions (those are in rules/) and statements (those are in graph/)."""
