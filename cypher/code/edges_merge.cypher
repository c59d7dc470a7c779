// purpose: draw the dependencies of a repository, each once while it is active
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: nothing
// mode: write
// why: an edge that was said, or drawn by a person, is confirmed by the code: it keeps its own reason and never loses confidence
UNWIND $rows AS row
MATCH (a:Entity {agent_id: $agent_id, id: row.sourceId})
MATCH (b:Entity {agent_id: $agent_id, id: row.targetId})
MERGE (a)-[d:DEPENDS_ON {agent_id: $agent_id, activeKey: row.activeKey}]->(b)
ON CREATE SET d.id = row.id, d.type = row.type, d.confidence = row.confidence, d.strength = 0.5, d.reason = row.reason, d.status = 'active',
  d.explicit = false, d.validFrom = $now, d.createdAt = $now, d.extractionLevel = 1, d.memoryIds = [], d.attributeIds = [], d.sessionIds = []
ON MATCH SET
  d.confidence = CASE
    WHEN d.explicit THEN d.confidence
    WHEN size(d.memoryIds) = 0 OR row.confidence > d.confidence THEN row.confidence
    ELSE d.confidence END,
  d.reason = CASE WHEN d.explicit OR size(d.memoryIds) > 0 THEN d.reason ELSE row.reason END
SET d.provenance = 'code', d.file = row.file, d.line = row.line, d.how = row.how
