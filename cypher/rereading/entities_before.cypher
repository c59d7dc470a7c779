// purpose: which of these entities there are but for what a session says from a message on
// params: agent_id STRING, entity_ids LIST<STRING>, session_id STRING, from_ordinal INTEGER
// returns: id STRING
// mode: read
// why: a session that is read again must not know from itself what it says later
UNWIND $entity_ids AS entityId
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: entityId})
WHERE e.kept
  OR EXISTS { MATCH (e)<-[:MENTIONS]-(m:Message) WHERE m.sessionId <> $session_id OR m.ordinal < $from_ordinal }
  OR EXISTS { MATCH (e)<-[:MENTIONS]-(k:Memory|ColdMemory)
    WHERE NOT EXISTS { MATCH (k)-[:DERIVED_FROM]->(m:Message) WHERE m.sessionId = $session_id AND m.ordinal >= $from_ordinal } }
RETURN e.id AS id
