// purpose: summaries as hits, with what the statements in them came to, now or on a day, as was known on another
// params: agent_id STRING, ids LIST<STRING>, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: hits LIST<MAP>
// mode: read
// variants: now | then
// fragments: facts_now, facts_then
// why: one row: the driver reads one of many hits faster than many of one
// why: lines of a session, an arc or an epoch are statements; those of a compaction are sentences of its messages
// why: a summary is as old as the newest message it covers, not as its making
UNWIND $ids AS id
MATCH (y:Summary {agent_id: $agent_id, id: id})
RETURN collect({id: y.id, text: y.content, sessionId: y.sessionId, createdAt: toString(coalesce(y.latestAt, y.createdAt)), status: 'active', messageIds: [], successors: [],
  inOtherWords: coalesce(y.method = 'model', false),
  said: COLLECT {
    CALL (y) {
      MATCH (y)-[:DERIVED_FROM]->(k:Memory|ColdMemory)
      RETURN k, k.content AS words
      UNION
      MATCH (y)-[:HAS_CHILD*0..6]->(:Summary)-[:COVERS]->(m:Message)<-[d:DERIVED_FROM]-(k:Memory|ColdMemory)
      WHERE y.kind IN ['leaf', 'condensed', 'recap']
      RETURN k, substring(m.searchText, size(coalesce(m.name + ': ', '')) + d.start, d.end - d.start) AS words
    }
    WITH k, words WHERE k:ColdMemory OR EXISTS { MATCH (k)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.status <> 'active' }
    RETURN [words, null, null, facts_now(k)] ORDER BY k.id LIMIT 500 }, // [now]
//     RETURN [words, null, null, facts_then(k)] ORDER BY k.id LIMIT 500 }, // [then]
  entityIds: COLLECT { MATCH (y)-[:ABOUT]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 }}) AS hits
