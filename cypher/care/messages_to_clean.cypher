// purpose: answers of tools that may leave a session: their payloads are in files, a summary covers them, nobody pinned them
// params: agent_id STRING, session_id STRING, from_ordinal INTEGER, to_ordinal INTEGER, chars INTEGER, limit INTEGER
// returns: message MAP, ordinal INTEGER
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal AND m.ordinal < $to_ordinal
  AND m.role = 'tool' AND m.cleanedAt IS NULL AND NOT coalesce(m.pinned, false) AND size(m.content) > $chars
  AND EXISTS { (m)-[:HAS_PAYLOAD]->(:Payload) } AND EXISTS { (m)<-[:COVERS]-(:Summary) }
  AND NOT EXISTS { (m)<-[:DERIVED_FROM]-(:Memory {pinned: true}) }
RETURN m {.id, .name, .content, .contentKind, .toolCalls, .metadata, .searchText, .sha256} AS message, m.ordinal AS ordinal
ORDER BY ordinal LIMIT $limit
