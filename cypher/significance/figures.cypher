// purpose: what the significance gate looks at: what was said, the important entities, the vectors of the session and of those that ended last
// params: agent_id STRING, session_id STRING, messages INTEGER, chars INTEGER, mentions INTEGER, entities INTEGER, vectors INTEGER, sessions INTEGER
// returns: said LIST<LIST>, important LIST<LIST>, waiting INTEGER, vectors LIST<LIST>, ended LIST<MAP>
// mode: read
// why: of a long session the vectors of messages evenly spread over it stand for all
// why: sessions without a project are compared with each other; the order of the index ends the search after a few
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
RETURN COLLECT {
    MATCH (m:Message)
    WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= 0 AND m.role IN ['user', 'assistant'] AND m.contentKind <> 'null'
    WITH m ORDER BY m.ordinal LIMIT $messages
    RETURN [m.role, substring(m.searchText, size(coalesce(m.name + ': ', '')), $chars)]
  } AS said,
  COLLECT {
    CALL () {
      MATCH (e:Entity)
      WHERE e.agent_id = $agent_id AND e.pinned = false AND e.mentions >= $mentions
      WITH e ORDER BY e.mentions DESC LIMIT $entities
      RETURN e
      UNION
      MATCH (e:Entity)
      WHERE e.agent_id = $agent_id AND e.pinned = true AND e.mentions >= 0
      WITH e LIMIT $entities
      RETURN e
    }
    RETURN COLLECT { MATCH (n:Name)-[:NAMES]->(e) RETURN n.canonical }
  } AS important,
  COUNT {
    MATCH (m:Message)
    WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= 0 AND m:Unembedded
  } AS waiting,
  COLLECT {
    MATCH (m:Message)
    WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= 0 AND m.role IN ['user', 'assistant']
      AND m.ordinal % (1 + s.nextOrdinal / $vectors) = 0 AND m.embedding IS NOT NULL
    RETURN m.embedding
  } AS vectors,
  COLLECT {
    MATCH (o:Session)
    USING INDEX o:Session(agent_id, endedAt)
    WHERE o.agent_id = $agent_id AND o.endedAt IS NOT NULL AND o.id <> $session_id AND o.archivedAt IS NULL
      AND (o.project = s.project OR o.project IS NULL AND s.project IS NULL)
    WITH o ORDER BY o.endedAt DESC LIMIT $sessions
    RETURN {id: o.id, through: o.nextOrdinal, mean: o.meanVector,
      waiting: o.meanVector IS NULL AND EXISTS {
        MATCH (m:Message) WHERE m.agent_id = $agent_id AND m.sessionId = o.id AND m.ordinal >= 0 AND m:Unembedded },
      vectors: CASE WHEN o.meanVector IS NULL THEN COLLECT {
        MATCH (m:Message)
        WHERE m.agent_id = $agent_id AND m.sessionId = o.id AND m.ordinal >= 0 AND m.role IN ['user', 'assistant']
          AND m.ordinal % (1 + o.nextOrdinal / $vectors) = 0 AND m.embedding IS NOT NULL
        RETURN m.embedding } ELSE [] END}
  } AS ended
