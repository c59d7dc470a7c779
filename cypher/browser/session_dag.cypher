// The sessions of a project with their summaries, in order, the arcs and epochs over them, and the entities each is about
// Parameters: agent and project, such as  :param {agent: 'demo', project: 'atlas-shop'}
MATCH told = (:Session {agent_id: $agent, project: $project})-[:HAS_SUMMARY]->(summary:Summary)
OPTIONAL MATCH before = (summary)-[:FOLLOWS]->(:Summary)
OPTIONAL MATCH about = (summary)-[:ABOUT]->(:Entity)
OPTIONAL MATCH above = (summary)<-[:HAS_CHILD*1..2]-(:Summary)
RETURN told, before, about, above
LIMIT 500
