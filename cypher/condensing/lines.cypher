// purpose: the projects in which sessions were summed up, null for sessions without one
// params: agent_id STRING
// returns: project STRING
// mode: read
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > '' AND EXISTS { (s)-[:HAS_SUMMARY]->(:Summary {kind: 'session'}) }
RETURN DISTINCT s.project AS project
ORDER BY project
