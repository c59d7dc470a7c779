// purpose: summaries as hits
// params: agent_id STRING, ids LIST<STRING>
// returns: hits LIST<MAP>
// mode: read
// why: one row: the driver reads one of many hits faster than many of one
UNWIND $ids AS id
MATCH (y:Summary {agent_id: $agent_id, id: id})
RETURN collect({id: y.id, text: y.content, sessionId: y.sessionId, createdAt: toString(y.createdAt), status: 'active', messageIds: [], successors: [],
  entityIds: COLLECT { MATCH (y)-[:ABOUT]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 }}) AS hits
