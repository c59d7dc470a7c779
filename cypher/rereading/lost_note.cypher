// purpose: note of what a session gave whether its reader still finds it there, where it stays either way
// params: agent_id STRING, session_id STRING, through INTEGER, memories LIST<MAP>, facts LIST<MAP>, edges LIST<MAP>, entities LIST<MAP>
// returns: noted INTEGER
// mode: write
CALL () {
  UNWIND $memories AS row
  MATCH (k:Memory {agent_id: $agent_id, id: row.id})-[l:DERIVED_FROM]->(m:Message)
  WHERE m.sessionId = $session_id AND m.ordinal < $through
  SET l.lost = CASE WHEN row.lost THEN true END
  RETURN count(l) AS links
}
CALL () {
  UNWIND $facts AS row
  MATCH (t:Attribute {agent_id: $agent_id, id: row.id})-[r:DERIVED_FROM]->(k:Memory)
  WHERE EXISTS { MATCH (k)-[:DERIVED_FROM]->(m:Message) WHERE m.sessionId = $session_id }
  SET r.lostIn = [one IN coalesce(r.lostIn, []) WHERE one <> $session_id] + CASE WHEN row.lost THEN [$session_id] ELSE [] END
  RETURN count(r) AS statings
}
CALL () {
  UNWIND $edges AS row
  MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->()
  SET d.lostIn = [one IN coalesce(d.lostIn, []) WHERE one <> $session_id] + CASE WHEN row.lost THEN [$session_id] ELSE [] END
  RETURN count(d) AS edgesNoted
}
CALL () {
  UNWIND $entities AS row
  MATCH (e:Entity {agent_id: $agent_id, id: row.id})<-[r:MENTIONS]-(m:Message)
  WHERE m.sessionId = $session_id AND m.ordinal < $through
  SET r.lost = CASE WHEN row.lost THEN true END
  RETURN count(r) AS namings
}
RETURN links + statings + edgesNoted + namings AS noted
