// purpose: give messages other content whose original is kept as a payload; their sha256 stays that of the original
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: a message that changed since it was read is left alone
UNWIND $rows AS row
MATCH (s:Session)-[:HAS_MESSAGE]->(m:Message {agent_id: $agent_id, id: row.id})
WHERE m.content = row.before
SET s.tokens = s.tokens + row.tokens - m.tokens
SET s.savedTokens = CASE WHEN m.ordinal < s.compactedThrough THEN s.savedTokens + row.tokens - m.tokens ELSE s.savedTokens END
SET m.content = row.content, m.toolCalls = row.toolCalls, m.metadata = row.metadata, m.searchText = row.searchText, m.grams = row.grams,
  m.contentChars = row.contentChars, m.tokens = row.tokens, m.cleanedAt = CASE WHEN row.cleaned THEN $now ELSE m.cleanedAt END
RETURN m.id AS id
