// The sessions of a project with their summaries, in order, and the entities each is about
// Parameters: agent and project, such as  :param {agent: 'demo', project: 'atlas-shop'}
MATCH told = (:Session {agent_id: $agent, project: $project})-[:HAS_SUMMARY]->(summary:Summary)
OPTIONAL MATCH before = (summary)-[:FOLLOWS]->(:Summary)
OPTIONAL MATCH about = (summary)-[:ABOUT]->(:Entity)
RETURN told, before, about
LIMIT 500
