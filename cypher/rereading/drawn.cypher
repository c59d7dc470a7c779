// purpose: all that was drawn from these messages, wherever it is now, and where these entities are that are away
// params: agent_id STRING, ids LIST<STRING>, entity_ids LIST<STRING>
// returns: memories LIST<MAP>, facts LIST<MAP>, edges LIST<MAP>, mentions LIST<MAP>, away LIST<MAP>
// mode: read
RETURN COLLECT {
  UNWIND $ids AS id
  MATCH (m:Message {agent_id: $agent_id, id: id})<-[:DERIVED_FROM]-(k:Memory|ColdMemory)
  WITH DISTINCT k
  RETURN k {.id, .content, .status, .coldReason, corrected: k.supersededBy IS NOT NULL} ORDER BY k.id
} AS memories, COLLECT {
  UNWIND $ids AS id
  MATCH (m:Message {agent_id: $agent_id, id: id})<-[:DERIVED_FROM]-(k:Memory|ColdMemory)<-[:DERIVED_FROM]-(t:Attribute)
  WITH t, collect(DISTINCT k.id) AS memoryIds
  RETURN t {.id, .entityId, .content, .status, .coldReason, memoryIds: memoryIds} ORDER BY t.id
} AS facts, COLLECT {
  UNWIND $ids AS id
  MATCH (m:Message {agent_id: $agent_id, id: id})<-[:DERIVED_FROM]-(k:Memory|ColdMemory)
  WITH DISTINCT k
  MATCH (k)-[:MENTIONS]->(:Entity|ColdEntity)-[d:DEPENDS_ON]-()
  WHERE k.id IN d.memoryIds
  WITH DISTINCT d
  RETURN d {.id, .type, .status, .memoryIds, sourceId: startNode(d).id, targetId: endNode(d).id} ORDER BY d.id
} AS edges, COLLECT {
  UNWIND $ids AS id
  MATCH (m:Message {agent_id: $agent_id, id: id})-[r:MENTIONS]->(e:Entity|ColdEntity)
  RETURN {messageId: m.id, entityId: e.id, start: r.start, end: r.end}
} AS mentions, COLLECT {
  UNWIND $entity_ids AS entityId
  MATCH (e:ColdEntity {agent_id: $agent_id, id: entityId})
  RETURN e {.id, .coldReason}
} AS away
