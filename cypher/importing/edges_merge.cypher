// purpose: draw dependencies of a graph that is taken over, each once while it is active
// params: agent_id STRING, rows LIST<LIST<ANY>>, now ZONED DATETIME
// returns: created INTEGER, updated INTEGER
// mode: write
// why: rows are lists and only counts come back: with names for every value and the edges as answers half the time goes into the wire
// why: MERGE between two nodes it holds locks them before it makes the edge, so that two writers make it once
UNWIND $rows AS row
MATCH (a:Entity {agent_id: $agent_id, id: row[0]})
MATCH (b:Entity {agent_id: $agent_id, id: row[1]})
MERGE (a)-[d:DEPENDS_ON {agent_id: $agent_id, activeKey: row[2]}]->(b)
ON CREATE SET d.id = row[3], d.type = row[4], d.confidence = coalesce(row[5], 1.0), d.strength = coalesce(row[6], 0.5), d.reason = row[7],
  d.status = 'active', d.explicit = true, d.validFrom = coalesce(row[8], $now), d.createdAt = $now, d.extractionLevel = row[9], d.memoryIds = [],
  d.attributeIds = [], d.sessionIds = []
ON MATCH SET d.confidence = coalesce(row[5], d.confidence), d.strength = coalesce(row[6], d.strength),
  d.reason = coalesce(row[7], d.reason), d.explicit = true
RETURN sum(CASE WHEN d.id = row[3] THEN 1 ELSE 0 END) AS created, sum(CASE WHEN d.id = row[3] THEN 0 ELSE 1 END) AS updated
