// purpose: link messages to the entities they name
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
UNWIND $rows AS row
MATCH (m:Message {agent_id: $agent_id, id: row.messageId})
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: row.entityId})
MERGE (m)-[r:MENTIONS {start: row.start, end: row.end}]->(e)
SET r.lost = null
