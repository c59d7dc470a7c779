// purpose: who or what made a thing, and whether it has a vector; of a message what its session says of where it comes from
// params: agent_id STRING, id STRING
// returns: by STRING, origin STRING, embedded BOOLEAN
// mode: read
MATCH (n:Message|Memory|ColdMemory|Attribute|Summary {agent_id: $agent_id, id: $id})
RETURN coalesce(n.by, head(COLLECT { MATCH (n)-[l:DERIVED_FROM]->() WHERE l.by IS NOT NULL AND l.lost IS NULL RETURN l.by ORDER BY elementId(l) }),
    n.method) AS by,
  head(COLLECT { MATCH (n)<-[:HAS_MESSAGE]-(s:Session) WHERE n:Message RETURN s.metadata }) AS origin,
  n.embedding IS NOT NULL AS embedded
