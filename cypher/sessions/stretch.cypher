// purpose: of the messages of [from, to) how many are in no summary, or how many tokens they have
// params: agent_id STRING, session_id STRING, from_ordinal INTEGER, to_ordinal INTEGER
// returns: number INTEGER // [uncovered]
// returns: tokens INTEGER // [tokens]
// mode: read
// variants: uncovered | tokens
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal AND m.ordinal < $to_ordinal
  AND NOT EXISTS { (:Summary)-[:COVERS]->(m) } // [uncovered]
RETURN count(m) AS number // [uncovered]
// RETURN sum(m.tokens) AS tokens // [tokens]
