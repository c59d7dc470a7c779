"""The graph: the only package that uses Neo4j. One typed function for each statement in cypher/."""
