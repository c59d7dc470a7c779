// purpose: lock the ends of a dependency until the transaction ends
// params: agent_id STRING, id STRING
// returns: ids LIST<STRING>
// mode: write
// why: a merge draws edges anew while it holds their ends, so the edge itself is looked at once they are locked
MATCH (a)-[:DEPENDS_ON {agent_id: $agent_id, id: $id}]->(b)
UNWIND [a, b] AS e
WITH DISTINCT e ORDER BY e.id
SET e.lock = true
RETURN collect(e.id) AS ids
