// purpose: the edges of the paths that an impact lists
// params: agent_id STRING, ids LIST<STRING>
// returns: edges LIST<LIST<ANY>>
// mode: read
// why: one row of lists, times as text: a thousand rows with names for their values take the driver ten times as long
UNWIND $ids AS id
MATCH (a:Entity|ColdEntity)-[d:DEPENDS_ON {agent_id: $agent_id, id: id}]->(b:Entity|ColdEntity)
RETURN collect([d.id, a.id, a.name, b.id, b.name, d.type, d.confidence, d.strength, d.reason, toString(d.validFrom), toString(d.validTo),
  coalesce(d.extractionLevel, 1), d.activeKey IS NOT NULL,
  COLLECT { UNWIND d.memoryIds AS memoryId
    MATCH (:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[:DERIVED_FROM]->(m:Message)
    RETURN DISTINCT m.messageId ORDER BY m.messageId }]) AS edges
