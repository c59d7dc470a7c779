// purpose: draw dependencies of a graph that is taken over, each once while it is active
// params: agent_id STRING, rows LIST<LIST<ANY>>, now ZONED DATETIME
// returns: created INTEGER, updated INTEGER
// mode: write
// why: rows are lists and only counts come back: with names for every value and the edges as answers half the time goes into the wire
// why: no MERGE, whose properties are set one after the other: CREATE with all of them takes two thirds of the time; no key comes twice in the rows
// why: the seek of the key locks its place in the unique index, so that of two writers the second waits and finds the first one's edge
UNWIND $rows AS row
MATCH (a:Entity {agent_id: $agent_id, id: row[0]})
MATCH (b:Entity {agent_id: $agent_id, id: row[1]})
OPTIONAL MATCH ()-[there:DEPENDS_ON {agent_id: $agent_id, activeKey: row[2]}]->()
FOREACH (_ IN CASE WHEN there IS NULL THEN [row] ELSE [] END |
  CREATE (a)-[:DEPENDS_ON {agent_id: $agent_id, activeKey: row[2], id: row[3], type: row[4], confidence: coalesce(row[5], 1.0),
    strength: coalesce(row[6], 0.5), reason: row[7], status: 'active', explicit: true, validFrom: coalesce(row[8], $now), createdAt: $now,
    extractionLevel: row[9], memoryIds: [], attributeIds: [], sessionIds: []}]->(b))
FOREACH (_ IN CASE WHEN there IS NULL THEN [] ELSE [row] END |
  SET there.confidence = coalesce(row[5], there.confidence), there.strength = coalesce(row[6], there.strength),
    there.reason = coalesce(row[7], there.reason), there.explicit = true)
RETURN sum(CASE WHEN there IS NULL THEN 1 ELSE 0 END) AS created, count(there) AS updated
