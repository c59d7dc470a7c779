// purpose: what a dependency is now
// params: agent_id STRING, id STRING
// returns: dependency MAP
// mode: read
MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: $id}]->()
RETURN d {.id, .status, .deletedAt, .note} AS dependency
