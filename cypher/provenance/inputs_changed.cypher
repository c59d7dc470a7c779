// purpose: statements drawn from messages that say something else now than when they were read
// params: agent_id STRING
// returns: number INTEGER, ids LIST<STRING>
// mode: read
MATCH (k:Memory)
WHERE k.agent_id = $agent_id
  AND EXISTS { MATCH (k)-[l:DERIVED_FROM]->(m:Message) WHERE l.lost IS NULL AND l.sha256 IS NOT NULL AND l.sha256 <> m.sha256 }
RETURN count(k) AS number, collect(k.id)[..5] AS ids
