// purpose: a merge by its id or by the pair it is about, or a page of them, newest first
// params: agent_id STRING, id STRING, pair_key STRING, status STRING, before ZONED DATETIME, before_id STRING, limit INTEGER
// returns: merge MAP, journal STRING // [one]
// returns: merge MAP // [page]
// mode: read
// variants: one | page
CALL () { // [one]
  MATCH (m:Merge {agent_id: $agent_id, id: $id}) RETURN m // [one]
  UNION // [one]
  MATCH (m:Merge {agent_id: $agent_id, pairKey: $pair_key}) RETURN m // [one]
} // [one]
// MATCH (m:Merge) // [page]
// WHERE m.agent_id = $agent_id AND m.createdAt <= $before // [page]
//   AND (m.createdAt < $before OR m.id < $before_id) AND ($status IS NULL OR m.status = $status) // [page]
// WITH m ORDER BY m.createdAt DESC, m.id DESC // [page]
// LIMIT $limit // [page]
RETURN m {.id, .fromId, .intoId, .status, .method, .reason, .createdAt, .decidedAt,
  fromName: head(COLLECT { MATCH (e:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: m.fromId}) RETURN e.name }),
  intoName: head(COLLECT { MATCH (e:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: m.intoId}) RETURN e.name })} AS merge, m.journal AS journal // [one]
//   intoName: head(COLLECT { MATCH (e:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: m.intoId}) RETURN e.name })} AS merge // [page]
// ORDER BY m.createdAt DESC, m.id DESC // [page]
