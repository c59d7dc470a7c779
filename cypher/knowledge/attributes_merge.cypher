// purpose: keep facts under their entity and aspect, each once while it is active
// params: agent_id STRING, agent_key STRING, by STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: ref STRING, id STRING, created BOOLEAN, before MAP, after MAP
// mode: write
// fragments: fact_sources_count, confirmed
// why: a fact that another speaker or session says too is surer, and never less sure than before; a statement that says an active fact again holds again
// why: what protects a memory protects the facts it states: one of a pinned memory is pinned
// why: a caller may name the slot of a fact that was there without one; of one that has a slot by a caller the words are another fact's
UNWIND $rows AS row
OPTIONAL MATCH (o:Attribute {agent_id: $agent_id, activeKey: row.activeKey})
WITH row, o {.confidence, .pinned, sources: COUNT { (o)-[:DERIVED_FROM]->() }} AS before, row.declares AND NOT (o.explicit AND o.claimKey IS NOT NULL) AS declares
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: row.entityId})
MERGE (s:Aspect {agent_id: $agent_id, entityId: row.entityId, canonicalName: row.aspectCanonical})
ON CREATE SET s.id = row.aspectId, s.name = row.aspect, s.weight = 0.5, s.createdAt = $now
MERGE (e)-[:HAS_ASPECT]->(s)
MERGE (t:Attribute {agent_id: $agent_id, activeKey: row.activeKey})
ON CREATE SET t:Unembedded, t.id = row.id, t.content = row.content, t.searchText = row.searchText, t.agentKey = $agent_key, t.kind = row.kind,
  t.status = 'active', t.entityId = row.entityId, t.aspect = s.name, t.claimKey = row.claimKey, t.confidence = row.confidence,
  t.importance = row.importance, t.pinned = row.pinned, t.explicit = row.explicit, t.validFrom = row.validFrom, t.validTo = row.validTo,
  t.createdAt = $now, t.extractionLevel = row.extractionLevel, t.sessionIds = row.sessionIds, t.project = row.project,
  t.sessionId = row.sessionId, t.kept = CASE WHEN row.sessionId IS NULL THEN true END, t.traits = row.traits, t.claims = row.claims, t.claimTopic = row.claimTopic, t.claimValue = row.claimValue,
  t.saidAt = row.saidAt, t.slot = row.slot, t.value = row.value, t.scope = row.scope, t.polarity = row.polarity, t.mood = row.mood,
  t.oneSource = row.confidence, t.basis = row.basis
ON MATCH SET t.basis = CASE WHEN row.confidence > coalesce(t.oneSource, t.confidence) THEN row.basis ELSE t.basis END,
  t.oneSource = CASE WHEN row.confidence > coalesce(t.oneSource, t.confidence) THEN row.confidence ELSE coalesce(t.oneSource, t.confidence) END,
  t.sessionIds = t.sessionIds + [seen IN row.sessionIds WHERE NOT seen IN t.sessionIds],
  t.explicit = t.explicit OR row.explicit, t.pinned = t.pinned OR row.pinned,
  t.kept = CASE WHEN row.sessionId IS NULL THEN true ELSE t.kept END,
  t.claimKey = CASE WHEN declares THEN row.claimKey ELSE t.claimKey END, t.claims = CASE WHEN declares THEN row.claims ELSE t.claims END,
  t.slot = CASE WHEN declares THEN row.slot ELSE t.slot END, t.value = CASE WHEN declares THEN row.value ELSE t.value END,
  t.scope = CASE WHEN declares THEN row.scope ELSE t.scope END, t.polarity = CASE WHEN declares THEN row.polarity ELSE t.polarity END,
  t.mood = CASE WHEN declares THEN row.mood ELSE t.mood END
MERGE (s)-[:HAS_ATTRIBUTE]->(t)
WITH t, row, before
CALL (t, row) {
  UNWIND row.memoryIds AS memoryId
  CALL (memoryId) {
    MATCH (k:Memory {agent_id: $agent_id, id: memoryId})
    RETURN k
    UNION ALL
    MATCH (k:ColdMemory {agent_id: $agent_id, id: memoryId})
    RETURN k
  }
  MERGE (t)-[r:DERIVED_FROM]->(k)
  ON CREATE SET r.by = $by, r.places = row.places
  SET k.status = CASE WHEN k.status = 'superseded' THEN 'active' ELSE k.status END, t.pinned = t.pinned OR k.pinned,
    r.lostIn = [seen IN r.lostIn WHERE NOT seen IN row.sessionIds]
}
WITH t, row, before, fact_sources_count(t) AS voices, t.oneSource AS single
WITH t, row, before, confirmed(single, voices) AS sure
SET t.confidence = CASE WHEN sure > t.confidence THEN sure ELSE t.confidence END
RETURN row.ref AS ref, t.id AS id, t.id = row.id AS created, before,
  t {.confidence, .pinned, sources: COUNT { (t)-[:DERIVED_FROM]->() }} AS after
