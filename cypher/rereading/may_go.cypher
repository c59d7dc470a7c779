// purpose: what was drawn from a session's messages before an ordinal alone, and may step back if they no longer say it
// params: agent_id STRING, session_id STRING, through INTEGER
// returns: memories LIST<MAP>, facts LIST<MAP>, edges LIST<MAP>
// mode: read
// why: never a rule, what is pinned, what a person gave, corrected or restored, what replaced or was replaced, nor what rests on any of these
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
CALL (s) {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.ordinal < $through
  WITH DISTINCT m
  MATCH (m)<-[:DERIVED_FROM]-(k:Memory)
  WITH DISTINCT k
  WHERE NOT k.pinned AND NOT k.explicit AND NOT coalesce(k.kept, k.sessionId IS NULL)
    AND NOT EXISTS { MATCH (k)-[:DERIVED_FROM]->(o:Message) WHERE o.sessionId <> $session_id OR o.ordinal >= $through }
  RETURN collect(k) AS ours
}
WITH ours, [k IN ours | k.id] AS ids
CALL (ours, ids) {
  UNWIND ours AS k
  MATCH (k)<-[:DERIVED_FROM]-(t:Attribute {status: 'active'})
  WITH DISTINCT t, ids
  WHERE t.kind <> 'constraint' AND NOT t.pinned AND NOT t.explicit AND NOT coalesce(t.kept, false)
    AND NOT EXISTS { MATCH (t)-[:DERIVED_FROM]->(o:Memory) WHERE NOT o.id IN ids }
    AND NOT EXISTS { MATCH (t)-[l:SUPERSEDED_BY]-() WHERE l.undoneAt IS NULL }
  RETURN collect(t {.id, .entityId, .content}) AS facts
}
CALL (ours, ids) {
  UNWIND ours AS k
  MATCH (k)-[:MENTIONS]->(:Entity|ColdEntity)-[d:DEPENDS_ON]-()
  WHERE d.activeKey IS NOT NULL AND NOT d.explicit AND k.id IN d.memoryIds
  WITH DISTINCT d, ids
  WHERE NOT EXISTS { UNWIND d.memoryIds AS other MATCH (:Memory {agent_id: $agent_id, id: other}) WHERE NOT other IN ids RETURN 1 }
  RETURN collect(d {.id, .type, sourceId: startNode(d).id, targetId: endNode(d).id}) AS edges
}
CALL (ours) {
  UNWIND ours AS k
  WITH k
  WHERE k.status = 'active' AND k.type <> 'constraint' AND NOT EXISTS { MATCH (k)<-[:DERIVED_FROM]-(t:Attribute)
    WHERE t.status IN ['active', 'superseded'] AND (t.kind = 'constraint' OR t.pinned OR t.explicit OR coalesce(t.kept, false)
      OR EXISTS { MATCH (t)-[l:SUPERSEDED_BY]-() WHERE l.undoneAt IS NULL }) }
  RETURN collect(k {.id, .content}) AS memories
}
RETURN memories, facts, edges
