// purpose: the active facts whose claims are about one of these topics, or give one of these values
// params: agent_id STRING, topics LIST<STRING>, values LIST<STRING>
// returns: id, entityId, aspect, content, kind, claimKey, claims STRING, confidence FLOAT, explicit, pinned BOOLEAN, validFrom, createdAt, saidAt STRING, sessionIds LIST<STRING>
// mode: read
// fragments: compared_row
CALL () {
  UNWIND $topics AS topic
  MATCH (t:Attribute {agent_id: $agent_id, claimTopic: topic, status: 'active'})
  RETURN t
  UNION
  UNWIND $values AS value
  MATCH (t:Attribute {agent_id: $agent_id, claimValue: value, status: 'active'})
  RETURN t
}
RETURN compared_row(t)
