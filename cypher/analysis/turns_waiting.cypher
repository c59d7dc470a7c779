// purpose: a session's next messages to analyse, in order, each with what the agent knows that is nearest to it
// params: agent_id STRING, session_id STRING, vectors BOOLEAN, dimensions INTEGER, before ZONED DATETIME, chars INTEGER, calls INTEGER, limit INTEGER, scan INTEGER, known INTEGER
// returns: through INTEGER, nextOrdinal INTEGER, turns LIST<MAP>
// mode: read
// why: what was drawn from this session itself tells nothing new of it, and whether it is drawn already must make no difference
// why: an index's own scores are approximate, so the exact cosine counts
// why: nextOrdinal is read first: all messages before it are seen then, also where more come meanwhile
// why: a backup, or an embedder that was changed, leaves vectors of another length, which an index refuses with an error
// why: the words of parts stand in searchText, behind the name; where there are none, the vector is that of nothing
// why: of a long tool result beginning and end, where verdicts stand
CYPHER 25
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
WHERE s.archivedAt IS NULL
WITH coalesce(s.analysedThrough, 0) AS through, s.nextOrdinal AS nextOrdinal
CALL (through) {
  MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= through
  WITH m ORDER BY m.ordinal
  LIMIT $limit
  WITH m, substring(m.searchText, size(coalesce(m.name + ': ', ''))) AS words
  WITH m, CASE WHEN m.role = 'tool' AND size(words) > $chars THEN left(words, $chars / 4) + '\n' + right(words, $chars * 3 / 4 - 1)
    ELSE left(words, $chars) END AS text
  WITH m, text, CASE WHEN trim(text) <> '' AND ($dimensions IS NULL OR size(m.embedding) = $dimensions) THEN m.embedding END AS vector
  CALL (vector) {
    WITH vector
    WHERE vector IS NOT NULL
    MATCH (t)
    SEARCH t IN (VECTOR INDEX attribute_vector FOR vector WHERE t.agent_id = $agent_id AND t.status = 'active' LIMIT $scan) SCORE AS _
    WITH t, 2 * vector.similarity.cosine(t.embedding, vector) - 1 AS near
    WHERE t.agent_id = $agent_id AND NOT $session_id IN t.sessionIds
    WITH t, near ORDER BY near DESC, t.id
    LIMIT $known
    RETURN collect({id: t.id, text: t.content, kind: t.kind, cosine: near}) AS facts
  }
  CALL (vector) {
    WITH vector
    WHERE vector IS NOT NULL
    MATCH (k)
    SEARCH k IN (VECTOR INDEX memory_vector FOR vector WHERE k.agent_id = $agent_id AND k.status = 'active' LIMIT $scan) SCORE AS _
    WITH k, 2 * vector.similarity.cosine(k.embedding, vector) - 1 AS near
    WHERE k.agent_id = $agent_id AND (k.sessionId IS NULL OR k.sessionId <> $session_id)
    WITH k, near ORDER BY near DESC, k.id
    LIMIT $known
    RETURN collect({id: k.id, text: k.content, kind: k.type, cosine: near}) AS statements
  }
  RETURN collect({id: m.id, messageId: m.messageId, ordinal: m.ordinal, role: m.role,
    text: text, calls: substring(m.toolCalls, 0, $calls), vector: vector,
    ready: CASE WHEN $vectors THEN NOT m:Unembedded ELSE m.ingestedAt < $before END, known: facts + statements}) AS turns
}
RETURN through, nextOrdinal, turns
