// purpose: edges hold again with a fact that states them, unless they were drawn anew meanwhile
// params: agent_id STRING, rows LIST<MAP>
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (a:Entity|ColdEntity {agent_id: $agent_id, id: row.sourceId})-[d:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->(b)
WHERE d.status = 'superseded' AND NOT EXISTS { (a)-[:DEPENDS_ON {agent_id: $agent_id, activeKey: row.key}]->(b) }
SET d.status = 'active', d.activeKey = row.key, d.validTo = null, d.retiredAt = null
RETURN d.id AS id
