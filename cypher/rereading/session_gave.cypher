// purpose: what a session's messages before an ordinal gave, whether it may step back if they no longer say it (free), and whether that is noted (lost)
// params: agent_id STRING, session_id STRING, through INTEGER
// returns: memories LIST<MAP>, facts LIST<MAP>, edges LIST<MAP>, entities LIST<MAP>
// mode: read
// why: free is what nothing else supports, and never a rule, what is pinned, what a person gave, corrected or restored, or what replaced or was replaced
// why: a session that says the words and whose reader does not find it any more is no support: it is noted on what it once supported
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
CALL (s) {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.ordinal < $through
  WITH DISTINCT m
  MATCH (m)<-[l:DERIVED_FROM]-(k:Memory)
  WITH k, min(coalesce(l.lost, false)) AS lost
  RETURN collect({memory: k, lost: lost}) AS ours
}
CALL (ours) {
  UNWIND ours AS one
  WITH one.memory AS k, one.lost AS lost
  WITH k, lost, k.status = 'active' AND k.type <> 'constraint' AND NOT k.pinned AND NOT k.explicit AND NOT coalesce(k.kept, k.sessionId IS NULL)
    AND NOT EXISTS { MATCH (k)-[l:DERIVED_FROM]->(o:Message)
      WHERE l.lost IS NULL AND (o.sessionId <> $session_id OR o.ordinal >= $through) }
    AND NOT EXISTS { MATCH (k)<-[:DERIVED_FROM]-(t:Attribute)
      WHERE t.status IN ['active', 'superseded'] AND (t.kind = 'constraint' OR t.pinned OR t.explicit OR coalesce(t.kept, false)
        OR EXISTS { MATCH (t)-[l:SUPERSEDED_BY]-() WHERE l.undoneAt IS NULL }) } AS free
  RETURN collect(k {.id, .content, free: free, lost: lost}) AS memories
}
CALL (ours) {
  UNWIND ours AS one
  WITH one.memory AS k
  MATCH (k)<-[r:DERIVED_FROM]-(t:Attribute {status: 'active'})
  WITH t, max($session_id IN coalesce(r.lostIn, [])) AS lost
  WITH t, lost, t.kind <> 'constraint' AND NOT t.pinned AND NOT t.explicit AND NOT coalesce(t.kept, false)
    AND NOT EXISTS { MATCH (t)-[l:SUPERSEDED_BY]-() WHERE l.undoneAt IS NULL }
    AND NOT EXISTS { MATCH (t)-[r:DERIVED_FROM]->(o:Memory)
      WHERE o.pinned OR o.explicit OR coalesce(o.kept, o.sessionId IS NULL) OR EXISTS { MATCH (o)-[l:DERIVED_FROM]->(m:Message)
        WHERE l.lost IS NULL AND (m.sessionId <> $session_id OR m.ordinal >= $through) AND NOT m.sessionId IN coalesce(r.lostIn, []) } } AS free
  RETURN collect(t {.id, .entityId, .content, free: free, lost: lost}) AS facts
}
CALL (ours) {
  UNWIND ours AS one
  WITH one.memory AS k
  MATCH (k)-[:MENTIONS]->(:Entity|ColdEntity)-[d:DEPENDS_ON]-()
  WHERE d.activeKey IS NOT NULL AND k.id IN d.memoryIds
  WITH DISTINCT d
  WITH d, NOT d.explicit AND NOT EXISTS { UNWIND d.memoryIds AS other
    MATCH (o:Memory {agent_id: $agent_id, id: other})
    WHERE o.pinned OR o.explicit OR coalesce(o.kept, o.sessionId IS NULL) OR EXISTS { MATCH (o)-[l:DERIVED_FROM]->(m:Message)
      WHERE l.lost IS NULL AND (m.sessionId <> $session_id OR m.ordinal >= $through) AND NOT m.sessionId IN coalesce(d.lostIn, []) }
    RETURN 1 } AS free
  RETURN collect(d {.id, .type, sourceId: startNode(d).id, targetId: endNode(d).id, free: free,
    lost: $session_id IN coalesce(d.lostIn, [])}) AS edges
}
CALL (s) {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.ordinal < $through
  WITH DISTINCT m
  MATCH (m)-[r:MENTIONS]->(e:Entity)
  WITH e, min(coalesce(r.lost, false)) AS lost
  RETURN collect(e {.id, lost: lost}) AS entities
}
RETURN memories, facts, edges, entities
