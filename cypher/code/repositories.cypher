// purpose: the repositories that were read for an agent, by name
// params: agent_id STRING
// returns: name STRING
// mode: read
// why: the index is of agent, repository and path, and is used only where something is asked of each
MATCH (f:SourceFile)
WHERE f.agent_id = $agent_id AND f.repository IS NOT NULL AND f.path IS NOT NULL
RETURN DISTINCT f.repository AS name
ORDER BY name
