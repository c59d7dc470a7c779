// purpose: a merge by its id, or by the pair it is about
// params: agent_id STRING, id STRING, pair_key STRING
// returns: merge MAP, journal STRING
// mode: read
CALL () {
  MATCH (m:Merge {agent_id: $agent_id, id: $id}) RETURN m
  UNION
  MATCH (m:Merge {agent_id: $agent_id, pairKey: $pair_key}) RETURN m
}
RETURN m {.id, .fromId, .intoId, .status, .method, .reason, .createdAt, .decidedAt,
  fromName: head(COLLECT { MATCH (e:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: m.fromId}) RETURN e.name }),
  intoName: head(COLLECT { MATCH (e:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: m.intoId}) RETURN e.name })} AS merge, m.journal AS journal
