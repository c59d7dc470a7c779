"""The graph: the only package that talks to Neo4j. One typed function for each statement in cypher/."""
