// purpose: sessions without a source, or with messages that say another source or project than they do
// params: agent_id STRING, limit INTEGER
// returns: id STRING, number INTEGER
// mode: read
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > ''
WITH s, COUNT { (s)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.source IS NULL OR m.source <> s.source OR coalesce(m.project, '') <> coalesce(s.project, '') } AS number,
  s.source IS NULL OR trim(s.source) = '' AS blank
WHERE blank OR number > 0
RETURN s.id AS id, number
ORDER BY id LIMIT $limit
