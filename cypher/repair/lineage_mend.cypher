// purpose: give a session without a source one, and messages the source and project of their session
// params: agent_id STRING, session_id STRING, limit INTEGER
// returns: id STRING
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.source = CASE WHEN s.source IS NULL OR trim(s.source) = '' THEN 'unknown' ELSE trim(s.source) END
WITH s
MATCH (s)-[:HAS_MESSAGE]->(m:Message)
WHERE m.source IS NULL OR m.source <> s.source OR coalesce(m.project, '') <> coalesce(s.project, '')
WITH s, m LIMIT $limit
SET m.source = s.source, m.project = s.project
RETURN m.id AS id
