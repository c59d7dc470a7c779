// What an agent was told and what it learned from it
// Parameters: agent, such as  :param agent => 'demo'
MATCH p = (:Session {agent_id: $agent})-[:HAS_MESSAGE]->(:Message)-[:MENTIONS]->(:Entity)
RETURN p LIMIT 1000
UNION
MATCH p = (:Entity {agent_id: $agent})-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active'})
RETURN p LIMIT 1000
UNION
MATCH p = (:Entity {agent_id: $agent})-[d:DEPENDS_ON]->(:Entity)
WHERE d.activeKey IS NOT NULL
RETURN p LIMIT 1000
