// An entity, its facts now and before, and the messages they came from
// Parameters: agent and name, such as  :param {agent: 'demo', name: 'billing-service'}
MATCH (:Name {agent_id: $agent, canonical: replace(replace(toLower(trim($name)), '-', ' '), '_', ' ')})-[:NAMES]->(e:Entity)
MATCH facts = (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(fact:Attribute)
OPTIONAL MATCH source = (fact)-[:DERIVED_FROM]->(:Memory)-[:DERIVED_FROM]->(:Message)
OPTIONAL MATCH newer = (fact)-[:SUPERSEDED_BY]->(:Attribute)
RETURN facts, source, newer
LIMIT 500
