// purpose: lock a dependency and its ends until the transaction ends, and tell what it is now
// params: agent_id STRING, id STRING
// returns: dependency MAP
// mode: write
MATCH (a)-[d:DEPENDS_ON {agent_id: $agent_id, id: $id}]->(b)
CALL (a, b) {
  UNWIND [a, b] AS e
  WITH e ORDER BY e.id
  SET e.lock = true
}
SET d.lock = true
RETURN d {.id, .status, .deletedAt, .note} AS dependency
