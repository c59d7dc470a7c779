// purpose: what is known of a page of dependencies that bears on their confidence
// params: agent_id STRING, after STRING, limit INTEGER
// returns: last STRING, edges LIST<MAP>
// mode: read
// fragments: edge_sources
// why: the page is of all edges, read off the index in its order, so that the next one begins behind it; only those that hold and may move are answered
// why: a moment is one contradiction, of a fact or of an edge: the fact that retired the one retires the other in the same transaction
// why: said is transaction time, not when the words are from: a conversation of old that is read today was learned today
MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id}]->()
WHERE d.id > $after
WITH d ORDER BY d.agent_id, d.id LIMIT $limit
WITH collect(d) AS page
RETURN page[-1].id AS last, COLLECT {
  UNWIND page AS d
  WITH d, startNode(d) AS a, endNode(d) AS b
  WHERE d.activeKey IS NOT NULL AND (NOT d.explicit OR d.givenConfidence IS NOT NULL)
  WITH a, b, d, COLLECT { UNWIND d.memoryIds AS memoryId
    MATCH (k:Memory {agent_id: $agent_id, id: memoryId}) WHERE k.sessionId IS NULL
    RETURN k.createdAt } AS apart,
    COLLECT { UNWIND d.memoryIds AS memoryId
    MATCH (:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[l:DERIVED_FROM]->(m:Message)
    WHERE l.lost IS NULL
    RETURN max(m.ingestedAt) } AS said
  WITH a, b, d, apart, reduce(latest = d.createdAt, at IN apart + said | CASE WHEN at > latest THEN at ELSE latest END) AS saidAt
  RETURN {id: d.id, confidence: d.confidence, given: d.givenConfidence, living: d.livingConfidence, pinned: d.explicit,
    single: CASE WHEN d.explicit THEN null ELSE d.oneSource END, byCode: coalesce(d.provenance = 'code', false), saidAt: saidAt,
    sources: edge_sources(d),
    usedAt: head(COLLECT { MATCH (f:Feedback {agent_id: $agent_id, targetId: d.id}) WHERE f.score > 0
      RETURN f.at ORDER BY f.at DESC LIMIT 1 }),
    contradictions: size(COLLECT {
      MATCH (s:Supersession {agent_id: $agent_id})
      WHERE s.oldId IN d.attributeIds AND s.newId IS NOT NULL AND s.status IN ['applied', 'proposed']
        AND coalesce(s.decidedAt, s.createdAt) > saidAt
      RETURN coalesce(s.decidedAt, s.createdAt) AS at
      UNION
      MATCH (a)-[o:DEPENDS_ON]->(b)
      WHERE o.id <> d.id AND o.status = 'superseded' AND o.retiredAt > saidAt
      RETURN o.retiredAt AS at })}
} AS edges
