// purpose: what the statements in messages and summaries came to, by id, or those in the messages of a session by their words
// params: agent_id STRING, ids LIST<STRING>, session_id STRING, now ZONED DATETIME
// returns: id STRING, said LIST<LIST>
// mode: read
// variants: ids | session
// fragments: facts_now, summary_said_now
UNWIND $ids AS id // [ids]
CALL (id) { // [ids]
  MATCH (m:Message {agent_id: $agent_id, id: id}) // [ids]
  RETURN COLLECT { MATCH (m)<-[d:DERIVED_FROM]-(k:Memory|ColdMemory) // [ids]
    RETURN [null, d.start, d.end, facts_now(k)] ORDER BY d.start, d.end, k.id LIMIT 200 } AS said // [ids]
  UNION ALL // [ids]
  MATCH (y:Summary {agent_id: $agent_id, id: id}) // [ids]
  RETURN summary_said_now(y) AS said // [ids]
} // [ids]
RETURN id, said // [ids]
// MATCH (:Session {agent_id: $agent_id, id: $session_id})-[:HAS_MESSAGE]->(m:Message) // [session]
// WITH DISTINCT m // [session]
// MATCH (m)<-[d:DERIVED_FROM]-(k:Memory|ColdMemory) // [session]
// RETURN $session_id AS id, collect([substring(m.searchText, size(coalesce(m.name + ': ', '')) + d.start, d.end - d.start), null, null, facts_now(k)]) AS said // [session]
