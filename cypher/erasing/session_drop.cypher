// purpose: erase a session whose messages are erased, with every mention of its id
// params: agent_id STRING, id STRING, fact_ids LIST<STRING>
// returns: id STRING, messages INTEGER
// mode: write
// why: what it said with others stays, and rests on them alone
MATCH (s:Session {agent_id: $agent_id, id: $id})
CALL () {
  MATCH (o:Session)
  WHERE o.agent_id = $agent_id AND o.id > '' AND $id IN o.formerIds
  SET o.formerIds = [former IN o.formerIds WHERE former <> $id], o.continues = CASE WHEN o.continues = $id THEN null ELSE o.continues END
}
CALL () {
  UNWIND $fact_ids AS factId
  MATCH (t:Attribute {agent_id: $agent_id, id: factId})
  SET t.sessionIds = [one IN t.sessionIds WHERE one <> $id]
  WITH t
  MATCH (t)-[:DERIVED_FROM]->(k:Memory|ColdMemory)
  SET k.sessionId = CASE WHEN k.sessionId = $id THEN head(COLLECT { MATCH (k)-[:DERIVED_FROM]->(o:Message) RETURN o.sessionId }) ELSE k.sessionId END
}
CALL (s) {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  DETACH DELETE m
  RETURN count(*) AS messages
}
DETACH DELETE s
RETURN $id AS id, messages
