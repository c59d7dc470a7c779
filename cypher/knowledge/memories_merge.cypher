// purpose: keep statements, each once, with the words they came from and the entities they are about
// params: agent_id STRING, agent_key STRING, by STRING, rows LIST<MAP>
// returns: ref STRING, id STRING, created BOOLEAN, before MAP, after MAP
// mode: write
// why: a statement given again may be pinned now, never unpinned; what it was before is told, for its history
// why: the edge is the record of the derivation: who drew it, and the hash of what it was drawn from
// why: what no session says was given by a person: kept, whatever a session is found to say later
UNWIND $rows AS row
OPTIONAL MATCH (o:Memory {agent_id: $agent_id, contentKey: row.contentKey})
WITH row, o {.status, .pinned, sources: COUNT { (o)-[:DERIVED_FROM]->() }} AS before
MERGE (k:Memory {agent_id: $agent_id, contentKey: row.contentKey})
ON CREATE SET k:Unembedded, k.id = row.id, k.content = row.content, k.searchText = row.content, k.agentKey = $agent_key, k.type = row.type,
  k.status = 'active', k.importance = row.importance, k.pinned = row.pinned, k.project = row.project, k.sessionId = row.sessionId,
  k.validFrom = row.validFrom, k.validTo = row.validTo, k.createdAt = row.createdAt, k.explicit = row.explicit, k.source = row.source,
  k.kept = CASE WHEN row.sessionId IS NULL THEN true END
ON MATCH SET k.validTo = CASE WHEN k.status = 'superseded' THEN row.validTo ELSE k.validTo END, k.status = 'active',
  k.pinned = k.pinned OR row.pinned, k.explicit = k.explicit OR row.explicit, k.kept = CASE WHEN row.sessionId IS NULL THEN true ELSE k.kept END
REMOVE k.supersededBy, k.ownValidTo
WITH k, row, before
CALL (k, row) {
  UNWIND row.spans AS span
  MATCH (m:Message {agent_id: $agent_id, id: span.messageId})
  MERGE (k)-[l:DERIVED_FROM {start: span.start, end: span.end}]->(m)
  ON CREATE SET l.by = $by, l.sha256 = m.sha256
  SET l.lost = null
}
CALL (k, row) {
  UNWIND row.about AS entityId
  MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: entityId})
  MERGE (k)-[:MENTIONS]->(e)
}
RETURN row.ref AS ref, k.id AS id, k.id = row.id AS created, before,
  k {.status, .pinned, sources: COUNT { (k)-[:DERIVED_FROM]->() }} AS after
