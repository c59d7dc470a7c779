// purpose: link statements to the entities they are about
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
UNWIND $rows AS row
MATCH (k:Memory {agent_id: $agent_id, id: row.memoryId})
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: row.entityId})
MERGE (k)-[:MENTIONS]->(e)
